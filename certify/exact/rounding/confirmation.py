"""One computation within a profile, in exact rationals, and its error in a ball: what a search in floats found is confirmed with these.

All operations are rounded correctly, but hypot, which may return the farther one of the floats around the exact value. Underflow is not
modelled: a result far below the least normal number is rounded as if exponents had no end. Where NumPy's result is not finite, the error
has no bound.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isqrt
from typing import NamedTuple

import numpy as np
from flint import arb

from certify.exact.ball import working_precision
from certify.exact.interpret import ball
from certify.exact.interpret.evaluate import Interpreter
from certify.exact.program import nearest
from certify.exact.rounding.execution import Execution
from certify.exact.rounding.function import value

BITS = 300


class Confirmed(NamedTuple):
    """What is computed, None if that is not finite, and the ball of its error in units of u, or of u/s."""

    computed: Fraction | None
    error: arb


def confirm(execution: Execution, x: Fraction, nu: Fraction, far: bool = False) -> Confirmed | None:
    """The computation at floats x and ν of the format; None where the profile does not allow such a hypot."""
    if not np.isfinite(execution.computed(np.array([float(x)], execution.dtype), np.array([float(nu)], execution.dtype), far)).all():
        return Confirmed(None, arb.pos_inf())
    argument, bits = min(x, execution.x_max), execution.form.bits
    square = argument * argument + nu * nu
    length = far_root(square, bits) if far else root(square, bits)
    monotone = not execution.theorem.profile.monotone or length >= max(argument, nu)
    if not (monotone and within(length, square, execution.hypot_ulps * ulp_of_root(square, bits))):
        return None
    rules = correctly_rounded(bits) | {"hypot": lambda a, b: length}
    [computed] = Interpreter("rational", rules, Fraction).outputs(execution.program, {"x": x, "nu": nu})
    with working_precision(BITS):
        exact = value(execution.theorem.where, ball.constant(x), ball.constant(nu), ball.constant(x * x + nu * nu).sqrt(), arb)
        error = abs(ball.constant(computed) - exact) * 2**bits
        return Confirmed(computed, error if execution.theorem.unit == "1" else error * ball.constant(square).sqrt())


def correctly_rounded(bits: int) -> dict[str, Callable[..., Fraction]]:
    """The operations, each rounded to so many bits."""
    return {
        "add": lambda a, b: nearest(a + b, bits),
        "sub": lambda a, b: nearest(a - b, bits),
        "mul": lambda a, b: nearest(a * b, bits),
        "div": lambda a, b: nearest(a / b, bits),
        "sqrt": lambda a: root(a, bits),
        "hypot": lambda a, b: root(a * a + b * b, bits),
        "min": min,
    }


def root(square: Fraction, bits: int) -> Fraction:
    """√square > 0, correctly rounded: two digits more than a float's, and one that says whether others follow."""
    unit = ulp_of_root(square, bits) / 4
    whole = square / unit**2
    digits = isqrt(whole.numerator // whole.denominator)
    return nearest((digits + (Fraction(0) if digits * digits == whole else Fraction(1, 2))) * unit, bits)


def far_root(square: Fraction, bits: int) -> Fraction:
    """The float on the other side of √square, beyond which the correctly rounded one lies, but for a power of two between them."""
    near = root(square, bits)
    return near + (1 if near * near <= square else -1) * ulp_of_root(square, bits)


def ulp_of_root(square: Fraction, bits: int) -> Fraction:
    """The ulp of the binade of √square."""
    exponent = square.numerator.bit_length() - square.denominator.bit_length()
    exponent -= square < Fraction(2) ** exponent
    return Fraction(2) ** (exponent // 2 - bits + 1)


def within(length: Fraction, square: Fraction, width: Fraction) -> bool:
    """Whether |length − √square| ≤ width, length ≥ width."""
    return (length - width) ** 2 <= square <= (length + width) ** 2
