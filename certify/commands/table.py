"""``certify table``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from certify.claims.exits import Exit
from certify.commands.options import Command, emit, examples, formats, output_file, verbose


@click.command(
    cls=Command, epilog=examples("certify table 3 5 6", "certify table 5 --no-search --format latex", "certify table evaluators")
)
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@click.option("--no-search", is_flag=True, help="Stay on the grid: look for no larger errors between its points.")
@click.option("--digits", type=int, help="Digits of the certified reference, 15 to 1000.  [default: the paper's]")
@click.option("--bench", multiple=True, metavar="FILE", help="A record of certify bench, for table 7.  [default: reports/bench/*.json]")
@click.option("--from", "files", multiple=True, metavar="FILE", help="A record of certify train arms, for 1 and 8.  [default: of record]")
@click.option("--printed", metavar="FILE", help="Hold the cells against the printed values in FILE.")
@formats("text", "markdown", "latex", "csv", "json")
@output_file
@verbose
def table(
    ids: Sequence[str],
    no_search: bool,
    digits: int | None,
    bench: tuple[str, ...],
    files: tuple[str, ...],
    printed: str | None,
    format: str,
    output_file: str | None,
) -> Exit:
    """Recompute the paper's tables, the printed values beside them.

    2 to 6 and geometry are computed, 1, 7 and 8 shown as measured. ``evaluators`` compares what there is to evaluate the ratio with:
    errors, failures, coherence and cost. ``special`` does so for other special functions: the worst error found, with input, supplied
    and right value, and the time taken. Exit code 1 where a cell contradicts the printed one.
    """
    from certify.claims.progress import Stderr
    from certify.studies.tables.catalogue import MEASURED, build, number
    from certify.studies.timings.record import records

    file = None if printed is None else Path(printed)
    with Stderr().status("tables"):
        numbers = dict.fromkeys(map(number, ids))
        from certify.report.every_table import render_all

        recorded = records(bench) if bench or set(MEASURED) & set(numbers) else []
        options = {"digits": digits, "search": not no_search, "printed": file, "records": recorded, "files": files}
        tables = [build(id, **options) for id in numbers]
    emit(render_all(tables, format), output_file)
    return Exit.REFUTED if any(table.contradicts for table in tables) else Exit.HOLDS
