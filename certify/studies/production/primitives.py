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

from certify.exact.ball import working_precision
from certify.exact.number import exact
from certify.studies.production.balls import Array, Balls
from certify.studies.production.inputs import Source, tensors
from certify.studies.production.setting import Orders, Setting

BITS = 2400
"""So that nothing is lost between a result of any exponent and its error."""


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
    orders: Callable[[torch.dtype], Orders]
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


def single(setting: Setting, source: Source, count: int) -> Arguments:
    """So many arguments of a function of one."""
    return (source.arguments(setting.nu, count),)


def confirmed(value: Callable[..., arb]) -> Callable[[Setting, tuple[float, ...], float], arb]:
    """The error of one result against the value in Arb."""

    def confirm(setting: Setting, arguments: tuple[float, ...], found: float) -> arb:
        with working_precision(BITS):
            return exact(found) - value(setting, *arguments)

    return confirm
