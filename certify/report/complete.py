"""The supplement of a page: each part is made by itself, in a worker process where it takes longer than starting one.

What fails is said on the page in one line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from threading import Event

from markupsafe import Markup

from certify.claims.exits import BadInput
from certify.claims.record import Report
from certify.claims.runner import Runner
from certify.claims.session import Watcher
from certify.claims.text import clipped, line, one_line
from certify.report.html.page import page
from certify.report.html.supplement import Part, Section, Supplement
from certify.report.pieces import Piece, pieces

SECTIONS = ("tables", "figures", "margins", "evaluators", "audits", "bench", "training", "paper", "errata")
"""In the order of the page; ``report.html.parts`` has a module of each."""

START = 0.5
"""Seconds in which a process starts."""


def complete_page(report: Report, jobs: int, watcher: Watcher) -> str:
    """The page with all that belongs to its claims, made by ``jobs`` processes; the watcher is told of each part."""
    return page(report, supplement(report, jobs, watcher))


def supplement(report: Report, jobs: int, watcher: Watcher) -> Supplement:
    """Sections in the order of the page."""
    wanted = list(pieces(report))
    made = {piece.name: _part(piece, result) for piece, result in _results(wanted, jobs, watcher)}
    parts = {section: tuple(made[piece.name] for piece in wanted if piece.section == section) for section in SECTIONS}
    return Supplement(tuple(Section(section, found) for section, found in parts.items() if found))


def _results(wanted: Sequence[Piece], jobs: int, watcher: Watcher) -> Iterator[tuple[Piece, Part | Exception]]:
    """Each piece with its part, or with the exception that it raised; the longest are begun first."""
    for piece in wanted:
        if piece.seconds < START:
            watcher.making(piece.name)
            yield piece, _attempt(piece)
            watcher.made(piece.name)
    longer = sorted((piece for piece in wanted if piece.seconds >= START), key=lambda piece: -piece.seconds)
    for piece, result in Runner(_make, jobs, Event(), lambda piece: watcher.making(piece.name)).run(longer):
        yield piece, result
        watcher.made(piece.name)


def _attempt(piece: Piece) -> Part | Exception:
    try:
        return _make(piece)
    except Exception as error:
        return error


def _make(piece: Piece) -> Part:
    return import_module(f"certify.report.html.parts.{piece.section}").part(*piece.arguments)


def _part(piece: Piece, result: Part | Exception) -> Part:
    """What was made, or one line that says why nothing was."""
    if isinstance(result, Part):
        return result
    why = clipped(line(str(result))) if isinstance(result, BadInput) else one_line(result)
    return Part(Markup('<p class="missing"><b>{}</b> cannot be shown: {}</p>').format(piece.name.capitalize(), why))
