"""What PyTorch and SciPy have of the functions of ``certify.special``: the function itself, or a formula in its parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from scipy import special as scipy_special
from scipy.special import hyp1f1, kve
from torch import Tensor

Function = Callable[[Tensor], Tensor]


def of_that_name(name: str) -> dict[str, Function]:
    """PyTorch's and SciPy's function of that name."""
    found: dict[str, Function] = {}
    if hasattr(torch.special, name):
        found["torch"] = getattr(torch.special, name)
    if hasattr(scipy_special, name):
        found["scipy"] = lambda x: _in_numpy(getattr(scipy_special, name), x)
    return found


def torch_gamma_hazard(a: float, x: Tensor) -> Tensor:
    """By torch's regularized incomplete gamma function."""
    shape = torch.full_like(x, a)
    return torch.exp((shape - 1) * torch.log(x) - x - torch.lgamma(shape)) / torch.special.gammaincc(shape, x)


def scipy_gamma_hazard(a: float, x: Tensor) -> Tensor:
    from scipy.stats import gamma

    return _in_numpy(lambda at: gamma.pdf(at, a) / gamma.sf(at, a), x)


def scipy_bessel_k_ratio(nu: int, x: Tensor) -> Tensor:
    return _in_numpy(lambda at: kve(nu + 1, at) / kve(nu, at), x)


def scipy_log_bessel_k(nu: int, x: Tensor) -> Tensor:
    return _in_numpy(lambda at: np.log(kve(nu, at)) - at, x)


def scipy_watson(p: int, x: Tensor) -> Tensor:
    return _in_numpy(lambda at: hyp1f1(1.5, p / 2 + 1, at) / hyp1f1(0.5, p / 2, at) / p, x)


def scipy_log_kummer(p: int, x: Tensor) -> Tensor:
    return _in_numpy(lambda at: np.log(hyp1f1(0.5, p / 2, at)), x)


def scipy_alone(name: str, *parameters: float) -> dict[str, Function]:
    """SciPy's kernel of that name with its first parameters."""
    return {f"scipy {name} alone": lambda x: _in_numpy(lambda at: getattr(scipy_special, name)(*parameters, at), x)}


def torch_gammaincc_alone(a: float) -> dict[str, Function]:
    return {"torch gammaincc alone": lambda x: torch.special.gammaincc(torch.full_like(x, a), x)}


def _in_numpy(function: Callable[[Any], Any], x: Tensor) -> Tensor:
    """In the dtype of x; over- and underflow are what is looked for."""
    with np.errstate(all="ignore"):
        return torch.from_numpy(function(x.numpy()).astype(x.numpy().dtype))
