"""The gallery of audits, as ``certify audit --gallery --format json -o reports/audit.json`` leaves it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from markupsafe import Markup

from certify.claims.exits import BadInput
from certify.claims.files import read
from certify.report.gallery import ASIDE, LEGEND, tables
from certify.report.html.grid import Entry, Grid, capitals, shown
from certify.report.html.supplement import Part
from certify.report.html.words import power, scripts

HOME = Path("reports", "audit.json")
HEADS = {
    "audits": ("Realizations, and code as published", LEGEND),
    "clips": (
        "Where the public recurrence clips",
        "The first x/ν at which it clips, and its defect there: in balls, and as an audit of the code finds it, within ±.",
    ),
}
"""Title and legend of each table."""
TONES = {"coherent": "good", "incoherent": "bad"}


def part(path: Path = HOME) -> Part:
    """The gallery of record. Raises BadInput, one line, where there is none and for a file that is no gallery."""
    content = read(path)
    try:
        found = msgspec.json.decode(content, type=dict[str, list[dict[str, Any]]])
        grids = [_grid(name, *table) for name, table in zip(HEADS, tables(found), strict=True)]
    except (msgspec.DecodeError, ValueError, TypeError, LookupError, RecursionError) as error:
        raise BadInput(f"{str(path)!r} is not a gallery of audits: {error}") from None
    return Part(shown([grid for grid in grids if grid.rows]), found)


def _grid(name: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> Grid:
    """What an audit found beside its numbers stands below the table."""
    beside = head[-1] == ASIDE
    numbers = [row[1:-1] if beside else row[1:] for row in rows]
    body = tuple((scripts(row[0]), tuple(map(_entry, texts))) for row, texts in zip(rows, numbers, strict=True))
    notes = tuple(scripts(f"{row[0]}, p = {row[1]}: {row[-1]}") for row in rows if beside and row[-1])
    return Grid(f"gallery-{name}", *HEADS[name], capitals(head[:-1] if beside else head), body, notes)


def _entry(text: str) -> Entry:
    shown = power(scripts(text))
    return Entry(Markup('<b class="mark {}">{}</b>').format(TONES[text], shown) if text in TONES else shown)
