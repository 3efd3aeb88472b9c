"""R_ν(x) = I_{ν+1}(x)/I_ν(x) on tensors, with analytic derivatives of every order.

The derivative that the backward supplies is that of the closed form which the forward evaluates: value and gradient are coherent by
construction. Double backward uses A_n″ in closed form; beyond, autograd differentiates that.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import torch
from torch import Tensor

from certify.exact.number import Number
from certify.vmf import descent, domain, kernel
from certify.vmf.plan import Plan, plan


def ratio(
    x: Tensor,
    *,
    p: Number | None = None,
    nu: Number | None = None,
    order: int | None = None,
    tol: Number | None = None,
    validate_args: bool = False,
) -> Tensor:
    """R_ν(x) = I_{ν+1}(x)/I_ν(x) for x ≥ 0, the mean resultant length of the von Mises–Fisher distribution of concentration x.

    ``p`` ≥ 2 is the dimension, or ``nu`` = p/2 − 1 ≥ 0 the order. By default the error is that of rounding, at most about 4u for
    u = 2^−53 (float64) or 2^−24 (float32); float16 and bfloat16 are computed in float32 and rounded once more. ``order=n`` evaluates the
    closed form A_n, n = 0 … 8 (n = 1 is A_R), with |R_ν − A_n| < C_n ν^{−(n+2)} (claims ladder.n); where ν is too small for A_n to be
    evaluated well, R_ν to full accuracy. ``tol`` asks for the cheapest closed form with an error of at most tol, rounding included.

    The shape is that of x. x = 0 gives 0, x = inf gives 1, NaN and x < 0 give NaN, and ``validate_args`` refuses both. Raises ValueError
    for integer and complex tensors, for an order outside the domain or as a tensor, and for a tolerance that is not attainable.
    """
    compute = domain.format_of("x", x)
    if validate_args:
        domain.refuse_unless(lambda value: value >= 0, "x", x, "x >= 0 is accepted")
    return realize(x.to(compute), plan("ratio", compute, nu, p, order, tol)).to(x.dtype)


def realize(x: Tensor, request: Plan) -> Tensor:
    """The ratio by a plan, for x of its format of computation, differentiable."""
    return (_Ratio if torch.compiler.is_compiling() else _EagerRatio).apply(x, request)


def realize_slope(x: Tensor, request: Plan) -> Tensor:
    """The derivative of ``realize``, differentiable."""
    if torch.compiler.is_compiling():
        return evaluate("slope", x, request)
    return _EagerSlope.apply(x, request)


def evaluate(program: str, x: Tensor, request: Plan) -> Tensor:
    """A function of ``vmf.kernel``, or of ``vmf.descent`` where the plan has steps; NaN where x < 0."""
    nu = x.new_full((), request.nu)
    steps = (request.steps,) if request.steps else ()
    return domain.masked(x, getattr(_room(request), program)(x, nu, request.order, *steps, domain.modulus()))


def _room(request: Plan) -> ModuleType:
    return descent if request.steps else kernel


class _Ratio(torch.autograd.Function):
    """The ratio; what is saved is x itself."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, request: Plan) -> Tensor:
        return evaluate("ratio", x, request)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, Plan], output: Tensor) -> None:
        x, ctx.request = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, None]:
        (x,) = ctx.saved_tensors
        return upstream * realize_slope(x, ctx.request), None


class _EagerRatio(_Ratio):
    """With forward-mode derivatives, which torch does not compile."""

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, Plan], output: Tensor) -> None:
        _Ratio.setup_context(ctx, inputs, output)
        ctx.save_for_forward(inputs[0])

    @staticmethod
    def jvp(ctx: Any, tangent: Tensor, _: None) -> Tensor:
        (x,) = ctx.saved_tensors
        return tangent * realize_slope(x, ctx.request)


class _EagerSlope(torch.autograd.Function):
    """The derivative of the ratio."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, request: Plan) -> Tensor:
        return evaluate("slope", x, request)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, Plan], output: Tensor) -> None:
        x, ctx.request = inputs
        ctx.save_for_backward(x)
        ctx.save_for_forward(x)

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, None]:
        (x,) = ctx.saved_tensors
        return upstream * evaluate("curvature", x, ctx.request), None

    @staticmethod
    def jvp(ctx: Any, tangent: Tensor, _: None) -> Tensor:
        (x,) = ctx.saved_tensors
        return tangent * evaluate("curvature", x, ctx.request)
