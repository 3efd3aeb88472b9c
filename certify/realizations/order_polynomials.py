"""Olver's polynomials u_k(t) of the expansion of I_v(vz) in 1/v, as floats (DLMF 10.41(ii))."""

from __future__ import annotations

from fractions import Fraction
from functools import cache


@cache
def order_polynomials(count: int = 13) -> tuple[tuple[float, ...], ...]:
    """Coefficients of u_1, …, u_count, highest first, rounded once.

    u_0 = 1 and u_{k+1} = ½t²(1−t²)u_k′ + ⅛∫₀ᵗ(1−5s²)u_k ds (DLMF 10.41.9).
    """
    u, found = [Fraction(1)], []
    for _ in range(count):
        u = _next(u)
        found.append(tuple(float(c) for c in reversed(u)))
    return tuple(found)


def _next(u: list[Fraction]) -> list[Fraction]:
    """Coefficient c of t^k gives (k/2 + 1/(8(k+1))) c at t^{k+1} and −(k/2 + 5/(8(k+3))) c at t^{k+3}."""
    following = [Fraction(0)] * (len(u) + 3)
    for k, c in enumerate(u):
        following[k + 1] += c * (Fraction(k, 2) + Fraction(1, 8 * (k + 1)))
        following[k + 3] -= c * (Fraction(k, 2) + Fraction(5, 8 * (k + 3)))
    return following
