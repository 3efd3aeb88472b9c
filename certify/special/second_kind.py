"""K_{ν+1}(x)/K_ν(x) and log K_ν(x), in PyTorch: the closed forms S_n of claims ``riccati.second.n`` and G_n, G_n′ = ν/x − S_n, of claims
``riccati.second.potential.n``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache

import torch
from flint import fmpq_poly
from torch import Tensor

from certify.exact.debye_polynomials import potential_polynomial, ratio_polynomial
from certify.exact.ladder_program import alternating_coefficients
from certify.exact.number import Number, brief, exact
from certify.special.primitive import Chain, realize
from proofs.riccati.second_kind import CONSTANTS
from proofs.riccati.second_kind_potential import CONSTANTS as POTENTIAL_CONSTANTS

HIGHEST = len(CONSTANTS) - 1
FAR = 2.0**500
"""Beyond it the ratio and its derivatives do not change, and log K is −x to the last bit."""


def bessel_k_ratio(x: Tensor, *, nu: Number, order: int = HIGHEST) -> Tensor:
    """S_n(x) for x > 0, n = ``order`` in 0 … 8 and ν ≥ 1: within ``bessel_k_ratio_error`` of K_{ν+1}(x)/K_ν(x), besides rounding.

    Any shape; float64, float32, bfloat16 or float16, computed in float64. The derivative is that of S_n, in closed form. NaN for x < 0,
    infinite at 0. Raises ValueError for other ν and n.
    """
    degree, scale = _accepted(nu, order)
    return realize("bessel_k_ratio", _chain(degree, float(scale)), x)


def bessel_k_ratio_error(*, nu: Number, order: int = HIGHEST) -> Fraction:
    """C ν^{−(n+2)}, the proven bound of |S_n − K_{ν+1}/K_ν| for every x > 0."""
    degree, scale = _accepted(nu, order)
    return Fraction(CONSTANTS[degree]) / scale ** (degree + 2)


def log_bessel_k(x: Tensor, *, nu: Number, order: int = HIGHEST) -> Tensor:
    """G_n(x) for x > 0, n = ``order`` in 0 … 8 and ν ≥ 2: within ``log_bessel_k_error`` of log K_ν(x), besides rounding.

    Shapes and dtypes as ``bessel_k_ratio``. Both derivatives are those of G_n, in closed form. NaN for x < 0, infinite at 0.
    """
    degree, scale = _accepted(nu, order, least=2)
    return realize("log_bessel_k", _potential_chain(degree, float(scale)), x)


def log_bessel_k_error(*, nu: Number, order: int = HIGHEST) -> Fraction:
    """C ν^{−(n+1)}/(n + 1), the proven bound of |G_n − log K_ν| for every x > 0."""
    degree, scale = _accepted(nu, order, least=2)
    return Fraction(POTENTIAL_CONSTANTS[degree]) / (degree + 1) / scale ** (degree + 1)


def _accepted(nu: Number, order: int, least: int = 1) -> tuple[int, Fraction]:
    number = exact(nu)
    if number < least:
        raise ValueError(f"nu = {brief(number)}: nu ≥ {least} is accepted")
    if type(order) is not int or not 0 <= order <= HIGHEST:
        raise ValueError(f"order = {order!r}: an integer from 0 to {HIGHEST} is accepted")
    return order, Fraction(int(number.p), int(number.q))


@cache
def _chain(order: int, nu: float) -> Chain:
    """S_n and its derivative, differentiated along s, t and w by their own rules: s′ = w, t′ = −t w/s, w′ = t²/s."""
    rows = _alternating(ratio_polynomial, order + 1)

    def ratio(x: Tensor) -> Tensor:
        x = torch.clamp_max(x, FAR)
        reduced, s = reduced_ratio(x, nu, order)
        return torch.where(x >= 0, reduced * (s / x), torch.nan)

    def slope(x: Tensor) -> Tensor:
        x = torch.clamp_max(x, FAR)
        s, _, _ = _lengths(x, nu)
        return torch.where(x >= 0, -nu * (s + nu) / (s * x) / x + _correction_slope(rows, x, nu), torch.nan)

    return ratio, slope


def reduced_ratio(x: Tensor, nu: float, order: int) -> tuple[Tensor, Tensor]:
    """x S_n(x)/s for 0 ≤ x ≤ ``FAR`` by the program of claims ``rounding.second.n``, and s."""
    s = torch.hypot(x, torch.full_like(x, nu))
    e = 1 / s
    y = x * e
    v = y * y
    *others, last = _reduced_rows(order)
    total = _horner(last, v)
    for row in reversed(others):
        total = e * total + _horner(row, v)
    return (1 + nu * e) + (v * e) * total, s


@cache
def _reduced_rows(order: int) -> list[list[float]]:
    return [[float(Fraction(int(c.p), int(c.q))) for c in alternating_coefficients(k).coeffs()] for k in range(order + 1)]


def _horner(coefficients: list[float], v: Tensor) -> Tensor | float:
    total: Tensor | float = coefficients[-1]
    for c in reversed(coefficients[:-1]):
        total = v * total + c
    return total


@cache
def _potential_chain(order: int, nu: float) -> Chain:
    """G_n, G_n′ = −s/x − w Σ (−1)^k b_k/ν^k, and G_n″."""
    rows, terms = _alternating(ratio_polynomial, order + 1), _alternating(potential_polynomial, order)

    def potential(x: Tensor) -> Tensor:
        near = torch.clamp_max(x, FAR)
        s, t, _ = _lengths(near, nu)
        value = nu * torch.log((nu + s) / near) - s - 0.5 * torch.log(s) + _series(terms, t, nu) + 0.5 * math.log(math.pi / 2)
        return torch.where(x >= 0, value - (x - near), torch.nan)

    def slope(x: Tensor) -> Tensor:
        x = torch.clamp_max(x, FAR)
        s, t, w = _lengths(x, nu)
        return torch.where(x >= 0, -s / x - w * _series(rows, t, nu), torch.nan)

    def curvature(x: Tensor) -> Tensor:
        x = torch.clamp_max(x, FAR)
        _, t, _ = _lengths(x, nu)
        return torch.where(x >= 0, nu * t / x / x - _correction_slope(rows, x, nu), torch.nan)

    return potential, slope, curvature


def _alternating(polynomial: Callable[[int], fmpq_poly], highest: int) -> list[list[float]]:
    """Coefficients of (−1)^k times the k-th polynomial, k = 1, …"""
    return [[(-1) ** k * float(Fraction(int(c.p), int(c.q))) for c in polynomial(k).coeffs()] for k in range(1, highest + 1)]


def _lengths(x: Tensor, nu: float) -> tuple[Tensor, Tensor, Tensor]:
    """s, t = ν/s and w = x/s."""
    s = torch.hypot(x, torch.full_like(x, nu))
    return s, nu / s, x / s


def _series(rows: list[list[float]], t: Tensor, nu: float) -> Tensor:
    """Σ_k (row k at t)/ν^k."""
    total = torch.zeros_like(t)
    for row in reversed(rows):
        total = (total + _horner(row, t)) / nu
    return total


def _correction_slope(rows: list[list[float]], x: Tensor, nu: float) -> Tensor:
    """d/dx of w·(the series at t)."""
    s, t, w = _lengths(x, nu)
    values, slopes = torch.zeros_like(x), torch.zeros_like(x)
    for row in reversed(rows):
        value, slope = _value_and_slope(row, t)
        values, slopes = (values + value) / nu, (slopes + slope) / nu
    return (t * t * values - w * w * t * slopes) / s


def _value_and_slope(coefficients: list[float], t: Tensor) -> tuple[Tensor, Tensor]:
    value, slope = torch.zeros_like(t), torch.zeros_like(t)
    for c in reversed(coefficients):
        slope = slope * t + value
        value = value * t + c
    return value, slope
