"""M(z) = e^{z²} ∫_z^∞ e^{−s²} ds for z ≥ 0 by the closed form C of claim ``riccati.erfcx``, with its derivatives, in float64.

C^(k) = (−1)^k p_k(t)/(1 + 2z)^(k+1), t = (z − 3)/(z + 3), with the polynomials of ``exact.riccati_erfcx``; the p_k are positive.
Proved is |M − C| < 10⁻¹⁶/(1 + 2z) for the exact value of C; rounding adds to it what claims ``rounding.erfcx…`` say.
"""

from __future__ import annotations

import torch
from torch import Tensor

from certify.exact.riccati_erfcx import CENTRE, polynomial
from certify.special import horner

COEFFICIENTS = tuple(tuple(int(c.p) / int(c.q) for c in polynomial(k).coeffs()) for k in range(3))
"""Of p_0, p_1 and p_2, lowest first: those of p_0 are exact in float64, the others correctly rounded."""
FAR = 2.0**500
"""Beyond it t is 1."""


def mills(z: Tensor) -> Tensor:
    """C(z) > 0; 0 at infinity."""
    return numerator(z, 0).div_(1 + 2 * z)


def mills_slope(z: Tensor) -> Tensor:
    """C′(z) < 0."""
    length = 1 + 2 * z
    return numerator(z, 1).div_(length).div_(-length)


def mills_curvature(z: Tensor) -> Tensor:
    """C″(z) > 0."""
    length = 1 + 2 * z
    return numerator(z, 2).div_(length).div_(length).div_(length)


def numerator(z: Tensor, k: int) -> Tensor:
    """p_k(t), k = 0, 1, 2, by the programs of claims ``rounding.erfcx…``."""
    near = torch.clamp_max(z, FAR)
    t = (near - CENTRE) / (near + CENTRE)
    return horner.polynomial(COEFFICIENTS[k], t)
