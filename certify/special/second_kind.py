"""K_{ν+1}(x)/K_ν(x) by the closed forms S_n of claims ``riccati.second.n``, in PyTorch."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import torch
from torch import Tensor

from certify.exact.debye_polynomials import ratio_polynomial
from certify.exact.number import Number, brief, exact
from certify.special.primitive import Chain, realize
from proofs.riccati.second_kind import CONSTANTS

HIGHEST = len(CONSTANTS) - 1


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


def _accepted(nu: Number, order: int) -> tuple[int, Fraction]:
    number = exact(nu)
    if number < 1:
        raise ValueError(f"nu = {brief(number)}: nu ≥ 1 is accepted")
    if type(order) is not int or not 0 <= order <= HIGHEST:
        raise ValueError(f"order = {order!r}: an integer from 0 to {HIGHEST} is accepted")
    return order, Fraction(int(number.p), int(number.q))


@cache
def _chain(order: int, nu: float) -> Chain:
    """S_n and its derivative, differentiated along s, t and w by their own rules: s′ = w, t′ = −t w/s, w′ = t²/s."""
    rows = [[(-1) ** k * float(Fraction(int(c.p), int(c.q))) for c in ratio_polynomial(k).coeffs()] for k in range(1, order + 2)]

    def parts(x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        s = torch.hypot(x, torch.full_like(x, nu))
        t, w = nu / s, x / s
        values, slopes = torch.zeros_like(x), torch.zeros_like(x)
        for row in reversed(rows):
            value, slope = _value_and_slope(row, t)
            values, slopes = (values + value) / nu, (slopes + slope) / nu
        return s, t, w, values, slopes

    def ratio(x: Tensor) -> Tensor:
        s, _, w, values, _ = parts(x)
        return torch.where(x >= 0, (s + nu) / x + w * values, torch.nan)

    def slope(x: Tensor) -> Tensor:
        s, t, w, values, slopes = parts(x)
        leading = -nu * (s + nu) / (s * x) / x
        return torch.where(x >= 0, leading + (t * t * values - w * w * t * slopes) / s, torch.nan)

    return ratio, slope


def _value_and_slope(coefficients: list[float], t: Tensor) -> tuple[Tensor, Tensor]:
    value, slope = torch.zeros_like(t), torch.zeros_like(t)
    for c in reversed(coefficients):
        slope = slope * t + value
        value = value * t + c
    return value, slope
