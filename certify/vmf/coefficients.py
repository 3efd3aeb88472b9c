"""The polynomials of the kernels in v = y², y = x/s: exact rationals, and the floats nearest to them.

With e = 1/s, t = ν/s and D_k(t) = t^k d_k(v), v = 1 − t², D_k of ``exact.debye_polynomials``,

    F_n = s − ν log(ν+s) − ½ log s + Σ_{k=1}^{n} e^k d_k(v),
    A_n = x/(ν+s) − y e Σ_{k=0}^{n} e^k Q_k(v),       Q_0 = ½,  Q_k = k d_k − 2(1−v) d_k′,
    A_n′ = t/(ν+s) − e² Σ_{k=0}^{n} e^k P_k(v),       P_k = Q_k + v B_k,
    A_n″ = −y(t(2+t)/(ν+s)² + e³ Σ_{k=0}^{n} e^k C_k(v)),   C_k = 2(1−v) P_k′ − (k+2) P_k,
    (A_n/x)′ = −y(1/(ν+s)² + e³ Σ_{k=0}^{n} e^k B_k(v)),    B_k = 2(1−v) Q_k′ − (k+2) Q_k,

since de/dx = −y e² and dv/dx = 2(1−v) y e. Powers of v, not of t²: near x = 0, where the terms are largest, little cancels.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import torch
from flint import fmpq, fmpq_poly

from certify.exact.debye_polynomials import potential_polynomial
from certify.exact.domain import ladder_order
from certify.vmf.resolved import resolved

SIGNIFICANT_BITS = {torch.float64: 53, torch.float32: 24}
"""Of the formats that the kernels compute in."""

Table = tuple[tuple[float, ...], ...]
"""For each polynomial its coefficients, highest power first."""

_V = fmpq_poly([0, 1])


@cache
def potential(k: int) -> fmpq_poly:
    """d_k, k ≥ 1."""
    return fmpq_poly(potential_polynomial(k).coeffs()[k::2])(1 - _V)


@cache
def ratio(k: int) -> fmpq_poly:
    """Q_k, k ≥ 0."""
    if k == 0:
        return fmpq_poly([fmpq(1, 2)])
    return k * potential(k) - 2 * (1 - _V) * potential(k).derivative()


@cache
def slope(k: int) -> fmpq_poly:
    """P_k, k ≥ 0."""
    return ratio(k) + _V * quotient_slope(k)


@cache
def curvature(k: int) -> fmpq_poly:
    """C_k, k ≥ 0."""
    return _derived(slope(k), k)


@cache
def quotient_slope(k: int) -> fmpq_poly:
    """B_k, k ≥ 0."""
    return _derived(ratio(k), k)


def _derived(polynomial: fmpq_poly, k: int) -> fmpq_poly:
    """c with (e^{k+2} polynomial(v))′ = y e^{k+3} c(v)."""
    return 2 * (1 - _V) * polynomial.derivative() - (k + 2) * polynomial


FAMILIES = {"potential": potential, "ratio": ratio, "slope": slope, "curvature": curvature, "quotient_slope": quotient_slope}


@resolved
def table(family: str, order: int, dtype: torch.dtype) -> Table:
    """The coefficients of one of FAMILIES for k = 0 … order (from k = 1 for "potential"), each rounded once to the format.

    Raises ValueError unless 0 ≤ order ≤ 100.
    """
    return _table(family, ladder_order(order), SIGNIFICANT_BITS[dtype])


@cache
def _table(family: str, order: int, bits: int) -> Table:
    ranks = range(1 if family == "potential" else 0, order + 1)
    return tuple(_floats(FAMILIES[family](k), bits) for k in ranks)


def _floats(polynomial: fmpq_poly, bits: int) -> tuple[float, ...]:
    return tuple(nearest(Fraction(int(c.p), int(c.q)), bits) for c in reversed(polynomial.coeffs()))


def nearest(value: Fraction, bits: int) -> float:
    """The number of so many significant bits, at most 53, that is nearest to the value, the even one of two."""
    if value == 0:
        return 0.0
    exponent = bits - abs(value.numerator).bit_length() + value.denominator.bit_length()
    scaled = value * Fraction(2) ** exponent
    if abs(scaled) >= 2**bits:
        scaled, exponent = scaled / 2, exponent - 1
    return float(round(scaled) / Fraction(2) ** exponent)
