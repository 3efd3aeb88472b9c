"""The finite start M = 2ν at one radius in balls: the derivative of its forward, what its backward supplies, and their difference.

D(x) = Φ̃′(x) − g(x) with g = min(R̃, 1) is what Table 2 calls D_clip; for odd ν it tends to −(ν+3/2)/x (claim concentration.defect).
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb, fmpq

from certify.exact import recurrence
from certify.exact.ball import ball, working_precision
from certify.exact.number import Number

BITS = 384
"""Of the working precision: errors of Φ̃′ and R̃ stay below 1e-100 for M up to 10⁵."""

NEGLIGIBLE = fmpq(1, 10**50)
"""A defect below this may not be told from zero."""


@dataclass(frozen=True)
class Radius:
    """Φ̃′, R̃ and D at one x."""

    derivative: arb
    ratio: arb
    residual: arb

    @property
    def relative(self) -> arb:
        """|D|/Φ̃′."""
        with working_precision(BITS):
            return abs(self.residual) / self.derivative


def at(nu: int, x: Number, start: int | None = None) -> Radius:
    """At order ν and start M = 2ν unless given. Raises ValueError where ``certify.exact.recurrence`` does."""
    first = 2 * nu if start is None else start
    with working_precision(BITS):
        argument = ball(x)
        derivative, ratio = recurrence.derivative(nu, first, argument), recurrence.ratio(nu, first, argument)
        return Radius(derivative, ratio, derivative - ratio.min(arb(1)))
