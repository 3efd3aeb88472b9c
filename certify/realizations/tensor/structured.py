"""Structure-aware AR/FR in PyTorch, by the elementwise pass of ``vmf.structured``, which knows r² − κ² and √(ν² + κ²) and never forms r."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from certify.realizations.tensor.arguments import positive_order
from certify.realizations.tensor.differenced import Differenced
from certify.vmf import structured


@dataclass(frozen=True)
class StructuredClosedForm(Differenced):
    """F_R and A_R as the structure-aware path has them: from √(ν² + a²) and b² − a², here formed as (b − a)(b + a)."""

    order: float
    name = "structure-aware AR/FR"
    faithful = "the elementwise pass of certify.vmf.structured, eager; squares are formed"
    domain = "0 <= x <= 1e150"
    dtypes = (torch.float64,)

    def __post_init__(self) -> None:
        positive_order(self.order, self.name)

    def realized(self, a: Tensor, b: Tensor) -> Tensor:
        return self._score_and_slope(a, b)[0]

    def slope(self, x: Tensor) -> Tensor:
        return x * self._score_and_slope(torch.zeros_like(x), x)[1]

    def _score_and_slope(self, a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
        return structured.score_and_slope((self.order**2 + a * a).sqrt(), (b - a) * (b + a), self.order)
