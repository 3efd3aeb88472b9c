"""The command ``certify``: its commands, and what becomes of their failures."""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import sys
import threading
import traceback
from collections.abc import Sequence

import click

from certify.claims.exits import BadInput, Exit
from certify.claims.text import clipped, line, not_installed, one_line
from certify.commands.audit import audit
from certify.commands.bench import bench
from certify.commands.check import check
from certify.commands.completion import asked, completion
from certify.commands.diff import diff
from certify.commands.doctor import doctor
from certify.commands.enclose import enclose
from certify.commands.explain import explain
from certify.commands.figure import figure
from certify.commands.init import init
from certify.commands.listing import list_claims
from certify.commands.options import Group, show_version
from certify.commands.report import report
from certify.commands.run import run
from certify.commands.state import state
from certify.commands.table import table
from certify.commands.tolerance import tolerance
from certify.commands.train import train
from certify.exact.errors import NotAccepted

LONGEST = 500  # characters of a message


@click.group(cls=Group, no_args_is_help=False, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=show_version)
def cli() -> None:
    """Certified numerics: claims, exact proofs, certificates and an independent checker.

    Exit codes: 0 all that was asked holds; 1 something is refuted; 2 interrupted; 3 an error verdict or an internal
    error; 4 bad input; 5 nothing selected; 6 something is undecided, or nothing was run.
    """


for command in (
    run,
    list_claims,
    explain,
    check,
    enclose,
    table,
    figure,
    audit,
    bench,
    state,
    tolerance,
    train,
    diff,
    report,
    init,
    doctor,
    completion,
):
    cli.add_command(command)


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
        if asked(cli):
            return Exit.HOLDS
        with cli.make_context("certify", words, obj=options) as context:
            return int(cli.invoke(context))
    except click.exceptions.Exit as end:
        return end.exit_code
    except BadInput as error:
        return _fail(str(error), error.exit)
    except NotAccepted as error:
        return _fail(str(error), Exit.BAD_INPUT)
    except click.UsageError as error:
        return _fail(f"{error.format_message()} Try {error.ctx.command_path if error.ctx else 'certify'} --help.", Exit.BAD_INPUT)
    except click.ClickException as error:
        return _fail(error.format_message(), Exit.BAD_INPUT)
    except (KeyboardInterrupt, click.Abort):
        return _fail("interrupted", Exit.INTERRUPTED)
    except BaseException as error:  # SystemExit too: it is not for a claim's code to end the command
        if options["verbose"]:
            traceback.print_exc()
        if isinstance(error, OSError) and isinstance(error.filename, str):
            return _fail(f"cannot use {error.filename!r}: {error.strerror}", Exit.BAD_INPUT)
        return _fail(not_installed(error) or f"internal error: {one_line(error)} (-v shows the traceback)", Exit.ERROR)


def leave(code: int) -> int:
    """The code; where threads that a claim file has started would keep the process from ending, it ends here."""
    if any(not thread.daemon for thread in threading.enumerate() if thread is not threading.main_thread()):
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(AttributeError, OSError, ValueError):
                stream.flush()
        os._exit(code)
    return code


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
    with contextlib.suppress(OSError, ValueError):  # ValueError: closed by a claim's code
        print(f"certify: {clipped(line(message), LONGEST)}", file=sys.stderr)
    return int(code)
