"""Samples from the von Mises–Fisher distribution, and how the cosine of a sample moves with the concentration.

A sample is w μ + √(1−w²) ξ with ξ uniform on the unit sphere orthogonal to μ. The cosine w has the density

    f(w) ∝ e^{κw} (1−w²)^{(p−3)/2}   on [−1, 1],

and is drawn by the rejection of Ulrich (1984) in the form of Wood (1994), exact for every κ ≥ 0 and p ≥ 2, written in 1 − w: where κ is
large, w is near 1 and 1 − w² would lose its digits. Cosines are drawn in float64 whatever the dtype of the parameters.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.distributions import Beta

from certify.vmf.plan import plan
from certify.vmf.primitive import evaluate

NODES = 64
"""Of the Gauss–Legendre rule for the derivative of a cosine."""

REACH = 12.0
"""How many standard deviations from its argument the density of an angle is integrated."""


LARGEST = 2.0**1020
"""Concentrations are cut off here, where 1 − w is below 10^−300, so that infinity is one of them."""


def complement_of_cosine(kappa: Tensor, p: int) -> Tensor:
    """1 − w for one draw of w per element of κ ≥ 0, in float64; NaN where κ is NaN.

    With b = (p−1)/(2κ + √(4κ² + (p−1)²)) and Z ~ Beta((p−1)/2, (p−1)/2), w = (1 − (1+b)Z)/(1 − (1−b)Z) is accepted with probability
    exp(κ(w − w₀) + (p−1) log((1 − w₀w)/(1 − w₀²))), w₀ = (1−b)/(1+b), where 1 − w = 2bZ/(1 − (1−b)Z) and 1 − w₀ = 2b/(1+b).
    """
    concentration = torch.clamp_max(kappa.detach().to(torch.float64).reshape(-1), LARGEST)
    result = torch.full_like(concentration, math.nan)
    waiting = torch.nonzero(concentration >= 0).reshape(-1)
    while waiting.numel():
        proposed, accepted = _propose(concentration[waiting], p)
        result[waiting[accepted]] = proposed[accepted]
        waiting = waiting[~accepted]
    return result.reshape(kappa.shape)


def _propose(kappa: Tensor, p: int) -> tuple[Tensor, Tensor]:
    """1 − w for a proposal w per element, and whether it is accepted."""
    b = (p - 1) / (2 * kappa + torch.hypot(2 * kappa, torch.full_like(kappa, p - 1)))
    half = torch.full_like(kappa, (p - 1) / 2)
    z = Beta(half, half, validate_args=False).sample()
    rest, rest0 = 2 * b * z / (1 - (1 - b) * z), 2 * b / (1 + b)
    mixed = rest0 + (1 - rest0) * rest
    exponent = kappa * (rest0 - rest) + (p - 1) * torch.log(mixed / (rest0 * (2 - rest0)))
    return rest, torch.log(torch.rand_like(kappa)) <= exponent


def around(mean_direction: Tensor, rest: Tensor) -> Tensor:
    """A unit vector with the cosine 1 − ``rest`` to μ (… × p), otherwise uniform; differentiable in both.

    Drawn around the first axis and reflected to μ in the hyperplane orthogonal to e₁ ± μ, the sign chosen so that nothing cancels.
    """
    noise = torch.randn(*rest.shape, mean_direction.shape[-1] - 1, dtype=mean_direction.dtype, device=mean_direction.device)
    tangent = torch.nn.functional.normalize(noise, dim=-1)
    sine = torch.sqrt(rest * (2 - rest)).to(mean_direction.dtype)
    sign = torch.where(mean_direction[..., :1] < 0, -1.0, 1.0).to(mean_direction.dtype)
    cosine = (1 - rest).to(mean_direction.dtype)
    point = torch.cat([-sign * cosine[..., None], sine[..., None] * tangent], dim=-1)
    first = torch.zeros_like(mean_direction)
    first[..., 0] = 1
    normal = first + sign * mean_direction
    along = (normal * point).sum(-1, keepdim=True) / (1 + mean_direction[..., :1].abs())
    return point - along * normal


class MovingCosine(torch.autograd.Function):
    """1 − w as a function of κ: its value is the draw given, its derivative −dw/dκ of ``cosine_slope``."""

    @staticmethod
    def forward(ctx: Any, kappa: Tensor, rest: Tensor, p: int) -> Tensor:
        ctx.save_for_backward(kappa, rest)
        ctx.p = p
        return rest.clone()

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, None, None]:
        kappa, rest = ctx.saved_tensors
        return (-upstream * cosine_slope(kappa, rest, ctx.p)).to(kappa.dtype), None, None


def cosine_slope(kappa: Tensor, rest: Tensor, p: int) -> Tensor:
    """dw/dκ at a fixed value of the distribution function (implicit reparametrization), in float64; its mean is R_ν′(κ).

    In the angle θ, w = cos θ, with the density g(θ) ∝ e^{κ cos θ} sin^{p−2} θ,

        dw/dκ = sin θ ∫_0^θ (cos φ − R_ν(κ)) g(φ)/g(θ) dφ = −sin θ ∫_θ^π (cos φ − R_ν(κ)) g(φ)/g(θ) dφ:

    the side that does not contain the mode of g is integrated, by a Gauss–Legendre rule over the part that is not negligible.
    """
    concentration, remainder = torch.broadcast_tensors(kappa.detach().to(torch.float64), rest.detach())
    theta = torch.clamp_min(2 * torch.asin(torch.sqrt(remainder / 2)), torch.finfo(torch.float64).tiny)
    request = plan("ratio", torch.float64, None, p, None, None)
    center = evaluate("complement", concentration, request)
    spread = REACH / torch.sqrt(concentration + (p - 2) + 1 / math.pi**2)
    below = _is_below_mode(concentration, theta, p)
    end = torch.where(below, torch.clamp_min(theta - spread, 0), torch.clamp_max(theta + spread, math.pi))
    nodes, weights = (torch.from_numpy(array).to(theta.device) for array in np.polynomial.legendre.leggauss(NODES))
    phi = theta[..., None] + (end - theta)[..., None] * (nodes + 1) / 2
    half = torch.sin((phi - theta[..., None]) / 2) * torch.sin((phi + theta[..., None]) / 2)
    logarithm = -2 * concentration[..., None] * half + (p - 2) * torch.log(torch.sin(phi) / torch.sin(theta)[..., None])
    deviation = center[..., None] - 2 * torch.sin(phi / 2).square()
    integral = (weights * deviation * torch.exp(logarithm)).sum(-1) * (theta - end).abs() / 2
    return torch.where(below, 1.0, -1.0) * torch.sin(theta) * integral


def _is_below_mode(kappa: Tensor, theta: Tensor, p: int) -> Tensor:
    """Whether g increases at θ: (p−2) cos θ > κ sin² θ."""
    return (p - 2) * torch.cos(theta) > kappa * torch.sin(theta).square()
