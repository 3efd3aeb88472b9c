"""The functions of ``certify.special`` at some values of their parameters, the right values by Arb, and what PyTorch and SciPy have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

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


SUBJECTS = (
    Subject("log_ndtr", "", special.log_ndtr, values.log_ndtr, libraries.of_that_name("log_ndtr")),
    Subject("normal_hazard", "", special.normal_hazard, values.hazard),
    Subject("erfcx", "", special.erfcx, values.erfcx, libraries.of_that_name("erfcx")),
    Subject(
        "bessel_k_ratio",
        f"nu = {ORDER}",
        partial(special.bessel_k_ratio, nu=ORDER),
        partial(values.bessel_k_ratio, ORDER),
        {"scipy quotient": partial(libraries.scipy_bessel_k_ratio, ORDER)},
        libraries.scipy_alone("kve", ORDER),
        True,
        ORDER,
        certified=special.bessel_k_ratio_error(nu=ORDER),
    ),
    Subject(
        "log_bessel_k",
        f"nu = {ORDER}",
        partial(special.log_bessel_k, nu=ORDER),
        partial(values.log_bessel_k, ORDER),
        {"scipy kve": partial(libraries.scipy_log_bessel_k, ORDER)},
        libraries.scipy_alone("kve", ORDER),
        True,
        ORDER,
        with_length,
        special.log_bessel_k_error(nu=ORDER),
    ),
    *(
        Subject(
            "gamma_hazard",
            f"a = {a}",
            partial(special.gamma_hazard, a=a),
            partial(values.gamma_hazard, fmpq(*float(a).as_integer_ratio())),
            {
                "torch quotient": partial(libraries.torch_gamma_hazard, float(a)),
                "scipy quotient": partial(libraries.scipy_gamma_hazard, float(a)),
            },
            {**libraries.scipy_alone("gammaincc", float(a)), **libraries.torch_gammaincc_alone(float(a))},
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
            partial(values.watson, p),
            {"scipy quotient": partial(libraries.scipy_watson, p)},
            libraries.scipy_alone("hyp1f1", 0.5, p / 2),
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
            partial(values.log_kummer, p),
            {"scipy hyp1f1": partial(libraries.scipy_log_kummer, p)},
            libraries.scipy_alone("hyp1f1", 0.5, p / 2),
            True,
            p / 2,
        )
        for p in DIMENSIONS
    ),
)
