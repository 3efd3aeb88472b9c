"""``certify figure``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from certify.claims.exits import Exit
from certify.commands.options import Command, emit, examples, verbose

if TYPE_CHECKING:
    from certify.studies.figures.catalogue import Figure

NAMES = ("svg", "pdf", "png")


@click.command(cls=Command, epilog=examples("certify figure 5 -o figures", "certify figure 4 7 --format pdf --format png"))
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@click.option(
    "--bench", multiple=True, metavar="FILE", help="For 6 and reversal: a record of certify bench.  [default: reports/bench/*.json]"
)
@click.option("--from", "files", multiple=True, metavar="FILE", help="For 3 and training: a record of certify train.  [default: of record]")
@click.option("--format", "formats", type=click.Choice(NAMES), multiple=True, help="What to draw, repeatable.  [default: svg]")
@click.option("--output-dir", "-o", metavar="DIR", default=".", show_default=True, help="Folder for the files, made where there is none.")
@verbose
def figure(ids: Sequence[str], bench: tuple[str, ...], files: tuple[str, ...], formats: tuple[str, ...], output_dir: str) -> Exit:
    """Compute and draw the paper's figures.

    2, 4, 5 and 7 to 11 are computed; 3, 6, reversal and training are drawn from what was measured. The data lie beside each figure as JSON,
    with the relations in which they are held against the paper; the files written are listed on stdout, and relations that fail on stderr.
    """
    from certify.claims.files import make_folder, write_atomically
    from certify.claims.progress import Stderr
    from certify.report.figures import render_figure
    from certify.studies.figures.catalogue import RECORDED, build, identifier
    from certify.studies.timings.record import records

    with Stderr().status("figures"):
        wanted = dict.fromkeys(map(identifier, ids))
        folder = make_folder(output_dir)
        recorded = records(bench) if bench or set(RECORDED) & set(wanted) else []
        figures = [build(id, recorded, files) for id in wanted]
        drawn = [render_figure(figure, formats or NAMES[:1]) for figure in figures]
    for name, content in (item for entry in drawn for item in entry.items()):
        write_atomically(folder / name, content)
        emit(f"{folder / name}\n")
    return _judged(figures)


def _judged(figures: Sequence[Figure]) -> Exit:
    from certify.exact.truth import Truth

    for figure in figures:
        for point in figure.points:
            if point.holds is not Truth.YES:
                print(f"figure {figure.id}: {point.relation}: {point.holds.value}; {point.witness()}", file=sys.stderr)
    answers = {figure.holds for figure in figures}
    return Exit.REFUTED if Truth.NO in answers else Exit.UNDECIDED if Truth.UNKNOWN in answers else Exit.HOLDS
