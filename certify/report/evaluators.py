"""The table of evaluators as text, Markdown, LaTeX, CSV and JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

from certify.report.markdown import prose
from certify.report.markdown import table as markdown_table
from certify.report.text import columns
from certify.studies.decimals import scientific
from certify.studies.tables.grid import DIMENSIONS, order
from certify.studies.tables.table_evaluators import EvaluatorTable, Place, Row

HEAD = ("evaluator", "max error on the grid", "off the grid, by search", "failures by p", "coherence", "ns/element", "version")
NOT_RUN, NONE = "not run", "none supplied"
LEGEND = (
    "Error: largest |R̂ − R| where R̂ is finite and not zero. Failures: points of 61 a dimension where it is not. Coherence: largest "
    "|Φ̂(x+1) − Φ̂(x) − ∫R̂|, of a potential and the ratio supplied beside it. Not in the paper."
)
FIGURES = 3


def _text(table: EvaluatorTable) -> str:
    head = f"Table {table.id}. {table.title}"
    return "\n".join([head, *columns([HEAD, *map(cells, table.rows)]), "", *notes(table), ""])


def _markdown(table: EvaluatorTable) -> str:
    grid = markdown_table(HEAD, [[prose(cell) for cell in cells(row)] for row in table.rows])
    return "\n".join([f"### Table {table.id}. {table.title}", "", grid, "", *(f"- {prose(note)}" for note in notes(table)), ""])


def _latex(table: EvaluatorTable) -> str:
    lines = [" & ".join(cell.replace("_", r"\_") for cell in row) + r" \\" for row in (HEAD, *map(cells, table.rows))]
    frame = r"\begin{tabular}{l" + "r" * (len(HEAD) - 2) + "l}"
    remarks = [f"% {note}" for note in notes(table)]
    return "\n".join(
        [f"% Table {table.id}. {table.title}", frame, r"\hline", lines[0], r"\hline", *lines[1:], r"\hline", r"\end{tabular}", *remarks, ""]
    )


def _csv(table: EvaluatorTable) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerows([HEAD, *map(cells, table.rows)])
    return stream.getvalue()


def evaluator_data(table: EvaluatorTable) -> dict[str, Any]:
    """As plain data; what is not known is left out."""
    head = {"table": table.id, "title": table.title, "conditions": dict(table.conditions), "contradicts": table.contradicts}
    return {**head, "rows": [_row_data(row) for row in table.rows]}


def _row_data(row: Row) -> dict[str, Any]:
    found = {
        "evaluator": row.name,
        "version": row.version,
        "missing": row.missing,
        "on_grid": row.on_grid and _place_data(row.on_grid),
        "off_grid": row.off_grid and _place_data(row.off_grid),
        "failures": dict(zip(map(str, DIMENSIONS), row.failures, strict=False)),
        "coherence": row.coherence,
        "ns_per_element": row.nanoseconds,
        "exceeds_its_promise": row.broken,
    }
    return {name: value for name, value in found.items() if value not in (None, "", {})}


def _place_data(place: Place) -> dict[str, Any]:
    return {"error": scientific(place.value, 15), "p": place.p, "x": place.x, "x_over_nu": place.x / order(place.p)}


def cells(row: Row) -> tuple[str, ...]:
    """Under ``HEAD``."""
    if row.missing:
        return (row.name, NOT_RUN, "", "", "", "", row.missing)
    failures = "/".join(map(str, row.failures)) if any(row.failures) else "0"
    coherence = NONE if row.coherence is None else f"{row.coherence:.2g}"
    time = "" if row.nanoseconds is None else f"{row.nanoseconds:.3g}"
    return (row.name, _shown(row.on_grid), _shown(row.off_grid), failures, coherence, time, row.version)


def _shown(place: Place | None) -> str:
    return "" if place is None else f"{scientific(place.value, FIGURES)} (p = {place.p}, x/ν = {place.x / order(place.p):.3g})"


def notes(table: EvaluatorTable) -> list[str]:
    conditions = "; ".join(f"{name}: {value}" for name, value in table.conditions.items())
    broken = [f"{row.name} exceeds the error that it promises at {row.broken}" for row in table.rows if row.broken]
    return [LEGEND, conditions, *broken]


FORMATS: dict[str, Callable[[EvaluatorTable], str]] = {"text": _text, "markdown": _markdown, "latex": _latex, "csv": _csv}
