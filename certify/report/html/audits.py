"""The gallery of audits, as ``certify audit --gallery --format json -o reports/audit.json`` leaves it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from markupsafe import escape

from certify.claims.exits import BadInput
from certify.claims.files import read
from certify.report.html.grid import Entry, Grid
from certify.report.html.words import power, scripts

HOME = Path("reports", "audit.json")
FIGURES = 6
LEGENDS = {
    "audits": "Every realization and every public pair of value and gradient, audited in one way; the numbers are those where the supplied"
    " derivative is furthest from that of the realized forward.",
    "clips": "Where the public recurrence clips, and its defect there, in balls and as an audit finds it.",
}


class Gallery(msgspec.Struct, frozen=True):
    """Rows by the names of their columns."""

    audits: list[dict[str, Any]]
    clips: list[dict[str, Any]] = []


def load(path: Path = HOME) -> Gallery | None:
    """The gallery of record; None where there is none. Raises BadInput, one line, for a file that is no gallery."""
    if not path.is_file():
        return None
    try:
        return msgspec.json.decode(read(path), type=Gallery)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise BadInput(f"{str(path)!r} is not a gallery of audits: {error}") from None


def grids(gallery: Gallery) -> list[Grid]:
    """A table of the audits, and one of the clips where there are any."""
    found = {"audits": ("Audits", gallery.audits), "clips": ("Clips", gallery.clips)}
    return [_grid(name, title, rows) for name, (title, rows) in found.items() if rows]


def _grid(name: str, title: str, rows: list[dict[str, Any]]) -> Grid:
    columns = sorted(rows[0], key=lambda column: isinstance(rows[0][column], list))  # remarks last
    lines = tuple((escape(_text(row.get(columns[0]))), tuple(_entry(row.get(each)) for each in columns[1:])) for row in rows)
    return Grid(f"gallery-{name}", title, LEGENDS[name], tuple(map(_name, columns)), lines)


def _name(column: str) -> str:
    return column if len(column) == 1 else column.replace("_", " ").capitalize()


def _entry(value: Any) -> Entry:
    number = isinstance(value, int | float)
    text = _text(value)
    return Entry(power(text).replace("-", "−") if number else power(scripts(text)), number=number)


def _text(value: Any) -> str:
    match value:
        case None:
            return ""
        case float():
            return f"{value:.{FIGURES}g}"
        case list():
            return "; ".join(map(_text, value))
    return str(value)
