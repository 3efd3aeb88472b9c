"""Operations of torch that make, add up, cast and rearrange tensors, as arrays of elements."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import torch

from certify.audit.traced.lowering import Array, Lowering, Untraceable


def cast(low: Lowering, a: Array, *args: Any, dtype: Any = None, **others: Any) -> Array:
    target = dtype or next((arg for arg in args if isinstance(arg, torch.dtype)), None)
    if target not in (None, low.dtype, torch.bool):
        low.casts.add(str(target).removeprefix("torch."))
    if target is not None and not target.is_floating_point and target is not torch.bool:
        raise Untraceable(f"a cast to {target} rounds to integers and jumps")
    return low.negation(low.each("equal", a, 0)) if target is torch.bool else low.map(lambda element: element, a)


def full(low: Lowering, size: Sequence[int], value: Any, *, dtype: torch.dtype | None = None, **others: Any) -> Array:
    return np.broadcast_to(scalar(low, value, dtype=dtype), tuple(size)).copy()


def scalar(low: Lowering, value: Any, *, dtype: torch.dtype | None = None, **others: Any) -> Array:
    """A constant in its own format, which may be shorter than that of the tensors that it is combined with."""
    return low.constants(value if dtype is None or isinstance(value, Fraction) else torch.tensor(value, dtype=dtype))


def filled(value: Any) -> Callable[..., Array]:
    return lambda low, size, **others: full(low, size, value)


def filled_like(value: Any) -> Callable[..., Array]:
    return lambda low, a, **others: full(low, a.shape, value)


def new_filled(value: Any) -> Callable[..., Array]:
    return lambda low, a, size, *rest, **others: full(low, size, value)


def total(low: Lowering, a: Array, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Array:
    axes = tuple(range(a.ndim)) if dim is None or dim == [] else tuple(axis % a.ndim for axis in np.atleast_1d(dim)) if a.ndim else ()
    result = a
    for axis in sorted(axes, reverse=True):
        parts = np.split(result, result.shape[axis], axis)
        result = parts[0]
        for each in parts[1:]:
            result = low.each("add", result, each)
        result = result if keepdim else np.squeeze(result, axis)
    if a.size > 2 * result.size:
        low.composite.add("sums of several terms")
    return result


def mean(low: Lowering, a: Array, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Array:
    summed = total(low, a, dim, keepdim)
    return low.each("div", summed, a.size // max(summed.size, 1))


def part(low: Lowering, a: Array, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1) -> Array:
    return a[(slice(None),) * (dim % a.ndim) + (slice(start, end, step),)]


def entry(low: Lowering, a: Array, dim: int, index: int) -> Array:
    return a[(slice(None),) * (dim % a.ndim) + (index, ...)]


def scatter(view: Callable[..., Array]) -> Callable[..., Array]:
    """The array with a ``view`` of it overwritten."""

    def apply(low: Lowering, a: Array, source: Array, *place: Any) -> Array:
        result = a.copy()
        view(low, result, *place)[...] = source
        return result

    return apply


def into_zeros(view: Callable[..., Array]) -> Callable[..., Array]:
    """The gradient of a ``view`` of an array: zeros but there."""
    return lambda low, gradient, sizes, *place: scatter(view)(low, full(low, sizes, 0), gradient, *place)


def expand(low: Lowering, a: Array, size: Sequence[int], **others: Any) -> Array:
    padded = (1,) * (len(size) - a.ndim) + a.shape
    return np.broadcast_to(a, tuple(old if new == -1 else new for new, old in zip(size, padded, strict=True)))


def reshaped(low: Lowering, a: Array, size: Sequence[int]) -> Array:
    """A view, so that what is written into one is read in the other."""
    result = a.reshape(tuple(size))
    if result.size and not np.may_share_memory(result, a):
        raise Untraceable("a view of a tensor that is laid out otherwise")
    return result


def matrix_product(low: Lowering, a: Array, b: Array) -> Array:
    if a.shape[1] > 1:
        low.composite.add("products of matrices")
    return total(low, low.each("mul", a[:, :, None], b[None, :, :]), 1)


def not_finite(low: Lowering, a: Array) -> Array:
    """Nowhere: 0·a is no number, so that no statement holds, where a may be infinite or nan."""
    return low.each("mul", a, 0)


CASTS = ("_to_copy", "to")
SUMMED = ("sum", "mean", "mm")
FILLED = {"ones": 1, "zeros": 0, "empty": math.nan}
NEW = {"new_ones": 1, "new_zeros": 0, "new_empty": math.nan, "new_empty_strided": math.nan}
OF_A_VALUE = ("full", "full_like", "scalar_tensor")
MADE = (*OF_A_VALUE, *FILLED, *(f"{name}_like" for name in FILLED), *NEW)
ARRAYS: dict[str, Callable[..., Array]] = {
    "full": full,
    "full_like": lambda low, a, value, **others: full(low, a.shape, value, **others),
    "fill": lambda low, a, value: full(low, a.shape, value),
    "scalar_tensor": scalar,
    **{name: filled(value) for name, value in FILLED.items()},
    **{f"{name}_like": filled_like(value) for name, value in FILLED.items()},
    **{name: new_filled(value) for name, value in NEW.items()},
    **dict.fromkeys(("isnan", "isinf"), not_finite),
    **dict.fromkeys(CASTS, cast),
    **dict.fromkeys(("detach", "alias", "lift_fresh", "lift_fresh_copy", "contiguous"), lambda low, a, *rest, **others: a),
    "clone": lambda low, a, **others: a.copy(),
    "copy": lambda low, a, b, *rest: np.broadcast_to(b, a.shape),
    "sum": total,
    "mean": mean,
    "mm": matrix_product,
    "select": entry,
    "slice": part,
    "select_scatter": scatter(entry),
    "slice_scatter": scatter(part),
    "select_backward": into_zeros(entry),
    "slice_backward": into_zeros(part),
    **dict.fromkeys(("view", "reshape", "_unsafe_view"), reshaped),
    "expand": expand,
    "unsqueeze": lambda low, a, dim: np.expand_dims(a, dim),
    "squeeze": lambda low, a, dim=None: np.squeeze(a, None if dim is None else tuple(np.atleast_1d(dim))),
    "t": lambda low, a: a.T,
    "permute": lambda low, a, dims: a.transpose(dims),
    "transpose": lambda low, a, first, second: np.swapaxes(a, first, second),
    "cat": lambda low, parts, dim=0: np.concatenate(parts, dim),
    "stack": lambda low, parts, dim=0: np.stack(parts, dim),
}
