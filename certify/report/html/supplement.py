"""What a page shows beside the claims: sections made ready for the page, and the data in its downloads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup


@dataclass(frozen=True)
class Section:
    """A part of the page below a heading; ``data`` and ``files`` (by name) go to the downloads."""

    anchor: str
    title: str
    body: Markup
    data: Any = None
    files: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Supplement:
    """Sections in the order of the page."""

    sections: tuple[Section, ...]

    @property
    def data(self) -> dict[str, Any]:
        """What the page's JSON download holds of it."""
        found = {section.anchor: section.data for section in self.sections if section.data is not None}
        return {**found, "files": {name: text for section in self.sections for name, text in section.files.items()}}
