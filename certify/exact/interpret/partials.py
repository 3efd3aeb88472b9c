"""The derivatives of the operations, as enclosures over boxes: for each operation one factor for each argument.

At corners (abs, min, max, hypot at zero) the factors enclose every one-sided derivative, which is what the mean value theorem for Lipschitz
functions needs. Operations that jump have none.
"""

from __future__ import annotations

from collections.abc import Callable

from flint import arb

from certify.exact.interpret import ball, interval
from certify.exact.truth import Truth, less, sign


def _unit(low: int, high: int) -> arb:
    return arb(low).union(arb(high))


def _abs(value: arb, a: arb) -> tuple[arb]:
    known = sign(a)
    return (_unit(-1, 1) if not known else arb(known),)


def _max(value: arb, a: arb, b: arb) -> tuple[arb, arb]:
    truth = less(b, a)
    if truth is Truth.UNKNOWN:
        return _unit(0, 1), _unit(0, 1)
    return (arb(1), arb(0)) if truth is Truth.YES else (arb(0), arb(1)) if less(a, b) is Truth.YES else (_unit(0, 1), _unit(0, 1))


def _min(value: arb, a: arb, b: arb) -> tuple[arb, arb]:
    first, second = _max(value, a, b)
    return second, first


def _hypot(value: arb, a: arb, b: arb) -> tuple[arb, ...]:
    """a/√(a² + b²), which is within [−1, 1] and has the sign of a."""
    return tuple(_cosine(each, value) for each in (a, b))


def _cosine(a: arb, s: arb) -> arb:
    quotient, known = a / s, sign(a)
    bounds = _unit(-1, 1) if known is None else _unit(*sorted((0, known)))
    return quotient.intersection(bounds) if quotient.is_finite() else bounds


def _select(value: arb, c: arb, a: arb, b: arb) -> tuple[arb, arb, arb]:
    """Nothing is known where the choice is open, since the result may jump."""
    chosen = less(0, c)
    if chosen is Truth.UNKNOWN:
        return arb.nan(), arb.nan(), arb.nan()
    return arb(0), arb(int(chosen is Truth.YES)), arb(int(chosen is Truth.NO))


def _constant(value: arb, *args: arb) -> tuple[arb, ...]:
    """Nothing is known of a function with steps unless it has one value."""
    return (arb(0) if value.is_exact() else arb.nan(),) * len(args)


def _pow(value: arb, a: arb, b: arb) -> tuple[arb, arb]:
    exponent = b * ball.power(a, b - 1)
    return exponent, arb(0) if b.is_exact() and b.is_integer() else value * a.log()


def _i0e(value: arb, a: arb) -> tuple[arb]:
    """I₁ₑ − sign·I₀ₑ; at zero the derivative from the right is −1, from the left 1."""
    return (interval.bessel_i1e(a) - _signs(a) * value,)


def _i1e(value: arb, a: arb) -> tuple[arb]:
    """I₀ₑ − I₁ₑ/x − sign·I₁ₑ, where I₁ₑ/x is within [0, I₀ₑ/2]: I₁(x) ≤ x I₀(x)/2."""
    scaled = interval.bessel_i0e(a)
    quotient = value / a
    bound = arb(0).union(scaled / 2)
    return (scaled - (quotient.intersection(bound) if quotient.is_finite() else bound) - _signs(a) * value,)


def _signs(a: arb) -> arb:
    return arb(sign(a) or 0) if sign(a) else _unit(-1, 1)


def _gaussian(a: arb) -> arb:
    """The derivative of erf."""
    return 2 / arb.pi().sqrt() * interval.OPERATIONS["exp"](-ball.product(a, a))


PARTIALS: dict[str, Callable[..., tuple[arb, ...]]] = {
    "neg": lambda v, a: (arb(-1),),
    "add": lambda v, a, b: (arb(1), arb(1)),
    "sub": lambda v, a, b: (arb(1), arb(-1)),
    "mul": lambda v, a, b: (b, a),
    "div": lambda v, a, b: (1 / b, -v / b),
    "fma": lambda v, a, b, c: (b, a, arb(1)),
    "sqrt": lambda v, a: (1 / (2 * v),),
    "rsqrt": lambda v, a: (-v / (2 * a),),
    "hypot": _hypot,
    "pow": _pow,
    "exp": lambda v, a: (v,),
    "expm1": lambda v, a: (interval.OPERATIONS["exp"](a),),
    "log": lambda v, a: (1 / a,),
    "log1p": lambda v, a: (1 / (1 + a),),
    "sigmoid": lambda v, a: (v * (1 - v),),
    "tanh": lambda v, a: (1 / ball.product(c := interval.OPERATIONS["cosh"](a), c),),
    "sinh": lambda v, a: (interval.OPERATIONS["cosh"](a),),
    "cosh": lambda v, a: (interval.OPERATIONS["sinh"](a),),
    "sin": lambda v, a: (a.cos(),),
    "cos": lambda v, a: (-a.sin(),),
    "tan": lambda v, a: (1 + ball.product(v, v),),
    "atan": lambda v, a: (1 / (1 + ball.product(a, a)),),
    "erf": lambda v, a: (_gaussian(a),),
    "erfc": lambda v, a: (-_gaussian(a),),
    "lgamma": lambda v, a: (interval.OPERATIONS["digamma"](a),),
    "i0e": _i0e,
    "i1e": _i1e,
    "abs": _abs,
    "min": _min,
    "max": _max,
    "select": _select,
    **dict.fromkeys(("less", "less_equal", "equal", "sign"), _constant),
}
