"""What every realization in PyTorch offers: a potential, through autograd, and the derivative that its backward supplies."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import torch
from torch import Tensor

from certify.realizations.tensor.arguments import checked


class TensorRealization(ABC):
    """A realization of Φ_ν(x) = log I_ν(x) − ν log x at one order ν = ``order``, element by element, on any device.

    ``potential(x)`` is the realized Φ̂ − ``constant``; its autograd backward multiplies by the supplied derivative, whether
    or not that is the derivative of Φ̂. ``difference(a, b)`` is Φ̂(b) − Φ̂(a) with broadcasting, ``derivative(x)`` the supplied
    derivative itself. ``faithful`` says what is reproduced of the code or the text that the realization stands for.
    Arguments are tensors of one of ``dtypes``, else ValueError; outside ``domain``, and at NaN, the results are NaN.
    """

    name: ClassVar[str]
    faithful: ClassVar[str]
    domain: ClassVar[str]
    dtypes: ClassVar[tuple[torch.dtype, ...]] = (torch.float64,)
    order: float
    constant: float = 0.0

    @abstractmethod
    def potential(self, x: Tensor) -> Tensor: ...

    @abstractmethod
    def derivative(self, x: Tensor) -> Tensor: ...

    def difference(self, a: Tensor, b: Tensor) -> Tensor:
        return self.potential(b) - self.potential(a)


class Paired(TensorRealization):
    """A realization whose backward is a formula of its own: subclasses give the value, and the value with its slope.

    The slope is computed with the value, as training needs both; under ``torch.no_grad()`` only the value is. Non-unit
    upstream gradients and repeated backward are right; differentiating the backward raises.
    """

    @abstractmethod
    def value(self, x: Tensor) -> Tensor:
        """Φ̂(x) − ``constant``, bit for bit the first of ``value_and_slope``."""

    @abstractmethod
    def value_and_slope(self, x: Tensor) -> tuple[Tensor, Tensor]: ...

    def potential(self, x: Tensor) -> Tensor:
        return _Supplied.apply(checked(x, self.dtypes, self.name), self, torch.is_grad_enabled())[0]

    def derivative(self, x: Tensor) -> Tensor:
        return _Supplied.apply(checked(x, self.dtypes, self.name), self, True)[1].detach()

    def difference(self, a: Tensor, b: Tensor) -> Tensor:
        """Φ̂(b) − Φ̂(a), both ends in one pass: a recurrence costs as many calls for few elements as for many."""
        ends = [checked(x, self.dtypes, self.name).reshape(-1) for x in (a, b)]
        start, end = self.potential(torch.cat(ends)).split([a.numel(), b.numel()])
        return end.reshape(b.shape) - start.reshape(a.shape)


class _Supplied(torch.autograd.Function):
    """The value, differentiable with the slope as derivative, and the slope, a constant (the value again if not wanted)."""

    @staticmethod
    def forward(x: Tensor, realization: Paired, with_slope: bool) -> tuple[Tensor, Tensor]:
        if with_slope:
            return realization.value_and_slope(x)
        value = realization.value(x)
        return value, value.clone()

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, Tensor]) -> None:
        ctx.mark_non_differentiable(output[1])
        ctx.save_for_backward(inputs[0], output[1])
        ctx.name = inputs[1].name

    @staticmethod
    def backward(ctx: Any, gradient: Tensor, _: Tensor) -> tuple[Tensor, None, None]:
        x, slope = ctx.saved_tensors
        return gradient * _Final.apply(slope, x, ctx.name), None, None

    @staticmethod
    def vmap(info: Any, in_dims: tuple[Any, ...], x: Tensor, realization: Paired, with_slope: bool) -> Any:
        """All realizations of this kind act element by element."""
        return _Supplied.apply(x, realization, with_slope), (in_dims[0], in_dims[0])


class _Final(torch.autograd.Function):
    """The slope as a function of x that refuses to be differentiated: second derivatives are never silently left out."""

    generate_vmap_rule = True

    @staticmethod
    def forward(slope: Tensor, x: Tensor, name: str) -> Tensor:
        return slope.view_as(slope)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
        ctx.name = inputs[2]

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[None, None, None]:
        raise NotImplementedError(f"{ctx.name}: the derivative that it supplies cannot be differentiated")
