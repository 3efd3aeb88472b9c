"""CUSF in PyTorch: log I_v in the three regimes of ``realizations.cusf``, ratio and potential from separate logarithms.

Which formulas an order can need is known before x is: for v > 12.6964 the series never applies and is not computed.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lgamma, log, pi

import torch
from torch import Tensor

from certify.realizations.order_polynomials import order_polynomials
from certify.realizations.tensor.arguments import positive_order
from certify.realizations.tensor.protocol import Paired

HALF_LOG_TWO_PI = 0.5 * log(2 * pi)
ARGUMENT_TERMS = 20
ORDER_TERMS = 13
SERIES_TERMS = 43


@dataclass(frozen=True)
class Cusf(Paired):
    """Φ̂ = log I_ν − ν log x with supplied derivative exp(log I_{ν+1} − log I_ν); ``order`` is any ν > 0."""

    order: float
    name = "CUSF"
    faithful = "the three regimes, their borders and numbers of terms, in FP64; the ratio is that of two evaluations"
    domain = "0 < x < inf"

    def __post_init__(self) -> None:
        positive_order(self.order, self.name)

    def value(self, x: Tensor) -> Tensor:
        return log_bessel_i(self.order, x) - self.order * x.log()

    def value_and_slope(self, x: Tensor) -> tuple[Tensor, Tensor]:
        lower = log_bessel_i(self.order, x)
        return lower - self.order * x.log(), (log_bessel_i(self.order + 1, x) - lower).exp()


def log_bessel_i(v: float, x: Tensor) -> Tensor:
    """log I_v(x), v > 0, by the first regime that applies; NaN unless 0 < x < ∞."""
    x = torch.where((x > 0) & (x < torch.inf), x, torch.nan)
    v = float(v)
    value = _large_order(v, x)
    if v <= 12.6964:
        value = torch.where((x > 19.6931) & (v > 0.7), value, _series(v, x))
    return torch.where(_has_large_argument(v, x), _large_argument(v, x), value)


def _has_large_argument(v: float, x: Tensor) -> Tensor:
    far = (0.5113 * x.log() + 0.7939 > log(v)) & (x > 59.6925)
    return far | (x > 30) if v < 15.3919 else far


def _large_argument(v: float, x: Tensor) -> Tensor:
    term = total = torch.ones_like(x)
    for i in range(ARGUMENT_TERMS):
        term = term * (-(4 * v * v - (2 * i + 1) ** 2) / (8 * (i + 1) * x))
        total = total + term
    return x - HALF_LOG_TWO_PI - 0.5 * x.log() + total.abs().log()


def _large_order(v: float, x: Tensor) -> Tensor:
    q = x * x / (v * v)
    w = (1 + q).sqrt()
    exponent = v * (w + x.log() - log(v) - w.log1p())
    correction = (1 + _order_correction(v, 1 / w)).abs().log()
    return -HALF_LOG_TWO_PI - 0.5 * log(v) + exponent - 0.25 * q.log1p() + correction


def _order_correction(v: float, t: Tensor) -> Tensor:
    """Σ_{k=1}^{13} u_k(t)/v^k."""
    total = torch.zeros_like(t)
    for k, coefficients in enumerate(order_polynomials(ORDER_TERMS), start=1):
        value = torch.zeros_like(t)
        for coefficient in coefficients:
            value = value * t + coefficient
        total = total + value / v**k
    return total


def _series(v: float, x: Tensor) -> Tensor:
    """The power series scaled by its largest term: a_k is the logarithm of term k without (x/2)^v."""
    k = torch.arange(1, SERIES_TERMS, dtype=x.dtype, device=x.device).reshape(-1, *(1,) * x.dim())
    steps = (k * (k + v) * (4 / (x * x))).log()
    a = torch.cat([torch.zeros_like(steps[:1]), -steps.cumsum(0)]) - lgamma(v + 1)
    largest = ((-v + (v * v + x * x).sqrt()) / 2).floor().nan_to_num().clamp(0, SERIES_TERMS - 1).long()
    peak = a.gather(0, largest[None])
    return v * (x.log() - log(2)) + peak[0] + (a - peak).exp().sum(0).log()
