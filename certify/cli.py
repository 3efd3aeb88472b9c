"""The commands: their options, their output and their exit codes. What they do lives in the rooms below."""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from certify.claims.exits import BadInput, Exit
from certify.claims.text import clipped, line, one_line

LONGEST = 500  # characters of a message

output_file = click.option("--output-file", "-o", metavar="FILE", help="Write the result to FILE instead of stdout.")
settings = click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Set an exact constant: C=2/25.")


def formats(*names: str) -> Callable[[Any], Any]:
    """The option ``--format``, the first name being the default."""
    return click.option("--format", "format", type=click.Choice(names), default=names[0], show_default=True)


def _be_verbose(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
    context.find_root().ensure_object(dict)["verbose"] |= value


verbose = click.option("-v", "--verbose", is_flag=True, expose_value=False, callback=_be_verbose, help="Show tracebacks on stderr.")


def _show_version(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
    if value:
        from certify.claims.provenance import version

        emit(f"certify {version('certify-numerics') or 'not installed'}\n")
        context.exit()


def _show_help(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
    if value:
        emit(f"{context.get_help()}\n")
        context.exit()


class Command(click.Command):
    """A command whose help goes the way of all results."""

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        option = super().get_help_option(ctx)
        if option is not None:
            option.callback = _show_help
        return option


class Group(Command, click.Group):
    """The commands."""

    command_class = Command


@click.group(cls=Group, no_args_is_help=False, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version)
def cli() -> None:
    """Certified numerics: claims, exact proofs, certificates and an independent checker.

    Exit codes: 0 all that was asked holds; 1 something is refuted; 2 interrupted; 3 an error verdict or an internal
    error; 4 bad input; 5 nothing selected; 6 something is undecided, or nothing was run.
    """


@cli.command()
@click.argument("selectors", nargs=-1, metavar="[ID | GLOB | FILE.py | FILE.py::ID]...")
@click.option("--output-dir", "-o", metavar="DIR", help="Leave report and certificates in DIR; keep proofs found there.")
@settings
@click.option("--force", is_flag=True, help="Prove again what DIR holds a certificate of.")
@click.option("--jobs", "-j", type=click.IntRange(min=1), help="Worker processes.  [default: one a core]")
@click.option("--profile", type=click.Choice(["quick", "full"]), default="quick", show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@formats("text", "json", "markdown")
@click.option("-q", "--quiet", is_flag=True, help="No progress on stderr.")
@verbose
@click.pass_obj
def run(options: dict[str, Any], selectors: Sequence[str], settings: Sequence[str], format: str, quiet: bool, **request: Any) -> Exit:
    """Check claims, all where none is named, and have every proof replayed by the independent checker."""
    from certify.claims.constants import parse_settings
    from certify.claims.progress import Progress
    from certify.report.render import render_run
    from certify.report.run import run

    with contextlib.nullcontext() if quiet else Progress(options["verbose"]) as progress:
        report = run(
            *selectors,
            constants=parse_settings(settings),
            command=options["command"],
            watchers=[] if progress is None else [progress],
            **request,
        )
    emit(render_run(report, format))
    return report.exit


@cli.command("list")
@click.argument("selectors", nargs=-1, metavar="[ID | GLOB | FILE.py]...")
@click.option("--by", type=click.Choice(["id", "paper"]), default="id", show_default=True, help="Order of ids, or of the paper's items.")
@click.option("--report", metavar="FILE", help="With --by paper: the grades that a run reached, from its report.json.")
@formats("text", "json", "markdown")
@output_file
@verbose
@click.pass_obj
def list_claims(
    options: dict[str, Any], selectors: Sequence[str], by: str, report: str | None, format: str, output_file: str | None
) -> Exit:
    """List claims with the grade they ask for and their source.

    By paper: every theorem, displayed equation, table and figure with its claims, or "not yet"; as json or markdown
    also the statements that need correction, with evidence computed on the spot.
    """
    from certify.claims.registry import load
    from certify.report.render import render_list

    entries = load(selectors).select(selectors)
    whole = Exit.HOLDS if all(entry.trace is None for entry in entries) else Exit.ERROR
    if by == "paper":
        return max(whole, _list_by_paper(options["command"], entries, bool(selectors), report, format, output_file))
    if report is not None:
        raise BadInput("--report belongs to --by paper")
    emit(render_list(entries, format), output_file)
    return whole


def _list_by_paper(command: str, entries: list[Any], selected: bool, report: str | None, format: str, output_file: str | None) -> Exit:
    from certify.claims.files import read
    from certify.claims.folder import decode_report
    from certify.claims.provenance import environment
    from certify.exact.truth import Truth
    from certify.report.paper import render_paper
    from certify.studies.paper import trace

    found, errata = trace(entries, None if report is None else decode_report(read(report)), selected), []
    if format != "text":
        from certify.studies.errata.entries import corrections

        errata = corrections({entry.claim.id for entry in entries} if selected else None)
    emit(render_paper(found, errata, format, command, environment()), output_file)
    return Exit.HOLDS if all(evidence.confirmed is Truth.YES for _, evidence in errata) else Exit.REFUTED


@cli.command()
@click.argument("selectors", nargs=-1, required=True, metavar="ID | GLOB | FILE.py...")
@output_file
@verbose
def explain(selectors: Sequence[str], output_file: str | None) -> Exit:
    """Say what a claim states, what its certificate establishes, and how it is proved."""
    from certify.claims.registry import load
    from certify.report.text import explanation

    emit("\n".join(explanation(entry) for entry in load(selectors).select(selectors)), output_file)
    return Exit.HOLDS


@cli.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@settings
@click.option("--standalone", is_flag=True, help="Do not hold certificates against the claims whose ids they carry.")
@formats("text", "json")
@output_file
@verbose
def check(paths: Sequence[str], settings: Sequence[str], standalone: bool, format: str, output_file: str | None) -> Exit:
    """Have the independent checker replay certificates, and hold their theorems against the claims'.

    PATH is a certificate file, a folder of them, or the folder of a run; a claim file FILE.py adds its claims.
    """
    from certify.claims.checking import check
    from certify.claims.constants import parse_settings
    from certify.report.render import render_checked

    results = check(paths, parse_settings(settings), standalone)
    emit(render_checked(results, format), output_file)
    return Exit.HOLDS if all(result.accepted for result in results) else Exit.REFUTED


@cli.command()
@click.option("--nu", help="The order ν ≥ 0, exact: 255, 10/9, 0.1 (one tenth).")
@click.option("--p", help="The dimension p = 2ν + 2, instead of --nu.")
@click.option("--x", help="The argument x ≥ 0, exact: 1e5, 1/3.")
@click.option("--to", help="A second argument, for the differences of potentials from x.")
@click.option("--resultant", help="A mean resultant length r in [0, 1), for the κ with R_ν(κ) = r.")
@click.option(
    "--choose", metavar="TOLERANCE", help="The smallest n with |R − A_n| ≤ TOLERANCE proved: for all x ≥ 0, at x, or from x to --to."
)
@click.option("--digits", type=int, default=30, show_default=True, help="Proven digits, 15 to 1000.")
@formats("text", "json")
@output_file
@verbose
def enclose(format: str, output_file: str | None, **question: Any) -> Exit:
    """Print Bessel ratios, potentials and their approximations with proven digits."""
    from certify.exact.enclose import enclose
    from certify.report.enclosures import render_enclosures

    try:
        enclosures = enclose(**question)
    except ValueError as error:
        raise BadInput(str(error)) from None
    emit(render_enclosures(enclosures, format), output_file)
    return Exit.HOLDS


@cli.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@click.option("--no-search", is_flag=True, help="Stay on the grid: look for no larger errors between its points.")
@click.option("--digits", type=int, help="Digits of the certified reference, 15 to 1000.  [default: the paper's]")
@click.option("--printed", metavar="FILE", help="Hold the cells against the printed values in FILE.")
@formats("text", "markdown", "latex", "csv", "json")
@output_file
@verbose
def table(ids: Sequence[str], no_search: bool, digits: int | None, printed: str | None, format: str, output_file: str | None) -> Exit:
    """Recompute the paper's tables (3, 5, 6) and hold every cell against the printed one."""
    from certify.claims.progress import Stderr
    from certify.report.tables import render_tables
    from certify.studies.table import build, number

    file = None if printed is None else Path(printed)
    try:
        with Stderr().status("tables"):
            tables = [build(id, digits=digits, search=not no_search, printed=file) for id in dict.fromkeys(map(number, ids))]
    except ValueError as error:
        raise BadInput(str(error)) from None
    emit(render_tables(tables, format), output_file)
    return Exit.REFUTED if any(table.contradicts for table in tables) else Exit.HOLDS


def emit(text: str, file: str | None = None) -> None:
    """Write a result to stdout, or to a file that is then complete. A reader that stops reading early is no error."""
    if file is not None:
        from certify.claims.files import write_atomically

        write_atomically(file, text)
        return
    if sys.stdout is None:
        raise BadInput("stdout is closed")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing more can be written there
        if not isinstance(error, BrokenPipeError):
            raise BadInput(f"cannot write to stdout: {error.strerror}") from None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; every failure is one line on stderr."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    options = {"verbose": False, "command": shlex.join(["certify", *words])}
    _prepare_streams()
    try:
        os.getcwd()
    except OSError:
        return _fail("the working directory is gone", Exit.BAD_INPUT)
    try:
        with cli.make_context("certify", words, obj=options) as context:
            return int(cli.invoke(context))
    except click.exceptions.Exit as end:
        return end.exit_code
    except BadInput as error:
        return _fail(str(error), error.exit)
    except click.ClickException as error:
        return _fail(error.format_message(), Exit.BAD_INPUT)
    except (KeyboardInterrupt, click.Abort):
        return _fail("interrupted", Exit.INTERRUPTED)
    except BaseException as error:  # SystemExit too: it is not for a claim's code to end the command
        if options["verbose"]:
            traceback.print_exc()
        return _fail(f"internal error: {one_line(error)} (-v shows the traceback)", Exit.ERROR)


def _prepare_streams() -> None:
    """Occupy closed standard descriptors, and escape characters that a terminal's encoding lacks."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # open takes the lowest free number
    sys.stderr = sys.stderr or os.fdopen(2, "w", errors="backslashreplace")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _fail(message: str, code: Exit) -> int:
    with contextlib.suppress(OSError):
        print(f"certify: {clipped(line(message), LONGEST)}", file=sys.stderr)
    return int(code)
