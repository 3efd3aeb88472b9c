"""The consistent recurrence: the forward Φ̃_{ν,M} of ``original``, bit for bit, with its own derivative Φ̃′_{ν,M}."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from certify.realizations.tensor import finite_start
from certify.realizations.tensor.arguments import checked, start_order, whole_order
from certify.realizations.tensor.original import Original
from certify.realizations.tensor.protocol import TensorRealization


@dataclass(frozen=True)
class Consistent(Original):
    """Φ̃′ by the recursion of the derivatives q_j, which runs along with the recurrence and stores nothing.

    Its error is some 1e-16 relatively to I₁/I₀, hence ν times that relatively to Φ̃′ where x ≪ 1.
    """

    name = "consistent recurrence"
    faithful = "the forward of the original recurrence, bit for bit; start 2ν"

    def value_and_slope(self, x: Tensor) -> tuple[Tensor, Tensor]:
        found = finite_start.sweep(self.order, self.first, x, derivative=True)
        assert found.derivative is not None
        return found.potential, found.derivative


@dataclass(frozen=True)
class ConsistentByAutograd(TensorRealization):
    """Φ̃′ by autograd through the M steps of the recurrence, a stored tensor a step; differentiable any number of times.

    Its error is absolute, some 1e-16, as autograd forms (log I₀)′ as (I₁/I₀ − 1) + 1.
    """

    order: int
    start: int | None = None
    name = "consistent recurrence through autograd"
    faithful = Consistent.faithful
    domain = finite_start.DOMAIN

    def __post_init__(self) -> None:
        object.__setattr__(self, "order", whole_order(self.order, self.name))
        start_order(self.order, self.start)

    @property
    def constant(self) -> float:
        return finite_start.constant(self.order)

    def potential(self, x: Tensor) -> Tensor:
        x = checked(x, self.dtypes, self.name)
        return finite_start.sweep(self.order, start_order(self.order, self.start), x, in_place=False).potential

    def derivative(self, x: Tensor) -> Tensor:
        with torch.enable_grad():
            point = checked(x, self.dtypes, self.name).detach().requires_grad_()
            return torch.autograd.grad(self.potential(point).sum(), point)[0]
