"""``structured.coefficients`` as one Triton kernel: a program a feature, its row of classes read twice.

A program forms r² − κ², q and the normalizer of the softmax as it goes (first reading), then the loss and the coefficients of the gradient
(second reading, q anew). Nothing else of size B×K is written. Arithmetic is float64, in which Triton's division is correctly rounded;
``log1p(z)`` is log(u)·z/(u − 1) with u = fl(1 + z) (Kahan). Importing this module raises ImportError where there is no Triton.
"""

from __future__ import annotations

from typing import Any

import torch
import triton  # pyright: ignore[reportMissingImports]
import triton.language as tl  # pyright: ignore[reportMissingImports]
from torch import Tensor

from certify.vmf.structured import Views

BLOCK = 1024


def coefficients(
    views: Views, projection: Tensor, square: Tensor, labels: Tensor, log_priors: Tensor, temperature: float, order: float
) -> tuple[Tensor, Tensor, Tensor]:
    """As ``structured.coefficients``, to a few units of rounding."""
    count, batch, classes = projection.shape
    weighted = torch.empty((count, batch, classes), dtype=projection.dtype, device=projection.device)
    losses, totals = (torch.empty((count, batch, 1), dtype=torch.float64, device=projection.device) for _ in range(2))
    scalars = [losses.new_full((), value) for value in (2 / temperature, order, 1 / (count * batch))]  # as arguments, float32
    given = projection, views.weights, views.bases, square, labels, log_priors, *scalars
    strides = projection.stride(1), projection.stride(2)
    kernel: Any = _row
    kernel[(count * batch,)](*given, losses, weighted, totals, count, batch, classes, *strides, BLOCK=BLOCK)
    return losses.mean(), weighted, totals


@triton.jit
def _row(
    projection: Any,
    weights: Any,
    bases: Any,
    square: Any,
    labels: Any,
    log_priors: Any,
    double_at: Any,
    order_at: Any,
    share_at: Any,
    losses: Any,
    weighted: Any,
    totals: Any,
    count: Any,
    batch: Any,
    classes: Any,
    row_stride: Any,
    class_stride: Any,
    BLOCK: tl.constexpr,
) -> None:
    row = tl.program_id(0)
    view = row // batch
    label = tl.load(labels + row % batch)
    own, double = tl.load(square + row), tl.load(double_at)
    order, share = tl.load(order_at), tl.load(share_at)
    largest, normalizer, at_label = double * 0 - float("inf"), double * 0, double * 0
    for start in range(0, classes, BLOCK):
        at = start + tl.arange(0, BLOCK)
        inside = at < classes
        weight = tl.load(weights + at * count + view, mask=inside, other=1.0)
        base = tl.load(bases + at * count + view, mask=inside, other=1.0)
        along = tl.load(projection + row * row_stride + at * class_stride, mask=inside, other=0.0).to(tl.float64)
        value, _ = _score_and_slope(base, double * weight * along + own, order)
        logit = tl.where(inside, value + tl.load(log_priors + at, mask=inside, other=0.0), float("-inf"))
        higher = tl.maximum(largest, tl.max(logit, 0))
        normalizer = normalizer * tl.exp(largest - higher) + tl.sum(tl.exp(logit - higher), 0)
        at_label += tl.sum(tl.where(at == label, logit, 0.0), 0)
        largest = higher
    tl.store(losses + row, largest + tl.log(normalizer) - at_label)
    total = double * 0
    for start in range(0, classes, BLOCK):
        at = start + tl.arange(0, BLOCK)
        inside = at < classes
        weight = tl.load(weights + at * count + view, mask=inside, other=1.0)
        base = tl.load(bases + at * count + view, mask=inside, other=1.0)
        along = tl.load(projection + row * row_stride + at * class_stride, mask=inside, other=0.0).to(tl.float64)
        value, slope = _score_and_slope(base, double * weight * along + own, order)
        logit = value + tl.load(log_priors + at, mask=inside, other=0.0)
        residual = tl.exp(logit - largest) / normalizer - tl.where(at == label, 1.0, 0.0)
        found = tl.where(inside, residual * slope * share, 0.0)
        tl.store(weighted + row * classes + at, found * weight, mask=inside)
        total += tl.sum(found, 0)
    tl.store(totals + row, total)


@triton.jit
def _score_and_slope(base: Any, excess: Any, order: Any) -> Any:
    """As ``structured.score_and_slope``."""
    s = tl.sqrt(tl.maximum(base * base + excess, order * order))
    step = tl.abs(excess) / (base + s)
    low = tl.minimum(base, s)
    e0 = 1.0 / base
    e1 = 1.0 / s
    t0 = order * e0
    t1 = order * e1
    correction = step * e0 * e1 * ((t0 * t0 + t0 * t1 + t1 * t1) * 5.0 / 24.0 - 0.125)
    size = step - order * _log1p(step / (order + low)) - 0.5 * _log1p(step / low) + correction
    slope = 1.0 / (order + s) - e1 * e1 * (0.5 - e1 * (5.0 * t1 * t1 - 1.0) / 8.0)
    return tl.where(excess < 0.0, -size, size), slope


@triton.jit
def _log1p(z: Any) -> Any:
    u = 1.0 + z
    step = u - 1.0
    return tl.where(step == 0.0, z, tl.log(u) * (z / tl.where(step == 0.0, 1.0, step)))
