"""The differentiable primitives: each program with the program of its derivative.

The derivative that the backward supplies is that of the closed form which the forward evaluates, in closed form: value and gradient are
coherent by construction. What is saved is the argument itself. Beyond the derivatives in ``DERIVATIVES``, autograd differentiates the last.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from certify.vmf import descent, domain, kernel
from certify.vmf.differentiable import differentiable
from certify.vmf.plan import Plan


def realize(program: str, x: Tensor, request: Plan) -> Tensor:
    """A program at x, a tensor of its format of computation; differentiable as often as wanted, compiled once."""
    return differentiable(_Program(program, request), x) if program in DERIVATIVES else evaluate(program, x, request)


@dataclass(frozen=True)
class _Program:
    name: str
    request: Plan

    def value(self, x: Tensor) -> Tensor:
        return evaluate(self.name, x, self.request)

    def derivative(self, x: Tensor) -> Tensor:
        return DERIVATIVES[self.name](x, self.request)


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
