"""Sums that end, by Horner's rule: one pass over the tensor a term."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor


def nested(factors: Sequence[float], x: Tensor) -> Tensor:
    """1 + f_0 x (1 + f_1 x (1 + …))."""
    one = total = torch.ones_like(x)
    for factor in reversed(factors):
        total = torch.addcmul(one, total, x, value=factor)
    return total


def polynomial(coefficients: Sequence[float], x: Tensor) -> Tensor:
    """c_0 + c_1 x + c_2 x² + …, of two coefficients and more."""
    *others, last = coefficients
    total = last * x + others.pop()
    for c in reversed(others):
        total = total.mul_(x).add_(c)
    return total
