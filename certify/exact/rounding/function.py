"""The function that a rounding theorem is about: its definitions evaluated over any field, and held against its program.

A definition is an expression of x, ν, earlier names, the first of them s = √(x² + ν²), and ``diff(NAME, x)``, the derivative of a name
along x at fixed ν, of which no further derivative is taken. The checker decides whether program and function are the same; here a few
rational points tell a wrong program early.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from typing import Any

from flint import fmpq

from certify.exact.expression import evaluate
from certify.exact.interpret import rational
from certify.exact.number import exact
from certify.exact.rounding.theorem import Rounding, order_ends

SHARES = tuple(Fraction(1, n) for n in (2, 3, 5, 7))
"""Of m and of 1/ν, where program and function are compared."""


@dataclass(frozen=True)
class Dual:
    """A value and its derivative along x."""

    value: Any
    slope: Any

    def __add__(self, other: Dual) -> Dual:
        return Dual(self.value + other.value, self.slope + other.slope)

    def __sub__(self, other: Dual) -> Dual:
        return Dual(self.value - other.value, self.slope - other.slope)

    def __neg__(self) -> Dual:
        return Dual(-self.value, -self.slope)

    def __mul__(self, other: Dual) -> Dual:
        return Dual(self.value * other.value, self.slope * other.value + self.value * other.slope)

    def __truediv__(self, other: Dual) -> Dual:
        value = self.value / other.value
        return Dual(value, (self.slope - value * other.slope) / other.value)

    def __pow__(self, n: int) -> Dual:
        power = self
        for _ in range(n - 1):
            power = power * self
        return power


class Unknown:
    """The slope of a derivative, and of what is made of it."""

    def absorb(self, _: Any = None) -> Unknown:
        return self

    __neg__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = absorb


def value(where: Mapping[str, str], x: Any, nu: Any, s: Any, number: Callable[[int], Any]) -> Any:
    """The last definition at x, ν and s = √(x² + ν²) of one field; ``number`` makes an element of it of an integer."""
    zero = number(0)
    symbols = {"x": Dual(x, number(1)), "nu": Dual(nu, zero), "s": Dual(s, x / s)}
    for name, text in islice(where.items(), 1, None):
        symbols[name] = evaluate(text, symbols, lambda n: Dual(number(n), zero), functions={"diff": lambda a, _: Dual(a.slope, Unknown())})
    return symbols[list(where)[-1]].value


def disagreements(theorem: Rounding) -> Iterator[tuple[Fraction, Fraction]]:
    """m and ν, among the points tried, at which the program is not the function."""
    return (point for point in _points(theorem) if _differ(theorem, *point))


def _points(theorem: Rounding) -> Iterator[tuple[Fraction, Fraction]]:
    """m and ν inside their ranges."""
    low, high = order_ends(theorem.nu)
    most, least = 1 / low, 0 if high is None else 1 / high
    for m, share in product(SHARES, (1, *SHARES)):
        yield m, 1 / (least + (most - least) * share)


def _differ(theorem: Rounding, m: Fraction, nu: Fraction) -> bool:
    x, s = along(m, nu)
    [computed] = rational.evaluate(theorem.program, {"x": x, "nu": nu, "x_max": x})
    return computed != value(theorem.where, exact(x), exact(nu), exact(s), fmpq)


def along(m: Fraction, nu: Fraction) -> tuple[Fraction, Fraction]:
    """x and s for m = x/(ν+s)."""
    return 2 * nu * m / (1 - m * m), nu * (1 + m * m) / (1 - m * m)
