"""The Kummer quotient of the Watson distribution on axial data, g(κ) = M′(½, p/2, κ)/M(½, p/2, κ), in PyTorch.

With b = p/2 and a = ½, g_b = (a + κ g_{b+1})/(b + κ g_{b+1}) by Kummer's contiguous functions. Everything is positive, so that nothing
cancels, and it increases in g_{b+1}, so that bounds of g_{b+N}, claim ``riccati.watson``, become bounds of g_b. A step divides an error by
about max(b/κ, κ/b) for the b at hand; N of them, from the positive zero G of (b + N − κ) g + κ g² = a, by e^c and more, where
Σ |log((b+k)/κ)| ≥ N²/(4(b + N/2)) = c. The derivative is that of the steps.
"""

from __future__ import annotations

import math
from functools import cache

import torch
from torch import Tensor

from certify.exact.number import Number, brief, exact
from certify.special.primitive import Chain, realize

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
    return realize("watson_quotient", quotient_chain(accepted_half(p)), kappa)


def accepted_half(p: Number) -> float:
    """b. Raises ValueError for p outside 2 … 10⁴."""
    number = exact(p)
    if not LEAST <= number <= MOST:
        raise ValueError(f"p = {brief(number)}: 2 ≤ p ≤ {MOST} is accepted")
    return float(number) / 2


@cache
def quotient_chain(b: float) -> Chain:
    """The quotient and its derivative."""
    steps = math.ceil(ACCURACY + math.sqrt(ACCURACY * (ACCURACY + 4 * b)))

    def quotient(kappa: Tensor) -> Tensor:
        k = torch.clamp(kappa, 0, FAR)
        g, _ = _start(k, b + steps)
        for j in reversed(range(steps)):
            product = k * g
            g = (product + HALF).div_(product.add_(b + j))
        return torch.where(kappa >= 0, g, torch.nan)

    def slope(kappa: Tensor) -> Tensor:
        k = torch.clamp(kappa, 0, FAR)
        g, rate = _start(k, b + steps)
        for j in reversed(range(steps)):
            product, below = k * g, torch.reciprocal(k * g + (b + j))
            rate = (k * rate).add_(g).mul_(below).mul_(below).mul_(b + j - HALF)
            g = product.add_(HALF).mul_(below)
        return torch.where(kappa >= 0, rate, torch.nan)

    return quotient, slope


def _start(k: Tensor, b: float) -> tuple[Tensor, Tensor]:
    """G and dG/dκ = G(1 − G)/(b − κ + 2κG)."""
    gap = b - k
    root = torch.sqrt(gap * gap + 4 * HALF * k)
    g = torch.where(gap > 0, 2 * HALF / (gap + root), (root - gap) / (2 * torch.clamp_min(k, HALF)))
    return g, g * (1 - g) / root
