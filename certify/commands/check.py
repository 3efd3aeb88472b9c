"""``certify check``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from certify.claims.exits import Exit
from certify.commands.options import Command, emit, examples, formats, output_file, settings, verbose


@click.command(cls=Command, epilog=examples("certify check out", "certify check out --with gappa,sollya"))
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@settings
@click.option("--standalone", is_flag=True, help="Do not hold certificates against the claims whose ids they carry.")
@click.option("--with", "others", metavar="TOOL,…", help="Ask gappa, sollya or both for a second opinion, shown beside the verdict.")
@click.option("--jobs", "-j", type=click.IntRange(min=1), help="Worker processes.  [default: one a core]")
@formats("text", "json")
@output_file
@verbose
def check(
    paths: Sequence[str],
    settings: Sequence[str],
    standalone: bool,
    others: str | None,
    jobs: int | None,
    format: str,
    output_file: str | None,
) -> Exit:
    """Have the independent checker replay certificates.

    Their theorems are held against the claims'. PATH is a certificate file, a folder of them, or the folder of a run; a claim file FILE.py
    adds its claims.
    """
    from certify.claims.checking import check
    from certify.claims.settings import parse_settings
    from certify.report.render import render_checked
    from certify.studies.opinions.ask import tools

    wanted = None if others is None else tools(others)
    results = check(paths, parse_settings(settings), standalone, jobs)
    emit(render_checked(results, format) if wanted is None else _with_opinions(results, wanted, format), output_file)
    return Exit.HOLDS if all(result.accepted for result in results) else Exit.REFUTED


def _with_opinions(results: Sequence[Any], wanted: Sequence[str], format: str) -> str:
    from certify.report.opinions import render
    from certify.studies.opinions.ask import opinions

    return render(results, opinions(results, wanted), format)
