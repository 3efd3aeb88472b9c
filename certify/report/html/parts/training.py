"""What was recorded of training with each realization: one table a record."""

from __future__ import annotations

from typing import Any

from certify.report.html.grid import Entry, Grid, capitals, shown
from certify.report.html.supplement import Part
from certify.report.html.words import power
from certify.report.training import FORMATS, NOTE, arms_grid, scale, task_data
from certify.studies.tables import table_1, table_8
from certify.studies.tables.table_1 import TaskTable

MODULES = {"1": table_1, "8": table_8}


def part(id: str) -> Part:
    """Table 1 or 8 from the records in the current folder. Raises BadInput, one line, where there is none."""
    table = MODULES[id].build(())
    grids = [_grid(table, number, record) for number, record in enumerate(table.records)]
    return Part(shown(grids), task_data(table), {_file(table): FORMATS["csv"](table)})


def _file(table: TaskTable) -> str:
    return f"table-{table.id}.csv"


def _grid(table: TaskTable, number: int, record: dict[str, Any]) -> Grid:
    head, *lines = arms_grid(record, table.metrics)
    rows = tuple((power(name), tuple(Entry(power(text)) for text in texts)) for name, *texts in lines)
    remarks = () if number else (power(NOTE),)
    title = f"Table {table.id}. {table.title}"
    return Grid(f"table-{table.id}-{number}", title, scale(record), capitals(head), rows, remarks, "" if number else _file(table))
