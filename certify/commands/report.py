"""``certify report``."""

from __future__ import annotations

import contextlib

import click

from certify.claims.exits import Exit
from certify.commands.options import Command, emit, examples, output_file, verbose


@click.command(cls=Command, epilog=examples("certify report out -o page.html"))
@click.argument("run", default="reports/record", metavar="[DIR]")
@output_file
@click.option("-q", "--quiet", is_flag=True, help="No progress on stderr.")
@verbose
def report(run: str, output_file: str | None, quiet: bool) -> Exit:
    """Make the complete report of a run as one HTML page.

    It works from disk. DIR is the folder of a run or its report.json, by default reports/record, where a checkout of this project has one.
    The page shows the claims as they are recorded there; the tables, figures, margins and errata that belong to them are computed anew,
    which takes half a minute on two cores where the report has all claims. "certify run -o DIR" leaves the same page.
    """
    from certify.claims.folder import report_in
    from certify.claims.progress import Progress
    from certify.claims.provenance import cores
    from certify.claims.session import Watcher
    from certify.report.complete import complete_page

    _, found = report_in(run)
    with contextlib.nullcontext(Watcher()) if quiet else Progress() as watcher:
        made = complete_page(found, cores(), watcher)
    emit(made, output_file)
    return Exit.HOLDS
