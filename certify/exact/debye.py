"""The closed forms A_n, F_n in balls: the uniform expansions of R_ν and Φ_ν, cut after 1/ν^n; A_1 = A_R, F_1 = F_R.

With s = √(ν²+x²), t = ν/s, w = x/s and the polynomials of ``exact.debye_polynomials``,

    A_n(x) = w·[1/(1+t) + Σ_{k=1}^{n+1} b_k(t)/ν^k],
    F_n(x) = s − ν log(ν+s) − ½ log s + Σ_{k=1}^{n} D_k(t)/ν^k,      F_n′ = A_n.

Values have at least ``digits`` correct digits, relatively. ν = 0 is outside the domain; functions raise ValueError
there, and PrecisionError where a value cancels to (almost) zero. ``ladder_quotient`` and ``ladder_increment`` are at the working precision.
"""

from __future__ import annotations

from collections.abc import Callable

from flint import arb, arb_poly, fmpq, fmpq_poly

from certify.exact.ball import PrecisionError, demand, hypotenuse
from certify.exact.closed_form import closed_form
from certify.exact.debye_polynomials import potential_polynomial, ratio_polynomial
from certify.exact.domain import decimal_digits, ladder_order, nonnegative, positive
from certify.exact.number import Number, brief, magnitude

__all__ = [
    "PrecisionError",
    "closed_form",
    "ladder_increment",
    "ladder_potential_difference",
    "ladder_quotient",
    "ladder_ratio",
    "ladder_ratio_derivative",
]


def ladder_ratio(n: int, nu: Number, x: Number, digits: int = 30) -> arb:
    """A_n(x) for ν > 0, x ≥ 0, 0 ≤ n ≤ 100."""
    rung, order = ladder_order(n), positive("nu", nu)
    argument, wanted = nonnegative("x", x), decimal_digits(digits)
    if argument == 0:
        return arb(0)
    return demand(
        lambda bits: argument * ladder_quotient(rung, order, argument * argument),
        wanted,
        lambda: f"A_{rung} at nu = {brief(order)}, x = {brief(argument)}",
    )


def ladder_ratio_derivative(n: int, nu: Number, x: Number, digits: int = 30) -> arb:
    """A_n′(x) for ν > 0, x ≥ 0, 0 ≤ n ≤ 100: with S = 1/(1+t) + Σ b_k(t)/ν^k, A_n′ = (t³ S − t² w² dS/dt)/ν."""
    rung, order = ladder_order(n), positive("nu", nu)
    argument, wanted = nonnegative("x", x), decimal_digits(digits)
    return demand(
        lambda bits: _slope(rung, order, argument),
        wanted,
        lambda: f"A_{rung}′ at nu = {brief(order)}, x = {brief(argument)}",
    )


def ladder_potential_difference(n: int, nu: Number, a: Number, b: Number, digits: int = 30) -> arb:
    """F_n(b) − F_n(a) for ν > 0, a, b ≥ 0, 0 ≤ n ≤ 100; exactly 0 when a = b."""
    rung, order, wanted = ladder_order(n), positive("nu", nu), decimal_digits(digits)
    start, end = nonnegative("a", a), nonnegative("b", b)
    if start == end:
        return arb(0)
    low, high, sign = min(start, end), max(start, end), 1 if start < end else -1
    return demand(
        lambda bits: sign * ladder_increment(rung, order, low * low, high * high),
        wanted,
        lambda: f"F_{rung}(b) − F_{rung}(a) at nu = {brief(order)}, a = {brief(start)}, b = {brief(end)}",
        max(0, magnitude(order * order + high * high) - magnitude(high * high - low * low)),
    )


def ladder_quotient(n: int, nu: fmpq, square: fmpq | arb) -> arb:
    """A_n(x)/x = (1/(1+t) + Σ_{k=1}^{n+1} b_k(t)/ν^k)/s for x² = ``square`` ≥ 0, ν > 0."""
    s = arb(nu * nu + square).sqrt()
    t = nu / s
    return (1 / (1 + t) + _series(ratio_polynomial, n + 1, nu, t)) / s


def ladder_increment(n: int, nu: fmpq, start: fmpq | arb, end: fmpq | arb) -> arb:
    """F_n(b) − F_n(a) for a² = ``start``, b² = ``end``, ν > 0, 0 ≤ n ≤ 100.

    With Δ = s(b) − s(a) = (b²−a²)/(s(b)+s(a)): Δ − ν·log1p(Δ/(ν+s(a))) − ½ log1p(Δ/s(a)) + Σ (D_k(ν/s(b)) − D_k(ν/s(a)))/ν^k.
    """
    s0, s1 = (arb(nu * nu + square).sqrt() for square in (start, end))
    step = (end - start) / (s0 + s1)
    series = [_series(potential_polynomial, n, nu, nu / s) for s in (s0, s1)]
    return step - nu * (step / (nu + s0)).log1p() - (step / s0).log1p() / 2 + (series[1] - series[0])


def _slope(n: int, nu: fmpq, x: fmpq) -> arb:
    s = hypotenuse(nu, x)
    t = nu / s
    inner = 1 / (1 + t) + _series(ratio_polynomial, n + 1, nu, t)
    slope = _series(lambda k: ratio_polynomial(k).derivative(), n + 1, nu, t) - 1 / (1 + t) ** 2
    return (t**3 * inner - t**2 * (x / s) ** 2 * slope) / nu


def _series(polynomial: Callable[[int], fmpq_poly], last: int, nu: fmpq, t: arb) -> arb:
    """Σ_{k=1}^{last} polynomial_k(t)/ν^k."""
    total = arb(0)
    for k in range(last, 0, -1):
        total = (total + arb_poly(polynomial(k))(t)) / nu
    return total
