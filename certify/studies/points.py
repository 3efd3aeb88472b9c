"""Statements at points: each decided exactly or by balls, and the verdict on all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from flint import arb, fmpq

from certify.claims.verdict import Reason, Verdict
from certify.exact.truth import Truth, less
from certify.studies.decimals import scientific

SHOWN = 15


@dataclass(frozen=True)
class Point:
    """A relation at one point, in exact coordinates; ``found`` are the numbers that it is about."""

    at: Mapping[str, str]
    relation: str
    holds: Truth
    found: Mapping[str, arb | fmpq] = field(default_factory=dict)

    def witness(self) -> dict[str, str]:
        return {**self.at, "fails": self.relation, **self.numbers()}

    def numbers(self) -> dict[str, str]:
        """What was found, in decimals."""
        return {name: scientific(value, SHOWN) for name, value in self.found.items()}


def at_most(a: arb | fmpq | int, b: arb | fmpq | int) -> Truth:
    """Whether a ≤ b: exactly for rationals, as the balls tell otherwise."""
    if isinstance(a, arb) or isinstance(b, arb):
        return opposite(less(b, a))
    return decided(bool(a <= b))


def opposite(truth: Truth) -> Truth:
    """Whether it does not hold."""
    return {Truth.YES: Truth.NO, Truth.NO: Truth.YES}.get(truth, Truth.UNKNOWN)


def decided(holds: bool) -> Truth:
    """An exact comparison as a truth."""
    return Truth.YES if holds else Truth.NO


def all_of(truths: Iterable[Truth]) -> Truth:
    """Whether all hold: no as soon as one does not."""
    found = set(truths)
    return next((truth for truth in (Truth.NO, Truth.UNKNOWN) if truth in found), Truth.YES)


def everywhere(points: Iterable[Point], summary: str, passing: Callable[..., Verdict] = Verdict.enclosed) -> Verdict:
    """*refuted* at the first point where its relation fails, *undecided* if one stays undecided, else ``passing``: *enclosed*."""
    count, undecided = 0, None
    for point in points:
        if point.holds is Truth.NO:
            place = ", ".join(f"{name} = {value}" for name, value in point.at.items())
            return Verdict.refuted(point.witness(), f"{point.relation} fails at {place}")
        count += 1
        undecided = point if point.holds is Truth.UNKNOWN and undecided is None else undecided
    if undecided is not None:
        return Verdict.undecided(Reason.PRECISION, f"{undecided.relation} is open at the point shown", box=undecided.at)
    return passing(f"{summary}: {count} relations", relations=count)
