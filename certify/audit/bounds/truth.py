"""The reference at a point, as a ball: rigorous where it is a program or returns balls, else at 50 digits as mpmath gives them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from flint import arb, fmpq
from mpmath import mp

from certify.audit import reference as named
from certify.exact.ball import working_precision
from certify.exact.interpret import ball
from certify.exact.program import Program
from certify.exact.truth import Truth as Answer
from certify.exact.truth import less

BITS = 256
REACH = 1 << 19
Point = Mapping[str, fmpq]


@dataclass(frozen=True)
class Truth:
    """``at`` encloses the reference at a point, not finite where it has no real value, or one beyond ±2^REACH.

    ``rigorous`` says whether nothing is rounded.
    """

    at: Callable[[Point], arb]
    rigorous: bool


def truth(program: Program | None, text: str) -> Truth:
    """The reference. Raises ValueError for a text that names none."""
    if program is not None:
        return Truth(lambda point: _moderate(_of_program(program, point)), True)
    function = named.reference(text)
    return Truth(lambda point: _moderate(_of_mpmath(function, point["x"])), False)


def _moderate(value: arb) -> arb:
    """An enclosure whose exponents can be written down: of what is within ±2^−REACH, that interval."""
    if less(abs(value), arb((1, REACH))) is not Answer.YES:
        return arb.nan()
    tiny = arb((1, -REACH))
    return arb(0, tiny) if not value.is_zero() and less(abs(value), tiny) is Answer.YES else value


def _of_program(program: Program, point: Point) -> arb:
    with working_precision(BITS):
        return ball.evaluate(program, point)[0]


def _of_mpmath(function: named.Reference, x: fmpq) -> arb:
    with mp.workdps(named.DIGITS):
        value = named.known(function, mp.mpf(int(x.p)) / int(x.q))
    if value is None:
        return arb.nan()
    sign, mantissa, exponent, _ = value._mpf_
    with working_precision(BITS):
        return arb((-mantissa if sign else mantissa, exponent))
