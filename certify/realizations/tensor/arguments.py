"""What the realizations accept."""

from __future__ import annotations

from numbers import Real

import torch
from torch import Tensor


def whole_order(order: float, name: str) -> int:
    """The order as an int; ValueError unless it is a whole number ≥ 1."""
    if not _is_number(order) or order != int(order) or order < 1:
        raise ValueError(f"order {order!r}: {name} needs a whole number nu = p/2 - 1 >= 1")
    return int(order)


def positive_order(order: float, name: str) -> float:
    """The order as a float; ValueError unless it is positive and finite."""
    if not _is_number(order) or order <= 0:
        raise ValueError(f"order {order!r}: {name} needs a finite nu = p/2 - 1 > 0")
    return float(order)


def start_order(order: int, start: int | None) -> int:
    """M, 2ν unless given; ValueError unless it is a whole number ≥ ν."""
    first = 2 * order if start is None else start
    if not _is_number(first) or first != int(first) or first < order:
        raise ValueError(f"start {start!r}: the recurrence starts at a whole number M >= nu = {order}")
    return int(first)


def checked(x: object, dtypes: tuple[torch.dtype, ...], name: str) -> Tensor:
    """x, if it is a tensor of one of the dtypes; else ValueError."""
    accepted = " or ".join(str(dtype).removeprefix("torch.") for dtype in dtypes)
    if not isinstance(x, Tensor):
        raise ValueError(f"{name} takes a {accepted} tensor, not {type(x).__name__}")
    if x.dtype not in dtypes:
        raise ValueError(f"{name} takes {accepted}, not {str(x.dtype).removeprefix('torch.')}")
    return x


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and abs(float(value)) < float("inf")
