"""Functions of one argument, each a program with the programs of its derivatives, under one autograd function.

Computation is in float64 whatever the dtype of the argument, and rounded once. The derivative that the backward supplies is that of the
closed form which the forward evaluates.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from certify.vmf.differentiable import differentiable

Chain = tuple[Callable[..., Tensor], ...]
"""A function and its derivatives, in order, each of a float64 tensor and the parameters."""

ACCEPTED = (torch.float64, torch.float32, torch.bfloat16, torch.float16)

PART = 3 * 2**13
"""Elements."""


def realize(name: str, chain: Chain, x: Tensor, *parameters: Any) -> Tensor:
    """The first program of the chain at x, differentiable. Raises ValueError for what is no tensor of an accepted dtype.

    Parameters are numbers, strings and tuples of them: what ``torch.compile`` takes for constants.
    """
    if not isinstance(x, Tensor):
        raise ValueError(f"{name}: x is a {type(x).__name__}: a tensor is accepted")
    if x.dtype not in ACCEPTED:
        accepted = ", ".join(str(dtype).removeprefix("torch.") for dtype in ACCEPTED)
        raise ValueError(f"{name}: x has dtype {str(x.dtype).removeprefix('torch.')}: {accepted} are accepted")
    return _apply(chain, x, parameters)


def _apply(chain: Chain, x: Tensor, parameters: tuple[Any, ...]) -> Tensor:
    """Beyond the derivatives in the chain, autograd differentiates the last: no operation in place follows one that saves its result."""
    program = _Program(chain, parameters)
    return differentiable(program, x) if len(chain) > 1 else program.value(x)


@dataclass(frozen=True)
class _Program:
    chain: Chain
    parameters: tuple[Any, ...]

    def value(self, x: Tensor) -> Tensor:
        """In float64, in parts that fit a cache, rounded to the dtype of x."""
        if torch.compiler.is_compiling() or x.numel() <= PART:
            return self.chain[0](x.double(), *self.parameters).to(x.dtype)
        flat = x.reshape(-1)
        found = torch.empty_like(flat)
        for part, place in zip(flat.split(PART), found.split(PART), strict=True):
            place.copy_(self.chain[0](part.double(), *self.parameters))
        return found.reshape(x.shape)

    def derivative(self, x: Tensor) -> Tensor:
        return _apply(self.chain[1:], x, self.parameters)
