"""The differentiable primitives of two arguments: ``vmf.primitive`` for differences of the potential."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from certify.vmf import descent, domain, kernel
from certify.vmf.plan import Plan
from certify.vmf.primitive import realize


def realize_pair(program: str, first: Tensor, second: Tensor, request: Plan) -> Tensor:
    """``difference`` of (a, b) or ``increment`` of (κ, gap), of their format of computation, broadcast; differentiable."""
    other = second.view_as(second) if second is first else second  # compilers take no argument twice
    tensors = torch.broadcast_tensors(first, other)
    return (_Pair if torch.compiler.is_compiling() else _EagerPair).apply(*tensors, program, request)


def _difference(a: Tensor, b: Tensor, request: Plan) -> Tensor:
    return domain.masked(torch.minimum(a, b), _run("difference", (a, b), request))


def _difference_slopes(a: Tensor, b: Tensor, request: Plan) -> tuple[Tensor, Tensor]:
    return -realize("ratio", a, request), realize("ratio", b, request)


def _increment(kappa: Tensor, gap: Tensor, request: Plan) -> Tensor:
    return domain.masked(kappa, _run("difference_of_squares", (gap, kappa, _radius(kappa, gap)), request))


def _increment_slopes(kappa: Tensor, gap: Tensor, request: Plan) -> tuple[Tensor, Tensor]:
    at_radius = realize("quotient", _radius(kappa, gap), request)
    return kappa * at_radius - realize("ratio", kappa, request), at_radius / 2


def _radius(kappa: Tensor, gap: Tensor) -> Tensor:
    """r = √(κ² + gap), 0 where rounding makes it imaginary."""
    return torch.sqrt(torch.clamp_min(kappa * kappa + gap, 0))


def _run(program: str, tensors: tuple[Tensor, ...], request: Plan) -> Tensor:
    nu = tensors[0].new_full((), request.nu)
    if request.steps:
        return getattr(descent, program)(*tensors, nu, request.order, request.steps)
    return getattr(kernel, program)(*tensors, nu, request.order)


VALUES: dict[str, Callable[[Tensor, Tensor, Plan], Tensor]] = {"difference": _difference, "increment": _increment}
SLOPES: dict[str, Callable[[Tensor, Tensor, Plan], tuple[Tensor, Tensor]]] = {
    "difference": _difference_slopes,
    "increment": _increment_slopes,
}
"""The partial derivatives."""


class _Pair(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(first: Tensor, second: Tensor, program: str, request: Plan) -> Tensor:
        return VALUES[program](first, second, request)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, Tensor, str, Plan], output: Tensor) -> None:
        first, second, ctx.program, ctx.request = inputs
        ctx.save_for_backward(first, second)

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, Tensor, None, None]:
        start, end = ctx.saved_tensors
        slopes = SLOPES[ctx.program](start, end, ctx.request)
        return upstream * slopes[0], upstream * slopes[1], None, None


class _EagerPair(_Pair):
    """With forward-mode derivatives, which torch does not compile."""

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, Tensor, str, Plan], output: Tensor) -> None:
        _Pair.setup_context(ctx, inputs, output)
        ctx.save_for_forward(*inputs[:2])

    @staticmethod
    def jvp(ctx: Any, first: Tensor, second: Tensor, *_: None) -> Tensor:
        start, end = ctx.saved_tensors
        slopes = SLOPES[ctx.program](start, end, ctx.request)
        return first * slopes[0] + second * slopes[1]
