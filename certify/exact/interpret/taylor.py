"""Taylor polynomials with rigorous remainders, of a program's outputs and of their derivatives in one variable.

About a point c, with |f(z) − a₀| ≤ M for |z − c| ≤ R, Cauchy's estimates are |a_k| ≤ M/R^k, so for |h| ≤ r and q = r/R

    |f(c + h) − Σ_{k<n} a_k h^k| ≤ M q^n/(1 − q),
    |f′(c + h) − Σ_{k<n−1} (k+1) a_{k+1} h^k| ≤ (M/R) q^{n−1} (n/(1 − q) + q/(1 − q)²).

M comes from discs (``interpret.disc``), the coefficients from series (``interpret.series``). The program must have no choices
(``interpret.branches``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from flint import arb, fmpq

from certify.exact.interpret import disc, series
from certify.exact.program import Program


class Effort(NamedTuple):
    """The number of coefficients n, and R/r."""

    order: int
    spread: int


FINE, COARSE = Effort(24, 8), Effort(16, 4)
"""For enclosures to the last digits, and for wide boxes."""


@dataclass(frozen=True)
class Expansion:
    """f(c + h) is within ``tail`` of Σ a_k h^k for |h| ≤ ``radius``."""

    coefficients: tuple[arb, ...]
    tail: arb
    radius: arb

    def __sub__(self, other: Expansion) -> Expansion:
        pairs = zip(self.coefficients, other.coefficients, strict=False)
        if len(self.coefficients) != len(other.coefficients):
            raise ValueError("expansions of different order are not subtracted")
        return Expansion(tuple(a - b for a, b in pairs), self.tail + other.tail, self.radius)

    def variation(self) -> arb:
        """A bound of |f(c + h) − a₀|."""
        total, power = self.tail, arb(1)
        for each in self.coefficients[1:]:
            power = power * self.radius
            total = total + abs(each) * power
        return total.upper()

    def enclosure(self) -> arb:
        """All values f(c + h)."""
        return self.coefficients[0] + arb(0, self.variation())


def expansions(
    program: Program, variable: str, at: fmpq, radius: fmpq, fixed: Mapping[str, fmpq | arb], effort: Effort = FINE
) -> list[tuple[Expansion, Expansion]]:
    """For each output its expansion of n − 1 coefficients and that of its derivative; not finite where nothing is shown."""
    around = {name: arb(value) for name, value in fixed.items()}
    coefficients = series.expand(program, variable, arb(at), around, effort.order)
    values = disc.enclose(program, variable, arb(at), arb(effort.spread * radius), around)
    return [_expansions(each, value.radius, arb(radius), effort) for each, value in zip(coefficients, values, strict=True)]


def _expansions(coefficients: list[arb], largest: arb, radius: arb, effort: Effort) -> tuple[Expansion, Expansion]:
    """From the coefficients and a bound of |f(z) − f(c)| on the disc of radius R."""
    n, q = effort.order, arb(1) / effort.spread
    tail = largest * q ** (n - 1) / (1 - q)
    slope_tail = largest / (effort.spread * radius) * q ** (n - 1) * (n / (1 - q) + q / (1 - q) ** 2)
    slopes = tuple((k + 1) * each for k, each in enumerate(coefficients[1:]))
    return Expansion(tuple(coefficients[:-1]), tail, radius), Expansion(slopes, slope_tail, radius)
