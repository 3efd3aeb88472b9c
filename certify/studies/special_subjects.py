"""The functions of ``certify.special`` at some values of their parameters, the right values by Arb, and what PyTorch and SciPy have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import torch
from flint import arb, fmpq
from torch import Tensor

from certify import special

Right = Callable[[arb], tuple[arb, ...]]
"""A function and its derivatives."""
Function = Callable[[Tensor], Tensor]


def relative(x: arb, value: arb) -> arb:
    return abs(value)


@dataclass(frozen=True)
class Subject:
    """A function at one value of its parameter; ``scale`` of x and the function's value is the unit of the error of the value."""

    name: str
    setting: str
    ours: Function
    right: Right
    libraries: Mapping[str, Function] = field(default_factory=dict)
    kernels: Mapping[str, Function] = field(default_factory=dict)
    """What a library's formula is made of, to be timed alone."""
    positive: bool = False
    centre: float = 1.0
    scale: Callable[[arb, arb], arb] = relative
    certified: Fraction = Fraction(0)
    """The proven error of the formula."""

    @property
    def title(self) -> str:
        return f"{self.name}, {self.setting}" if self.setting else self.name


# What is right ---------------------------------------------------------------------------------------------------------


def _log_ndtr(x: arb) -> tuple[arb, ...]:
    below = (-x / arb(2).sqrt()).erfc() / 2
    slope = _density(x) / below
    return below.log(), slope, -slope * (x + slope)


def _hazard(x: arb) -> tuple[arb, ...]:
    value = _density(x) / ((x / arb(2).sqrt()).erfc() / 2)
    return value, value * (value - x)


def _erfcx(x: arb) -> tuple[arb, ...]:
    value = (x * x).exp() * x.erfc()
    slope = 2 * x * value - 2 / arb.pi().sqrt()
    return value, slope, 2 * value + 2 * x * slope


def _density(x: arb) -> arb:
    return (-x * x / 2).exp() / (2 * arb.pi()).sqrt()


def _bessel_k_ratio(nu: int, x: arb) -> tuple[arb, ...]:
    value = x.bessel_k(arb(nu + 1), scaled=True) / x.bessel_k(arb(nu), scaled=True)
    return value, value * value - (2 * nu + 1) / x * value - 1


def _log_bessel_k(nu: int, x: arb) -> tuple[arb, ...]:
    ratio, slope = _bessel_k_ratio(nu, x)
    return x.bessel_k(arb(nu), scaled=True).log() - x, nu / x - ratio, -slope - nu / x**2


def _gamma_hazard(a: fmpq, x: arb) -> tuple[arb, ...]:
    value = x ** (arb(a) - 1) * (-x).exp() / arb.gamma_upper(x, arb(a))
    return value, value * (value - 1 + (a - 1) / x)


def _watson(p: int, kappa: arb) -> tuple[arb, ...]:
    b = arb(p) / 2
    value = kappa.hypgeom_1f1(arb(3) / 2, b + 1) / kappa.hypgeom_1f1(arb(1) / 2, b) / p
    return value, 1 / (2 * kappa) - (b / kappa - 1) * value - value * value


def _log_kummer(p: int, kappa: arb) -> tuple[arb, ...]:
    return kappa.hypgeom_1f1(arb(1) / 2, arb(p) / 2).log(), *_watson(p, kappa)


# What is compared -------------------------------------------------------------------------------------------------------


def of_libraries(name: str) -> dict[str, Function]:
    """PyTorch's and SciPy's function of that name."""
    from scipy import special as scipy_special

    found: dict[str, Function] = {}
    if hasattr(torch.special, name):
        found["torch"] = getattr(torch.special, name)
    if hasattr(scipy_special, name):
        found["scipy"] = lambda x: _in_numpy(getattr(scipy_special, name), x)
    return found


def _gamma_quotient(a: float, x: Tensor) -> Tensor:
    """By torch's regularized incomplete gamma function."""
    shape = torch.full_like(x, a)
    return torch.exp((shape - 1) * torch.log(x) - x - torch.lgamma(shape)) / torch.special.gammaincc(shape, x)


def _scipy_gamma(a: float, x: Tensor) -> Tensor:
    from scipy.stats import gamma

    return _in_numpy(lambda at: gamma.pdf(at, a) / gamma.sf(at, a), x)


