"""``certify check``."""

from __future__ import annotations

from collections.abc import Sequence

import click

from certify.claims.exits import Exit
from certify.commands.options import Command, emit, formats, output_file, settings, verbose


@click.command(cls=Command)
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
    from certify.claims.settings import parse_settings
    from certify.report.render import render_checked

    results = check(paths, parse_settings(settings), standalone)
    emit(render_checked(results, format), output_file)
    return Exit.HOLDS if all(result.accepted for result in results) else Exit.REFUTED
