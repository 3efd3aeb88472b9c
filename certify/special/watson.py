"""The Kummer quotient of the Watson distribution on axial data, g(κ) = M′(½, p/2, κ)/M(½, p/2, κ), in PyTorch.

With b = p/2 and a = ½, v = 1/g satisfies v_b = 1 + (b − a) v_{b+1}/(a v_{b+1} + κ) by Kummer's contiguous functions. Everything is
positive, so that nothing cancels, and it increases in v_{b+1}, so that bounds of g_{b+N}, claim ``riccati.watson``, become bounds of g_b.
A step divides an error by about max(b/κ, κ/b) for the b at hand; N of them, from the positive zero G of (b + N − κ) g + κ g² = a, by
exp Σ |log((b+k)/κ)|, which is least where κ is the median of b + k. The derivative is that of the steps: with s = −dv/dκ,
s_b = (b − a)(v_{b+1} + κ s_{b+1})/(a v_{b+1} + κ)² and dg/dκ = s/v².
"""

from __future__ import annotations

import math
from functools import cache

import torch
from torch import Tensor

from certify.exact.number import Number, brief, exact
from certify.special.primitive import realize
from certify.vmf.resolved import resolved

HALF = 0.5
LEAST, MOST = 2, 10_000
ACCURACY = 53 * math.log(2)
FAR = 2.0**200
"""Beyond it 1 − g is below u."""


def watson_quotient(kappa: Tensor, *, p: Number) -> Tensor:
    """E⟨μ, x⟩² for axial data in p dimensions with concentration κ ≥ 0: from 1/p at κ = 0 to 1 at ∞.

    Any shape; float64, float32, bfloat16 or float16, computed in float64, with one derivative. NaN for κ < 0. Raises ValueError for p
    outside 2 … 10⁴.
    """
    return realize("watson_quotient", (quotient, slope), kappa, *_parameters(p))


@resolved
def _parameters(p: Number) -> tuple[float, int]:
    b = accepted_half(p)
    return b, steps_to(b)


def accepted_half(p: Number) -> float:
    """b. Raises ValueError for p outside 2 … 10⁴."""
    number = exact(p)
    if not LEAST <= number <= MOST:
        raise ValueError(f"p = {brief(number)}: 2 ≤ p ≤ {MOST} is accepted")
    return float(number) / 2


def quotient(kappa: Tensor, b: float, steps: int) -> Tensor:
    k = torch.clamp(kappa, 0, FAR)
    v, _ = _start(k, b + steps)
    one = torch.ones_like(v)
    for j in reversed(range(steps)):
        v = torch.addcdiv(one, v, torch.add(k, v, alpha=HALF), value=b + j - HALF)
    return torch.where(kappa >= 0, torch.reciprocal(v), torch.nan)


def slope(kappa: Tensor, b: float, steps: int) -> Tensor:
    k = torch.clamp(kappa, 0, FAR)
    v, rate = _start(k, b + steps)
    one, weight = torch.ones_like(v), 1.0
    for j in reversed(range(steps)):
        below = torch.add(k, v, alpha=HALF)
        rate = torch.addcmul(v, k, rate, value=weight).div_(below).div_(below)
        weight = b + j - HALF
        v = torch.addcdiv(one, v, below, value=weight)
    return torch.where(kappa >= 0, rate.mul_(weight).div_(v).div_(v), torch.nan)


@cache
def steps_to(b: float) -> int:
    """N: the sum of logarithms is ``ACCURACY`` at least."""
    logarithms = [math.log(b)]
    while math.fsum(logarithms[(len(logarithms) + 1) // 2 :]) - math.fsum(logarithms[: len(logarithms) // 2]) < ACCURACY:
        logarithms.append(math.log(b + len(logarithms)))
    return len(logarithms)


def _start(k: Tensor, b: float) -> tuple[Tensor, Tensor]:
    """1/G and −d(1/G)/dκ = (1/G)(1 − G)/(b − κ + 2κG)."""
    gap = b - k
    root = torch.sqrt(gap * gap + 4 * HALF * k)
    g = torch.where(gap > 0, 2 * HALF / (gap + root), (root - gap) / (2 * torch.clamp_min(k, HALF)))
    v = torch.reciprocal(g)
    return v, v * (1 - g) / root
