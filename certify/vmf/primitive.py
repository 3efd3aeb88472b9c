"""The differentiable primitives: each program with the program of its derivative, under one autograd function.

The derivative that the backward supplies is that of the closed form which the forward evaluates, in closed form: value and gradient are
coherent by construction. What is saved is the argument itself. Beyond the derivatives in ``DERIVATIVES``, autograd differentiates the last.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from certify.vmf import descent, domain, kernel
from certify.vmf.plan import Plan


def realize(program: str, x: Tensor, request: Plan) -> Tensor:
    """A program at x, a tensor of its format of computation; differentiable as often as wanted, compiled once."""
    if program not in DERIVATIVES:
        return evaluate(program, x, request)
    return (_Primitive if torch.compiler.is_compiling() else _EagerPrimitive).apply(x, program, request)


def evaluate(program: str, x: Tensor, request: Plan) -> Tensor:
    """``divergence``, or a function of ``vmf.kernel``, of ``vmf.descent`` where the plan has steps; NaN where x < 0.

    A program and its derivative ask the opposite question: of equal ones a compiler would store the answers for the backward.
    """
    value = _divergence(x, request) if program == "divergence" else _run(program, x, request)
    return torch.where(x < 0, torch.nan, value) if program in NEGATED else torch.where(x >= 0, value, torch.nan)


def _run(program: str, x: Tensor, request: Plan) -> Tensor:
    nu = x.new_full((), request.nu)
    modulus = () if program in ("potential", "deficit") else (domain.modulus(),)
    if request.steps:
        return getattr(descent, program)(x, nu, request.order, request.steps, *modulus)
    return getattr(kernel, program)(x, nu, request.order, *modulus)


def _divergence(x: Tensor, request: Plan) -> Tensor:
    """x A_n − (F_n(x) − F_n(0)), from the complements to 1 and x where A_n is near 1; x(1 − A_n) is constant beyond X_MAX."""
    near = x * _run("ratio", x, request) - _run("potential", x, request)
    far = _run("deficit", x, request) - torch.clamp_max(x, kernel.X_MAX[x.dtype]) * _run("complement", x, request)
    return torch.where(x > 2 * request.nu + 2, far, near)


DERIVATIVES: dict[str, Callable[[Tensor, Plan], Tensor]] = {
    "potential": lambda x, request: realize("ratio", x, request),
    "deficit": lambda x, request: realize("complement", x, request),
    "divergence": lambda x, request: torch.clamp_max(x, kernel.X_MAX[x.dtype]) * realize("slope", x, request),
    "complement": lambda x, request: -realize("slope", x, request),
    "ratio": lambda x, request: realize("slope", x, request),
    "quotient": lambda x, request: realize("quotient_slope", x, request),
    "slope": lambda x, request: realize("curvature", x, request),
}
"""Each program's derivative."""

NEGATED = {"ratio", "complement", "divergence", "curvature", "quotient_slope"}
"""Every second one along each chain of derivatives."""


class _Primitive(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, program: str, request: Plan) -> Tensor:
        return evaluate(program, x, request)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, str, Plan], output: Tensor) -> None:
        x, ctx.program, ctx.request = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, None, None]:
        (x,) = ctx.saved_tensors
        return upstream * DERIVATIVES[ctx.program](x, ctx.request), None, None


class _EagerPrimitive(_Primitive):
    """With forward-mode derivatives, which torch does not compile."""

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, str, Plan], output: Tensor) -> None:
        _Primitive.setup_context(ctx, inputs, output)
        ctx.save_for_forward(inputs[0])

    @staticmethod
    def jvp(ctx: Any, tangent: Tensor, *_: None) -> Tensor:
        (x,) = ctx.saved_tensors
        return tangent * DERIVATIVES[ctx.program](x, ctx.request)
