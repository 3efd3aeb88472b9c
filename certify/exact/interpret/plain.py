"""Execution in floating point, with the operations of NumPy or of another array library (torch, for example).

An operation is looked up by its name in the namespaces given, so that what runs is that library's own kernel. Constants become arrays of
no dimensions of the stated dtype, rounded to binary64 first, as Python's float literals are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from certify.exact.interpret.evaluate import Interpreter
from certify.exact.program import OPERATIONS, Program

Function = Callable[..., Any]
NAMES = {
    "neg": ("negative",),
    "sub": ("subtract",),
    "mul": ("multiply",),
    "div": ("divide",),
    "min": ("minimum",),
    "max": ("maximum",),
    "lgamma": ("lgamma", "gammaln"),
    "sigmoid": ("sigmoid", "expit"),
}
"""The names of an operation in array libraries, where they are not its own."""


def execute(program: Program, values: Mapping[str, Any], dtype: str = "float64", namespaces: tuple[Any, ...] = ()) -> tuple[Any, ...]:
    """The outputs for arrays of the inputs, computed at ``dtype`` by the first of the namespaces that has the operation.

    The default is NumPy with SciPy's special functions. Raises ProgramError for an operation that none of them has.
    """
    spaces = namespaces or numpy_namespaces()
    kind, asarray = getattr(spaces[0], dtype), spaces[0].asarray
    arguments = {name: asarray(value, dtype=kind) for name, value in values.items()}
    table = operations(spaces, asarray(1.0, dtype=kind))
    return Interpreter("plain", table, lambda value: asarray(float(value), dtype=kind)).outputs(program, arguments)


def numpy_namespaces() -> tuple[Any, ...]:
    """NumPy and SciPy's special functions."""
    import numpy
    import scipy.special

    return numpy, scipy.special


def operations(namespaces: tuple[Any, ...], one: Any) -> dict[str, Function]:
    """The operations that the namespaces have; ``one`` is 1 in the dtype of the results of comparisons."""
    where = namespaces[0].where
    choices: dict[str, Function] = {
        "select": lambda c, a, b: where(c > 0, a, b),
        "less": lambda a, b: (a < b) * one,
        "less_equal": lambda a, b: (a <= b) * one,
        "equal": lambda a, b: (a == b) * one,
    }
    found = {op: _look_up(NAMES.get(op, (op,)), namespaces) for op in OPERATIONS if op not in choices}
    return choices | {op: function for op, function in found.items() if function is not None}


def _look_up(names: tuple[str, ...], namespaces: tuple[Any, ...]) -> Function | None:
    return next((getattr(space, name) for space in namespaces for name in names if hasattr(space, name)), None)
