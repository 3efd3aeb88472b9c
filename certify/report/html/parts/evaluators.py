"""What there is to evaluate the ratio with: one line an evaluator."""

from __future__ import annotations

from markupsafe import Markup

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
    rows = tuple((_heading(name, version), tuple(map(_entry, texts))) for name, *texts, version in lines)
    remarks = tuple(map(power, notes(table)[1:]))
    grid = Grid("table-evaluators", table.title, LEGEND, capitals(HEAD[:-1]), rows, remarks, FILE)
    return Part(shown([grid]), evaluator_data(table), {FILE: FORMATS["csv"](table)})


def _heading(name: str, version: str) -> Markup:
    """An evaluator, and below it its version or why there is none."""
    return Markup('{}<span class="under">{}</span>').format(name, version)


def _entry(text: str) -> Entry:
    """What stands in brackets below the value."""
    value, _, place = text.removesuffix(")").partition(" (")
    return Entry(power(value), (power(place),) if place else ())
