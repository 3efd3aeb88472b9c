"""The evaluators of the dense rows: realizations of Φ through the difference Φ̂(r) − Φ̂(κ), and what each should return."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from certify.bench import definitions
from certify.bench.definitions import Evaluation
from certify.realizations.tensor.consistent import ConsistentByAutograd
from certify.realizations.tensor.log_miller import LogMiller
from certify.realizations.tensor.protocol import TensorRealization
from certify.realizations.tensor.public import PublicOriginal
from certify.vmf import kernel


@dataclass(frozen=True)
class Evaluator:
    """``definition`` is the exact object that ``make(ν)`` realizes, ``operations`` the kind of work by which it is counted."""

    name: str
    make: Callable[[int], TensorRealization]
    definition: Evaluation
    operations: str


@dataclass(frozen=True)
class ClosedForm(TensorRealization):
    """AR/FR by the kernels of ``certify.vmf``: the stable difference with A_R as its derivative, both from one forward."""

    order: float
    name = "AR/FR"
    faithful = "F_R by its stable difference and A_R, of fixed depth"
    domain = "0 <= x <= max/4"

    def potential(self, x: Tensor) -> Tensor:
        return self.difference(torch.zeros((), dtype=x.dtype, device=x.device), x)

    def derivative(self, x: Tensor) -> Tensor:
        return kernel.ratio(x, self._order(x), 1)

    def difference(self, a: Tensor, b: Tensor) -> Tensor:
        return _Difference.apply(a, b, self._order(b))

    def _order(self, like: Tensor) -> Tensor:
        return torch.tensor(self.order, dtype=like.dtype, device=like.device)


class _Difference(torch.autograd.Function):
    """F_R(b) − F_R(a), differentiable in b."""

    @staticmethod
    def forward(ctx: Any, a: Tensor, b: Tensor, order: Tensor) -> Tensor:
        ctx.save_for_backward(kernel.ratio(b, order, 1))
        return kernel.difference(a, b, order, 1)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, upstream: Tensor) -> tuple[None, Tensor, None]:
        (ratio,) = ctx.saved_tensors
        return None, upstream * ratio, None


EVALUATORS = (
    Evaluator("original recurrence", PublicOriginal, definitions.original, "recurrence"),
    Evaluator("consistent recurrence", ConsistentByAutograd, definitions.consistent, "reverse"),
    Evaluator("log-domain Miller", LogMiller, definitions.original, "logarithmic"),
    Evaluator("AR/FR", ClosedForm, definitions.closed_form, "closed form"),
)



class Alone:
    """One evaluator outside any layout: Φ̂(r) − Φ̂(κ) for B×K radii, and its backward with unit upstream gradients."""

    def __init__(self, realization: TensorRealization, kappa: Tensor, radii: Tensor) -> None:
        self.realization = realization
        self.kappa = kappa
        self.radii = radii.clone().requires_grad_()
        self.ones = torch.ones_like(radii)

    def restore(self) -> None:
        """Nothing is kept between runs."""

    def run(self) -> tuple[Tensor, Tensor]:
        """The differences and the supplied derivatives."""
        value = self.realization.difference(self.kappa, self.radii)
        (slope,) = torch.autograd.grad(value, self.radii, self.ones)
        return value.detach(), slope
