"""The same NumPy program in other arithmetics.

A realization is written once, in NumPy. Called with one of the numbers below in place of an array it carries out the
same operations in the same order, through NumPy's own dispatch, so that nothing can drift between a program and its
analysis. An operation without a rule raises TypeError.
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from flint import arb
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import NDArray

COMPARISONS = {"less", "less_equal", "greater", "greater_equal", "equal", "not_equal"}


class Replayed(NDArrayOperatorsMixin, ABC):
    """A number that NumPy's functions act on by the rules of a subclass; comparisons look at the floats ``nearest``."""

    @property
    @abstractmethod
    def nearest(self) -> Any: ...

    @classmethod
    @abstractmethod
    def lift(cls, value: Any) -> Any: ...

    @classmethod
    @abstractmethod
    def apply(cls, ufunc: np.ufunc, *operands: Any) -> Any: ...

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        if method != "__call__" or options:
            return NotImplemented
        operands = [self.lift(value) for value in inputs]
        if ufunc.__name__ in COMPARISONS:
            return ufunc(*(operand.nearest for operand in operands))
        return self.apply(ufunc, *operands)

    def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Any:
        if function is not np.where:
            return NotImplemented
        condition, chosen, otherwise = arguments
        return self.choose(condition, self.lift(chosen), self.lift(otherwise))

    @classmethod
    @abstractmethod
    def choose(cls, condition: Any, chosen: Any, otherwise: Any) -> Any: ...


def _logaddexp(a: arb, b: arb) -> arb:
    return (a.exp() + b.exp()).log()


def _scaled_bessel_i0(x: arb) -> arb:
    return x.bessel_i(0, scaled=True)


ELEMENTARY = {
    "log": arb.log,
    "log1p": arb.log1p,
    "exp": arb.exp,
    "logaddexp": _logaddexp,
    "i0e": _scaled_bessel_i0,
}
EXACT = ELEMENTARY | {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "negative": operator.neg,
    "absolute": abs,
    "sqrt": arb.sqrt,
    "minimum": arb.min,
}


class Exact(Replayed):
    """One real number, enclosed by a ball at the working precision: what the program would return without rounding.

    Branches are taken as the FP64 program takes them at the ball's midpoint.
    """

    def __init__(self, value: arb) -> None:
        self.value = value

    @property
    def nearest(self) -> float:
        return float(self.value)

    @classmethod
    def lift(cls, value: Any) -> Exact:
        return value if isinstance(value, Exact) else cls(arb(float(value)))

    @classmethod
    def apply(cls, ufunc: np.ufunc, *operands: Exact) -> Exact:
        rule = EXACT.get(ufunc.__name__)
        return NotImplemented if rule is None else cls(rule(*(operand.value for operand in operands)))

    @classmethod
    def choose(cls, condition: Any, chosen: Exact, otherwise: Exact) -> Exact:
        return chosen if condition else otherwise


class CorrectlyRounded(Replayed):
    """An FP64 array whose elementary functions return the double nearest to the exact value, on every platform."""

    def __init__(self, value: NDArray) -> None:
        self.value = np.asarray(value, dtype=float)

    @property
    def nearest(self) -> NDArray:
        return self.value

    @classmethod
    def lift(cls, value: Any) -> CorrectlyRounded:
        return value if isinstance(value, CorrectlyRounded) else cls(value)

    @classmethod
    def apply(cls, ufunc: np.ufunc, *operands: CorrectlyRounded) -> CorrectlyRounded:
        values = [operand.value for operand in operands]
        rule = ELEMENTARY.get(ufunc.__name__)
        if rule is None:
            return cls(ufunc(*values))
        rounded = np.vectorize(lambda *floats: float(rule(*map(arb, map(float, floats)))), otypes=[float])
        return cls(rounded(*values))

    @classmethod
    def choose(cls, condition: Any, chosen: CorrectlyRounded, otherwise: CorrectlyRounded) -> CorrectlyRounded:
        return cls(np.where(condition, chosen.value, otherwise.value))
