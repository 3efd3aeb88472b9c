"""Witnesses: points at which a claim fails, found by search and confirmed in balls or exactly."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction

from flint import arb, fmpq

from certify.exact.coordinates import Coordinates
from certify.exact.positivity import Gap
from certify.exact.truth import Truth, positive

GOLDEN = (5**0.5 - 1) / 2


def violation(excess: Callable[[fmpq, fmpq], arb], nu_min: Fraction, doublings: int = 40) -> tuple[fmpq, fmpq] | None:
    """The first (ν, x) found with ``excess``(ν, x) > 0, decided in balls; None if the search finds none.

    The search is upward in ν, since a constant slightly below the best possible is exceeded only at large orders. For each ν the
    largest excess over x is sought on a logarithmic grid and then by golden sections around its best peaks; floats guide it and prove
    nothing.
    """
    for k in range(doublings):
        nu = _short(float(nu_min) * 2**k, at_least=nu_min)

        def value(log_z: float, nu: fmpq = nu) -> float:
            return float(excess(nu, _short(float(nu) * 2**log_z)).mid())

        for low, high in _peaks(value):
            x = _short(float(nu) * 2 ** _maximise(value, low, high))
            if positive(excess(nu, x)) is Truth.YES:
                return nu, x
    return None


def _peaks(value: Callable[[float], float], count: int = 2) -> list[tuple[float, float]]:
    """Intervals of log₂ z around the highest peaks on a grid that is finer where z is neither small nor large."""
    grid = [*range(-13, -4), *(j / 4 for j in range(-16, 17)), *range(5, 14)]
    values = [-math.inf, *map(value, grid[1:-1]), -math.inf]
    peaks = [i for i in range(1, len(grid) - 1) if values[i] >= max(values[i - 1], values[i + 1])]
    highest = sorted(peaks, key=values.__getitem__, reverse=True)[:count]
    return [(grid[i - 1], grid[i + 1]) for i in highest]


def _maximise(value: Callable[[float], float], low: float, high: float, steps: int = 20) -> float:
    """Golden-section search."""
    for _ in range(steps):
        left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        low, high = (low, right) if value(left) > value(right) else (left, high)
    return (low + high) / 2


def _short(value: float, at_least: Fraction = Fraction(0)) -> fmpq:
    """A nearby number of four significant digits, at least ``at_least``."""
    rounded = max(Fraction(f"{value:.3e}"), at_least)
    return fmpq(rounded.numerator, rounded.denominator)


def exact_violation(coordinates: Coordinates, text: str, gap: Gap, strict: bool = True, tries: int = 200) -> dict[str, Fraction] | None:
    """A rational point of the domain in the gap's box at which the expression, evaluated exactly, is ≤ 0 (< 0, unless ``strict``)."""
    function = coordinates(text)
    rng = random.Random(0)
    for _ in range(tries):
        point = [_inside(low, high, rng) for low, high in gap.box[: len(coordinates.variables)]]
        above, below = function.above(*point), function.below(*point)
        if below != 0 and (above / below < 0 or (strict and above == 0)):
            return {name: _value(coordinates, name, point) for name in coordinates.theorem.domain}
    return None


def _inside(low: Fraction, high: Fraction, rng: random.Random) -> fmpq:
    weight = Fraction(rng.randrange(1, 256), 256)
    value = low + (high - low) * weight
    return fmpq(value.numerator, value.denominator)


def _value(coordinates: Coordinates, name: str, point: list[fmpq]) -> Fraction:
    function = coordinates[name]
    value = function.above(*point) / function.below(*point)
    return Fraction(int(value.p), int(value.q))
