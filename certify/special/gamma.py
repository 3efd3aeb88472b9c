"""The hazard of the gamma distribution, h(x) = x^{a−1}e^{−x}/Γ(a, x), in PyTorch.

With α = a − 1, above max(a, 1) by Legendre's continued fraction from its N-th tail, in which nothing cancels,

    h = (x − α + α/t_1)/x,   t_k = x + 2k − α − (k+1)(k−α)/t_{k+1},   t_N ≈ x/2 + N + √(xN),

and below by 1/h = Γ(a) e^x x^{−α} − (x/a) Σ x^k/((a+1) … (a+k)). Γ(a) e^x x^{−α} = e^{K + αφ(x/α)} with φ(λ) = λ − 1 − log λ, in which
nothing cancels either, and K by Arb, so that the relative error of h is about u·|log h|. The derivative is h(h − 1 + α/x), by the equation,
where h − 1 + α/x is α/(x t_1) above max(a, 1). Bounds of h are claims ``riccati.gamma``.
"""

from __future__ import annotations

import math
from functools import cache

import torch
from flint import arb, fmpq
from torch import Tensor

from certify.exact.ball import working_precision
from certify.exact.number import Number, brief, exact
from certify.special.primitive import Chain, realize

LEAST, MOST = fmpq(1, 2), 10_000
ACCURACY = 53 * math.log(2)
EDGE = 1.0
NEAR = 1e-300
"""What x = 0 counts as for the derivative."""
TERMS = 17
"""Of φ by its series where |λ − 1| < ½."""


def gamma_hazard(x: Tensor, *, a: Number) -> Tensor:
    """Density over survival function of the gamma distribution of shape a, at x > 0; it tends to 1 as x → ∞.

    Any shape; float64, float32, bfloat16 or float16, computed in float64, with one derivative. NaN for x < 0. Raises ValueError for a
    outside ½ … 10⁴.
    """
    number = exact(a)
    if not LEAST <= number <= MOST:
        raise ValueError(f"a = {brief(number)}: 1/2 ≤ a ≤ {MOST} is accepted")
    return realize("gamma_hazard", _chain(str(number)), x)


@cache
def _chain(shape: str) -> Chain:
    a = float(exact(shape))
    edge, constant = max(a, EDGE), _constant(shape)

    def hazard(x: Tensor) -> Tensor:
        far = torch.clamp(x, edge, 2.0**100)
        above = (far - (a - 1) + (a - 1) / _tail(far, a)) / far
        value = torch.where(x > edge, above, torch.reciprocal(_inverse(torch.clamp(x, 0, edge), a, constant)))
        return torch.where(x >= 0, value, torch.nan)

    def slope(x: Tensor) -> Tensor:
        near, far = torch.clamp_min(x, NEAR), torch.clamp_min(x, edge)
        value = hazard(near)
        excess = torch.where(x > edge, (a - 1) / far / _tail(far, a), value - 1 + (a - 1) / near)
        return torch.where(x >= 0, value * excess, torch.nan)

    return hazard, slope


def _constant(shape: str) -> float:
    """log Γ(a) − α log α + α for α ≥ 1, else log Γ(a)."""
    with working_precision(200):
        a = arb(exact(shape))
        alpha = a - 1
        return float((a.lgamma() - alpha * alpha.log() + alpha).mid() if exact(shape) >= 2 else a.lgamma().mid())


def _tail(x: Tensor, a: float) -> Tensor:
    """t_1."""
    n = math.ceil(5 + ACCURACY * ACCURACY / (16 * max(a, EDGE)) + math.sqrt(ACCURACY * a))
    t = (x * n).sqrt_().add_(x / 2).add_(n)
    for k in reversed(range(1, n)):
        t = (x + (2 * k + 1 - a)).sub_((k + 1) * (k + 1 - a) / t)
    return t


def _inverse(x: Tensor, a: float, constant: float) -> Tensor:
    """1/h for x ≤ max(a, 1)."""
    alpha, edge = a - 1, max(a, EDGE)
    exponent = constant + (alpha * over_logarithm(x / alpha, (x - alpha) / alpha) if a >= 2 else x - torch.xlogy(alpha, x))
    n = math.ceil(ACCURACY / 2 + math.sqrt(ACCURACY * ACCURACY / 4 + 2 * ACCURACY * edge))
    total = torch.ones_like(x)
    for k in reversed(range(1, n)):
        total = total.mul_(x / (a + k)).add_(1)
    return torch.exp(exponent) - x / a * total


def over_logarithm(ratio: Tensor, m: Tensor) -> Tensor:
    """m − log(1 + m), 1 + m = ratio > 0: m s − 2(s³/3 + s⁵/5 + …), s = m/(2 + m), near 0."""
    near = torch.clamp(m, -0.5, 0.5)
    s = near / (2 + near)
    square, total = s * s, torch.zeros_like(s)
    for k in reversed(range(1, TERMS)):
        total = (total + 1 / (2 * k + 1)) * square
    return torch.where(torch.abs(m) < 0.5, s * (near - 2 * total), m - torch.log(ratio))
