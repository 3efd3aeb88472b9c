"""Operations of torch that act element by element, as arrays of elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from certify.audit.traced.lowering import Array, Lowering, Untraceable


def unary(op: str) -> Callable[..., Array]:
    return lambda low, a: low.each(op, a)


def binary(op: str) -> Callable[..., Array]:
    return lambda low, a, b: low.each(op, a, b)


def _scaled(low: Lowering, other: Any, alpha: Any) -> Any:
    return other if alpha == 1 else low.each("mul", other, alpha)


def add(low: Lowering, a: Any, b: Any, *, alpha: Any = 1) -> Array:
    return low.each("add", a, _scaled(low, b, alpha))


def sub(low: Lowering, a: Any, b: Any, *, alpha: Any = 1) -> Array:
    return low.each("sub", a, _scaled(low, b, alpha))


def reverse_sub(low: Lowering, a: Any, b: Any, alpha: Any = 1) -> Array:
    return low.each("sub", b, _scaled(low, a, alpha))


def div(low: Lowering, a: Any, b: Any, *, rounding_mode: str | None = None) -> Array:
    if rounding_mode is not None:
        raise Untraceable("a division that rounds to integers jumps")
    return low.each("div", a, b)


def power(low: Lowering, a: Any, b: Any) -> Array:
    """As torch's kernels do: products for small whole exponents, roots for halves."""
    products: dict[float, Callable[[Array], Array]] = {
        1: lambda x: x,
        2: lambda x: low.each("mul", x, x),
        3: lambda x: low.each("mul", low.each("mul", x, x), x),
        0.5: lambda x: low.each("sqrt", x),
        -0.5: lambda x: low.each("rsqrt", x),
        -1: lambda x: low.each("div", 1, x),
        -2: lambda x: low.each("div", 1, low.each("mul", x, x)),
    }
    if not isinstance(b, np.ndarray) and b in products:
        return products[b](a)
    return low.each("pow", a, b)


def clamp(low: Lowering, a: Array, least: Any = None, greatest: Any = None) -> Array:
    a = a if least is None else low.each("max", a, least)
    return a if greatest is None else low.each("min", a, greatest)


def where(low: Lowering, condition: Array, a: Any, b: Any) -> Array:
    return low.each("select", condition, a, b)


def greater(low: Lowering, a: Any, b: Any) -> Array:
    return low.each("less", b, a)


def greater_equal(low: Lowering, a: Any, b: Any) -> Array:
    return low.each("less_equal", b, a)


def unequal(low: Lowering, a: Any, b: Any) -> Array:
    return low.negation(low.each("equal", a, b))


def tanh_backward(low: Lowering, gradient: Array, y: Array) -> Array:
    return low.each("mul", gradient, low.each("sub", 1, low.each("mul", y, y)))


def sigmoid_backward(low: Lowering, gradient: Array, y: Array) -> Array:
    return low.each("mul", low.each("mul", gradient, low.each("sub", 1, y)), y)


def threshold_backward(low: Lowering, gradient: Array, a: Array, threshold: Any) -> Array:
    return where(low, greater(low, a, threshold), gradient, 0)


def shrink_backward(low: Lowering, gradient: Array, a: Array, bound: Any) -> Array:
    return where(low, low.each("less_equal", low.each("abs", a), bound), 0, gradient)


COMPARED = ("lt", "le", "eq", "gt", "ge", "ne", "isnan", "isinf")
CONNECTIVES: dict[str, Callable[..., Array]] = {
    "and": binary("min"),
    "or": binary("max"),
    "not": lambda low, a: low.negation(a),
}
LOGICAL = {f"{kind}_{name}": function for name, function in CONNECTIVES.items() for kind in ("logical", "bitwise")}
POINTWISE: dict[str, Callable[..., Array]] = {
    **{op: unary(op) for op in ("neg", "abs", "sqrt", "rsqrt", "exp", "expm1", "log", "log1p", "sigmoid")},
    **{op: unary(op) for op in ("sin", "cos", "tan", "atan", "sinh", "cosh", "tanh", "erf", "erfc", "lgamma", "digamma")},
    **{f"special_{op}": unary(op) for op in ("i0e", "i1e", "erf", "erfc", "expm1", "log1p")},
    **dict.fromkeys(("sgn", "sign"), unary("sign")),
    "add": add,
    "sub": sub,
    "rsub": reverse_sub,
    "mul": binary("mul"),
    **dict.fromkeys(("div", "true_divide"), div),
    "pow": power,
    "square": lambda low, a: low.each("mul", a, a),
    "reciprocal": lambda low, a: low.each("div", 1, a),
    "hypot": binary("hypot"),
    "minimum": binary("min"),
    "maximum": binary("max"),
    "relu": lambda low, a: low.each("max", a, 0),
    **dict.fromkeys(("clamp", "clamp_min"), clamp),
    "clamp_max": lambda low, a, greatest: clamp(low, a, None, greatest),
    "lt": binary("less"),
    "le": binary("less_equal"),
    "eq": binary("equal"),
    "gt": greater,
    "ge": greater_equal,
    "ne": unequal,
    **LOGICAL,
    "where": where,
    "masked_fill": lambda low, a, mask, value: where(low, mask, value, a),
    "tanh_backward": tanh_backward,
    "sigmoid_backward": sigmoid_backward,
    "threshold_backward": threshold_backward,
    **dict.fromkeys(("hardshrink_backward", "softshrink_backward"), shrink_backward),
}
