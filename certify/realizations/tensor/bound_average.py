"""The average of two analytic bounds of R_ν and its integral, after Scott, Gallagher and Mozer (2021).

With a = ν + ½ and s_b = √(b² + x²), the bounds of Ruiz-Antolín and Segura (2016) are, for ν ≥ −½ and x > 0,

    x/(a + s_{ν+3/2}) < R_ν(x) < x/(a + s_{ν+1/2}),

their average is the surrogate of R_ν, and its integral ½ Σ_b (s_b − a log(a + s_b)) that of Φ_ν: the pair is coherent already
as mathematics.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from certify.realizations.tensor.arguments import checked, positive_order
from certify.realizations.tensor.protocol import TensorRealization


@dataclass(frozen=True)
class BoundAverage(TensorRealization):
    """``order`` is any ν > 0. The backward is autograd's, of the formula; it can be differentiated again."""

    order: float
    name = "ratio-bound average"
    faithful = "the published pair, square roots of sums of squares included"
    domain = "0 <= x <= 1e150"

    def __post_init__(self) -> None:
        positive_order(self.order, self.name)

    def potential(self, x: Tensor) -> Tensor:
        a, (upper, lower) = self.order + 0.5, self._roots(x)
        return 0.5 * (upper - a * (a + upper).log() + lower - a * (a + lower).log())

    def derivative(self, x: Tensor) -> Tensor:
        a, (upper, lower) = self.order + 0.5, self._roots(x)
        return (0.5 * (x / (a + upper) + x / (a + lower))).detach()

    def _roots(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """s at b = ν + ½ and ν + 3/2; NaN for x < 0."""
        x = checked(x, self.dtypes, self.name)
        square = x * x + torch.where(x >= 0, 0.0, torch.nan)
        return ((self.order + 0.5) ** 2 + square).sqrt(), ((self.order + 1.5) ** 2 + square).sqrt()
