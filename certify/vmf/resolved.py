"""What depends on numbers alone is computed while a compiler traces, and stands in the trace as a constant."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import torch

Result = TypeVar("Result")


def resolved(function: Callable[..., Result]) -> Callable[..., Result]:
    """The function, run while a compiler traces, its result a constant; numbers that the compiler made symbols of are constants again."""
    constant = torch.compiler.assume_constant_result(function)

    @wraps(function, updated=())  # else the mark of the constant is copied to the wrapper
    def wrapper(*arguments: Any) -> Result:
        return constant(*map(_static, arguments))

    return wrapper


def _static(number: Any) -> Any:
    if not torch.compiler.is_compiling():
        return number
    if isinstance(number, int):
        return operator.index(number)
    if isinstance(number, float) and abs(number) < math.inf:
        numerator, denominator = number.as_integer_ratio()
        return numerator / denominator
    return number
