"""The reference at a point, as a ball: rigorous where it is a program or returns balls, else at 50 digits as mpmath gives them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath
from flint import arb, fmpq
from mpmath import mp

from certify.audit import reference as named
from certify.audit.target import resolve
from certify.exact.ball import working_precision
from certify.exact.interpret import ball
from certify.exact.number import exact
from certify.exact.program import Program

BITS = 256
Point = Mapping[str, fmpq]


@dataclass(frozen=True)
class Truth:
    """``at`` encloses the reference at a point, not finite where it has no real value; ``rigorous`` says whether nothing is rounded."""

    at: Callable[[Point], arb]
    rigorous: bool


def truth(program: Program | None, text: str) -> Truth:
    """The reference. Raises ValueError for a text that names none."""
    if program is not None:
        return Truth(lambda point: _of_program(program, point), True)
    if text.partition(":")[0].endswith(".py"):
        function = resolve(text)
        return Truth(lambda point: _number(function(_fraction(point["x"]))), False)
    function = named.reference(text)
    assert function is not None
    return Truth(lambda point: _of_mpmath(function, point["x"]), False)


def _of_program(program: Program, point: Point) -> arb:
    with working_precision(BITS):
        return ball.evaluate(program, point)[0]


def _of_mpmath(function: named.Reference, x: fmpq) -> arb:
    with mp.workdps(named.DIGITS):
        value = function(mp.mpf(int(x.p)) / int(x.q))
        return _number(value)


def _number(value: Any) -> arb:
    """A ball as it is, anything else as mpmath reads it; nan for what is no real number."""
    if isinstance(value, arb):
        return value
    if isinstance(value, Fraction | int | fmpq):
        return arb(exact(value))
    real = mp.mpmathify(value)
    if isinstance(real, mpmath.mpc):
        real = real.real if real.imag == 0 else mp.nan
    if not mp.isfinite(real):
        return arb.nan()
    sign, mantissa, exponent, _ = real._mpf_
    with working_precision(BITS):
        return arb((-mantissa if sign else mantissa, exponent))


def _fraction(x: fmpq) -> Fraction:
    return Fraction(int(x.p), int(x.q))
