"""``certify figure``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from certify.claims.exits import BadInput, Exit
from certify.commands.options import Command, emit, verbose

NAMES = ("svg", "pdf", "png")


@click.command(cls=Command)
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@click.option("--bench", multiple=True, metavar="FILE", help="A record of certify bench.  [default: reports/bench/*.json]")
@click.option("--format", "formats", type=click.Choice(NAMES), multiple=True, help="What to draw, repeatable.  [default: svg]")
@click.option("--output-dir", "-o", metavar="DIR", default=".", show_default=True, help="An existing folder for the files.")
@verbose
def figure(ids: Sequence[str], bench: tuple[str, ...], formats: tuple[str, ...], output_dir: str) -> Exit:
    """Draw figures (6, reversal) and leave their data beside them; the files written are listed on stdout."""
    from certify.claims.files import write_atomically
    from certify.report.figures import render_figure
    from certify.studies.bench_record import records
    from certify.studies.figure import build, identifier

    try:
        wanted = dict.fromkeys(map(identifier, ids))
        recorded = records(bench)
        files = [render_figure(build(id, recorded), formats or NAMES[:1]) for id in wanted]
    except ValueError as error:
        raise BadInput(str(error)) from None
    for name, content in (item for entry in files for item in entry.items()):
        write_atomically(Path(output_dir, name), content)
        emit(f"{Path(output_dir, name)}\n")
    return Exit.HOLDS
