"""One autograd function for programs of one argument with the programs of their derivatives.

Computation is in float64 whatever the dtype of the argument, and rounded once. What is saved is the argument; the derivative that the
backward supplies is that of the closed form which the forward evaluates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

Program = Callable[[Tensor], Tensor]
Chain = Sequence[Program]
"""A function and its derivatives, in order."""

ACCEPTED = (torch.float64, torch.float32, torch.bfloat16, torch.float16)

PART = 3 * 2**13
"""Elements."""


def realize(name: str, chain: Chain, x: Tensor) -> Tensor:
    """The first program of the chain at x, differentiable. Raises ValueError for what is no tensor of an accepted dtype."""
    if not isinstance(x, Tensor):
        raise ValueError(f"{name}: x is a {type(x).__name__}: a tensor is accepted")
    if x.dtype not in ACCEPTED:
        accepted = ", ".join(str(dtype).removeprefix("torch.") for dtype in ACCEPTED)
        raise ValueError(f"{name}: x has dtype {str(x.dtype).removeprefix('torch.')}: {accepted} are accepted")
    return _apply(x, tuple(chain))


def _apply(x: Tensor, chain: tuple[Program, ...]) -> Tensor:
    first, *derivatives = chain
    if not derivatives:
        return _evaluate(first, x)
    return _Primitive.apply(x, chain)


def _evaluate(program: Program, x: Tensor) -> Tensor:
    """In float64, in parts that fit a cache, rounded to the dtype of x."""
    if x.numel() <= PART or torch.compiler.is_compiling():
        return program(x.double()).to(x.dtype)
    flat = x.reshape(-1)
    found = torch.empty_like(flat)
    for part, place in zip(flat.split(PART), found.split(PART), strict=True):
        place.copy_(program(part.double()))
    return found.reshape(x.shape)


class _Primitive(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, chain: tuple[Program, ...]) -> Tensor:
        return _evaluate(chain[0], x)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, tuple[Program, ...]], output: Tensor) -> None:
        x, ctx.chain = inputs
        ctx.save_for_backward(x)
        ctx.save_for_forward(x)

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, None]:
        (x,) = ctx.saved_tensors
        return upstream * _apply(x, ctx.chain[1:]), None

    @staticmethod
    def jvp(ctx: Any, tangent: Tensor, _: None) -> Tensor:
        (x,) = ctx.saved_tensors
        return tangent * _apply(x, ctx.chain[1:])
