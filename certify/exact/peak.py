"""The peaks of the ladder's terms: max over t ∈ [0, 1] of w|b_k(t)|, w = √(1 − t²), an algebraic number.

d(w b_k)/dt = −c_k(t)/w with c_k = t b_k − (1 − t²) b_k′, and w b_k vanishes at both ends, so that the peak lies at a zero of c_k, which
is a power of t times a polynomial in τ = t² with integer coefficients. Peaks are *proposed* here in balls; the proofs that use them
establish what they need.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import NamedTuple

from flint import arb, arb_poly, fmpq, fmpq_poly, fmpz_poly

from certify.exact.ball import decimal_above, decimal_below, hypotenuse, working_precision
from certify.exact.debye_polynomials import ratio_polynomial
from certify.exact.number import exact

BITS = 400


class Peak(NamedTuple):
    """Where w|b_k| is largest, the sign of b_k there, and the value."""

    t: arb
    sign: int
    value: arb


def critical(k: int) -> fmpq_poly:
    """c_k = t b_k − (1 − t²) b_k′."""
    b = ratio_polynomial(k)
    return b.left_shift(1) - b.derivative() + b.derivative().left_shift(2)


@cache
def equation(k: int) -> fmpz_poly:
    """The primitive polynomial in τ whose zeros in (0, 1) are the critical points of w b_k; its leading coefficient is positive.

    >>> equation(3)
    120*x^3 + (-177)*x^2 + 64*x + (-3)
    """
    coefficients = critical(k).numer().coeffs()
    lowest = next(i for i, c in enumerate(coefficients) if c)
    polynomial = fmpz_poly(coefficients[lowest::2])
    polynomial //= polynomial.content()
    return polynomial if polynomial.leading_coefficient() > 0 else -polynomial


@cache
def peak(k: int) -> Peak:
    """The peak of w|b_k|, k ≥ 1."""
    with working_precision(BITS):
        zeros = [zero.real for zero, _ in equation(k).complex_roots() if zero.imag == 0]  # pyright: ignore[reportGeneralTypeIssues]
        places = [_refined(equation(k), tau).sqrt() for tau in zeros if 0 < float(tau) < 1]
        values = [(1 - t * t).sqrt() * arb_poly(ratio_polynomial(k))(t) for t in places]
        t, value = max(zip(places, values, strict=True), key=lambda pair: abs(float(pair[1])))
        return Peak(t, 1 if float(value) > 0 else -1, abs(value))


def enclosure(k: int, digits: int) -> tuple[Fraction, Fraction]:
    """Neighbouring decimals of so many significant digits, with the peak of w|b_k| between them."""
    with working_precision(BITS):
        value = peak(k).value
        return Fraction(decimal_below(value, digits)), Fraction(decimal_above(value, digits))


def point(k: int, digits: int) -> Fraction:
    """A rational m = √((1−t)/(1+t)) at which w|b_k|, w = 2m/(1+m²), agrees with its peak to more than so many digits."""
    with working_precision(BITS):
        t = peak(k).t
        return Fraction(decimal_below(((1 - t) / (1 + t)).sqrt(), digits))


def value_squared(k: int, m: Fraction) -> Fraction:
    """w² b_k(t)² at w = 2m/(1+m²), t = (1−m²)/(1+m²)."""
    t = exact((1 - m**2) / (1 + m**2))
    value = (1 - t * t) * ratio_polynomial(k)(t) ** 2
    return Fraction(int(value.p), int(value.q))


def term(k: int, nu: fmpq, x: fmpq) -> arb:
    """w b_k(t) at ν and x."""
    s = hypotenuse(nu, x)
    return x / s * arb_poly(ratio_polynomial(k))(nu / s)


def _refined(polynomial: fmpz_poly, zero: arb, steps: int = 8) -> arb:
    """Newton's iteration."""
    function = arb_poly(polynomial)
    for _ in range(steps):
        zero = (zero - function(zero) / function.derivative()(zero)).mid()
    return zero
