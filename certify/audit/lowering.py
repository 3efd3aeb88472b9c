"""From a graph of torch operations to a straight-line program.

A tensor is an array of *elements*, each an exact constant or a node of the program, so views, expansions, concatenations and writes in
place are those of NumPy's object arrays. A tensor of booleans holds conditions, true where the element is positive. Constants are folded
where the result is exact; products with one are left out. Integers are exact, and a change of dtype is the identity: what a cast rounds
away no program over the reals can see, and the translator records that one occurred.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import torch

from certify.exact.format import format_of
from certify.exact.program import Builder, Value, nearest

Element = Fraction | Value
Array = Any
"""A NumPy array of elements."""

COMPOSITE = ("tanh_backward", "sigmoid_backward")
"""Operations of several roundings, which torch's kernels may fuse."""
MOST_ELEMENTS, MOST_NODES = 4096, 50_000
RANDOM = ("rand", "bernoulli", "normal", "dropout", "uniform", "exponential", "multinomial", "poisson", "geometric", "cauchy")
FORMAT = {torch.float64: "binary64", torch.float32: "binary32", torch.bfloat16: "binary32", torch.float16: "binary32"}


class Untraceable(ValueError):
    """A function is not translated; the message says why in one line."""


class Lowering:
    """The operations of a graph of one dtype, applied to arrays of elements of one builder's program."""

    def __init__(self, builder: Builder, dtype: torch.dtype) -> None:
        self.builder, self.dtype = builder, dtype
        self.casts: set[str] = set()
        self.composite: set[str] = set()

    def apply(self, name: str, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """One operation of ATen. Raises Untraceable for one that is not translated."""
        if name == "_local_scalar_dense":
            raise Untraceable("a Python number in it depends on the tensors' numbers")
        in_place = name.endswith("_") and not name.endswith("__")
        function = OPERATIONS.get(name.removesuffix("_") if in_place else name)
        if function is None:
            raise Untraceable(f"operation {name} of torch is not translated")
        if name in COMPOSITE:
            self.composite.add(name)
        result = function(self, *args, **kwargs)
        if not in_place:
            return result
        args[0][...] = result
        return args[0]

    def node(self, op: str, *elements: Element) -> Element:
        """An operation of the program, unless it leaves an element as it is or its value is an exact constant."""
        known = [element for element in elements if isinstance(element, Fraction)]
        if len(known) == len(elements) and op in FOLDED:
            value = FOLDED[op](*known)
            if nearest(value, format_of(FORMAT[self.dtype]).bits) == value:
                return value
        if op == "mul" and 1 in known:
            return elements[0] if known[0] == 1 and elements[1] is known[0] else elements[1] if elements[0] is known[0] else elements[0]
        if op == "div" and isinstance(elements[1], Fraction) and elements[1] == 1:
            return elements[0]
        return self.builder.call(op, *elements)

    def each(self, op: str, *arrays: Any) -> Array:
        """The operation, element by element."""
        return self.map(lambda *elements: self.node(op, *elements), *arrays)

    def map(self, function: Callable[..., Element], *arrays: Any) -> Array:
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
        return self.map(lambda c: self.node("select", c, Fraction(0), Fraction(1)), condition)


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


def _scaled(low: Lowering, other: Any, alpha: Any) -> Any:
    return other if alpha == 1 else low.each("mul", other, alpha)


def _add(low: Lowering, a: Any, b: Any, *, alpha: Any = 1) -> Array:
    return low.each("add", a, _scaled(low, b, alpha))


def _sub(low: Lowering, a: Any, b: Any, *, alpha: Any = 1) -> Array:
    return low.each("sub", a, _scaled(low, b, alpha))


def _rsub(low: Lowering, a: Any, b: Any, alpha: Any = 1) -> Array:
    return low.each("sub", b, _scaled(low, a, alpha))


def _div(low: Lowering, a: Any, b: Any, *, rounding_mode: str | None = None) -> Array:
    if rounding_mode is not None:
        raise Untraceable("a division that rounds to integers jumps")
    return low.each("div", a, b)


def _pow(low: Lowering, a: Any, b: Any) -> Array:
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


def _clamp(low: Lowering, a: Array, least: Any = None, greatest: Any = None) -> Array:
    a = a if least is None else low.each("max", a, least)
    return a if greatest is None else low.each("min", a, greatest)


def _where(low: Lowering, condition: Array, a: Any, b: Any) -> Array:
    return low.each("select", condition, a, b)


def _masked_fill(low: Lowering, a: Array, mask: Array, value: Any) -> Array:
    return low.each("select", mask, value, a)


def _greater(low: Lowering, a: Any, b: Any) -> Array:
    return low.each("less", b, a)


def _greater_equal(low: Lowering, a: Any, b: Any) -> Array:
    return low.each("less_equal", b, a)


def _unequal(low: Lowering, a: Any, b: Any) -> Array:
    return low.negation(low.each("equal", a, b))


def _sum(low: Lowering, a: Array, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Array:
    axes = tuple(range(a.ndim)) if dim is None or dim == [] else tuple(axis % a.ndim for axis in np.atleast_1d(dim)) if a.ndim else ()
    total = a
    for axis in sorted(axes, reverse=True):
        parts = np.split(total, total.shape[axis], axis)
        total = parts[0]
        for part in parts[1:]:
            total = low.each("add", total, part)
        total = total if keepdim else np.squeeze(total, axis)
    return total


def _mean(low: Lowering, a: Array, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Array:
    total = _sum(low, a, dim, keepdim)
    return low.each("div", total, a.size // max(total.size, 1))


def _cast(low: Lowering, a: Array, *args: Any, dtype: Any = None, **others: Any) -> Array:
    target = dtype or next((arg for arg in args if isinstance(arg, torch.dtype)), None)
    if target not in (None, low.dtype, torch.bool):
        low.casts.add(str(target).removeprefix("torch."))
    if target is not None and not target.is_floating_point and target is not torch.bool:
        raise Untraceable(f"a cast to {target} rounds to integers and jumps")
    return low.map(lambda element: element, a)


def _from_condition(low: Lowering, a: Array, *args: Any, **others: Any) -> Array:
    return low.map(lambda c: low.node("select", c, Fraction(1), Fraction(0)), a)


def _full(low: Lowering, size: Sequence[int], value: Any, *, dtype: torch.dtype | None = None, **others: Any) -> Array:
    return np.broadcast_to(_scalar(low, value, dtype=dtype), tuple(size)).copy()


def _scalar(low: Lowering, value: Any, *, dtype: torch.dtype | None = None, **others: Any) -> Array:
    """A constant in its own format, which may be shorter than that of the tensors that it is combined with."""
    return low.constants(value if dtype is None or isinstance(value, Fraction) else torch.tensor(value, dtype=dtype))


def _filled(value: Any) -> Callable[..., Array]:
    return lambda low, size, **others: _full(low, size, value)


def _filled_like(value: Any) -> Callable[..., Array]:
    return lambda low, a, **others: _full(low, a.shape, value)


def _tanh_backward(low: Lowering, gradient: Array, y: Array) -> Array:
    return low.each("mul", gradient, low.each("sub", 1, low.each("mul", y, y)))


def _sigmoid_backward(low: Lowering, gradient: Array, y: Array) -> Array:
    return low.each("mul", low.each("mul", gradient, low.each("sub", 1, y)), y)


def _threshold_backward(low: Lowering, gradient: Array, a: Array, threshold: Any) -> Array:
    return _where(low, _greater(low, a, threshold), gradient, 0)


def _shrink_backward(low: Lowering, gradient: Array, a: Array, bound: Any) -> Array:
    return _where(low, low.each("less_equal", low.each("abs", a), bound), 0, gradient)


def _slice(low: Lowering, a: Array, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1) -> Array:
    return a[(slice(None),) * (dim % a.ndim) + (slice(start, end, step),)]


def _select(low: Lowering, a: Array, dim: int, index: int) -> Array:
    return a[(slice(None),) * (dim % a.ndim) + (index,)]


def _scatter(part: Callable[..., Array]) -> Callable[..., Array]:
    """The array with ``part`` of it, a view, overwritten."""

    def apply(low: Lowering, a: Array, source: Array, *place: Any) -> Array:
        result = a.copy()
        part(low, result, *place)[...] = source
        return result

    return apply


def _into_zeros(part: Callable[..., Array]) -> Callable[..., Array]:
    """The gradient of taking ``part`` of an array: zeros but there."""
    return lambda low, gradient, sizes, *place: _scatter(part)(low, _full(low, sizes, 0), gradient, *place)


def _expand(low: Lowering, a: Array, size: Sequence[int], *, implicit: bool = False) -> Array:
    padded = (1,) * (len(size) - a.ndim) + a.shape
    return np.broadcast_to(a, tuple(old if new == -1 else new for new, old in zip(size, padded, strict=True)))


def _matrix_product(low: Lowering, a: Array, b: Array) -> Array:
    return _sum(low, low.each("mul", a[:, :, None], b[None, :, :]), 1)


def _same(low: Lowering, a: Array, *args: Any, **others: Any) -> Array:
    return a


def _unary(op: str) -> Callable[..., Array]:
    return lambda low, a: low.each(op, a)


def _binary(op: str) -> Callable[..., Array]:
    return lambda low, a, b: low.each(op, a, b)


OPERATIONS: dict[str, Callable[..., Any]] = {
    **{op: _unary(op) for op in ("neg", "abs", "sqrt", "exp", "expm1", "log", "log1p", "sigmoid", "erf", "erfc", "lgamma", "digamma")},
    **{op: _unary(op) for op in ("sin", "cos", "tan", "atan", "sinh", "cosh", "tanh")},
    "special_i0e": _unary("i0e"),
    "special_i1e": _unary("i1e"),
    "sgn": _unary("sign"),
    "sign": _unary("sign"),
    "special_erf": _unary("erf"),
    "special_erfc": _unary("erfc"),
    "special_expm1": _unary("expm1"),
    "special_log1p": _unary("log1p"),
    "mul": _binary("mul"),
    "hypot": _binary("hypot"),
    "minimum": _binary("min"),
    "maximum": _binary("max"),
    "lt": _binary("less"),
    "le": _binary("less_equal"),
    "eq": _binary("equal"),
    "gt": _greater,
    "ge": _greater_equal,
    "ne": _unequal,
    "logical_and": _binary("min"),
    "bitwise_and": _binary("min"),
    "logical_or": _binary("max"),
    "bitwise_or": _binary("max"),
    "logical_not": lambda low, a: low.negation(a),
    "bitwise_not": lambda low, a: low.negation(a),
    "add": _add,
    "sub": _sub,
    "rsub": _rsub,
    "div": _div,
    "true_divide": _div,
    "pow": _pow,
    "rsqrt": _unary("rsqrt"),
    **dict.fromkeys(("isnan", "isinf"), lambda low, a: _full(low, a.shape, 0)),
    "square": lambda low, a: low.each("mul", a, a),
    "reciprocal": lambda low, a: low.each("div", 1, a),
    "relu": lambda low, a: low.each("max", a, 0),
    "clamp": _clamp,
    "clamp_min": _clamp,
    "clamp_max": lambda low, a, greatest: _clamp(low, a, None, greatest),
    "where": _where,
    "masked_fill": _masked_fill,
    "fill": lambda low, a, value: _full(low, a.shape, value),
    "copy": lambda low, a, b, *rest: np.broadcast_to(b, a.shape),
    "sum": _sum,
    "mean": _mean,
    "mm": _matrix_product,
    "_to_copy": _cast,
    "to": _cast,
    "full": _full,
    "ones": _filled(1),
    "zeros": _filled(0),
    "ones_like": _filled_like(1),
    "zeros_like": _filled_like(0),
    "new_zeros": lambda low, a, size, **others: _full(low, size, 0),
    "new_ones": lambda low, a, size, **others: _full(low, size, 1),
    **dict.fromkeys(("new_empty_strided", "new_empty"), lambda low, a, size, *rest, **others: _full(low, size, 0)),
    "empty_like": _filled_like(0),
    "empty": _filled(0),
    "slice_scatter": _scatter(_slice),
    "select_scatter": _scatter(_select),
    "slice_backward": _into_zeros(_slice),
    "select_backward": _into_zeros(_select),
    "full_like": lambda low, a, value, **others: _full(low, a.shape, value, **others),
    "scalar_tensor": _scalar,
    "tanh_backward": _tanh_backward,
    "sigmoid_backward": _sigmoid_backward,
    "threshold_backward": _threshold_backward,
    **dict.fromkeys(("hardshrink_backward", "softshrink_backward"), _shrink_backward),
    **dict.fromkeys(("detach", "alias", "lift_fresh", "lift_fresh_copy", "contiguous"), _same),
    "clone": lambda low, a, **others: a.copy(),
    **dict.fromkeys(("view", "reshape", "_unsafe_view"), lambda low, a, size: a.reshape(tuple(size))),
    "expand": _expand,
    "unsqueeze": lambda low, a, dim: np.expand_dims(a, dim),
    "squeeze": lambda low, a, dim=None: np.squeeze(a, tuple(np.atleast_1d(dim)) if dim is not None else None),
    "t": lambda low, a: a.T,
    "permute": lambda low, a, dims: a.transpose(dims),
    "transpose": lambda low, a, first, second: np.swapaxes(a, first, second),
    "select": _select,
    "slice": _slice,
    "cat": lambda low, arrays, dim=0: np.concatenate(arrays, dim),
    "stack": lambda low, arrays, dim=0: np.stack(arrays, dim),
}
