"""``certify doctor``."""

from __future__ import annotations

import click

from certify.claims.exits import Exit
from certify.commands.options import Command, emit, examples, formats, output_file, verbose


@click.command(cls=Command, epilog=examples("certify doctor"))
@formats("text", "json")
@output_file
@verbose
def doctor(format: str, output_file: str | None) -> Exit:
    """Say what is installed, what will be "not run", and why.

    Exit code 3 where something required is missing or of a version that will not do; optional things are neutral.
    """
    from certify.claims.provenance import environment
    from certify.claims.registry import load
    from certify.report.installation import render
    from certify.studies.installation import findings, left_out

    entries = load().select([])
    found = findings(entries)
    emit(render(environment(), found, left_out(entries), format), output_file)
    return Exit.ERROR if any(each.required and each.missing for each in found) else Exit.HOLDS
