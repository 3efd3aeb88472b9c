"""What there is to evaluate the ratio with: one line an evaluator."""

from __future__ import annotations

from markupsafe import escape

from certify.report.evaluators import FORMATS, HEAD, LEGEND, cells, evaluator_data, notes
from certify.report.html.grid import Entry, Grid, capitals, shown
from certify.report.html.supplement import Part
from certify.report.html.words import power
from certify.studies.tables import table_evaluators

FILE = "evaluators.csv"


def part() -> Part:
    """Errors, failures, coherence and cost, computed now."""
    table = table_evaluators.build()
    lines = map(cells, table.rows)
    rows = tuple((escape(name), tuple(Entry(power(text)) for text in texts)) for name, *texts in lines)
    remarks = tuple(map(power, notes(table)[1:]))
    grid = Grid("table-evaluators", table.title, LEGEND, capitals(HEAD), rows, remarks, FILE)
    return Part(shown([grid]), evaluator_data(table), {FILE: FORMATS["csv"](table)})
