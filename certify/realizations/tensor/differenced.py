"""Realizations that form differences of the potential directly, with a derivative of their own: the programs of ``certify.vmf``."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import torch
from torch import Tensor

from certify.realizations.tensor.arguments import checked
from certify.realizations.tensor.protocol import TensorRealization


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
