"""The gallery of audits as text, Markdown and JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from certify.report.markdown import prose
from certify.report.markdown import table as markdown_table
from certify.report.text import columns
from certify.studies.cell import scientific

if TYPE_CHECKING:
    from certify.studies.clip import Clip
    from certify.studies.gallery import Row

HEAD = ("audited", "p", "coherence", "defect starts", "peak", "at", "supplied", "own derivative", "exact", "and")
CLIPS = ("p", "clips at x/ν", "of the crossing R̃ = 1, in balls", "defect there, in balls", "found by an audit", "±")
LEGEND = (
    "On [1, 1e5] in float64. Peak: the largest |supplied - derivative of the realized forward| of the inputs looked at. Exact: the true "
    "derivative at that input. Below the crossing the defect is that of claim defect.law."
)
FIGURES = 6


def render(rows: Sequence[Row], clips: Sequence[Clip], format: str) -> str:
    """Both tables: the audits, and where the public recurrence clips."""
    return {"text": _text, "markdown": _markdown, "json": _json}[format](rows, clips)


def _text(rows: Sequence[Row], clips: Sequence[Clip]) -> str:
    lines = [*columns([HEAD, *map(_cells, rows)]), "", *columns([CLIPS, *map(_clip, clips)]), "", LEGEND, ""]
    return "\n".join(lines)


def _markdown(rows: Sequence[Row], clips: Sequence[Clip]) -> str:
    tables = [markdown_table(head, [[prose(cell) for cell in row] for row in body]) for head, body in _tables(rows, clips)]
    return "\n\n".join([*tables, LEGEND]) + "\n"


def _tables(rows: Sequence[Row], clips: Sequence[Clip]) -> list[tuple[tuple[str, ...], list[tuple[str, ...]]]]:
    return [(HEAD, [*map(_cells, rows)]), (CLIPS, [*map(_clip, clips)])]


def _json(rows: Sequence[Row], clips: Sequence[Clip]) -> str:
    found = [dict(zip(CLIPS, _clip(each), strict=True)) for each in clips]
    return json.dumps({"audits": [asdict(row) for row in rows], "clips": found}, indent=2, ensure_ascii=False) + "\n"


def _cells(row: Row) -> tuple[str, ...]:
    numbers = (row.starts, row.peak, row.at, row.supplied, row.realized, row.truth)
    return (row.name, str(row.p), row.coherence, *("" if x is None else f"{x:.{FIGURES}g}" for x in numbers), "; ".join(row.beside))


def _clip(clip: Clip) -> tuple[str, ...]:
    crossing = f"{float(int(clip.crossing.p) / int(clip.crossing.q)) / clip.nu:.{FIGURES}g}"
    exact, bar = scientific(clip.defect, FIGURES), f"{clip.bar:.1g}"
    return str(clip.p), f"{clip.onset / clip.nu:.{FIGURES}g}", crossing, exact, f"{clip.measured:.{FIGURES}g}", bar
