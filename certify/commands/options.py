"""What all commands share: their options, and the way of their results."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

import click
import click.shell_completion

from certify.claims.exits import BadInput

output_file = click.option("--output-file", "-o", metavar="FILE", help="Write the result to FILE instead of stdout.")
executor = click.option("--executor", metavar="URL", help="Spread the work over a cluster: dask://HOST:PORT.")
settings = click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Set an exact constant: C=2/25.")


def claims(context: click.Context, _parameter: click.Parameter, typed: str) -> list[click.shell_completion.CompletionItem]:
    """The ids that begin with what was typed, and files."""
    from certify.claims.registry import load

    found = [click.shell_completion.CompletionItem(id) for id in sorted(load().claims) if id.startswith(typed)]
    return found or [click.shell_completion.CompletionItem(typed, type="file")]


def formats(*names: str) -> Callable[[Any], Any]:
    """The option ``--format``, the first name being the default."""
    return click.option("--format", "format", type=click.Choice(names), default=names[0], show_default=True)


def examples(*lines: str) -> str:
    """What the help of a command ends with."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines), "", "Exit codes: certify --help."])


def _be_verbose(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
    context.find_root().ensure_object(dict)["verbose"] |= value


verbose = click.option("-v", "--verbose", is_flag=True, expose_value=False, callback=_be_verbose, help="Show tracebacks on stderr.")


def show_version(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
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
