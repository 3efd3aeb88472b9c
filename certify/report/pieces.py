"""What the complete page shows beside the claims: what belongs to those of the report, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from certify.claims.record import Report
from certify.studies import paper
from certify.studies.errata.entries import ERRATA
from certify.studies.figures import catalogue as figures
from certify.studies.margin_map import SUBJECTS
from certify.studies.tables import catalogue as tables

Claims = Mapping[str, Mapping[str, str]]

SLOW = {"table 6": 8.0, "evaluators": 6.0, "figure 3": 3.0}
"""Seconds; the other tables and figures take one or two."""

RECORDED = {"figure.3": "training.forks.record", "figure.6": "table.7", "figure.training": "training.arms.record"}
"""Figures that stand for claims of another name."""


@dataclass(frozen=True)
class Piece:
    """A part that is to be made, of the arguments of its section's ``part``, in about so many ``seconds``."""

    section: str
    name: str
    seconds: float
    arguments: tuple[Any, ...] = ()


def pieces(report: Report) -> Iterator[Piece]:
    """In the order of the page."""
    claims = {record.id: record.constants for record in report.claims}
    yield from (_numbered("tables", "table", id) for id in tables.IDS if f"table.{id}" in claims)
    yield from (_numbered("figures", "figure", id) for id in figures.MODULES if RECORDED.get(f"figure.{id}", f"figure.{id}") in claims)
    yield from _measured(claims)
    yield from _of_the_paper(report, claims)


def _numbered(section: str, kind: str, id: str) -> Piece:
    name = f"{kind} {id}"
    return Piece(section, name, SLOW.get(name, 2.0), (id,))


def _measured(claims: Claims) -> Iterator[Piece]:
    if bounds := {id: claims[id] for id in SUBJECTS if id in claims}:
        yield Piece("margins", "margins", 0.15 * len(bounds), (bounds,))
    if {"table.5", "table.6"} & claims.keys():
        yield Piece("evaluators", "evaluators", SLOW["evaluators"])
    if "audit.clip" in claims:
        yield Piece("audits", "audits", 1.0)
    if "table.7" in claims:
        yield Piece("bench", "bench", 1.0)
    if "training.arms.record" in claims:
        yield from (_numbered("training", "table", id) for id in tables.TRAINED)


def _of_the_paper(report: Report, claims: Claims) -> Iterator[Piece]:
    """The map, and the errata whose claims are all in the report; both whole where it has all claims of the paper."""
    named = {id for item in paper.items() for id in item.claims}
    whole = named <= claims.keys()
    if named & claims.keys():
        yield Piece("paper", "paper", 0.1, (report, whole))
    places = [place for place, erratum in enumerate(ERRATA) if whole or (erratum.claims and claims.keys() >= set(erratum.claims))]
    if places:
        yield Piece("errata", "errata", 0.4 * len(places), (places, frozenset(claims)))