def _scipy_kve(nu: int, x: Tensor) -> Tensor:
    from scipy.special import kve

    return _in_numpy(lambda at: kve(nu + 1, at) / kve(nu, at), x)


def _scipy_log_kve(nu: int, x: Tensor) -> Tensor:
    from scipy.special import kve

    return _in_numpy(lambda at: np.log(kve(nu, at)) - at, x)


def _scipy_watson(p: int, x: Tensor) -> Tensor:
    from scipy.special import hyp1f1

    return _in_numpy(lambda at: hyp1f1(1.5, p / 2 + 1, at) / hyp1f1(0.5, p / 2, at) / p, x)


def _scipy_log_kummer(p: int, x: Tensor) -> Tensor:
    from scipy.special import hyp1f1

    return _in_numpy(lambda at: np.log(hyp1f1(0.5, p / 2, at)), x)


def _of_scipy(name: str, *parameters: float) -> dict[str, Function]:
    """SciPy's kernel of that name with its first parameters."""
    from scipy import special as scipy_special

    return {f"scipy {name} alone": lambda x: _in_numpy(lambda at: getattr(scipy_special, name)(*parameters, at), x)}


def _torch_gammaincc(a: float) -> dict[str, Function]:
    return {"torch gammaincc alone": lambda x: torch.special.gammaincc(torch.full_like(x, a), x)}


def _in_numpy(function: Callable[[Any], Any], x: Tensor) -> Tensor:
    """In the dtype of x; over- and underflow are what is looked for."""
    with np.errstate(all="ignore"):
        return torch.from_numpy(function(x.numpy()).astype(x.numpy().dtype))


def _with_length(x: arb, value: arb) -> arb:
    """The terms of log K_ν are as large as s."""
    return abs(value) + (x * x + ORDER * ORDER).sqrt()


ORDER = 32
DIMENSIONS = (2, 10, 100)
SUBJECTS = (
    Subject("log_ndtr", "", special.log_ndtr, _log_ndtr, of_libraries("log_ndtr")),
    Subject("normal_hazard", "", special.normal_hazard, _hazard),
    Subject("erfcx", "", special.erfcx, _erfcx, of_libraries("erfcx")),
    Subject(
        "bessel_k_ratio",
        f"nu = {ORDER}",
        partial(special.bessel_k_ratio, nu=ORDER),
        partial(_bessel_k_ratio, ORDER),
        {"scipy quotient": partial(_scipy_kve, ORDER)},
        _of_scipy("kve", ORDER),
        True,
        ORDER,
        certified=special.bessel_k_ratio_error(nu=ORDER),
    ),
    Subject(
        "log_bessel_k",
        f"nu = {ORDER}",
        partial(special.log_bessel_k, nu=ORDER),
        partial(_log_bessel_k, ORDER),
        {"scipy kve": partial(_scipy_log_kve, ORDER)},
        _of_scipy("kve", ORDER),
        True,
        ORDER,
        _with_length,
        special.log_bessel_k_error(nu=ORDER),
    ),
    *(
        Subject(
            "gamma_hazard",
            f"a = {a}",
            partial(special.gamma_hazard, a=a),
            partial(_gamma_hazard, fmpq(*float(a).as_integer_ratio())),
            {"torch quotient": partial(_gamma_quotient, float(a)), "scipy quotient": partial(_scipy_gamma, float(a))},
            {**_of_scipy("gammaincc", float(a)), **_torch_gammaincc(float(a))},
            True,
            float(a),
        )
        for a in ("0.5", "2.5", "20")
    ),
    *(
        Subject(
            "watson_quotient",
            f"p = {p}",
            partial(special.watson_quotient, p=p),
            partial(_watson, p),
            {"scipy quotient": partial(_scipy_watson, p)},
            _of_scipy("hyp1f1", 0.5, p / 2),
            True,
            p / 2,
        )
        for p in DIMENSIONS
    ),
    *(
        Subject(
            "log_kummer",
            f"p = {p}",
            partial(special.log_kummer, p=p),
            partial(_log_kummer, p),
            {"scipy hyp1f1": partial(_scipy_log_kummer, p)},
            _of_scipy("hyp1f1", 0.5, p / 2),
            True,
            p / 2,
        )
        for p in DIMENSIONS
    ),
)
