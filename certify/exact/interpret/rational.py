"""Exact evaluation in rational numbers, refused where the value is irrational."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from flint import fmpq, fmpz

from certify.exact.interpret.evaluate import Interpreter
from certify.exact.number import Number, brief, exact
from certify.exact.program import Program, ProgramError

LARGEST_POWER = 1000


def evaluate(program: Program, values: Mapping[str, Number]) -> tuple[fmpq, ...]:
    """The outputs at rational inputs, exactly.

    √ and hypot are defined where the root is rational, a transcendental function at the one point where its value is rational, pow for
    whole exponents. Raises ProgramError elsewhere, where a division by zero occurs, and for an operation with no rational values.
    """
    arguments = {name: exact(value) for name, value in values.items()}
    return Interpreter("rational", OPERATIONS, constant).outputs(program, arguments)


def constant(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)


def square_root(value: fmpq) -> fmpq:
    """The rational square root. Raises ProgramError where there is none."""
    if value < 0:
        raise ProgramError(f"sqrt of {brief(value)}, which is negative")
    roots = [fmpz(part).isqrt() for part in (value.p, value.q)]
    root = fmpq(*roots)
    if root * root != value:
        raise ProgramError(f"sqrt of {brief(value)} is irrational")
    return root


def _at(op: str, point: int, result: int) -> Callable[[fmpq], fmpq]:
    """A transcendental function whose only rational value at a rational argument is ``result``, at ``point``."""

    def apply(value: fmpq) -> fmpq:
        if value != point:
            raise ProgramError(f"{op} of {brief(value)} is irrational")
        return fmpq(result)

    return apply


def _divide(a: fmpq, b: fmpq) -> fmpq:
    if b == 0:
        raise ProgramError(f"division of {brief(a)} by zero")
    return a / b


def _power(a: fmpq, b: fmpq) -> fmpq:
    if b.q != 1 or abs(b.p) > LARGEST_POWER:
        raise ProgramError(f"pow to the exponent {brief(b)}: whole exponents up to {LARGEST_POWER} are accepted")
    if a == 0 and b < 0:
        raise ProgramError("pow of zero to a negative exponent")
    return a ** int(b.p)


def _sign(a: fmpq) -> fmpq:
    return fmpq((a > 0) - (a < 0))


OPERATIONS: dict[str, Callable[..., fmpq]] = {
    "neg": lambda a: -a,
    "abs": abs,
    "sign": _sign,
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": _divide,
    "sqrt": square_root,
    "rsqrt": lambda a: _divide(fmpq(1), square_root(a)),
    "hypot": lambda a, b: square_root(a * a + b * b),
    "pow": _power,
    "min": min,
    "max": max,
    "fma": lambda a, b, c: a * b + c,
    "select": lambda c, a, b: a if c > 0 else b,
    "less": lambda a, b: fmpq(int(a < b)),
    "less_equal": lambda a, b: fmpq(int(a <= b)),
    "equal": lambda a, b: fmpq(int(a == b)),
    "log": _at("log", 1, 0),
    "exp": _at("exp", 0, 1),
    "cosh": _at("cosh", 0, 1),
    "cos": _at("cos", 0, 1),
    **{op: _at(op, 0, 0) for op in ("expm1", "log1p", "sin", "tan", "atan", "sinh", "tanh")},
}
