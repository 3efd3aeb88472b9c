"""Statements at points: each decided exactly or by balls, and the verdict on all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from flint import arb, fmpq

from certify.claims.verdict import Reason, Verdict
from certify.exact.truth import Truth, less
from certify.studies.cell import scientific

SHOWN = 15


@dataclass(frozen=True)
class Point:
    """A relation at one point, in exact coordinates; ``found`` are the numbers that it is about."""

    at: Mapping[str, str]
    relation: str
    holds: Truth
    found: Mapping[str, arb | fmpq] = field(default_factory=dict)

    def witness(self) -> dict[str, str]:
        return {**self.at, "fails": self.relation, **{name: scientific(value, SHOWN) for name, value in self.found.items()}}


def at_most(a: arb | fmpq | int, b: arb | fmpq | int) -> Truth:
    """Whether a ≤ b: exactly for rationals, as the balls tell otherwise."""
    if isinstance(a, arb) or isinstance(b, arb):
        return {Truth.YES: Truth.NO, Truth.NO: Truth.YES}.get(less(b, a), Truth.UNKNOWN)
    return Truth.YES if a <= b else Truth.NO


def everywhere(points: Iterable[Point], summary: str) -> Verdict:
    """*refuted* at the first point where its relation fails, *undecided* if one stays undecided, else *enclosed*."""
    count, undecided = 0, None
    for point in points:
        if point.holds is Truth.NO:
            place = ", ".join(f"{name} = {value}" for name, value in point.at.items())
            return Verdict.refuted(point.witness(), f"{point.relation} fails at {place}")
        count += 1
        undecided = point if point.holds is Truth.UNKNOWN and undecided is None else undecided
    if undecided is not None:
        return Verdict.undecided(Reason.PRECISION, f"{undecided.relation} is open at the point shown", box=undecided.at)
    return Verdict.enclosed(f"{summary}: {count} relations", relations=count)
