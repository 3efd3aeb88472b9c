"""Tables as the page shows them: rows of cells, each with what stands below it and how it is judged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from certify.report.html.templates import render

NUMBER = re.compile(r"[-+−±]?\d")
LONGEST = 40
"""Characters, with their tags, of a cell that is a number and not a sentence that begins with one."""


@dataclass(frozen=True)
class Entry:
    """A cell; ``mark`` is a judgement in a word, ``tone`` whether it is "good", "fair" or "bad"."""

    value: Markup
    under: tuple[Markup, ...] = ()
    mark: str = ""
    tone: str = ""


@dataclass(frozen=True)
class Grid:
    """``rows`` begin with their heading; ``file`` names the download."""

    anchor: str
    title: str
    legend: str
    head: tuple[str, ...]
    rows: tuple[tuple[Markup, tuple[Entry, ...]], ...]
    notes: tuple[Markup, ...] = ()
    file: str = ""

    @property
    def numbers(self) -> list[bool]:
        """Which columns are of numbers, and of judged values, which stand to the right."""
        columns = zip(*(cells for _, cells in self.rows), strict=True)
        return [any(cell.under or (NUMBER.match(cell.value) and len(cell.value) <= LONGEST) for cell in column) for column in columns]


def shown(grids: Sequence[Grid]) -> Markup:
    """One below the other."""
    return render("grids.html", grids=grids)


def capitals(names: Iterable[str]) -> tuple[str, ...]:
    """Names as headings of columns; symbols stay as they are."""
    return tuple(name if name[1:2] in ("", " ") else name[0].upper() + name[1:] for name in names)
