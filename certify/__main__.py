"""``python -m certify``, and the command: an interrupt while the modules are still being loaded ends it in one line too."""

import sys


def main() -> int:
    try:
        from certify.cli import main as command
    except KeyboardInterrupt:
        print("certify: interrupted", file=sys.stderr)
        return 2
    return command()


if __name__ == "__main__":
    sys.exit(main())
