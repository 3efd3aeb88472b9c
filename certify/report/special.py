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
from certify.studies.special.errors import Row
from certify.studies.special.times import Span, Time
from certify.studies.tables.table_special import SpecialTable

HEAD = ("function", "derivative", "implementation", "dtype", "worst error (u)", "x", "supplied", "right", "")
TIMES = ("function", "implementation", "value (ns)", "with derivative (ns)", "certify / it")


def cells(row: Row) -> tuple[str, ...]:
    """Under ``HEAD``."""
    where = (f"{row.units:.3g}", repr(row.x), repr(row.supplied), row.right)
    return (row.function, str(row.derivative), row.package, row.dtype, *where, "defect" if row.defect else "")


def time_cells(time: Time) -> tuple[str, ...]:
    """Under ``TIMES``."""
    return time.function, time.package, _span(time.value), _span(time.both), f"{time.ratio:.2g}"


def _span(span: Span | None) -> str:
    return f"{span.median:.3g} ({span.least:.3g}, {span.most:.3g})" if span else ""


def notes(table: SpecialTable) -> list[str]:
    return [f"{name}: {value}" for name, value in table.conditions.items()]


def special_data(table: SpecialTable) -> dict[str, Any]:
    """What the JSON has of it; an error that is no number is null."""
    finite = (
        {**asdict(row), "units": row.units if row.units < float("inf") else None, "supplied": repr(row.supplied)} for row in table.rows
    )
    return {
        "id": table.id,
        "title": table.title,
        "conditions": dict(table.conditions),
        "rows": list(finite),
        "times": [asdict(time) for time in table.times],
    }


def _text(table: SpecialTable) -> str:
    timed = ["", *columns([TIMES, *map(time_cells, table.times)])] if table.times else []
    return "\n".join([f"Table {table.id}. {table.title}", *columns([HEAD, *map(cells, table.rows)]), *timed, "", *notes(table), ""])


def _markdown(table: SpecialTable) -> str:
    grid = markdown_table(HEAD, [[prose(cell) for cell in cells(row)] for row in table.rows])
    timed = [markdown_table(TIMES, [[prose(cell) for cell in time_cells(time)] for time in table.times]), ""] if table.times else []
    return "\n".join([f"### Table {table.id}. {table.title}", "", grid, "", *timed, *(f"- {prose(note)}" for note in notes(table)), ""])


def _latex(table: SpecialTable) -> str:
    errors = _tabular("lrllrrrrl", [HEAD, *map(cells, table.rows)])
    timed = _tabular("llrrr", [TIMES, *map(time_cells, table.times)]) if table.times else []
    return "\n".join([*(f"% {note}" for note in notes(table)), *errors, *timed, ""])


def _tabular(columns: str, rows: list[tuple[str, ...]]) -> list[str]:
    lines = (" & ".join(cell.replace("_", r"\_") for cell in row) + r" \\" for row in rows)
    return [rf"\begin{{tabular}}{{{columns}}}", *lines, r"\end{tabular}"]


def _csv(table: SpecialTable) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(("table", *HEAD[:-1], "defect"))
    writer.writerows((table.id, *cells(row)) for row in table.rows)
    if table.times:
        writer.writerow(())
        writer.writerow(("table", *TIMES))
        writer.writerows((f"{table.id}, times", *time_cells(time)) for time in table.times)
    return buffer.getvalue()


FORMATS: dict[str, Callable[[SpecialTable], str]] = {"text": _text, "markdown": _markdown, "latex": _latex, "csv": _csv}
