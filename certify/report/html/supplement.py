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


@dataclass(frozen=True)
class Section:
    """Parts below a heading."""

    anchor: str
    parts: tuple[Part, ...]

    @property
    def title(self) -> str:
        return self.anchor.capitalize()


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
