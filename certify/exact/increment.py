"""Differences of Φ_ν and of F_n, and the quotients R_ν(r)/r and A_n(r)/r, where the squares of the arguments are known as balls.

Radii ‖κμ + f/τ‖ are roots of numbers that are rational, or nearly; their squares enter the closed forms directly, through s² = ν² +
x². What involves Bessel functions is evaluated at rational numbers nearby: 0 < Φ_ν′ = R_ν < 1 and 0 < R_ν′ < 1 bound what that
changes (DLMF 10.37; R′ = 1 − (2ν+1)R/x − R², and claim ratio.increasing). All results are balls that contain the exact value.
"""

from __future__ import annotations

from collections.abc import Callable

from flint import arb, arb_poly, fmpq, fmpq_poly

from certify.exact.bessel import potential_difference, ratio
from certify.exact.debye_polynomials import potential_polynomial, ratio_polynomial
from certify.exact.number import centre
from certify.exact.truth import Truth, positive


def root(square: arb) -> arb:
    """The root of a number that is known to be ≥ 0, whatever its ball says."""
    if positive(square) is Truth.YES:
        return square.sqrt()
    return arb(0).union(arb(abs(square).upper()).sqrt())


def potential_increment(nu: fmpq, start: arb, end: arb, digits: int) -> arb:
    """Φ_ν(b) − Φ_ν(a) for a² = ``start``, b² = ``end``, ν ≥ 0."""
    a, b = root(start), root(end)
    near_a, near_b = centre(a), centre(b)
    slack = abs(a - near_a) + abs(b - near_b)
    return potential_difference(nu, near_a, near_b, digits) + _within(slack)


def ladder_increment(n: int, nu: fmpq, start: arb, end: arb) -> arb:
    """F_n(b) − F_n(a) for a² = ``start``, b² = ``end``, ν > 0, 0 ≤ n ≤ 100, at the working precision.

    With Δ = s(b) − s(a) = (b² − a²)/(s(b) + s(a)): Δ − ν log(1 + Δ/(ν + s(a))) − ½ log(1 + Δ/s(a)) + Σ (D_k(ν/s(b)) − D_k(ν/s(a)))/ν^k.
    """
    s0, s1 = ((nu * nu + square).sqrt() for square in (start, end))
    step = (end - start) / (s1 + s0)
    terms = [_series(potential_polynomial, n, nu, nu / s) for s in (s0, s1)]
    return step - nu * (step / (nu + s0)).log1p() - (step / s0).log1p() / 2 + (terms[1] - terms[0])


def ratio_quotient(nu: fmpq, square: arb, digits: int) -> arb:
    """R_ν(r)/r for r² = ``square`` ≥ 0; it lies between 0 and its limit 1/(2(ν+1)) at r = 0."""
    r = root(square)
    if positive(r) is not Truth.YES:
        return arb(0).union(1 / (2 * (arb(nu) + 1)))
    near = centre(r)
    return (ratio(nu, near, digits) + _within(abs(r - near))) / r


def ladder_quotient(n: int, nu: fmpq, square: arb) -> arb:
    """A_n(r)/r = (1/(1+t) + Σ_{k=1}^{n+1} b_k(t)/ν^k)/s for r² = ``square`` ≥ 0, ν > 0, at the working precision."""
    s = (nu * nu + square).sqrt()
    t = nu / s
    return (1 / (1 + t) + _series(ratio_polynomial, n + 1, nu, t)) / s


def _within(radius: arb) -> arb:
    """[−radius, radius]."""
    return radius.union(-radius)


def _series(polynomial: Callable[[int], fmpq_poly], last: int, nu: fmpq, t: arb) -> arb:
    """Σ_{k=1}^{last} polynomial_k(t)/ν^k."""
    total = arb(0)
    for k in range(last, 0, -1):
        total = (total + arb_poly(polynomial(k))(t)) / nu
    return total
