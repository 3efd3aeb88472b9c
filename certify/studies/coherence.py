"""The finite start M = 2ν at one radius in balls: the derivative of its forward, what its backward supplies, and their difference.

D(x) = Φ̃′(x) − g(x) with g = min(R̃, 1) is what Table 2 calls D_clip; for odd ν it tends to −(ν+3/2)/x (claim concentration.defect).
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb

from certify.exact import recurrence
from certify.exact.ball import ball, bits_for, demand, working_precision
from certify.exact.number import Number, brief, exact

DIGITS = 20


@dataclass(frozen=True)
class Radius:
    """Φ̃′, R̃ and D at one x, each to at least ``DIGITS`` digits."""

    derivative: arb
    ratio: arb
    residual: arb

    @property
    def relative(self) -> arb:
        """|D|/Φ̃′."""
        with working_precision(bits_for(2 * DIGITS)):
            return abs(self.residual) / self.derivative


def at(nu: int, x: Number, start: int | None = None) -> Radius:
    """At order ν and start M = 2ν unless given. Raises ValueError where ``certify.exact.recurrence`` does."""
    first = 2 * nu if start is None else start
    derivative = recurrence.enclose_derivative(nu, first, x, DIGITS)
    return Radius(derivative, recurrence.enclose_ratio(nu, first, x, DIGITS), _residual(nu, first, x))


def _residual(nu: int, start: int, x: Number) -> arb:
    def compute(_: int) -> arb:
        argument = ball(x)
        return recurrence.derivative(nu, start, argument) - recurrence.ratio(nu, start, argument).min(arb(1))

    return demand(compute, DIGITS, lambda: f"the coherence defect at x = {brief(exact(x))}")
