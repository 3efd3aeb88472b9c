"""Quantities in units: what is proportional to Δ = s₁ − s₀, and what scales like s₀, s₁ or ν, on many boxes at once.

With t = ν/s₀, q = s₀/s₁ and ε = 1/ν a quantity is Δ^i X^j t^k q^l ε^m, its unit, times a number from an interval, X = (lo + hi)/s₁; so
ν = 1/ε, s₀ = 1/(εt), s₁ = 1/(εtq) and (hi − lo) X = Δ(1 + q).
"""

from __future__ import annotations

from functools import cached_property, reduce
from itertools import chain, repeat
from typing import NamedTuple

import numpy as np

from certify.exact.rounding.sweep import Array, Interval

Unit = tuple[int, int, int, int, int]

NUMBER, DELTA, ORDER, SMALL, LARGE = (0, 0, 0, 0, 0), (1, 0, 0, 0, 0), (0, 0, 0, 0, -1), (0, 0, -1, 0, -1), (0, 0, -1, -1, -1)
GAP, SUM = (1, -1, 0, 0, 0), (0, 1, -1, -1, -1)
"""1, Δ, ν, s₀ and s₁; the units of hi − lo and of hi + lo."""


class Quantity(NamedTuple):
    """A unit and an interval for each box."""

    unit: Unit
    value: Interval

    def __mul__(self, other: Quantity) -> Quantity:  # pyright: ignore[reportIncompatibleMethodOverride]
        return Quantity(_joined(self.unit, other.unit, 1), self.value * other.value)

    def __neg__(self) -> Quantity:
        return Quantity(self.unit, -self.value)

    def reciprocal(self) -> Quantity:
        return Quantity(_joined(NUMBER, self.unit, -1), self.value.reciprocal())

    def spread(self, error: float) -> Quantity:
        """With a relative error."""
        low, high = self.value
        return Quantity(self.unit, Interval(low - abs(low) * error, high + abs(high) * error))


class Cube:
    """Boxes of t, q and ε, and the sums that the relations between the units allow on them. Raises ValueError where they allow none."""

    def __init__(self, sides: tuple[Interval, Interval, Interval]) -> None:
        self.t, self.q, self.eps = self.sides = sides

    @cached_property
    def one(self) -> Interval:
        return Interval(np.ones_like(self.t.low), np.ones_like(self.t.low))

    def number(self, value: float) -> Quantity:
        return Quantity(NUMBER, Interval(value * self.one.low, value * self.one.low))

    def of(self, unit: Unit) -> Quantity:
        """One unit."""
        return Quantity(unit, self.one)

    def total(self, a: Quantity, b: Quantity) -> Quantity:
        """The sum, in the largest unit of which both are multiples by numbers in [0, 1] or powers of ε."""
        if a.unit[:2] != b.unit[:2]:
            raise ValueError("a sum of quantities that are not proportional to the difference alike")
        i, j, k, m, n = (min(pair) for pair in zip(a.unit, b.unit, strict=True))
        unit = (i, j, k, m, n)
        return Quantity(unit, (self._in(unit, a)).plus(self._in(unit, b)))

    def size(self, quantity: Quantity) -> Array:
        """Bounds of the size of what is proportional to Δ, over Δ."""
        if quantity.unit[:2] != DELTA[:2]:
            raise ValueError("an error that is not proportional to the difference")
        return self._in(DELTA, quantity).size

    def _in(self, unit: Unit, quantity: Quantity) -> Interval:
        powers = _joined(quantity.unit, unit, -1)[2:]
        if min(powers) < 0:
            raise ValueError("a quantity is not bounded in the unit that it is needed in")
        return reduce(Interval.__mul__, chain(*map(repeat, self.sides, powers)), quantity.value)


def cosine_to_sine(a: Interval) -> Interval:
    """√(1 − a²) for a in [0, 1]."""
    return Interval(np.sqrt(np.maximum(1 - a.high**2, 0)), np.sqrt(np.maximum(1 - a.low**2, 0)))


def _joined(unit: Unit, other: Unit, sign: int) -> Unit:
    i, j, k, m, n = (a + sign * b for a, b in zip(unit, other, strict=True))
    return i, j, k, m, n
