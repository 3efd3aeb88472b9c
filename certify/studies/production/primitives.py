"""The primitives of ``certify.vmf``, each with what it should return, in arrays of balls and in Arb, and with the error that it may have.

An error is at most k·``unit`` + ``extra``: the unit is what rounding in the format of computation costs, u times the size of what is
rounded; ``extra`` is the certified error of the formula, and what is lost when the result is stored in a narrower format.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from flint import arb
from torch import Tensor

from certify.studies.production.balls import Array, Balls, balls
from certify.studies.production.closed_form import ClosedForm
from certify.studies.production.inputs import Source, tensors
from certify.studies.production.reference import Reference
from certify.vmf.plan import plan

DIGITS = 30
HALF = (torch.bfloat16, torch.float16)
DIMENSIONS = (2, 3, 4, 5, 10, 31, 64, 101, 128, 513, 4096, 10**6)
OF_FLOAT16 = 4096
"""Beyond this dimension Φ_ν(0) is no number of float16."""


@dataclass(frozen=True)
class Setting:
    """The order ν, and that of the closed form where one is asked for; the dtype of the arguments."""

    nu: float
    dtype: torch.dtype
    order: int | None = None

    @property
    def compute(self) -> torch.dtype:
        return torch.float32 if self.dtype in HALF else self.dtype

    @property
    def form(self) -> str:
        return str(self.compute).removeprefix("torch.")

    @property
    def u(self) -> float:
        return float(torch.finfo(self.compute).eps) / 2

    def stored(self, value: Array) -> Array:
        """What was lost at most when the value was rounded to its dtype: half the distance to the next number of it."""
        if self.dtype not in HALF:
            return np.zeros_like(value)
        info = torch.finfo(self.dtype)
        _, exponent = np.frexp(np.where(np.isfinite(value), value, 0))
        spacing = np.maximum(np.ldexp(float(info.eps), exponent - 1), float(info.smallest_normal * info.eps))
        return spacing / 2

    @property
    def top(self) -> float:
        """N, the order from which the program of a potential descends to ν."""
        return self.nu + plan("potential", self.compute, self.nu, None, self.order, None).steps

    def least(self) -> float:
        """What underflow may do to a result: to each of the logarithms that are added up on the way down, and to the closed form."""
        info = torch.finfo(self.compute)
        return 64 * (1 + self.top) * float(info.smallest_normal * info.eps)

    def reference(self, x: Balls | Array) -> Reference:
        return Reference(self.nu, x, self.form)

    def closed_form(self, x: Array) -> ClosedForm:
        assert self.order is not None
        return ClosedForm(self.order, balls(np.full_like(x, self.nu)), balls(x))

    def s(self, x: Array) -> Array:
        return np.hypot(x, self.nu + 1)


@dataclass(frozen=True)
class Judged:
    """Enclosures of the errors of what was ``found``, and what they may be: k·unit + extra."""

    error: Balls
    unit: Array
    extra: Array
    sensitivity: Array | float = 1.0
    """How fast the error changes with what is found: 1, unless it is a residual."""


Arguments = tuple[Array, ...]


@dataclass(frozen=True)
class Primitive:
    """``call`` computes it on tensors, ``judge`` encloses the errors of many results, ``confirm`` that of one in Arb."""

    name: str
    orders: Callable[[torch.dtype], list[tuple[float, int | None]]]
    draw: Callable[[Setting, Source, int], Arguments]
    call: Callable[[Setting, tuple[Any, ...]], Tensor]
    judge: Callable[[Setting, Arguments, Array], Judged]
    confirm: Callable[[Setting, tuple[float, ...], float], arb]
    largest: Callable[[torch.finfo], float] = lambda info: float(info.max) / 4
    refined: bool = True
    """Whether inputs near the worst ones are tried as well; they are still in the domain."""
    derivative: bool = False
    """Whether it is the gradient in the first argument, as backward supplies it, that is meant."""

    def settings(self, dtype: torch.dtype) -> list[Setting]:
        return [Setting(nu, dtype, order) for nu, order in self.orders(dtype)]

    def results(self, setting: Setting, arguments: Arguments, device: str) -> Array:
        return self.computed(setting, tensors(arguments, setting.dtype, device))

    def computed(self, setting: Setting, given: tuple[Any, ...]) -> Array:
        """What ``call`` returns, or its gradient."""
        if self.derivative:
            first = given[0].detach().requires_grad_()
            (value,) = torch.autograd.grad(self.call(setting, (first, *given[1:])).sum(), first)
        else:
            value = self.call(setting, given).detach()
        return value.cpu().double().numpy()

    def source(self, setting: Setting, generator: np.random.Generator) -> Source:
        return Source(setting.dtype, self.largest(torch.finfo(setting.dtype)), generator)
