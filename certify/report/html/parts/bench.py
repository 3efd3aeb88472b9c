"""What the realizations cost, with the floor of each row: one table a device."""

from __future__ import annotations

from markupsafe import Markup, escape

from certify.claims.exits import BadInput
from certify.data.printed import load
from certify.report.costs import FORMATS, HEAD, caption, cost_data, lines_of, notes_of
from certify.report.html.grid import Entry, Grid, capitals, shown
from certify.report.html.supplement import Part
from certify.studies.claims.costs import ABSENT
from certify.studies.tables import table_7
from certify.studies.tables.table_7 import CostTable, Measurement
from certify.studies.timings.record import records

FILE = "bench.csv"


def part() -> Part:
    """The records in the current folder. Raises BadInput, one line, where there is none."""
    found = records(())
    if not found:
        raise BadInput(ABSENT)
    table = table_7.build(load(None), found)
    made = [measurement for measurement in table.measurements if measurement.rows]
    absent = [escape(caption(measurement)) for measurement in table.measurements if not measurement.rows]
    grids = [_grid(table, number, measurement, absent) for number, measurement in enumerate(made)]
    return Part(shown(grids), cost_data(table), {FILE: FORMATS["csv"](table)})


def _grid(table: CostTable, number: int, measurement: Measurement, absent: list[Markup]) -> Grid:
    """The first with the download, and with the devices of which there is no record."""
    lines = lines_of(table, measurement)
    rows = tuple((escape(name), tuple(Entry(escape(text)) for text in texts)) for name, *texts in lines)
    title = f"Table {table.id}. {table.title}: {measurement.device}"
    remarks = (*map(_target, notes_of(table, measurement)), *(() if number else absent))
    return Grid(f"bench-{number}", title, caption(measurement), capitals(HEAD), rows, remarks, "" if number else FILE)


def _target(note: str) -> Markup:
    """A note whose target is marked as met or missed."""
    head, mark, _ = note.partition(" not met" if note.endswith("not met") else " met")
    return escape(head) + Markup('<b class="{}">{}</b>').format("missed" if "not" in mark else "met", mark) if mark else escape(note)
