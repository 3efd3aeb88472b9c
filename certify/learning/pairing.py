"""The signed change of a softmax cross-entropy under given score errors: one pairing, and the extremes over all pairings.

L̂ − L = log(P_y + Σ_{j≠y} P_j e^{e_j−e_y}) depends on which class has which error. By claim learning.pairing it is largest where
masses and errors are sorted alike, smallest where they are sorted oppositely. Masses and errors are exact numbers; sorting them is
then exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import arb, fmpq

from certify.exact.ball import working_precision
from certify.exact.domain import positive
from certify.exact.errors import NotAccepted
from certify.exact.number import Number, centre, exact
from certify.learning.enclosure import Sample, enclose
from certify.learning.states import State

BITS = 256


@dataclass(frozen=True)
class PairingRange:
    """A sample's signed change of the loss, and its extremes over the pairings of the same errors with the classes other than the label."""

    view: int
    sample: int
    actual: arb
    low: arb
    high: arb


def at_state(found: State, n: int = 1) -> PairingRange:
    """The sample of which the loss changes most under F_n. Masses and errors are the midpoints of their balls, which are exact numbers."""
    ranges = [_range(v, i, sample, n) for v, view in enumerate(enclose(found)) for i, sample in enumerate(view)]
    return max(ranges, key=lambda each: centre(abs(each.actual)))


def _range(view: int, index: int, sample: Sample, n: int) -> PairingRange:
    with working_precision(BITS):
        errors = [centre(a - b) for a, b in zip(sample.ladder_scores(n), sample.scores, strict=True)]
    masses = [centre(mass) for mass in sample.masses]
    target, own = masses.pop(sample.label), errors.pop(sample.label)
    low, high = extremes(target, masses, errors, own)
    return PairingRange(view, index, loss_change(target, masses, own, errors), low, high)


def loss_change(target: Number, others: Sequence[Number], own: Number, errors: Sequence[Number]) -> arb:
    """L̂ − L for the label's mass and the others', of any common scale, the label's error and the others', in that order."""
    mass, rest = _masses(target, others)
    return _change(mass, rest, exact(own), _numbers(errors, len(rest)))


def extremes(target: Number, others: Sequence[Number], errors: Sequence[Number], own: Number | None = None) -> tuple[arb, arb]:
    """The smallest and the largest L̂ − L over all ways to give the errors to the classes.

    With ``own`` the label has this error and there are as many ``errors`` as other classes; without it there is one more, and the label
    takes part. Raises ValueError for masses that are not positive and for another number of errors.
    """
    mass, rest = _masses(target, others)
    values = sorted(_numbers(errors, len(rest) + (own is None)))
    if own is not None:
        low = high = exact(own)
        below = above = values
    else:
        high, *above = values
        *below, low = values
    ordered = sorted(rest)
    return _change(mass, ordered[::-1], low, below), _change(mass, ordered, high, above)


def _masses(target: Number, others: Sequence[Number]) -> tuple[fmpq, list[fmpq]]:
    return positive("the label's mass", target), [positive(f"mass {j}", mass) for j, mass in enumerate(others)]


def _numbers(errors: Sequence[Number], count: int) -> list[fmpq]:
    if len(errors) != count:
        raise NotAccepted(f"{len(errors)} errors were given, {count} are needed")
    return [exact(error) for error in errors]


def _change(mass: fmpq, rest: Sequence[fmpq], own: fmpq, errors: Sequence[fmpq]) -> arb:
    """log(1 + Σ P_j (e^{e_j−e_y} − 1)/ΣP): small changes keep their digits."""
    with working_precision(BITS):
        total = mass + sum(rest, fmpq(0))
        gains = [p / total * arb(e - own).expm1() for p, e in zip(rest, errors, strict=True)]
        return sum(gains, arb(0)).log1p()
