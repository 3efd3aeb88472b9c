"""The machine's own limit for each row: what must move and what must be done, over rates measured in the same run.

Counted per view, B features, K classes, dimension p, M = 2ν steps; D = B·K·p elements.

*Dense*: the assignment is written and read, the resultants are written, read for the norms and for the backward, whose
result is written and read: 7D moved, and 8D operations (products and sums of the assignment, of the resultants, of the
norms, of the backward). *Structured*: the bank is read for each of two products, 2·2D operations; B rows are replaced.
*Evaluator*, B·K + K elements: 2 operations a step of a recurrence; three times as many with its reverse sweep; 3 for a
logarithmic step, 40 for the closed form and its slope. An elementary function counts as one operation: the floor stays below.

The floor is the larger of bytes/bandwidth and operations/rate. Bandwidth is that of a copy as large as what the row moves
at once, counting both directions; the rate is that of matrix products, of the geometry's dtype and of float64.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from typing import NamedTuple

import torch

from certify.bench.settings import VIEWS, Settings, dense_bytes
from certify.bench.timing import cuda_milliseconds, milliseconds

ROUNDS = 5
SQUARE = {"cpu": 1024, "cuda": 8192}
LARGEST_COPY = 1 << 28
CLOSED_FORM = 40


class Work(NamedTuple):
    """Bytes moved, geometry operations, float64 operations; all views together."""

    bytes: int
    geometry: int
    scalar: int


class Rates(NamedTuple):
    """Bytes a second for a copy as large as the bank and as a B×K×p tensor, operations a second in matrix products."""

    bank_copy: float
    dense_copy: float
    geometry: float
    float64: float


def dense(settings: Settings, operations: int) -> Work:
    """The dense layout with an evaluator of so many operations an element."""
    elements = settings.batch * settings.classes
    own = elements + settings.classes
    return Work(VIEWS * 7 * dense_bytes(settings), VIEWS * 8 * elements * settings.dim, VIEWS * operations * own)


def structured(settings: Settings) -> Work:
    """Two products a view, the bank read twice in all, B rows read and written a view."""
    products = 2 * 2 * settings.batch * settings.classes * settings.dim
    moved = 2 * settings.dim * (settings.classes + VIEWS * settings.batch) * settings.itemsize
    return Work(moved, VIEWS * products, VIEWS * CLOSED_FORM * settings.batch * settings.classes)


def evaluator_operations(kind: str, settings: Settings) -> int:
    """Operations an element, forward and backward."""
    steps = 2 * settings.order
    return {"recurrence": 2 * steps, "reverse": 6 * steps, "logarithmic": 3 * steps, "closed form": CLOSED_FORM}[kind]


def measured_rates(settings: Settings) -> Rates:
    """On the device, now."""
    bank = settings.classes * settings.dim * settings.itemsize
    device = settings.device
    return Rates(
        _copy_rate(bank, device),
        _copy_rate(dense_bytes(settings), device),
        _product_rate(settings.geometry, device),
        _product_rate(torch.float64, device),
    )


def floor_milliseconds(work: Work, rates: Rates, bandwidth: float) -> float:
    """The least time that these rates allow."""
    computing = work.geometry / rates.geometry + work.scalar / rates.float64
    return 1e3 * max(work.bytes / bandwidth, computing)


def _copy_rate(size: int, device: str) -> float:
    count = max(1, min(size, LARGEST_COPY) // 4)
    source, target = torch.ones(count, device=device), torch.empty(count, device=device)
    return 2 * 4 * count / _seconds(lambda: target.copy_(source), device)


def _product_rate(dtype: torch.dtype, device: str) -> float:
    n = SQUARE[device]
    a, out = torch.ones(n, n, dtype=dtype, device=device), torch.empty(n, n, dtype=dtype, device=device)
    return 2 * n**3 / _seconds(lambda: torch.mm(a, a, out=out), device)


def _seconds(run: Callable[[], object], device: str) -> float:
    measure = cuda_milliseconds if device == "cuda" else milliseconds
    measure(run)
    return median(measure(run) for _ in range(ROUNDS)) / 1e3
