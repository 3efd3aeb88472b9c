"""One autograd function for every program of one argument whose derivative is a program too, eager and compiled.

What is saved is the argument. Forward-mode derivatives, which torch does not compile, are there in eager mode alone.
"""

from __future__ import annotations

from typing import Any, Protocol

import torch
from torch import Tensor


class Program(Protocol):
    """A function of a tensor, element by element, and its derivative, differentiable in its turn."""

    def value(self, x: Tensor) -> Tensor: ...

    def derivative(self, x: Tensor) -> Tensor: ...


def differentiable(program: Program, x: Tensor) -> Tensor:
    """The program at x; compiled without a break."""
    return (_Function if torch.compiler.is_compiling() else _EagerFunction).apply(x, program)


class _Function(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, program: Program) -> Tensor:
        return program.value(x)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, Program], output: Tensor) -> None:
        x, ctx.program = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, None]:
        (x,) = ctx.saved_tensors
        return upstream * ctx.program.derivative(x), None


class _EagerFunction(_Function):
    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, Program], output: Tensor) -> None:
        _Function.setup_context(ctx, inputs, output)
        ctx.save_for_forward(inputs[0])

    @staticmethod
    def jvp(ctx: Any, tangent: Tensor, _: None) -> Tensor:
        (x,) = ctx.saved_tensors
        return tangent * ctx.program.derivative(x)
