"""Derivatives that the estimates of all scales settle: the sharpest, and those that successive scales agree on."""

from __future__ import annotations

import numpy as np

from certify.audit.estimates import Estimates
from certify.audit.precision import Floats
from certify.audit.stencil import DOUBT, Slopes

SHARP = 0.1  # relative bar of a derivative that is established
SHARPER = 0.01  # and of a one-sided one, which may diverge slowly
FLAT = 64.0  # times the sharpest bar: that of a constant which counts as established
ESTABLISHED = 3  # successive scales that agree on it


def families(e: Estimates) -> tuple[Slopes, Slopes, Slopes]:
    """By fits to the whole stencil and to its halves."""
    return e.both, e.left, e.right


def sharpest(e: Estimates) -> tuple[Floats, np.ndarray, Floats]:
    """The derivative with the smallest bar over kinds and scales, its scale and its bar."""
    bars = np.stack([side.bar for side in families(e)])
    values = np.stack([side.value for side in families(e)])
    kind, scale = bars.argmin(axis=0), bars.min(axis=0).argmin(axis=1)
    rows = np.arange(len(scale))
    chosen = kind[rows, scale]
    return values[chosen, rows, scale], scale, bars[chosen, rows, scale]


def established(e: Estimates) -> tuple[np.ndarray, np.ndarray, Floats, Floats]:
    """Where a finite derivative is established, two-sided or one-sided, by successive scales that agree sharply."""
    rows = np.arange(len(e.x))
    found = np.zeros(len(e.x), dtype=bool)
    scale, value, bar = np.zeros(len(e.x), dtype=int), np.zeros(len(e.x)), np.zeros(len(e.x))
    for side in families(e):
        limit = SHARP if side is e.both else SHARPER
        flat = (side.value == 0) & (side.rough == 0) & (side.bar <= FLAT * side.bar.min(axis=1, keepdims=True))
        sharp = (side.bar <= limit * np.abs(side.value)) | flat
        agree = sharp & np.isfinite(side.bar) & consistent(side)
        run = np.logical_and.reduce([agree[:, k : agree.shape[1] - ESTABLISHED + 1 + k] for k in range(ESTABLISHED)])
        first = run.argmax(axis=1)
        new = run.any(axis=1) & ~found
        found |= new
        scale, value = np.where(new, first, scale), np.where(new, side.value[rows, first], value)
        bar = np.where(new, side.bar[rows, first], bar)
    return found, scale, value, bar


def consistent(side: Slopes) -> np.ndarray:
    """Whether one derivative is within the bars of all scales, for each point: else it diverges, if slowly."""
    known = np.isfinite(side.bar)
    low = np.where(known, side.value - DOUBT * side.bar, -np.inf).max(axis=1, keepdims=True)
    high = np.where(known, side.value + DOUBT * side.bar, np.inf).min(axis=1, keepdims=True)
    return low <= high
