"""Polynomials that take an analytic function's values, by Arb, at Chebyshev's nodes of an interval −W … W, and how far they are from it.

Where the function is at most M in the ellipse with the foci ±W and semiaxes of sum Wρ, the polynomial of degree d is within 4Mρ^{−d}/(ρ−1)
(L. N. Trefethen, Approximation Theory and Approximation Practice, Theorem 8.2, for the extrema of T_d; at the zeros of T_{d+1}
too a T_k with k > d takes the values of some ±T_j, j ≤ d, or of 0).
"""

from __future__ import annotations

from collections.abc import Callable

from flint import arb, arb_poly, fmpq

from certify.exact.ball import working_precision

BITS = 600


def interpolant(function: Callable[[arb], arb], width: fmpq, degree: int) -> list[float]:
    """The coefficients, lowest first."""
    with working_precision(BITS):
        nodes = [width * arb.cos_pi_fmpq(fmpq(2 * j + 1, 2 * degree + 2)) for j in range(degree + 1)]
        return [float(c.mid()) for c in arb_poly.interpolate(nodes, [function(node) for node in nodes]).coeffs()]


def semiaxes(width: fmpq, rho: fmpq) -> tuple[fmpq, fmpq]:
    return width * (rho + 1 / rho) / 2, width * (rho - 1 / rho) / 2


def distance(most: arb, rho: fmpq, degree: int) -> arb:
    """The bound, with ``most`` for M."""
    return 4 * most / arb(rho) ** degree / (rho - 1)
