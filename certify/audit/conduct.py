"""How a backward behaves beside its values: towards upstream gradients, a second call, batches and memory layouts.

Upstream gradients are powers of two, so that a backward that is linear in them reproduces every digit.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch

from certify.audit.evidence import Finding, Kind
from certify.audit.precision import Floats
from certify.audit.scan import Seen, coarser
from certify.audit.subject import Subject, gradient

POINTS = 96
ALONE = 12  # elements that are also evaluated without neighbours
UPSTREAM = np.array([1.0, -4.0, 0.25, 1024.0, -0.5, 2.0, 0.0, -(2.0**-12)])


def elementwise(subject: Subject, seen: Seen) -> tuple[list[Finding], list[str]]:
    """Compare what is supplied under each of these changes with what was supplied before."""
    good = np.flatnonzero(seen.shown & np.isfinite(seen.s) & np.isfinite(seen.y) & _far_from_overflow(seen, subject))
    if not good.size:
        return [], []
    ordinary = good[np.argsort(np.abs(np.log2(np.maximum(np.abs(seen.x[good]), 1e-300))))][: POINTS // 2]
    spread = good[:: max(1, good.size // (POINTS // 2))]
    picked = seen[np.unique(np.concatenate([ordinary, spread]))]
    findings, notes = [], []
    for kind, change in _CHANGES:
        try:
            found = change(subject, picked)
        except Exception as error:
            notes.append(f"{_WORDS[kind]} raises {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}")
            continue
        if found is not None:
            findings.append(_finding(kind, subject, picked, *found))
    return findings, notes


def _far_from_overflow(seen: Seen, subject: Subject) -> np.ndarray:
    """Where products with upstream gradients stay normal numbers."""
    room = subject.format.largest**0.5
    return np.all([(np.abs(part) < room) & ((part == 0) | (np.abs(part) > 1 / room)) for part in (seen.x, seen.s)], axis=0)


def _finding(kind: Kind, subject: Subject, seen: Seen, i: int, supplied: float, note: str) -> Finding:
    return Finding(kind, float(seen.x[i]), supplied, float(seen.s[i]), 0.0, 0.0, subject.format.name, subject.order, note=note)


def _worst(subject: Subject, got: Floats, expected: Floats, bar: Floats) -> int | None:
    """The element that is furthest from what it should be, beyond half of the digits and the error bar."""
    format = coarser(subject)
    allowed = np.sqrt(format.eps) * np.abs(expected) + bar + 2 * format.smallest
    both = np.isfinite(expected) & (np.abs(expected) < format.largest)
    gap = np.where(both, np.abs(np.where(np.isfinite(got), got, np.inf) - expected), 0.0)
    ratio = gap / allowed
    return int(ratio.argmax()) if ratio.max() > 1 else None


def _upstream(subject: Subject, seen: Seen) -> tuple[int, float, str] | None:
    weight = np.resize(UPSTREAM, seen.x.size)
    got = subject.supplied(seen.x, weight)
    i = _worst(subject, got, weight * seen.s, np.zeros(seen.x.size))
    if i is None:
        return None
    scaled = float(got[i] / weight[i]) if weight[i] else float("nan")
    return i, scaled, f"upstream gradient {weight[i]:g}: {got[i]:.10g} supplied, {weight[i] * seen.s[i]:.10g} expected"


def _repeated(subject: Subject, seen: Seen) -> tuple[int, float, str] | None:
    x = subject.tensor(seen.x)
    y = subject.value(x)
    weight = torch.ones_like(y)
    first, second = (_twice(y, x, weight) for _ in range(2))
    i = _worst(subject, second, first, np.zeros(seen.x.size))
    return None if i is None else (i, float(second[i]), f"first call {first[i]:.10g}, second call {second[i]:.10g}")


def _twice(y: torch.Tensor, x: torch.Tensor, weight: torch.Tensor) -> Floats:
    if not y.requires_grad:
        return np.zeros(x.shape)
    (supplied,) = torch.autograd.grad(y, x, weight, retain_graph=True, allow_unused=True)
    return np.zeros(x.shape) if supplied is None else supplied.double().numpy().copy()


def _batch(subject: Subject, seen: Seen) -> tuple[int, float, str] | None:
    """Elements alone, and in reverse order, against elements in the batch; only where their values agree."""
    order = np.arange(seen.x.size)
    some = order[:: max(1, seen.x.size // ALONE)]
    for name, parts in (("alone", [order[i : i + 1] for i in some]), ("in reverse order", [order[::-1]]), ("among others", [order[1::2]])):
        for part in parts:
            y, s = subject.forward(seen.x[part]), subject.supplied(seen.x[part])
            same = np.abs(y - seen.y[part]) <= 64 * subject.output.ulp(seen.y[part])
            i = _worst(subject, np.where(same, s, seen.s[part]), seen.s[part], seen.bar[part])
            if i is not None:
                return int(part[i]), float(s[i]), f"{name} {s[i]:.10g}, in a batch {seen.s[part][i]:.10g}"
    return None


def _layout(subject: Subject, seen: Seen) -> tuple[int, float, str] | None:
    """Strided, two-dimensional and expanded inputs and upstream gradients against contiguous ones."""
    n = seen.x.size - seen.x.size % 2
    x = subject.tensor(seen.x[:n]).detach()
    ones, two = torch.ones(n, dtype=x.dtype), x.reshape(2, n // 2)
    variants = [
        ("strided input", torch.stack([x, x], dim=1)[:, 0], ones),
        ("transposed input", two.t().contiguous().t(), ones.reshape(2, n // 2)),
        ("transposed upstream gradient", two, (torch.arange(n, dtype=x.dtype) % 2 + 1).reshape(n // 2, 2).t()),
        ("expanded upstream gradient", x, torch.ones((), dtype=x.dtype).expand(n)),
    ]
    for name, leaf, weight in variants:
        leaf = leaf.detach().requires_grad_()
        y = subject.value(leaf)
        got = gradient(y, leaf, weight.to(y.dtype)).double().numpy().reshape(-1)
        i = _worst(subject, got, weight.double().numpy().reshape(-1) * seen.s[:n], seen.bar[:n])
        if i is not None:
            return i, float(got[i]), f"{name}: {got[i]:.10g} supplied, {seen.s[i]:.10g} expected"
    return None


_CHANGES: list[tuple[Kind, Callable[[Subject, Seen], tuple[int, float, str] | None]]] = [
    (Kind.UPSTREAM, _upstream),
    (Kind.REPEATED, _repeated),
    (Kind.BATCH, _batch),
    (Kind.LAYOUT, _layout),
]
_WORDS = {
    Kind.UPSTREAM: "an upstream gradient other than ones",
    Kind.REPEATED: "a second backward",
    Kind.BATCH: "a part of the batch",
    Kind.LAYOUT: "another memory layout",
}
