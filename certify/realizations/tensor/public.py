"""The original recurrence as public code runs it (PATT, ProCo), its defects included, each on purpose.

ν = ⌊p/2 − 1⌋, M = 2ν, F_M = 1, F_{M+1} = 0, F_{i−1} = (2i/x) F_i + F_{i+1} in float64. Reproduced:

1. *One overflow rescales all*: when any element of the batch overflows, every element is divided by its own F_i.
2. *Aliasing*: that division edits F_{i+1} in place. Where i = ν or ν − 1 the edited tensor is the captured F_{ν+1} or F_ν itself,
   whose scale is not corrected: values and gradients of the whole batch are wrong.
3. *Truncated order*: odd p takes the recurrence at ⌊p/2 − 1⌋ and subtracts (p/2 − 1) log x.
4. *float32*: a float32 x stays float32 in (p/2 − 1) log(x + 1e-20), and so does its product.
5. *Epsilons*: 1e-20 in that logarithm, 1e-300 twice in the first offset, which comes from SciPy.
6. *Clipped backward* min(F_{ν+1}/F_ν, 1), which overwrites the saved tensor: the next backward raises.
7. x = 0 alone gives NaN; in a batch the buffers no longer fit each other and the division raises RuntimeError.

Written from a description of that code, not copied; the clean form of the same mathematics is ``original``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from certify.realizations.tensor.arguments import checked, positive_order
from certify.realizations.tensor.protocol import TensorRealization


@dataclass(frozen=True)
class PublicOriginal(TensorRealization):
    """``order`` is p/2 − 1 ≥ 1, not truncated: half of an odd number for odd p.

    An element's results depend on the batch it is in.
    """

    order: float
    name = "original recurrence, as in public code"
    faithful = "batch-wide rescaling and its aliasing, truncated order, float32 path, epsilons, clipped backward that edits what it saved"
    domain = "x > 0; results of a batch depend on all its elements"
    dtypes = (torch.float64, torch.float32)

    def __post_init__(self) -> None:
        if 2 * positive_order(self.order, self.name) % 1 or self.order < 1:
            raise ValueError(f"order {self.order!r}: {self.name} needs p/2 - 1 >= 1 with a whole p")

    def potential(self, x: Tensor) -> Tensor:
        return self._log_ratio(x, 0.0)

    def difference(self, a: Tensor, b: Tensor) -> Tensor:
        """Φ̂(b) minus the offset at a, the latter without gradient: the logits of the public code."""
        return self._log_ratio(b, self.offset(a))

    def derivative(self, x: Tensor) -> Tensor:
        lower, upper = miller(self.truncated, checked(x, self.dtypes, self.name).detach().double())
        return (upper - lower).exp().clamp(max=1.0).to(x.dtype)

    def offset(self, kappa: Tensor) -> Tensor:
        """What is subtracted from every class's score: Φ̂(κ) by the same recurrence."""
        kappa = checked(kappa, self.dtypes, self.name).detach()
        lower, _ = miller(self.truncated, kappa.double())
        return lower + kappa - self._half_dimension(kappa) * torch.log(kappa + 1e-20)

    def first_offset(self, kappa: Tensor) -> Tensor:
        """The offset before the first update: log(ive(p/2 − 1, κ) + 1e-300) + κ − (p/2 − 1) log(κ + 1e-300), by SciPy."""
        from scipy.special import ive

        kappa = checked(kappa, self.dtypes, self.name).detach()
        scaled = torch.from_numpy(ive(self.order, kappa.cpu().double().numpy())).to(kappa.device)
        return torch.log(scaled + 1e-300) + kappa - self.order * torch.log(kappa + 1e-300)

    @property
    def truncated(self) -> int:
        return int(self.order)

    def _log_ratio(self, x: Tensor, offset: Tensor | float) -> Tensor:
        return _LogRatio.apply(checked(x, self.dtypes, self.name), self, offset)

    def _half_dimension(self, x: Tensor) -> Tensor:
        """p/2 − 1 as a float32 tensor without dimensions, which does not promote x."""
        return torch.tensor(self.order, dtype=torch.float32, device=x.device)


class _LogRatio(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, realization: PublicOriginal, offset: Tensor | float) -> Tensor:
        lower, upper = miller(realization.truncated, x.double())
        ctx.save_for_backward(torch.exp(upper - lower))
        return lower + x - realization._half_dimension(x) * torch.log(x + 1e-20) - offset

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None]:
        (ratio,) = ctx.saved_tensors
        ratio[ratio > 1.0] = 1.0
        ratio *= gradient
        return ratio, None, None


def miller(order: int, x: Tensor) -> tuple[Tensor, Tensor]:
    """log I_ν(x) − x and log I_{ν+1}(x) − x of the batch, by the recurrence described above."""
    here = torch.ones(1, dtype=torch.float64, device=x.device)
    above = torch.zeros(1, dtype=torch.float64, device=x.device)
    captured: dict[int, Tensor] = {}
    scale: dict[int, Tensor | float] = {order: 0.0, order + 1: 0.0, 0: 0.0}
    for i in range(2 * order, 0, -1):
        following = 2 * i / x * here + above
        if torch.isinf(following).any():
            above /= here
            for index in scale:
                if i >= index:
                    scale[index] = scale[index] + here.log()
            here = torch.ones(1, dtype=torch.float64, device=x.device)
            following = 2 * i / x * here + above
        here, above = following, here
        if i in (order, order + 1):
            captured[i] = above
    i0e = torch.special.i0e(x).log()
    lower, upper = (i0e + captured[index].log() - here.log() + scale[index] - scale[0] for index in (order, order + 1))
    return lower, upper
