"""The concentration κ with R_ν(κ) = r, on tensors."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from certify.exact.number import Number
from certify.vmf import domain
from certify.vmf.plan import Plan, accuracy, plan
from certify.vmf.primitive import evaluate, realize

ITERATIONS = 5


def inverse_ratio(resultant: Tensor, *, p: Number | None = None, nu: Number | None = None, validate_args: bool = False) -> Tensor:
    """The κ ≥ 0 with R_ν(κ) = resultant, the maximum-likelihood concentration for a mean resultant length, 0 ≤ resultant ≤ 1.

    Newton's iteration for A_n(κ) = resultant or, above ½, for 1 − A_n(κ) = 1 − resultant, in which the right side is exact and the left
    one accurate relatively. From p r/(1 − r²) − r³/(1 − r²) (Banerjee et al. 2005) four steps reach the rounding errors at every p ≥ 2,
    and a fifth makes sure. ``resultant_error`` certifies what was reached. The derivative is 1/R_ν′(κ).

    1 gives inf; NaN and what lies outside [0, 1] give NaN, and ``validate_args`` refuses it. Raises ValueError as ``ratio`` does.
    """
    compute = domain.format_of("resultant", resultant)
    if validate_args:
        domain.refuse_unless(lambda r: (r >= 0) & (r <= 1), "resultant", resultant, "0 <= resultant <= 1 is accepted")
    request = plan("ratio", compute, nu, p, None, None)
    return (_Inverse if torch.compiler.is_compiling() else _EagerInverse).apply(resultant.to(compute), request).to(resultant.dtype)


def resultant_error(kappa: Tensor, resultant: Tensor, *, p: Number | None = None, nu: Number | None = None) -> Tensor:
    """A bound of |R_ν(κ) − resultant|: what A_n(κ) is off by, plus the certified error of A_n as it is computed (``accuracy``).

    So R_ν(κ̂) = resultant + θ with |θ| at most this, and the concentration sought is κ̂ − θ/R_ν′(ξ) for some ξ between the two.
    """
    compute = domain.format_of("kappa and resultant", kappa, resultant)
    total = accuracy(compute, p=p, nu=nu, device=domain.device_of(kappa)).total
    found = evaluate("ratio", kappa.to(compute), plan("ratio", compute, nu, p, None, None))
    return torch.abs(found - resultant.to(compute)) + total


def _solve(resultant: Tensor, request: Plan) -> Tensor:
    rest = 1 - resultant
    kappa = (2 * request.nu + 2 - resultant * resultant) * resultant / (rest * (1 + resultant))
    for _ in range(ITERATIONS):
        low = resultant - evaluate("ratio", kappa, request)
        high = evaluate("complement", kappa, request) - rest
        step = torch.where(resultant < 0.5, low, high) / evaluate("slope", kappa, request)
        kappa = torch.maximum(kappa + step, kappa / 2)
    inside = (resultant >= 0) & (resultant < 1)
    return torch.where(inside, kappa, torch.where(resultant == 1, torch.inf, torch.nan))


class _Inverse(torch.autograd.Function):
    """What is saved is κ itself."""

    generate_vmap_rule = True

    @staticmethod
    def forward(resultant: Tensor, request: Plan) -> Tensor:
        return _solve(resultant, request)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, Plan], output: Tensor) -> None:
        ctx.request = inputs[1]
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, None]:
        (kappa,) = ctx.saved_tensors
        return upstream / realize("slope", kappa, ctx.request), None


class _EagerInverse(_Inverse):
    """With forward-mode derivatives, which torch does not compile."""

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, Plan], output: Tensor) -> None:
        _Inverse.setup_context(ctx, inputs, output)
        ctx.save_for_forward(output)

    @staticmethod
    def jvp(ctx: Any, tangent: Tensor, _: None) -> Tensor:
        (kappa,) = ctx.saved_tensors
        return tangent / realize("slope", kappa, ctx.request)
