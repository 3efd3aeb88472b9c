"""``certify init``."""

from __future__ import annotations

import os
from pathlib import Path

import click

from certify.claims.exits import BadInput, Exit
from certify.commands.options import Command, emit, examples, verbose

NEXT = "certify run claims.toml claims.py"


@click.command(cls=Command, epilog=examples("certify init example"))
@click.argument("folder", default=".", metavar="[DIR]")
@verbose
def init(folder: str) -> Exit:
    """Write a working example of claims into DIR.

    A kernel, claims about it in TOML and in Python, and a workflow that runs them. Nothing is overwritten: DIR must not hold files of these
    names.
    """
    from importlib.resources import files

    from certify.claims.files import make_folder, write_atomically

    example = [file for file in files("certify.data").joinpath("example").iterdir() if file.is_file()]
    there = [file.name for file in example if os.path.lexists(Path(folder) / file.name)]
    if there:
        raise BadInput(f"{folder!r} already has {', '.join(sorted(there))}: give another folder")
    make_folder(folder)
    for file in example:
        write_atomically(Path(folder) / file.name, file.read_bytes())
    emit(f"wrote {', '.join(sorted(file.name for file in example))} in {folder}; next: {NEXT}\n")
    return Exit.HOLDS
