"""Tables as the page shows them: rows of cells, each with what stands below it and how it is judged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from markupsafe import Markup, escape

from certify.report import costs, evaluators, training
from certify.report.html.words import power
from certify.report.ladder import LEGEND, ladder_grid
from certify.report.tables import notes, searched, shown, summary
from certify.studies.judgement import Judgement
from certify.studies.tables.cell import Cell, Table, scientific
from certify.studies.tables.table_1 import TaskTable
from certify.studies.tables.table_7 import CostTable, Measurement
from certify.studies.tables.table_evaluators import EvaluatorTable

GOOD = {Judgement.MATCHES, Judgement.IN_RANGE}
FIGURES = 3


@dataclass(frozen=True)
class Entry:
    """A cell; ``mark`` is a judgement in a word, ``tone`` whether it is "good", "fair" or "bad"."""

    value: Markup
    under: tuple[Markup, ...] = ()
    mark: str = ""
    tone: str = ""
    number: bool = True


@dataclass(frozen=True)
class Grid:
    """``rows`` begin with their heading; ``files`` name the downloads."""

    anchor: str
    title: str
    legend: str
    head: tuple[str, ...]
    rows: tuple[tuple[Markup, tuple[Entry, ...]], ...]
    notes: tuple[Markup, ...] = ()
    file: str = ""


def judged_grid(table: Table) -> Grid:
    """Computed to the printed digits, printed, judgement; the largest error between the grid points below."""
    rows = tuple((escape(key), tuple(_judged(row[column]) for column in table.columns)) for key, row in table.rows.items())
    beyond = "; below that the largest error between the grid points" if searched(table) else ""
    legend = f"Computed, below it the printed value{beyond}. {summary(table)}."
    return Grid(
        f"table-{table.id}",
        f"Table {table.id}. {table.title}",
        legend,
        tuple(map(_name, (table.key, *table.columns))),
        rows,
        tuple(map(power, notes(table))),
        f"table-{table.id}.csv",
    )


def _judged(cell: Cell) -> Entry:
    under = [Markup("printed {}").format(power(cell.printed))]
    if cell.off_grid and cell.nu:
        at = f"{scientific(cell.off_grid.value, FIGURES)} at x/ν = {cell.off_grid.x / cell.nu:.4g}"
        under.append(Markup("off the grid {}").format(power(at)))
    bad = cell.contradicts
    tone = "bad" if bad else "good" if cell.judgement in GOOD else "fair"
    return Entry(power(shown(cell)), tuple(under), cell.judgement.value, tone)


def ladder_grid_of(table: Table) -> list[Grid]:
    """The ladder's errors and bounds, where the table has them."""
    if not table.ladder:
        return []
    head, *lines = ladder_grid(table)
    rows = tuple((escape(n), tuple(Entry(power(text)) for text in texts)) for n, *texts in lines)
    return [Grid(f"ladder-{table.id}", f"Beside Table {table.id}: the ladder", f"{LEGEND}.", tuple(head), rows)]


def evaluator_grid(table: EvaluatorTable) -> Grid:
    """One line an evaluator."""
    lines = map(evaluators.cells, table.rows)
    rows = tuple((escape(name), tuple(Entry(power(text), number=False) for text in texts)) for name, *texts in lines)
    remarks = tuple(map(power, evaluators.notes(table)[1:]))
    return Grid("table-evaluators", table.title, evaluators.LEGEND, tuple(map(_capital, evaluators.HEAD)), rows, remarks, "evaluators.csv")


def cost_grids(table: CostTable) -> list[Grid]:
    """One table a device, with its floors."""
    return [_cost_grid(table, number, measurement) for number, measurement in enumerate(table.measurements)]


def _cost_grid(table: CostTable, number: int, measurement: Measurement) -> Grid:
    lines = costs.lines_of(table, measurement)
    rows = tuple((escape(name), tuple(Entry(escape(text), number=text != texts[-1]) for text in texts)) for name, *texts in lines)
    title = f"Table {table.id}. {table.title}: {measurement.device}"
    remarks = tuple(map(_target, costs.notes_of(table, measurement)))
    file = "" if number else "bench.csv"
    return Grid(f"bench-{number}", title, costs.caption(measurement), tuple(map(_capital, costs.HEAD)), rows, remarks, file)


def task_grids(table: TaskTable) -> list[Grid]:
    """One table a record."""
    return [_task_grid(table, number, record) for number, record in enumerate(table.records)]


def _task_grid(table: TaskTable, number: int, record: dict[str, Any]) -> Grid:
    head, *lines = training.arms_grid(record, table.metrics)
    rows = tuple((escape(name), tuple(Entry(escape(text)) for text in texts)) for name, *texts in lines)
    remarks = () if number else (escape(training.NOTE),)
    file = "" if number else "training.csv"
    title = f"Table {table.id}. {table.title}"
    return Grid(f"training-{number}", title, training.scale(record), tuple(map(_capital, head)), rows, remarks, file)


def _target(note: str) -> Markup:
    """A note whose target is marked as met or missed."""
    head, mark, _ = note.partition(" not met" if note.endswith("not met") else " met")
    return escape(head) + Markup('<b class="{}">{}</b>').format("missed" if "not" in mark else "met", mark) if mark else escape(note)


def _name(column: str) -> str:
    """A column's name in words."""
    return {"nu": "ν"}.get(column, column.replace("_", " "))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
