"""Tensors as arrays of elements of a straight-line program.

A tensor is an array of *elements*, each an exact constant or a node of the program, so views, expansions, concatenations and writes in
place are those of NumPy's object arrays. A tensor of booleans holds conditions, true where the element is positive. Constants are folded
where they and the result are numbers of the format; products with one are left out. Integers are exact, and a change of dtype is the
identity: what a cast rounds away no program over the reals can see, and the translator records that one occurred.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import torch

from certify.exact.format import format_of
from certify.exact.program import Builder, Value

Element = Fraction | Value
Array = Any
"""A NumPy array of elements."""

MOST_ELEMENTS, MOST_NODES = 4096, 50_000
FORMAT = {torch.float64: "binary64", torch.float32: "binary32", torch.bfloat16: "binary32", torch.float16: "binary32"}


class Untraceable(ValueError):
    """A function is not translated; the message says why in one line."""


class Lowering:
    """The operations of a graph of one dtype, applied to arrays of elements of one builder's program."""

    def __init__(self, builder: Builder, dtype: torch.dtype) -> None:
        self.builder, self.dtype = builder, dtype
        self.casts: set[str] = set()
        self.composite: set[str] = set()

    def node(self, op: str, *elements: Element) -> Element:
        """An operation of the program, unless it leaves an element as it is or its value is an exact constant."""
        known, holds = [element for element in elements if isinstance(element, Fraction)], format_of(FORMAT[self.dtype]).holds
        if len(known) == len(elements) and op in FOLDED and all(map(holds, known)):
            value = FOLDED[op](*known)
            if holds(value):
                return value
        if op == "mul" and 1 in known:
            return elements[1] if _is_one(elements[0]) else elements[0]
        if op == "div" and _is_one(elements[1]):
            return elements[0]
        return self.builder.call(op, *elements)

    def each(self, op: str, *arrays: Any) -> Array:
        """The operation, element by element."""
        return self.map(lambda *elements: self.node(op, *elements), *arrays)

    def map(self, function: Callable[..., Element], *arrays: Any) -> Array:
        """The function of elements, element by element. Raises Untraceable where a program would be too long."""
        arrays = np.broadcast_arrays(*(array if isinstance(array, np.ndarray) else self.constants(array) for array in arrays), subok=False)
        result = np.empty(arrays[0].shape, dtype=object)
        if result.size > MOST_ELEMENTS or len(self.builder.places) > MOST_NODES:
            raise Untraceable(f"tensors of more than {MOST_ELEMENTS} elements, or more than {MOST_NODES} operations")
        for index in np.ndindex(result.shape):
            result[index] = function(*(array[index] for array in arrays))
        return result

    def constants(self, values: Any) -> Array:
        """An array of exact constants. Quotients by zero stand for those that are not finite: no statement holds where one counts."""
        flat = np.asarray(values.tolist() if isinstance(values, torch.Tensor) else values, dtype=object)
        result = np.empty(flat.shape, dtype=object)
        for index in np.ndindex(flat.shape):
            result[index] = self._constant(flat[index])
        return result

    def _constant(self, value: Any) -> Element:
        if not isinstance(value, int | float):
            raise Untraceable(f"a constant of type {type(value).__name__}")
        if math.isfinite(value):
            return Fraction(value)
        above = 0 if math.isnan(value) else 1 if value > 0 else -1
        return self.builder.call("div", self.builder.constant(above), self.builder.constant(0))

    def negation(self, condition: Array) -> Array:
        """The conditions that hold where these do not."""
        return self.map(lambda c: self.node("select", c, Fraction(0), Fraction(1)), condition)


def _is_one(element: Element) -> bool:
    return isinstance(element, Fraction) and element == 1


FOLDED: dict[str, Callable[..., Fraction]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "neg": lambda a: -a,
    "select": lambda c, a, b: a if c > 0 else b,
    "less": lambda a, b: Fraction(a < b),
    "less_equal": lambda a, b: Fraction(a <= b),
    "equal": lambda a, b: Fraction(a == b),
    "min": min,
    "max": max,
}
