"""The gallery of audits, as ``certify audit --gallery --format json -o reports/audit.json`` leaves it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from certify.claims.exits import BadInput
from certify.claims.files import read
from certify.report.gallery import LEGEND, tables
from certify.report.html.grid import Entry, Grid, capitals, shown
from certify.report.html.supplement import Part
from certify.report.html.words import power, scripts

HOME = Path("reports", "audit.json")
TITLES = {"audits": "Audits", "clips": "Clips"}
LEGENDS = {"audits": LEGEND, "clips": "Where the public recurrence clips, and its defect there, in balls and as an audit finds it."}


def part(path: Path = HOME) -> Part:
    """The gallery of record. Raises BadInput, one line, where there is none and for a file that is no gallery."""
    content = read(path)
    try:
        found = msgspec.json.decode(content, type=dict[str, list[dict[str, Any]]])
        grids = [_grid(name, *table) for name, table in zip(TITLES, tables(found), strict=True)]
    except (msgspec.DecodeError, ValueError, TypeError, LookupError, RecursionError) as error:
        raise BadInput(f"{str(path)!r} is not a gallery of audits: {error}") from None
    return Part(shown([grid for grid in grids if grid.rows]), found)


def _grid(name: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> Grid:
    body = tuple((scripts(first), tuple(map(_entry, rest))) for first, *rest in rows)
    return Grid(f"gallery-{name}", TITLES[name], LEGENDS[name], capitals(head), body)


def _entry(text: str) -> Entry:
    return Entry(power(scripts(text)))
