"""What a page shows beside the claims: sections of parts, each made by itself, and the data in its downloads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup


@dataclass(frozen=True)
class Part:
    """A table, a figure or the like; ``data`` and ``files`` (texts or plain data, by name) go to the downloads."""

    body: Markup
    data: Any = None
    files: Mapping[str, Any] = field(default_factory=dict)


WORDS = {
    "tables": (
        "Tables of the paper",
        "Every cell is computed anew and held against the printed one. It matches where it rounds to the printed digits; it is in range"
        " where only a range of states is printed and some state in it gives these digits; it rounds differently, or is noise, where"
        " rounding errors decide the digits; it is not judged where it depends on data that are not public.",
    ),
    "figures": (
        "Figures",
        "Drawn from numbers that were computed for this page or recorded, which each download holds. What a figure shows is checked as"
        " relations between them.",
    ),
    "margins": ("Margins of the bounds", ""),
    "evaluators": ("Evaluators of the ratio", "What can be called in place of certify.vmf.ratio, over the dimensions of Table 5."),
    "audits": (
        "Coherence audits",
        "The derivative that each realization supplies, against the derivative of what its forward computes.",
    ),
    "bench": (
        "Time and memory",
        "Printed: the paper's figures, on an H100. The floor is the least time in which the machine measured could move the bytes, or do"
        " the operations, that a row needs.",
    ),
    "training": ("Training in small", "The paper's experiments on a small data set, as recorded by certify train. AR_1 is AR/FR."),
    "paper": ("The paper, item by item", ""),
    "errata": ("Errata of the paper", ""),
}
"""Of each section the title, and what is to be known before one reads it."""


@dataclass(frozen=True)
class Section:
    """Parts below a heading."""

    anchor: str
    parts: tuple[Part, ...]

    @property
    def title(self) -> str:
        return WORDS[self.anchor][0]

    @property
    def lead(self) -> str:
        return WORDS[self.anchor][1]


@dataclass(frozen=True)
class Supplement:
    """Sections in the order of the page."""

    sections: tuple[Section, ...]

    @property
    def data(self) -> dict[str, Any]:
        """What the page's JSON download holds of it."""
        found = {each.anchor: [part.data for part in each.parts if part.data is not None] for each in self.sections}
        files = {name: content for each in self.sections for part in each.parts for name, content in part.files.items()}
        return {**{anchor: data for anchor, data in found.items() if data}, "files": files}
