"""Tables as the page shows them: rows of cells, each with what stands below it and how it is judged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from certify.report.html.templates import render


@dataclass(frozen=True)
class Entry:
    """A cell; ``mark`` is a judgement in a word, ``tone`` whether it is "good", "fair" or "bad"."""

    value: Markup
    under: tuple[Markup, ...] = ()
    mark: str = ""
    tone: str = ""
    number: bool = True


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


def shown(grids: Sequence[Grid]) -> Markup:
    """One below the other."""
    return render("grids.html", grids=grids)


def capitals(names: Iterable[str]) -> tuple[str, ...]:
    """Names as headings of columns."""
    return tuple(name[:1].upper() + name[1:] for name in names)
