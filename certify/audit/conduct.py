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

Change = tuple[int, float, float, str]  # element, what is supplied, what should be, and under which change
POINTS = 96
PLACES = 32.0  # eps of the common size: what kernels differ by where terms of that size cancel
NEIGHBOURS = 6  # on either side
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


def _finding(kind: Kind, subject: Subject, seen: Seen, i: int, supplied: float, expected: float, note: str) -> Finding:
    return Finding(kind, float(seen.x[i]), supplied, expected, 0.0, 0.0, subject.format.name, subject.order, note=note)


def _wrong(subject: Subject, seen: Seen, got: Floats, expected: Floats, bar: Floats) -> int | None:
    """The simplest input at which something is not what it should be, beyond half of the digits and the error bar."""
    format = coarser(subject)
    allowed = np.sqrt(format.eps) * np.abs(expected) + bar + 2 * format.smallest
    both = np.isfinite(expected) & (np.abs(expected) < format.largest)
    gap = np.where(both, np.abs(np.where(np.isfinite(got), got, np.inf) - expected), 0.0)
    wrong = np.flatnonzero(gap > allowed)
    return int(min(wrong, key=lambda i: (len(repr(float(seen.x[i]))), abs(seen.x[i])))) if wrong.size else None


def _upstream(subject: Subject, seen: Seen) -> Change | None:
    weight = np.resize(UPSTREAM, seen.x.size)
    got = subject.supplied(seen.x, weight)
    expected = weight * seen.s
    i = _wrong(subject, seen, got, expected, np.abs(weight) * _noise(subject, seen))
    return None if i is None else (i, float(got[i]), float(expected[i]), f"for an upstream gradient of {weight[i]:g}")


def _repeated(subject: Subject, seen: Seen) -> Change | None:
    x = subject.tensor(seen.x)
    y = subject.value(x)
    weight = torch.ones_like(y)
    first, second = (_twice(y, x, weight) for _ in range(2))
    i = _wrong(subject, seen, second, first, np.zeros(seen.x.size))
    return None if i is None else (i, float(second[i]), float(first[i]), "in the second of two calls")


def _twice(y: torch.Tensor, x: torch.Tensor, weight: torch.Tensor) -> Floats:
    if not y.requires_grad:
        return np.zeros(x.shape)
    (supplied,) = torch.autograd.grad(y, x, weight, retain_graph=True, allow_unused=True)
    return np.zeros(x.shape) if supplied is None else supplied.double().numpy().copy()


def _noise(subject: Subject, seen: Seen) -> Floats:
    """By how much the supplied derivative varies among neighbouring numbers: kernels for vectors and for their tails round
    differently, and that may show as much; or last places of the common size, where terms of that size cancel."""
    ulps = subject.format.ulp(seen.x)[:, None] * np.arange(-NEIGHBOURS, NEIGHBOURS + 1)
    s = subject.supplied(subject.format.round(seen.x[:, None] + ulps))
    spread = np.abs(np.where(np.isfinite(s), s, seen.s[:, None]) - seen.s[:, None]).max(axis=1)
    common = float(np.median(np.abs(seen.s)))
    return 4 * spread + seen.bar + PLACES * coarser(subject).eps * common


def _batch(subject: Subject, seen: Seen) -> Change | None:
    """Elements alone, and in reverse order, against elements in the batch; only where their values agree."""
    order, noise = np.arange(seen.x.size), _noise(subject, seen)
    some = order[:: max(1, seen.x.size // ALONE)]
    for name, parts in (("alone", [order[i : i + 1] for i in some]), ("in reverse order", [order[::-1]]), ("among others", [order[1::2]])):
        for part in parts:
            y, s = subject.forward(seen.x[part]), subject.supplied(seen.x[part])
            same = np.abs(y - seen.y[part]) <= 64 * subject.output.ulp(seen.y[part])
            i = _wrong(subject, seen[part], np.where(same, s, seen.s[part]), seen.s[part], noise[part])
            if i is not None:
                return int(part[i]), float(s[i]), float(seen.s[part][i]), f"{name} instead of in the batch"
    return None


def _layout(subject: Subject, seen: Seen) -> Change | None:
    """Strided, two-dimensional and expanded inputs and upstream gradients against contiguous ones."""
    n, noise = seen.x.size - seen.x.size % 2, _noise(subject, seen)
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
        expected = weight.double().numpy().reshape(-1) * seen.s[:n]
        i = _wrong(subject, seen[np.arange(n)], got, expected, 2 * noise[:n])
        if i is not None:
            return i, float(got[i]), float(expected[i]), f"with {name}"
    return None


_CHANGES: list[tuple[Kind, Callable[[Subject, Seen], Change | None]]] = [
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
