"""``python -m certify``."""

import sys

from certify.cli import main

if __name__ == "__main__":
    sys.exit(main())
