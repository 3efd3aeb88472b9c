"""log Φ, the normal hazard φ/(1 − Φ), and erfcx, with derivatives, from one proven closed form C(z) ≈ e^{z²} ∫_z^∞ e^{−s²} ds.

On the side where the function is a quotient of tails it is written in C, C′, C″ alone, so that nothing cancels:

    x ≤ 0, z = −x/√2:   log Φ = log C − x²/2 − ½ log π,   (log Φ)′ = 1/(√2 C),   (log Φ)″ = C′/(2C²)
    x > 0, Q = 1 − Φ:   log Φ = log1p(−Q),   (log Φ)′ = ψ = φ/(1 − Q),   (log Φ)″ = −ψ(x + ψ),   Q = √2 φ C(x/√2)
    hazard(x) = ψ(−x).

The derivative of the closed form on the left is −x + C′/(√2 C); since C solves the equation of the tail up to 10⁻¹⁶,
1/(√2 C) is that derivative to the same accuracy (claim ``riccati.erfcx``).
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from certify.special.mills import FAR, mills, mills_curvature, mills_slope
from certify.special.primitive import realize

ROOT_HALF, ROOT_TWO = math.sqrt(0.5), math.sqrt(2)
TWO_OVER_ROOT_PI = 2 / math.sqrt(math.pi)
GRID, END = 64.0, 64.0


def log_ndtr(x: Tensor) -> Tensor:
    """log Φ(x), Φ the normal distribution function, on the whole axis.

    Any shape; float64, float32, bfloat16 or float16. First and second derivative are φ/Φ and −(φ/Φ)(x + φ/Φ) in closed form. NaN for NaN.
    """
    return realize("log_ndtr", (_log_ndtr, _inverse_mills, _inverse_mills_slope), x)


def normal_hazard(x: Tensor) -> Tensor:
    """φ(x)/(1 − Φ(x)) on the whole axis, with its derivative h(h − x) in (0, 1) in closed form; shapes and dtypes as ``log_ndtr``."""
    return realize("normal_hazard", (_hazard, _hazard_slope), x)


def erfcx(x: Tensor) -> Tensor:
    """e^{x²} erfc(x) on the whole axis, infinite from about −26.6 down, with two derivatives in closed form.

    Shapes and dtypes as ``log_ndtr``.
    """
    return realize("erfcx", (_erfcx, _erfcx_slope, _erfcx_curvature), x)


def _log_ndtr(x: Tensor) -> Tensor:
    tail = mills(_depth(x))
    left = torch.log(tail) - (0.5 * x * x + 0.5 * math.log(math.pi))
    return torch.where(x > 0, torch.log1p(-ROOT_TWO * _density(x) * tail), left)


def _inverse_mills(x: Tensor) -> Tensor:
    """ψ = φ/Φ."""
    tail, density = mills(_depth(x)), _density(x)
    return torch.where(x > 0, density / (1 - ROOT_TWO * density * tail), ROOT_HALF / tail)


def _inverse_mills_slope(x: Tensor) -> Tensor:
    """ψ′ = −ψ(x + ψ); −1 far on the left, 0 far on the right."""
    x = torch.clamp(x, -FAR, END)
    value = _inverse_mills(x)
    left = mills_slope(_depth(x)) * (value * value)
    return torch.where(x > 0, -value * (x + value), left)


def _hazard(x: Tensor) -> Tensor:
    return _inverse_mills(-x)


def _hazard_slope(x: Tensor) -> Tensor:
    return -_inverse_mills_slope(-x)


def _depth(x: Tensor) -> Tensor:
    """z = |x|/√2, which at 0 has the derivative on the left."""
    return ROOT_HALF * torch.where(x > 0, x, -x)


def _density(x: Tensor) -> Tensor:
    """φ(x), 0 from 64 on."""
    x = torch.clamp(x, -END, END)
    return _exp_of_square(x, -0.5) / math.sqrt(2 * math.pi)


def _exp_of_square(x: Tensor, factor: float) -> Tensor:
    """e^{factor·x²}, x² = g² + (x − g)(x + g) with g on a grid on which g² is exact."""
    grid = torch.round(x * GRID) * (1 / GRID)
    rest = (x - grid).mul_(x + grid)
    return torch.exp((grid * grid).mul_(factor)) * torch.exp(rest.mul_(factor))


def _growth(x: Tensor) -> Tensor:
    """e^{x²} for x < 0."""
    return _exp_of_square(torch.clamp(x, -30, 0), 1.0)


def _erfcx(x: Tensor) -> Tensor:
    tail = mills(torch.abs(x)) * TWO_OVER_ROOT_PI
    return torch.where(x < 0, 2 * _growth(x) - tail, tail)


def _erfcx_slope(x: Tensor) -> Tensor:
    tail = mills_slope(torch.abs(x)) * TWO_OVER_ROOT_PI
    return torch.where(x < 0, 4 * x * _growth(x) + tail, tail)


def _erfcx_curvature(x: Tensor) -> Tensor:
    tail = mills_curvature(torch.where(x < 0, -x, x)) * TWO_OVER_ROOT_PI
    return torch.where(x < 0, (8 * x * x + 4) * _growth(x) - tail, tail)
