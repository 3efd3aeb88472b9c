"""Arb balls: an enclosure of every node's exact value at inputs that are points or tight balls.

A ball that is not finite says that nothing is known: a division by a ball that contains zero, a logarithm of one that touches it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from flint import arb, fmpq

from certify.exact.interpret.evaluate import Interpreter
from certify.exact.number import Number, centre, exact
from certify.exact.program import Program
from certify.exact.truth import Truth, less, positive, sign


def evaluate(program: Program, values: Mapping[str, Number | arb]) -> tuple[arb, ...]:
    """Enclosures of the outputs at the working precision; the inputs are exact numbers or balls."""
    arguments = {name: value if isinstance(value, arb) else arb(exact(value)) for name, value in values.items()}
    return Interpreter("ball", OPERATIONS, constant).outputs(program, arguments)


def constant(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))


def select(c: arb, a: arb, b: arb) -> arb:
    """a where c > 0, b where c ≤ 0, and both where that is not decided."""
    return _chosen(positive(c), a, b)


def magnitude(a: arb) -> arb:
    """|a|, with no negative points where a contains zero."""
    return abs(a) if sign(a) is not None else a.abs_lower().union(a.abs_upper())


def product(a: arb, b: arb) -> arb:
    """a·b, and a square where a node is multiplied by itself."""
    if a is not b:
        return a * b
    size = magnitude(a)
    return (size.lower() * size.lower()).union(size.upper() * size.upper()) if sign(a) is None else a * a


def power(a: arb, b: arb) -> arb:
    """a^b: by multiplications for whole b, else exp(b log a)."""
    if (exponent := whole_exponent(b)) is not None:
        return _whole(a, exponent)
    if a.is_zero() and positive(b) is Truth.YES:
        return arb(0)
    return (b * a.log()).exp()


def whole_exponent(b: arb) -> int | None:
    """The exponent, if it is a whole number of which a power is made by multiplications."""
    return int(centre(b).p) if b.is_exact() and b.is_integer() and abs(centre(b)) <= 64 else None


def bessel_i0e(a: arb) -> arb:
    """exp(−|x|) I₀(x)."""
    return magnitude(a).bessel_i(arb(0), scaled=True)


def bessel_i1e(a: arb) -> arb:
    """exp(−|x|) I₁(x), an odd function."""
    value = abs(a).bessel_i(arb(1), scaled=True)
    return -value if less(a, 0) is Truth.YES else value if less(a, 0) is Truth.NO else value.union(-value)


def _whole(a: arb, exponent: int) -> arb:
    if exponent < 0:
        return 1 / _whole(a, -exponent)
    if exponent % 2 or exponent == 0:
        return a * _whole(a, exponent - 1) if exponent else arb(1)
    half = _whole(a, exponent // 2)
    return product(half, half)


def _chosen(truth: Truth, yes: arb, no: arb) -> arb:
    if truth is Truth.UNKNOWN:
        return yes.union(no)
    return yes if truth is Truth.YES else no


def _sign(a: arb) -> arb:
    known = sign(a)
    return arb(known) if known is not None else arb(-1).union(arb(1))


def _equal(a: arb, b: arb) -> arb:
    difference = a - b
    if difference.is_zero():
        return arb(1)
    return arb(0) if sign(difference) is not None else arb(0).union(arb(1))


OPERATIONS: dict[str, Callable[..., arb]] = {
    "neg": lambda a: -a,
    "abs": magnitude,
    "sign": _sign,
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": product,
    "div": lambda a, b: a / b,
    "fma": lambda a, b, c: product(a, b) + c,
    "hypot": lambda a, b: (product(a, a) + product(b, b)).sqrt(),
    "pow": power,
    "min": lambda a, b: a.min(b),
    "max": lambda a, b: a.max(b),
    "select": select,
    "less": lambda a, b: _chosen(less(a, b), arb(1), arb(0)),
    "less_equal": lambda a, b: _chosen(less(b, a), arb(0), arb(1)),
    "equal": _equal,
    "sigmoid": lambda a: 1 / (1 + (-a).exp()),
    "lgamma": lambda a: magnitude(a.gamma()).log() if sign(a) != 1 else a.lgamma(),
    "i0e": bessel_i0e,
    "i1e": bessel_i1e,
    **{op: getattr(arb, op) for op in ("sqrt", "rsqrt", "exp", "expm1", "log", "log1p", "erf", "erfc", "digamma")},
    **{op: getattr(arb, op) for op in ("sin", "cos", "tan", "atan", "sinh", "cosh", "tanh")},
}
