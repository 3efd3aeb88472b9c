"""Concentrations and radii in floating point: κ_j = pR_j/(1 − R_j²), R_j = ‖a_j‖, and r_j = ‖κ_jμ_j + f/τ‖, in two layouts and two formats.

    expanded     the B×K×p tensor κ_jμ_j + f/τ and its norms,
    factorized   r² = κ² + 2w_j⟨a_j, f⟩/τ + ‖f‖²/τ², w_j = κ_j/R_j, from one B×K product.

The format of the geometry is that of the products and norms; κ, r² − κ² and r are float64 afterwards, as in the source of the
three-arm experiment.
"""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor

from certify.learning.states import State

Layout = Literal["expanded", "factorized"]
LAYOUTS: tuple[Layout, ...] = ("expanded", "factorized")


def weights(found: State, dtype: torch.dtype = torch.float64) -> Tensor:
    """w_j = κ_j/R_j = p/(1 − R_j²) (K), cap/R_j where the state has a cap and says so, from ‖a_j‖² in the format given."""
    square = tensor(found.means, dtype).square().sum(1)
    free = found.dimension / (1 - square)
    if found.cap is None:
        return free.double()
    return torch.where(torch.from_numpy(found.capped()), float(found.cap) * torch.rsqrt(square), free).double()


def concentrations(found: State, dtype: torch.dtype = torch.float64) -> Tensor:
    """κ_j (K), float64."""
    return weights(found, dtype) * tensor(found.means, dtype).norm(dim=1).double()


def gap(found: State, features: Tensor, dtype: torch.dtype = torch.float64) -> Tensor:
    """r_j² − κ_j² (B×K, float64) of features B×p by the factorized layout; differentiable in the features."""
    scale = 1 / found.temperature
    projection = (features.to(dtype) @ tensor(found.means, dtype).T).double()
    square = features.to(dtype).square().sum(1).double()
    return 2 * scale * weights(found, dtype) * projection + scale * scale * square[:, None]


def radii(found: State, features: Tensor, layout: Layout, dtype: torch.dtype = torch.float64) -> Tensor:
    """r_j (B×K, float64) of features B×p; differentiable in the features."""
    if layout == "expanded":
        directions = (weights(found, dtype)[:, None] * tensor(found.means, torch.float64)).to(dtype)
        return (directions + features.to(dtype)[:, None, :] / found.temperature).norm(dim=2).double()
    if layout == "factorized":
        return (concentrations(found, dtype).square() + gap(found, features, dtype)).clamp_min(0).sqrt()
    raise ValueError(f"layout {layout!r}: {' and '.join(LAYOUTS)} are accepted")


def tensor(array: object, dtype: torch.dtype) -> Tensor:
    """The array in that format."""
    return torch.as_tensor(array, dtype=dtype)
