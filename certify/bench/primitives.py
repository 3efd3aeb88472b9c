"""The kernels of ``certify.vmf`` on the device, float64 and float32, against exact values and against this machine's CPU.

On the grid of the frozen reference: |A_1 − exact A_R|, |A_n − exact R_ν| beyond the proved |R_ν − A_n|, and the difference F_1(x) − F_1(ν)
relative to Δ = |s(x) − s(ν)|, the scale of its rounding; all in units u = 2⁻⁵³ or 2⁻²⁴ of the format. Then 2^16 arguments between
1e-3 ν and 1e3 ν: the device's float64 against the CPU's, and its float32 against float64.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from certify.bench.check import UNIT
from certify.bench.frozen import floats
from certify.vmf import kernel

DTYPES = (torch.float64, torch.float32)
LADDER = (1, 8)
COUNT = 1 << 16
RATIO, DIFFERENCE = 4.1, 14.0
"""Units accepted of a ratio (claim rounding, `hypot` of one ulp) and, relative to Δ, of a difference."""


class Found(NamedTuple):
    """The largest error of one kernel at one dimension, in units of the format."""

    function: str
    dtype: str
    dim: int
    points: int
    error: float
    accepted: float

    @property
    def holds(self) -> bool:
        return self.error <= self.accepted  # False for nan


def measure(content: dict[str, Any], device: str) -> list[dict[str, Any]]:
    """All kernels as plain data."""
    found: list[Found] = []
    for grid in content["grid"]:
        for dtype in DTYPES:
            found += [*_on_grid(grid, dtype, device), _at_many(grid, dtype, device)]
    return [{**entry._asdict(), "holds": entry.holds} for entry in found]


def _on_grid(grid: dict[str, Any], dtype: torch.dtype, device: str) -> list[Found]:
    dim, order = grid["dim"], grid["dim"] // 2 - 1
    at = floats(grid["x"])
    x, nu = torch.tensor(at, dtype=dtype, device=device), torch.tensor(order, dtype=dtype, device=device)
    name, unit = _name(dtype), UNIT[dtype]
    closed = _array(kernel.ratio(x, nu, 1)) - floats(grid["closed_ratio"])
    found = [Found("A_1 against A_R", name, dim, len(at), _largest(closed) / unit, RATIO)]
    for n in LADDER:
        error = np.abs(_array(kernel.ratio(x, nu, n)) - floats(grid["ratio"]))
        beyond = np.maximum(error - float.fromhex(grid["bounds"][str(n)]), 0.0)
        found.append(Found(f"A_{n} against R, beyond the proved error", name, dim, len(at), _largest(beyond) / unit, RATIO))
    step = np.abs(np.hypot(at, order) - np.hypot(order, order)) + np.finfo(float).tiny
    difference = _array(kernel.difference(nu, x, nu, 1)) - floats(grid["closed_difference"])
    found.append(Found("F_1 against F_R, relative to Δ", name, dim, len(at), _largest(difference / step) / unit, DIFFERENCE))
    return found


def _at_many(grid: dict[str, Any], dtype: torch.dtype, device: str) -> Found:
    """Against float64 on the CPU at the same arguments."""
    order = grid["dim"] // 2 - 1
    x = (order * torch.logspace(-3, 3, COUNT, dtype=torch.float64)).to(dtype)
    here = kernel.ratio(x.to(device), torch.tensor(order, dtype=dtype, device=device), 1)
    reference = kernel.ratio(x.double(), torch.tensor(order, dtype=torch.float64), 1)
    error = _largest(_array(here) - _array(reference)) / UNIT[dtype]
    return Found("A_1 against float64 on the CPU", _name(dtype), grid["dim"], COUNT, error, 2 * RATIO)


def _array(value: Tensor) -> NDArray:
    return value.double().cpu().numpy()


def _largest(errors: NDArray) -> float:
    return float(np.abs(errors).max())  # nan where one is


def _name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")
