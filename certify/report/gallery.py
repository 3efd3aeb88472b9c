"""The gallery of audits as text, Markdown and JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from certify.report.markdown import prose
from certify.report.markdown import table as markdown_table
from certify.report.text import columns
from certify.studies.decimals import scientific

if TYPE_CHECKING:
    from certify.studies.finite_start.clip import Clip
    from certify.studies.gallery import Row

ASIDE = "and"
HEAD = ("audited", "p", "coherence", "defect starts", "peak", "at", "supplied", "own derivative", "exact", ASIDE)
CLIPS = ("p", "clips at x/ν", "of the crossing R̃ = 1, in balls", "defect there, in balls", "found by an audit", "±")
LEGEND = (
    "On [1, 1e5] in float64. Peak: the largest |supplied - derivative of the realized forward| of the inputs looked at. Exact: the true "
    "derivative at that input. Below the crossing the defect is that of claim defect.law."
)
FIGURES = 6


def data(rows: Sequence[Row], clips: Sequence[Clip]) -> dict[str, Any]:
    """The audits, and where the public recurrence clips, as plain values."""
    return {"audits": [asdict(row) for row in rows], "clips": [_clip(each) for each in clips]}


def render(found: Mapping[str, Any], format: str) -> str:
    """Both tables as text or Markdown, or the values as JSON."""
    return {"text": _text, "markdown": markdown, "json": _json}[format](found)


def markdown(found: Mapping[str, Any]) -> str:
    grids = [markdown_table(head, [[prose(cell) for cell in row] for row in body]) for head, body in tables(found)]
    return "\n\n".join([*grids, LEGEND]) + "\n"


def _text(found: Mapping[str, Any]) -> str:
    blocks = ["\n".join(columns([head, *body])) for head, body in tables(found)]
    return "\n\n".join([*blocks, LEGEND]) + "\n"


def _json(found: Mapping[str, Any]) -> str:
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def tables(found: Mapping[str, Any]) -> list[tuple[tuple[str, ...], list[tuple[str, ...]]]]:
    """Of the audits and of the clips: a head and rows of texts. Raises LookupError, TypeError or ValueError for what is no gallery."""
    return [(HEAD, [_cells(row) for row in found["audits"]]), (CLIPS, [tuple(map(str, each.values())) for each in found["clips"]])]


def _cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    numbers = (row[name] for name in ("starts", "peak", "at", "supplied", "realized", "truth"))
    shown = ("" if x is None else f"{x:.{FIGURES}g}" for x in numbers)
    return (row["name"], str(row["p"]), row["coherence"], *shown, "; ".join(row["beside"]))


def _clip(clip: Clip) -> dict[str, Any]:
    return {
        "p": clip.p,
        "onset": f"{clip.onset / clip.nu:.{FIGURES}g}",
        "crossing": f"{int(clip.crossing.p) / int(clip.crossing.q) / clip.nu:.{FIGURES}g}",
        "defect": scientific(clip.defect, FIGURES),
        "found": f"{clip.measured:.{FIGURES - 1}e}",
        "bar": f"{clip.bar:.1g}",
    }
