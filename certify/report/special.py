"""The table of special functions as text, Markdown, LaTeX, CSV and JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from certify.report.markdown import prose
from certify.report.markdown import table as markdown_table
from certify.report.text import columns
from certify.studies.special import Row
from certify.studies.table_special import SpecialTable

HEAD = ("function", "derivative", "implementation", "dtype", "worst error (u)", "x", "supplied", "right", "")


def cells(row: Row) -> tuple[str, ...]:
    """Under ``HEAD``."""
    where = (f"{row.units:.3g}", repr(row.x), repr(row.supplied), row.right)
    return (row.function, str(row.derivative), row.package, row.dtype, *where, "defect" if row.defect else "")


def notes(table: SpecialTable) -> list[str]:
    return [f"{name}: {value}" for name, value in table.conditions.items()]


def special_data(table: SpecialTable) -> dict[str, Any]:
    """What the JSON has of it; an error that is no number is null."""
    finite = (
        {**asdict(row), "units": row.units if row.units < float("inf") else None, "supplied": repr(row.supplied)} for row in table.rows
    )
    return {"id": table.id, "title": table.title, "conditions": dict(table.conditions), "rows": list(finite)}


def _text(table: SpecialTable) -> str:
    return "\n".join([f"Table {table.id}. {table.title}", *columns([HEAD, *map(cells, table.rows)]), "", *notes(table), ""])


def _markdown(table: SpecialTable) -> str:
    grid = markdown_table(HEAD, [[prose(cell) for cell in cells(row)] for row in table.rows])
    return "\n".join([f"### Table {table.id}. {table.title}", "", grid, "", *(f"- {prose(note)}" for note in notes(table)), ""])


def _latex(table: SpecialTable) -> str:
    lines = [" & ".join(cell.replace("_", r"\_") for cell in row) + r" \\" for row in (HEAD, *map(cells, table.rows))]
    frame = r"\begin{tabular}{lrllrrrrl}"
    return "\n".join([*(f"% {note}" for note in notes(table)), frame, *lines, r"\end{tabular}", ""])


def _csv(table: SpecialTable) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(("table", *HEAD[:-1], "defect"))
    writer.writerows((table.id, *cells(row)) for row in table.rows)
    return buffer.getvalue()


FORMATS: dict[str, Callable[[SpecialTable], str]] = {"text": _text, "markdown": _markdown, "latex": _latex, "csv": _csv}
