"""A table of the paper: each cell as computed, as printed, and how the two compare."""

from __future__ import annotations

from markupsafe import Markup, escape

from certify.report.html.grid import Entry, Grid, shown
from certify.report.html.supplement import Part
from certify.report.html.words import power
from certify.report.ladder import ladder_head, ladder_pairs
from certify.report.tables import notes, render_tables, searched, summary, table_data
from certify.report.tables import shown as computed
from certify.studies.decimals import scientific
from certify.studies.judgement import Judgement
from certify.studies.tables.catalogue import build
from certify.studies.tables.cell import Cell, Table

GOOD = {Judgement.MATCHES, Judgement.IN_RANGE}
FIGURES = 3
LADDER = (
    "Not in the paper: the closed forms of order n, of which n = 1 is AR/FR. The largest error on the grid, and below it the proved bound"
    " (claims ladder.n)."
)


def part(id: str) -> Part:
    """The table, and beside it the ladder where it has one."""
    table = build(id)
    assert isinstance(table, Table)
    return Part(shown([_judged(table), *_ladder(table)]), table_data(table), {_file(table): render_tables([table], "csv")})


def _file(table: Table) -> str:
    return f"table-{table.id}.csv"


def _judged(table: Table) -> Grid:
    """Computed to the printed digits, printed, judgement; the largest error between the grid points below."""
    rows = tuple((escape(key), tuple(_entry(row[column]) for column in table.columns)) for key, row in table.rows.items())
    beyond = "; below that the largest error between the grid points" if searched(table) else ""
    title = f"Table {table.id}. {table.title}" if table.id.isdigit() else table.title
    return Grid(
        f"table-{table.id}",
        title,
        f"Computed, below it the printed value{beyond}. {summary(table)}.",
        tuple(map(_name, (table.key, *table.columns))),
        rows,
        tuple(power(_in_words(table, note)) for note in notes(table)),
        _file(table),
    )


def _entry(cell: Cell) -> Entry:
    under = [Markup("printed {}").format(power(cell.printed))]
    if cell.off_grid and cell.nu:
        under.append(Markup("off the grid {}").format(power(scientific(cell.off_grid.value, FIGURES))))
        under.append(escape(f"at x/ν = {cell.off_grid.x / cell.nu:.4g}"))
    tone = "bad" if cell.contradicts else "good" if cell.judgement in GOOD else "fair"
    return Entry(power(computed(cell)), tuple(under), cell.judgement.value, tone)


def _in_words(table: Table, note: str) -> str:
    for column in table.columns:
        note = note.replace(f", {column}:", f", {_name(column)}:")
    return note


def _name(column: str) -> str:
    """A column's name in words."""
    return {"nu": "ν"}.get(column, column.replace("_", " "))


def _ladder(table: Table) -> list[Grid]:
    """The ladder's errors and bounds, where the table has them."""
    if not table.ladder:
        return []
    rows = tuple((escape(n), tuple(_below(*pair) for pair in pairs)) for n, pairs in ladder_pairs(table))
    return [Grid(f"ladder-{table.id}", f"Beside Table {table.id}: the ladder", LADDER, tuple(ladder_head(table)), rows)]


def _below(error: str, bound: str) -> Entry:
    return Entry(power(error), (Markup("below {}").format(power(bound)),))
