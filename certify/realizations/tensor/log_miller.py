"""Log-domain Miller in PyTorch: ``realizations.log_miller`` operation for operation, with its clipped ratio as backward."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from certify.realizations.tensor.arguments import whole_order
from certify.realizations.tensor.protocol import Paired


@dataclass(frozen=True)
class LogMiller(Paired):
    """Φ̃ = log b_ν + (log I₀ − log b_0) − ν log x with supplied derivative min(exp(log b_{ν+1} − log b_ν), 1).

    b_M = 1, b_{M+1} = 0, b_{j−1} = (2j/x) b_j + b_{j+1} in logarithms, M = 2ν.
    """

    order: int
    name = "log-domain Miller"
    faithful = "start 2ν, normalised at order zero, logarithmic arithmetic, clipped ratio"
    domain = "0 < x < inf"

    def __post_init__(self) -> None:
        object.__setattr__(self, "order", whole_order(self.order, self.name))

    def value(self, x: Tensor) -> Tensor:
        return self._potential(x, self._logarithms(x))

    def value_and_slope(self, x: Tensor) -> tuple[Tensor, Tensor]:
        b = self._logarithms(x)
        return self._potential(x, b), (b[self.order + 1] - b[self.order]).exp().clamp(max=1)

    def _potential(self, x: Tensor, b: dict[int, Tensor]) -> Tensor:
        normalisation = torch.special.i0e(x).log() + x - b[0]
        return b[self.order] + normalisation - self.order * x.log()

    def _logarithms(self, x: Tensor) -> dict[int, Tensor]:
        """log b_i for i = 0, ν, ν+1; NaN unless 0 < x < ∞."""
        x = torch.where((x > 0) & (x < torch.inf), x, torch.nan)
        above, here, kept = x * 0 - torch.inf, x * 0, {}
        for i in range(2 * self.order, -1, -1):
            if i in (0, self.order, self.order + 1):
                kept[i] = here
            if i:
                above, here = here, torch.logaddexp((2.0 * i / x).log() + here, above)
        return kept
