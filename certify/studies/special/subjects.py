"""The functions of ``certify.special`` at some values of their parameters, the right values by Arb, and what PyTorch and SciPy have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

from flint import arb, fmpq

from certify import special
from certify.studies.special import libraries, values
from certify.studies.special.libraries import Function

Right = Callable[[arb], tuple[arb, ...]]
"""A function and its derivatives."""

ORDER = 32
DIMENSIONS = (2, 10, 100)


def relative(x: arb, value: arb) -> arb:
    return abs(value)


def with_length(x: arb, value: arb) -> arb:
    """The terms of log K_ν are as large as s."""
    return abs(value) + (x * x + ORDER * ORDER).sqrt()


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


def _bessel_k(name: str, ours: Any, right: Any, library: dict[str, Any], **error: Any) -> Subject:
    """A function of K_ν at ν = ``ORDER``."""
    return Subject(
        name,
        f"nu = {ORDER}",
        partial(ours, nu=ORDER),
        partial(right, ORDER),
        {label: partial(function, ORDER) for label, function in library.items()},
        libraries.scipy_alone("kve", ORDER),
        True,
        ORDER,
        **error,
    )


def _gamma_hazard(a: str) -> Subject:
    shape = float(a)
    return Subject(
        "gamma_hazard",
        f"a = {a}",
        partial(special.gamma_hazard, a=a),
        partial(values.gamma_hazard, fmpq(*shape.as_integer_ratio())),
        {
            "torch quotient": partial(libraries.torch_gamma_hazard, shape),
            "scipy quotient": partial(libraries.scipy_gamma_hazard, shape),
        },
        {**libraries.scipy_alone("gammaincc", shape), **libraries.torch_gammaincc_alone(shape)},
        True,
        shape,
    )


def _kummer(name: str, ours: Any, right: Any, library: dict[str, Any], p: int) -> Subject:
    """A function of M(½, p/2, ·)."""
    return Subject(
        name,
        f"p = {p}",
        partial(ours, p=p),
        partial(right, p),
        {label: partial(function, p) for label, function in library.items()},
        libraries.scipy_alone("hyp1f1", 0.5, p / 2),
        True,
        p / 2,
    )


SUBJECTS = (
    Subject("log_ndtr", "", special.log_ndtr, values.log_ndtr, libraries.of_that_name("log_ndtr")),
    Subject("normal_hazard", "", special.normal_hazard, values.hazard),
    Subject("erfcx", "", special.erfcx, values.erfcx, libraries.of_that_name("erfcx")),
    _bessel_k(
        "bessel_k_ratio",
        special.bessel_k_ratio,
        values.bessel_k_ratio,
        {"scipy quotient": libraries.scipy_bessel_k_ratio},
        certified=special.bessel_k_ratio_error(nu=ORDER),
    ),
    _bessel_k(
        "log_bessel_k",
        special.log_bessel_k,
        values.log_bessel_k,
        {"scipy kve": libraries.scipy_log_bessel_k},
        scale=with_length,
        certified=special.log_bessel_k_error(nu=ORDER),
    ),
    *map(_gamma_hazard, ("0.5", "2.5", "20", "1000", "10000")),
    *(
        _kummer("watson_quotient", special.watson_quotient, values.watson, {"scipy quotient": libraries.scipy_watson}, p)
        for p in DIMENSIONS
    ),
    *(_kummer("log_kummer", special.log_kummer, values.log_kummer, {"scipy hyp1f1": libraries.scipy_log_kummer}, p) for p in DIMENSIONS),
)
