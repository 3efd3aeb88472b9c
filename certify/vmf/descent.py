"""From order N = ν + m down to ν: the programs for orders below the range of the closed forms.

With y_i = x/R_{ν+i} and c_i = 2(ν+i+1), y_i = c_i + x R_{ν+i+1} (DLMF 10.29.1). In R itself each of m steps adds a rounding error of the
size of R, and at large x, where R is near 1, nothing damps it. In D_i = 1 − R_{ν+i} the step is

    h = c_i − x D_{i+1},     y_i = h + x,     D_i = h/y_i,     R_{ν+i} = x/y_i:

D is small where R is near 1, and where D is not small the factor R² of each step damps the errors; at x = 0 nothing is special. Derivatives
follow by differentiation:

    R_i′ = (c_i − x² R_{i+1}′)/y_i²,     R_i″ = −x(2R_{i+1}′ + x R_{i+1}″)/y_i² − 2R_i′ y_i′/y_i,     y_i′ = R_{i+1} + x R_{i+1}′.

Rounding: h = c_i − x D_{i+1} is in error by x δ_{i+1} and two operations, y_i by one u and quotients by q u relatively, x/y_0 by ½u where
quotients are correctly rounded, and dD_i/dh = R_{ν+i}²/x. So with c_i exact the absolute errors δ_i of D_i, and δ of the R_ν returned, obey

    δ_i ≤ R_{ν+i}² δ_{i+1} + u (R_{ν+i}² D_{i+1} + R_{ν+i} D_i + (1+q)D_i),      δ ≤ R_ν² δ_1 + u (R_ν² D_1 + R_ν D_0 + R_ν + ½ or q R_ν)

up to a factor 1 + 2^−14. On CPUs, q = 1 and δ_m ≤ 8u D_m, which `kernel.complement` keeps from N = 6 on: then every step keeps
δ_i ≤ (12/5 + 3/2 D_i²)u, so that δ < 4u, and the error of 1 − R_ν < 3u, for all floats ν ≥ 0 and x ≥ 0 and all m with N ≤ 128 (claim
rounding.descent). On CUDA, where s may be off by 7u and compiled quotients in binary32 by 4u, q = 4 and δ_m ≤ 19u D_m: δ < 10u (claim
rounding.descent.cuda).

The functions take m = ``steps`` ≥ 1 beside the arguments of those of ``vmf.kernel``, with which they start at order N.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

from certify.vmf import kernel
from certify.vmf.kernel import X_MAX, Modulus


def ratio(x: Tensor, nu: Tensor, order: int, steps: int, modulus: Modulus = torch.hypot) -> Tensor:
    """R_ν(x) from A_n at order N."""
    x = torch.clamp_max(x, X_MAX[x.dtype])
    rest = kernel.complement(x, nu + steps, order, modulus)
    for c in _coefficients(nu, steps):
        h = c - x * rest
        y = h + x
        rest = h / y
    return x / y


def complement(x: Tensor, nu: Tensor, order: int, steps: int, modulus: Modulus = torch.hypot) -> Tensor:
    """1 − R_ν(x) from A_n at order N."""
    x = torch.clamp_max(x, X_MAX[x.dtype])
    rest = kernel.complement(x, nu + steps, order, modulus)
    for c in _coefficients(nu, steps):
        h = c - x * rest
        rest = h / (h + x)
    return rest


def quotient(x: Tensor, nu: Tensor, order: int, steps: int, modulus: Modulus = torch.hypot) -> Tensor:
    """R_ν(x)/x from A_n at order N."""
    rest = kernel.complement(x, nu + steps, order, modulus)
    for c in _coefficients(nu, steps):
        h = c - x * rest
        y = h + x
        rest = h / y
    return torch.reciprocal(y)


def slope(x: Tensor, nu: Tensor, order: int, steps: int, modulus: Modulus = torch.hypot) -> Tensor:
    """R_ν′(x) from A_n and A_n′ at order N."""
    x = torch.clamp_max(x, X_MAX[x.dtype])
    rest = kernel.complement(x, nu + steps, order, modulus)
    slope = kernel.slope(x, nu + steps, order, modulus)
    for c in _coefficients(nu, steps):
        h = c - x * rest
        y = h + x
        rest, slope = h / y, (c - x * (x * slope)) / (y * y)
    return slope


def curvature(x: Tensor, nu: Tensor, order: int, steps: int, modulus: Modulus = torch.hypot) -> Tensor:
    """R_ν″(x) from A_n, A_n′ and A_n″ at order N."""
    x = torch.clamp_max(x, X_MAX[x.dtype])
    rest = kernel.complement(x, nu + steps, order, modulus)
    slope = kernel.slope(x, nu + steps, order, modulus)
    bend = kernel.curvature(x, nu + steps, order, modulus)
    for c in _coefficients(nu, steps):
        h = c - x * rest
        y = h + x
        growth = (1 - rest) + x * slope
        higher = x * (2 * slope + x * bend)
        rest, slope = h / y, (c - x * (x * slope)) / (y * y)
        bend = -higher / (y * y) - 2 * slope * (growth / y)
    return bend


def quotient_slope(x: Tensor, nu: Tensor, order: int, steps: int, modulus: Modulus = torch.hypot) -> Tensor:
    """(R_ν(x)/x)′ = (1/y_0)′ from A_n and A_n′ at order N."""
    rest = kernel.complement(x, nu + steps, order, modulus)
    slope = kernel.slope(x, nu + steps, order, modulus)
    bend = slope
    for c in _coefficients(nu, steps):
        h = c - x * rest
        y = h + x
        bend = -(((1 - rest) + x * slope) / y) / y
        rest, slope = h / y, (c - x * (x * slope)) / (y * y)
    return bend


def potential(x: Tensor, nu: Tensor, order: int, steps: int) -> Tensor:
    """Φ_ν(x) − Φ_ν(0) from F_n at order N."""
    return kernel.potential(x, nu + steps, order) + _products(x, nu, order, steps)


def deficit(x: Tensor, nu: Tensor, order: int, steps: int) -> Tensor:
    """x − (Φ_ν(x) − Φ_ν(0)) from F_n at order N."""
    return kernel.deficit(x, nu + steps, order) - _products(x, nu, order, steps)


def _products(x: Tensor, nu: Tensor, order: int, steps: int) -> Tensor:
    """Σ log(y_i(x)/y_i(0)), y_i(x)/y_i(0) = 1 + x R_{ν+i+1}/c_i."""
    total = torch.zeros_like(x)
    rest, ratio = kernel.complement(x, nu + steps, order), kernel.ratio(x, nu + steps, order)
    for c in _coefficients(nu, steps):
        total = total + torch.log1p(x * (ratio / c))
        h = c - x * rest
        y = h + x
        rest, ratio = h / y, x / y
    return total


def difference(a: Tensor, b: Tensor, nu: Tensor, order: int, steps: int) -> Tensor:
    """Φ_ν(b) − Φ_ν(a) from F_n at order N."""
    low, high = torch.minimum(a, b), torch.maximum(a, b)
    size = kernel.difference(low, high, nu + steps, order) + _descent(low, high, high - low, high + low, nu, order, steps)
    return torch.where(a > b, -size, size)


def difference_of_squares(gap: Tensor, a: Tensor, b: Tensor, nu: Tensor, order: int, steps: int) -> Tensor:
    """Φ_ν(b) − Φ_ν(a) from F_n at order N, where b² − a² is known directly."""
    low, high, size = torch.minimum(a, b), torch.maximum(a, b), torch.abs(gap)
    above = kernel.difference_of_squares(size, low, high, nu + steps, order)
    total = above + _descent(low, high, size, torch.ones_like(size), nu, order, steps)
    return torch.where(gap < 0, -total, total)


def _descent(low: Tensor, high: Tensor, step: Tensor, scale: Tensor, nu: Tensor, order: int, steps: int) -> Tensor:
    """Σ log(y_i(high)/y_i(low)), high² − low² = step·scale: the terms are log1p(step (scale (η_i/y_i(low)))) with

    η_i = (y_i(high) − y_i(low))/(high² − low²) = (1 − low² η_{i+1}/y_{i+1}(low))/y_{i+1}(high).
    """
    start = nu + steps
    rest0, rest1 = kernel.complement(low, start, order), kernel.complement(high, start, order)
    y0, y1 = (torch.reciprocal(kernel.quotient(x, start, order)) for x in (low, high))
    eta = kernel.growth(low, high, start, order)
    total = torch.zeros_like(step)
    for c in _coefficients(nu, steps):
        eta = (1 - low * (low * (eta / y0))) / y1
        h0, h1 = c - low * rest0, c - high * rest1
        y0, y1 = h0 + low, h1 + high
        rest0, rest1 = h0 / y0, h1 / y1
        total = total + torch.log1p(step * (scale * (eta / y0)))
    return total


def _coefficients(nu: Tensor, steps: int) -> Iterator[Tensor]:
    """c_{m−1}, …, c_0."""
    return (2 * (nu + i) for i in range(steps, 0, -1))
