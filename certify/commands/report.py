"""``certify report``."""

from __future__ import annotations

import click

from certify.claims.exits import BadInput, Exit
from certify.commands.options import Command, emit, output_file, verbose


@click.command(cls=Command)
@click.argument("run", default="reports/record", metavar="[DIR]")
@output_file
@verbose
def report(run: str, output_file: str | None) -> Exit:
    """The complete report of a run as one HTML page that works from disk: certify report out -o page.html.

    DIR is the folder of a run or its report.json, by default reports/record. The page shows the claims as they are recorded there;
    the tables, figures, margins and errata that belong to them are computed for it, which takes about a minute.
    """
    from certify.claims.folder import report_in
    from certify.claims.progress import Stderr
    from certify.report.complete import supplement
    from certify.report.html.page import page

    _, found = report_in(run)
    try:
        with Stderr().status("report") as status:
            made = page(found, supplement(found, status.update))
    except ValueError as error:
        raise BadInput(str(error)) from None
    emit(made, output_file)
    return Exit.HOLDS
