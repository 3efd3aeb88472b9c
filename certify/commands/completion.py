"""``certify completion``, and what shells ask of it."""

from __future__ import annotations

import os

import click
from click.shell_completion import get_completion_class, shell_complete

from certify.claims.exits import Exit
from certify.commands.options import Command, emit, examples, output_file, verbose

VARIABLE = "_CERTIFY_COMPLETE"


@click.command(cls=Command, epilog=examples("certify completion bash"))
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@output_file
@verbose
@click.pass_context
def completion(context: click.Context, shell: str, output_file: str | None) -> Exit:
    """Print the script that completes commands, options and ids.

    For a shell's start-up file: eval "$(certify completion bash)".
    """
    make = get_completion_class(shell)
    assert make is not None  # one of the three that click has
    emit(make(context.find_root().command, {}, "certify", VARIABLE).source() + "\n", output_file)
    return Exit.HOLDS


def asked(command: click.Command) -> bool:
    """Answer a shell that asks for completions, if one does."""
    instruction = os.environ.get(VARIABLE)
    return instruction is not None and shell_complete(command, {}, "certify", VARIABLE, instruction) == 0
