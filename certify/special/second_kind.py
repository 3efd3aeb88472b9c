"""K_{ν+1}(x)/K_ν(x) and log K_ν(x), in PyTorch: the closed forms S_n of claims ``riccati.second.n`` and G_n, G_n′ = ν/x − S_n, of claims
``riccati.second.potential.n``.

With s = √(x² + ν²), e = 1/s, t = ν/s, v = (x/s)², Q = Σ (−e)^k Q_k(v), P = Σ (−e)^k P_k(v) and the polynomials of
``exact.ladder_program``,

    S_n = (s + ν + vQ)/x,    S_n′ = −(ν + νt − vP)/x²,    G_n′ = −(s + vQ)/x,    G_n″ = (νt − vP)/x²,
    G_n = ν log((ν + s)/x) − s − ½ log s + ½ log(π/2) − e Σ (−e)^k d_{k+1}(v).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache

import torch
from flint import fmpq_poly
from torch import Tensor

from certify.exact.ladder_program import alternating, potential_coefficients, ratio_coefficients, slope_coefficients
from certify.exact.number import Number, nearest_double
from certify.special import horner
from certify.special.primitive import realize
from certify.special.second_kind_order import accepted, chosen
from certify.vmf.resolved import resolved
from proofs.riccati.second_kind import CONSTANTS
from proofs.riccati.second_kind_potential import CONSTANTS as POTENTIAL_CONSTANTS

FAR = 2.0**500
"""Beyond it the ratio and its derivatives do not change, and log K is −x to the last bit."""
Rows = tuple[tuple[float, ...], ...]
"""Coefficients of polynomials in v, lowest first."""


def bessel_k_ratio(x: Tensor, *, nu: Number, order: int | None = None) -> Tensor:
    """S_n(x) for x > 0 and ν ≥ 1, n = ``order`` in 0 … 11: within ``bessel_k_ratio_error`` of K_{ν+1}(x)/K_ν(x), besides rounding.

    By default n is the first whose errors do not count in float64, as there is one from ν = 35 on, or the best. ``bessel_k_accuracy``
    bounds the errors of the value and of the derivative, which is that of S_n in closed form: from ν = 26 on they are at most 14 u and
    10 u. Any shape; float64, float32, bfloat16 or float16, computed in float64. NaN for x < 0, infinite at 0. Raises ValueError for other
    ν and n.
    """
    return realize("bessel_k_ratio", (_ratio, _ratio_slope), x, *_ratio_form(nu, order))


def bessel_k_ratio_error(*, nu: Number, order: int | None = None) -> Fraction:
    """C ν^{−(n+2)}, the proven bound of |S_n − K_{ν+1}/K_ν| for every x > 0."""
    at = accepted(nu, least=1)
    n = chosen(order, at)
    return Fraction(CONSTANTS[n]) / at ** (n + 2)


def log_bessel_k(x: Tensor, *, nu: Number, order: int | None = None) -> Tensor:
    """G_n(x) for x > 0 and ν ≥ 2, n = ``order`` in 0 … 11: within ``log_bessel_k_error`` of log K_ν(x), besides rounding.

    Orders, shapes and dtypes as in ``bessel_k_ratio``. From ν = 35 on the error of G_n is at most u s/4, its terms being as large as s.
    Both derivatives are those of G_n, in closed form; ``bessel_k_accuracy`` bounds the error of the second: from ν = 26 on at most 31 u.
    NaN for x < 0, infinite at 0.
    """
    return realize("log_bessel_k", (_potential, _potential_slope, _potential_curvature), x, *_potential_form(nu, order))


def log_bessel_k_error(*, nu: Number, order: int | None = None) -> Fraction:
    """C ν^{−(n+1)}/(n + 1), the proven bound of |G_n − log K_ν| for every x > 0."""
    at = accepted(nu, least=2)
    n = chosen(order, at)
    return Fraction(POTENTIAL_CONSTANTS[n]) / (n + 1) / at ** (n + 1)


@resolved
def _ratio_form(nu: Number, order: int | None) -> tuple[float, int]:
    """ν and n."""
    at = accepted(nu, least=1)
    return float(at), chosen(order, at)


@resolved
def _potential_form(nu: Number, order: int | None) -> tuple[float, int]:
    at = accepted(nu, least=2)
    return float(at), chosen(order, at)


def _ratio(x: Tensor, nu: float, order: int) -> Tensor:
    x = torch.clamp_max(x, FAR)
    reduced, s = reduced_ratio(x, nu, order)
    return torch.where(x >= 0, reduced * (s / x), torch.nan)


def _ratio_slope(x: Tensor, nu: float, order: int) -> Tensor:
    x = torch.clamp_max(x, FAR)
    correction, t = reduced_slope(x, nu, order)
    return torch.where(x >= 0, (correction - (nu + nu * t)) / x / x, torch.nan)


def _potential(x: Tensor, nu: float, order: int) -> Tensor:
    near = torch.clamp_max(x, FAR)
    s, e, v = _lengths(near, nu)
    value = nu * torch.log((nu + s) / near) - s - 0.5 * torch.log(s) + 0.5 * math.log(math.pi / 2) - (x - near)
    terms = _potential_rows(order)
    return torch.where(x >= 0, value - e * _series(terms, v, e) if terms else value, torch.nan)


def _potential_slope(x: Tensor, nu: float, order: int) -> Tensor:
    x = torch.clamp_max(x, FAR)
    s, e, v = _lengths(x, nu)
    return torch.where(x >= 0, -(s + v * _series(_ratio_rows(order), v, e)) / x, torch.nan)


def _potential_curvature(x: Tensor, nu: float, order: int) -> Tensor:
    x = torch.clamp_max(x, FAR)
    correction, t = reduced_slope(x, nu, order)
    return torch.where(x >= 0, (nu * t - correction) / x / x, torch.nan)


def reduced_ratio(x: Tensor, nu: float, order: int) -> tuple[Tensor, Tensor]:
    """x S_n(x)/s for 0 ≤ x ≤ ``FAR`` by the program of claims ``rounding.second.n``, and s."""
    s, e, v = _lengths(x, nu)
    return (1 + nu * e) + (v * e) * _series(_ratio_rows(order), v, e), s


def reduced_slope(x: Tensor, nu: float, order: int) -> tuple[Tensor, Tensor]:
    """x² S_n′(x) + ν(1 + t) for 0 ≤ x ≤ ``FAR`` by the program of claims ``rounding.second.derivative.n``, and t."""
    s, e, _ = _lengths(x, nu)
    y = x / s
    v = y * y
    return v * _series(_slope_rows(order), v, e), nu * e


def _lengths(x: Tensor, nu: float) -> tuple[Tensor, Tensor, Tensor]:
    """s, e and v."""
    s = torch.hypot(x, torch.full_like(x, nu))
    e = 1 / s
    y = x * e
    return s, e, y * y


@resolved
def _ratio_rows(order: int) -> Rows:
    return _rows(ratio_coefficients, order + 1)


@resolved
def _slope_rows(order: int) -> Rows:
    return _rows(slope_coefficients, order + 1)


@resolved
def _potential_rows(order: int) -> Rows:
    return _rows(_following, order)


@cache
def _rows(coefficients: Callable[[int], fmpq_poly], count: int) -> Rows:
    """Of (−1)^k times the k-th polynomial, k = 0, …, count − 1."""
    return tuple(tuple(map(nearest_double, alternating(coefficients)(k).coeffs())) for k in range(count))


def _following(k: int) -> fmpq_poly:
    """d_{k+1}."""
    return potential_coefficients(k + 1)


def _series(rows: Rows, v: Tensor, e: Tensor) -> Tensor | float:
    """Σ_k (row k at v) e^k."""
    *others, last = rows
    total = _polynomial(last, v)
    for row in reversed(others):
        total = e * total + _polynomial(row, v)
    return total


def _polynomial(row: Sequence[float], v: Tensor) -> Tensor | float:
    return horner.polynomial(row, v) if len(row) > 1 else row[0]
