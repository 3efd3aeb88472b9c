"""JAX's functions, where it is installed, on tensors of PyTorch: what ``jax.grad`` supplies is what autograd finds.

JAX has no K_ν; ``normal_hazard`` is the derivative of its ``log_ndtr``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
import torch
from torch import Tensor

from certify.claims.text import one_line

Function = Callable[[Tensor], Tensor]


def missing() -> str | None:
    """Why JAX is not run, if so."""
    if not find_spec("jax"):
        return "jax is not installed"
    try:
        return f"jax {version()} has no enable_x64" if _enable_x64() is None else None
    except ImportError as error:
        return f"jax cannot be imported: {one_line(error)}"


def _enable_x64() -> Callable[[bool], Any] | None:
    """It has moved, and from 0.10 on refuses to be a condition."""
    for home in ("jax", "jax.experimental"):
        if find_spec(home) and (found := getattr(import_module(home), "enable_x64", None)) is not None:
            return found
    return None


def version() -> str:
    return import_module("jax").__version__


def functions(title: str) -> dict[str, Function]:
    """JAX's implementations of a subject of the table by name: of ``jax.scipy.special``, or a formula in them."""
    if missing():
        return {}
    name, _, setting = title.partition(", ")
    if name in ("log_ndtr", "erfcx"):
        function = getattr(import_module("jax.scipy.special"), name, None)
        return {"jax": lambda x: _Jax.apply(x, function)} if function else {}
    if name in FORMULAS:
        label, formula = FORMULAS[name]
        return {label: lambda x: _Jax.apply(x, partial(formula, float(setting.rpartition("=")[2])))}
    return {}


def _gamma(a: float, x: Any) -> Any:
    gamma = import_module("jax.scipy.stats.gamma")
    return gamma.pdf(x, a) / gamma.sf(x, a)


def _watson(p: float, kappa: Any) -> Any:
    hyp1f1 = import_module("jax.scipy.special").hyp1f1
    return hyp1f1(1.5, p / 2 + 1, kappa) / hyp1f1(0.5, p / 2, kappa) / p


def _log_kummer(p: float, kappa: Any) -> Any:
    return import_module("jax.numpy").log(import_module("jax.scipy.special").hyp1f1(0.5, p / 2, kappa))


FORMULAS = {
    "gamma_hazard": ("jax quotient", _gamma),
    "watson_quotient": ("jax quotient", _watson),
    "log_kummer": ("jax hyp1f1", _log_kummer),
}


class _Jax(torch.autograd.Function):
    """A scalar function of JAX at each element, in the dtype of x; its backward is ``jax.grad``."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, function: Callable[[Any], Any]) -> Tensor:
        ctx.function = function
        ctx.save_for_backward(x)
        enable, jax = _enable_x64(), import_module("jax")
        assert enable is not None
        with enable(True):
            return torch.from_numpy(np.array(jax.vmap(function)(x.detach().numpy())))

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, None]:
        (x,) = ctx.saved_tensors
        return upstream * _Jax.apply(x, import_module("jax").grad(ctx.function)), None
