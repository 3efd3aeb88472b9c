"""``python -m certify``, and the command: what ends it while its modules are still being loaded is one line, too."""

import sys


def main() -> int:
    try:
        from certify.cli import leave
        from certify.cli import main as command
    except KeyboardInterrupt:
        print("certify: interrupted", file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        from certify.claims.text import not_installed

        if not (message := not_installed(error)):
            raise
        print(f"certify: {message}", file=sys.stderr)
        return 3
    return leave(command())


if __name__ == "__main__":
    sys.exit(main())
