"""M(z) = e^{z²} ∫_z^∞ e^{−s²} ds for z ≥ 0 by the closed form C = p(t)/(1 + 2z) of claim ``riccati.erfcx``, with its derivatives.

In float64, with t = (z − 3)/(z + 3), C′ = (t′p′ − 2C)/(1 + 2z) and C″ = (t″p′ + t′²p″ − 4C′)/(1 + 2z). Proved is
|M − C| < 10⁻¹⁶/(1 + 2z) for the exact value of C; rounding adds to it.
"""

from __future__ import annotations

import torch
from torch import Tensor

from certify.exact.riccati_erfcx import CENTRE, NUMERATORS, UNIT

COEFFICIENTS = tuple(c / UNIT for c in NUMERATORS)
"""Of p, lowest first: exact in float64."""

SLOPES = tuple(k * c for k, c in enumerate(COEFFICIENTS))[1:]
CURVATURES = tuple(k * c for k, c in enumerate(SLOPES))[1:]
FAR = 2.0**60
"""Beyond it t rounds to 1."""


def mills(z: Tensor) -> Tensor:
    """C(z), > 0; 0 at infinity."""
    return _polynomial(COEFFICIENTS, _coordinate(z)) / (1 + 2 * z)


def mills_slope(z: Tensor) -> Tensor:
    """C′(z) < 0."""
    first, _ = _rates(z)
    return (first * _polynomial(SLOPES, _coordinate(z)) - 2 * mills(z)) / (1 + 2 * z)


def mills_curvature(z: Tensor) -> Tensor:
    """C″(z) > 0."""
    t, (first, second) = _coordinate(z), _rates(z)
    bend = second * _polynomial(SLOPES, t) + first * first * _polynomial(CURVATURES, t)
    return (bend - 4 * mills_slope(z)) / (1 + 2 * z)


def _coordinate(z: Tensor) -> Tensor:
    near = torch.clamp_max(z, FAR)
    return (near - CENTRE) / (near + CENTRE)


def _rates(z: Tensor) -> tuple[Tensor, Tensor]:
    """t′ and t″."""
    inverse = torch.reciprocal(z + CENTRE)
    first = 2 * CENTRE * inverse * inverse
    return first, -2 * inverse * first


def _polynomial(coefficients: tuple[float, ...], t: Tensor) -> Tensor:
    total = coefficients[-1] * t + coefficients[-2]
    for c in reversed(coefficients[:-2]):
        total.mul_(t).add_(c)
    return total
