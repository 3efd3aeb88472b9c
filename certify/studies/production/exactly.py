"""What the primitives stand for at one point, in Arb: independent of the ladder, except where a closed form itself is meant."""

from __future__ import annotations

from flint import arb

from certify.exact import bessel
from certify.exact.ball import bits_for, working_precision
from certify.exact.number import centre, exact, magnitude

DIGITS = 30


def rise(nu: float, x: float) -> arb:
    """Φ_ν(x) − Φ_ν(0)."""
    return bessel.potential_difference(nu, 0, x, DIGITS)


def deficit(nu: float, x: float) -> arb:
    """x − (Φ_ν(x) − Φ_ν(0)), to 30 digits of it or of 2^−30."""
    digits = DIGITS + max(0, magnitude(exact(x))) // 3 + 10
    with working_precision(2 * bits_for(digits)):
        return exact(x) - bessel.potential_difference(nu, 0, x, digits)


def complement(nu: float, x: float) -> arb:
    """1 − R_ν(x)."""
    digits = DIGITS + max(0, magnitude(exact(x))) // 3 + 10
    with working_precision(2 * bits_for(digits)):
        return 1 - bessel.ratio(nu, x, digits)


def divergence(nu: float, x: float) -> arb:
    """x R_ν(x) − (Φ_ν(x) − Φ_ν(0)), from its complements."""
    if x == 0:
        return arb(0)
    extra = max(0, magnitude(exact(nu + 1)) - magnitude(exact(x)))  # x R and the rise agree to a factor of two only
    digits = DIGITS + (abs(magnitude(exact(x))) + extra) // 3 + 10
    with working_precision(2 * bits_for(digits)):
        return exact(x) * bessel.ratio(nu, x, digits) - bessel.potential_difference(nu, 0, x, digits)


def increment(nu: float, kappa: float, gap: float) -> arb:
    """Φ_ν(√(κ² + gap)) − Φ_ν(κ), the root as a rational of 600 bits: R ≤ 1, so that this costs less than 2^−590 of it."""
    square = exact(kappa) ** 2 + exact(gap)
    with working_precision(600):
        root = centre(arb(square).sqrt())
        slack = abs(arb(square).sqrt() - root)
        return bessel.potential_difference(nu, kappa, root, DIGITS) + arb(0, 1) * slack


def origin(nu: float) -> arb:
    """Φ_ν(0) = −ν log 2 − log Γ(ν+1)."""
    with working_precision(256):
        order = arb(exact(nu))
        return -order * arb(2).log() - (order + 1).lgamma()


def log_area(nu: float) -> arb:
    """log(2π^{ν+1}/Γ(ν+1))."""
    with working_precision(256):
        half = arb(exact(nu)) + 1
        return arb(2).log() + half * arb.pi().log() - half.lgamma()
