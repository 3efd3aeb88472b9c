"""AR/FR and its ladder in PyTorch, by the programs of ``certify.vmf``: F_n through stable differences, A_n as its derivative.

Nothing is computed here. ``ClosedForm`` runs ``vmf.kernel``; ``StructuredClosedForm`` runs the elementwise pass of
``vmf.structured``, which knows r² − κ² and √(ν² + κ²) and never forms r.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from certify.realizations.tensor.arguments import checked, positive_order
from certify.realizations.tensor.protocol import TensorRealization
from certify.vmf import kernel, structured

LADDER = range(9)


class Differenced(TensorRealization):
    """A realization that forms differences directly; Φ̂(x) is the one from 0. Differentiable any number of times."""

    dtypes = (torch.float64, torch.float32)

    @abstractmethod
    def realized(self, a: Tensor, b: Tensor) -> Tensor:
        """Φ̂(b) − Φ̂(a)."""

    @abstractmethod
    def slope(self, x: Tensor) -> Tensor:
        """The supplied derivative."""

    def potential(self, x: Tensor) -> Tensor:
        x = checked(x, self.dtypes, self.name)
        return self.difference(torch.zeros((), dtype=x.dtype, device=x.device), x)

    def difference(self, a: Tensor, b: Tensor) -> Tensor:
        ends = (_inside(checked(x, self.dtypes, self.name)) for x in (a, b))
        return _Difference.apply(*torch.broadcast_tensors(*ends), self)

    def derivative(self, x: Tensor) -> Tensor:
        return self.slope(_inside(checked(x, self.dtypes, self.name).detach()))


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


class _Difference(torch.autograd.Function):
    """The difference, whose derivative is the slope at b and minus the slope at a."""

    generate_vmap_rule = True

    @staticmethod
    def forward(a: Tensor, b: Tensor, realization: Differenced) -> Tensor:
        return realization.realized(a, b)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
        ctx.save_for_backward(*inputs[:2])
        ctx.realization = inputs[2]

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, Tensor | None, None]:
        a, b = ctx.saved_tensors
        at_a, at_b, _ = ctx.needs_input_grad
        slope = ctx.realization.slope
        return -gradient * slope(a) if at_a else None, gradient * slope(b) if at_b else None, None


def _inside(x: Tensor) -> Tensor:
    """x, NaN where it is negative."""
    return torch.where(x >= 0, x, torch.nan)
