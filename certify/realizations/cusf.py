"""CUSF: log I_v in three regimes, after Plesner, Sørensen and Hauberg (2024), in FP64.

Ratio and potential are both formed from separately evaluated logarithms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from certify.realizations.order_polynomials import order_polynomials

HALF_LOG_TWO_PI = 0.5 * np.log(2 * np.pi)
ARGUMENT_TERMS = 20
ORDER_TERMS = 13
SERIES_TERMS = 43


@dataclass(frozen=True)
class Cusf:
    """Φ̂ = log I_ν − ν log x and the ratio exp(log I_{ν+1} − log I_ν), each logarithm evaluated on its own."""

    order: float
    name: ClassVar[str] = "CUSF"
    dtype: ClassVar[str] = "float64"
    domain: ClassVar[str] = "x > 0"

    def potential(self, x: NDArray) -> NDArray:
        return log_bessel_i(self.order, x) - self.order * np.log(x)

    def difference(self, a: NDArray, b: NDArray) -> NDArray:
        return self.potential(b) - self.potential(a)

    def derivative(self, x: NDArray) -> NDArray:
        return np.exp(log_bessel_i(self.order + 1, x) - log_bessel_i(self.order, x))

    def regime(self, x: NDArray) -> NDArray:
        """The regimes of log I_ν and, where it differs, of log I_{ν+1}."""
        lower, upper = regime(self.order, x), regime(self.order + 1, x)
        split = np.char.add(np.char.add(lower, " at ν and "), np.char.add(upper, " at ν+1"))
        return np.where(lower == upper, lower, split)


def log_bessel_i(v: float, x: NDArray) -> NDArray:
    """log I_v(x) by the first regime that applies; nan unless x >= 0 and v >= 0."""
    where = regime(v, x)
    order, value = v + x * 0, x * np.nan
    with np.errstate(all="ignore"):
        for name in np.unique(where):
            value = np.where(where == name, FORMULAS[name](order, x), value)
    return value


def regime(v: float, x: NDArray) -> NDArray:
    """The name of the regime at each point."""
    with np.errstate(divide="ignore", invalid="ignore"):
        large_argument = ((x > 30) & (v < 15.3919)) | ((0.5113 * np.log(x) + 0.7939 > np.log(v)) & (x > 59.6925))
    large_order = ((x > 19.6931) & (v > 0.7)) | (v > 12.6964)
    choices = [~((x >= 0) & (v >= 0)), x == 0, large_argument, large_order]
    return np.select(choices, ["outside", "zero", "large argument", "large order"], "series")


def _outside(v: NDArray, x: NDArray) -> NDArray:
    return x * np.nan


def _zero(v: NDArray, x: NDArray) -> NDArray:
    return np.where(v == 0, x, np.log(x))


def _large_argument(v: NDArray, x: NDArray) -> NDArray:
    mu = 4 * v * v
    term = total = 1.0
    for i in range(ARGUMENT_TERMS):
        term = term * (-(mu - (2 * i + 1) ** 2) / (8 * (i + 1) * x))
        total = total + term
    return x - HALF_LOG_TWO_PI - 0.5 * np.log(x) + np.log(np.abs(total))


def _large_order(v: NDArray, x: NDArray) -> NDArray:
    q = x * x / (v * v)
    w = np.sqrt(1 + q)
    t = 1 / w
    exponent = v * (w + np.log(x) - np.log(v) - np.log1p(w))
    correction = np.log(np.abs(1 + _order_correction(v, t)))
    return -HALF_LOG_TWO_PI - 0.5 * np.log(v) + exponent - 0.25 * np.log1p(q) + correction


def _order_correction(v: NDArray, t: NDArray) -> NDArray:
    """Σ_{k=1}^{13} u_k(t)/v^k."""
    total: Any = 0.0
    power: Any = 1.0
    for coefficients in order_polynomials(ORDER_TERMS):
        value: Any = 0.0
        for coefficient in coefficients:
            value = value * t + coefficient
        power = power * v
        total = total + value / power
    return total


def _series(v: NDArray, x: NDArray) -> NDArray:
    """The power series scaled by its largest term: a_k is the logarithm of term k without (x/2)^v."""
    from scipy.special import gammaln

    k = np.arange(1, SERIES_TERMS).reshape(-1, *(1,) * np.ndim(x))
    steps = np.log(k * (k + v) * (4 / (x * x)))
    a = np.concatenate([np.zeros_like(steps[:1]), -np.cumsum(steps, axis=0)]) - gammaln(v + 1)
    largest = np.clip(np.floor((-v + np.sqrt(v * v + x * x)) / 2), 0, SERIES_TERMS - 1).astype(int)
    peak = np.take_along_axis(a, largest[np.newaxis], axis=0)
    return v * (np.log(x) - np.log(2)) + peak[0] + np.log(np.sum(np.exp(a - peak), axis=0))


FORMULAS = {
    "outside": _outside,
    "zero": _zero,
    "large argument": _large_argument,
    "large order": _large_order,
    "series": _series,
}
