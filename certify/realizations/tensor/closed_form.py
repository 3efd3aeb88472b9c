"""AR/FR and its ladder in PyTorch, by the programs of ``vmf.kernel``: F_n through stable differences, A_n as its derivative."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from certify.realizations.tensor.arguments import positive_order
from certify.realizations.tensor.differenced import Differenced
from certify.vmf import kernel

LADDER = range(9)


@dataclass(frozen=True)
class ClosedForm(Differenced):
    """F_n and A_n at any ν > 0, n = ``ladder``; n = 1 is AR/FR."""

    order: float
    ladder: int = 1
    name = "AR/FR"
    faithful = "the ladder's programs of certify.vmf, eager, with hypot"
    domain = "0 <= x <= max/4"

    def __post_init__(self) -> None:
        positive_order(self.order, self.name)
        if self.ladder not in LADDER or isinstance(self.ladder, bool):
            raise ValueError(f"ladder {self.ladder!r}: the order n of A_n is a whole number from 0 to {LADDER[-1]}")

    def realized(self, a: Tensor, b: Tensor) -> Tensor:
        return kernel.difference(a, b, self._order(b), self.ladder)

    def slope(self, x: Tensor) -> Tensor:
        return kernel.ratio(x, self._order(x), self.ladder)

    def _order(self, like: Tensor) -> Tensor:
        return torch.tensor(self.order, dtype=like.dtype, device=like.device)
