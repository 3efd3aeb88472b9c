"""Differences of Φ_ν, and the quotient R_ν(r)/r, where the squares of the arguments are known as balls.

Radii ‖κμ + f/τ‖ are roots of numbers that are rational, or nearly; their squares enter the closed forms directly (``exact.debye``). What
involves Bessel functions is evaluated at rational numbers nearby: 0 < Φ_ν′ = R_ν < 1 and 0 < R_ν′ < 1 bound what that
changes (DLMF 10.37; R′ = 1 − (2ν+1)R/x − R², and claim ratio.increasing). All results are balls that contain the exact value.
"""

from __future__ import annotations

from flint import arb, fmpq

from certify.exact.bessel import potential_difference, ratio
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


def ratio_quotient(nu: fmpq, square: arb, digits: int) -> arb:
    """R_ν(r)/r for r² = ``square`` ≥ 0; it lies between 0 and its limit 1/(2(ν+1)) at r = 0."""
    r = root(square)
    if positive(r) is not Truth.YES:
        return arb(0).union(1 / (2 * (arb(nu) + 1)))
    near = centre(r)
    return (ratio(nu, near, digits) + _within(abs(r - near))) / r


def _within(radius: arb) -> arb:
    """[−radius, radius]."""
    return radius.union(-radius)
