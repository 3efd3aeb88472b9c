"""``python -m certify.bench``: the whole measurement, without the command line's libraries."""

from __future__ import annotations

import argparse
import sys
from dataclasses import fields

from certify.bench.session import dumps, run
from certify.bench.settings import Settings
from certify.bench.summary import outcome, text
from certify.claims.exits import BadInput, Exit


class Parser(argparse.ArgumentParser):
    """Bad input ends with one line and the code that every command uses."""

    def error(self, message: str) -> None:  # type: ignore[override]
        print(f"certify: {message}", file=sys.stderr)
        raise SystemExit(int(Exit.BAD_INPUT))


def main(arguments: list[str] | None = None) -> int:
    """Run, write the record, and print the short table last."""
    options = vars(_parser().parse_args(arguments))
    file, format = options.pop("output_file"), options.pop("format")
    try:
        record = run(Settings(**options), file, lambda line: print(line, file=sys.stderr, flush=True))
    except BadInput as error:
        print(f"certify: {error}", file=sys.stderr)
        return int(error.exit)
    except KeyboardInterrupt:
        print("certify: interrupted; the parts that had ended are in the file", file=sys.stderr)
        return int(Exit.INTERRUPTED)
    print(dumps(record) if format == "json" else text(record), end="")
    return int(outcome(record))


def _parser() -> Parser:
    parser = Parser(prog="python -m certify.bench", description="Measure Table 7 and its neighbours on this machine.")
    for field in fields(Settings):
        kind = type(field.default)
        parser.add_argument(f"--{field.name}", type=kind, default=field.default, help=f"default {field.default}")
    parser.add_argument("-o", "--output-file", metavar="FILE", help="write the record (JSON), after every part")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    return parser


if __name__ == "__main__":
    sys.exit(main())
