"""Running error analysis (Higham, Accuracy and Stability, §3.3): FP64 arrays that bound their own rounding errors.

Assumptions, and the only ones: + − × ÷ √ are rounded to nearest (IEEE 754), and each elementary function is within
``ULPS`` units in the last place of the exact value at its argument, the tolerance of NumPy's own accuracy tests. So the
bound covers every platform that meets them, not only the one it is computed on.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certify.studies.fidelity.arithmetic import Replayed

ULPS = 4.0
SLACK = 1 + 2.0**-40  # covers the rounding of the bounds themselves: fewer than 2¹⁰ operations in any one rule
ROUNDINGS = {  # in units in the last place of the result
    "add": 0.5,
    "subtract": 0.5,
    "multiply": 0.5,
    "divide": 0.5,
    "sqrt": 0.5,
    "negative": 0.0,
    "absolute": 0.0,
    "minimum": 0.0,
    "log": ULPS,
    "log1p": ULPS,
    "exp": ULPS,
    "i0e": ULPS,
    "logaddexp": 0.5,
}


class Rounded(Replayed):
    """``value`` is what FP64 computes; the exact program's value lies within ``error`` of it, elementwise."""

    def __init__(self, value: Any, error: Any = 0.0) -> None:
        self.value = np.asarray(value, dtype=float)
        self.error = np.asarray(error, dtype=float)

    @property
    def nearest(self) -> NDArray:
        return self.value

    @classmethod
    def lift(cls, value: Any) -> Rounded:
        return value if isinstance(value, Rounded) else cls(value)

    @classmethod
    def choose(cls, condition: Any, chosen: Rounded, otherwise: Rounded) -> Rounded:
        value, error = ((chosen.value, otherwise.value), (chosen.error, otherwise.error))
        return cls(np.where(condition, *value), np.where(condition, *error))

    @classmethod
    def apply(cls, ufunc: np.ufunc, *operands: Rounded) -> Rounded:
        if ufunc.__name__ not in ROUNDINGS:
            return NotImplemented
        with np.errstate(all="ignore"):
            value = ufunc(*(operand.value for operand in operands))
            inherited = INHERITED[ufunc.__name__](value, *operands)
            own = ROUNDINGS[ufunc.__name__] * np.where(_stays_infinite(value, operands), 0.0, np.spacing(np.abs(value)))
            return cls(value, (inherited + own) * SLACK)


def _stays_infinite(value: NDArray, operands: tuple[Rounded, ...]) -> NDArray:
    """Whether an infinite result comes from an infinite operand, such as log 0, and not from overflow."""
    return np.isinf(value) & reduce(np.logical_or, (np.isinf(operand.value) for operand in operands))


def _sum(value: NDArray, a: Rounded, b: Rounded) -> NDArray:
    return a.error + b.error


def _product(value: NDArray, a: Rounded, b: Rounded) -> NDArray:
    return np.abs(a.value) * b.error + np.abs(b.value) * a.error + a.error * b.error


def _quotient(value: NDArray, a: Rounded, b: Rounded) -> NDArray:
    """|â/b̂ − a/b| ≤ (δa + |â/b̂| δb)/(|b̂| − δb)."""
    return (a.error + np.abs(a.value / b.value) * b.error) / _below(b)


def _root(value: NDArray, a: Rounded) -> NDArray:
    """|√â − √a| = |â − a|/(√â + √a)."""
    return a.error / value


def _same(value: NDArray, *operands: Rounded) -> NDArray:
    """The function is 1-Lipschitz for the largest of its operands' errors."""
    return reduce(np.maximum, (operand.error for operand in operands))


def _logarithm(value: NDArray, a: Rounded) -> NDArray:
    return a.error / _below(a)


def _logarithm_of_one_plus(value: NDArray, a: Rounded) -> NDArray:
    return a.error / _below(Rounded(1 + a.value, a.error))


def _exponential(value: NDArray, a: Rounded) -> NDArray:
    """|e^â − e^a| ≤ e^â (e^δ − 1), with e^â within ULPS of the value returned."""
    return (value + ULPS * np.spacing(value)) * np.expm1(a.error)


def _scaled_bessel(value: NDArray, a: Rounded) -> NDArray:
    """0 < −d log(e^{−x}I₀(x))/dx < 1."""
    return (value + ULPS * np.spacing(value)) * np.expm1(a.error)


def _logaddexp(value: NDArray, a: Rounded, b: Rounded) -> NDArray:
    """max + log1p(exp(−d)), d = |a−b|: the weights of a and b add up to one.

    exp and log1p return at most one, at which log1p halves what it inherits; d is rounded, and d e^{−d} < ½.
    """
    return _same(value, a, b) + (2 * ULPS + 0.5) * 2.0**-53


def _below(a: Rounded) -> NDArray:
    """A lower bound on |a|; where there is none the resulting bound is infinite."""
    return np.maximum(np.abs(a.value) - a.error, 0.0)


INHERITED = {
    "add": _sum,
    "subtract": _sum,
    "multiply": _product,
    "divide": _quotient,
    "sqrt": _root,
    "negative": _same,
    "absolute": _same,
    "minimum": _same,
    "log": _logarithm,
    "log1p": _logarithm_of_one_plus,
    "exp": _exponential,
    "i0e": _scaled_bessel,
    "logaddexp": _logaddexp,
}
