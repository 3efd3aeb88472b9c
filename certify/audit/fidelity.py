"""Realized value and supplied derivative against the reference."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.audit.evidence import Kink
from certify.audit.precision import Floats, Precision
from certify.audit.reference import Reference
from certify.audit.scan import Seen
from certify.audit.slopes import derivatives

POINTS = 100
CONDITION = 64.0  # last places by which an input may be off


@dataclass(frozen=True)
class Deviation:
    """At x: value, supplied derivative and truths, and by how many bounds the worse of the two is off."""

    x: float
    value: float
    supplied: float
    true_value: float
    true_derivative: float
    value_error: float
    derivative_error: float
    ratio: float
    dtype: str


def deviation(truth: Reference, x: float, y: float, s: float, order: int, format: Precision, bound: float | None) -> Deviation | None:
    """Relative errors at one point, over the bound there: half of the digits, and what the last places of x account for."""
    exact = derivatives(truth, x, order)
    if exact is None:
        return None
    value, first, second = exact[order - 1 : order + 2]
    relative = float(np.sqrt(format.eps)) if bound is None else bound
    moved = CONDITION * format.eps * abs(x)
    errors, ratios = [], []
    for got, true, slope in ((y, value, first), (s, first, second)):
        if abs(true) > format.largest:
            errors.append(0.0)
            ratios.append(0.0)
            continue
        gap = float(abs(got - true)) if np.isfinite(got) else float("inf")
        allowed = float(relative * abs(true) + moved * abs(slope)) + 4 * format.smallest
        errors.append(gap / size if (size := float(abs(true))) else gap)
        ratios.append(gap / allowed)
    return Deviation(x, y, s, float(value), float(first), errors[0], errors[1], max(ratios), format.name)


def worst(truth: Reference, seen: Seen, order: int, format: Precision, bound: float | None, also: Floats) -> tuple[Deviation | None, int]:
    """The largest deviation over points spread over all that was seen, and how many points that were."""
    good = np.flatnonzero(np.isfinite(seen.y))
    if not good.size:
        return None, 0
    plain = good[np.argsort([len(repr(float(x))) for x in seen.x[good]], kind="stable")]
    spread = good[np.argsort(np.random.default_rng(0).random(good.size))]
    named = np.flatnonzero(np.isin(seen.x, also) & np.isfinite(seen.y))
    chosen = list(dict.fromkeys([*named, *(i for pair in zip(spread, plain, strict=False) for i in pair)]))
    largest, count = None, 0
    for i in chosen[:POINTS]:
        found = deviation(truth, float(seen.x[i]), float(seen.y[i]), float(seen.s[i]), order, format, bound)
        if found is None:
            continue
        count += 1
        if largest is None or (found.ratio, -len(repr(found.x))) > (largest.ratio, -len(repr(largest.x))):
            largest = found
    return largest, count


def smooth_at(truth: Reference, kink: Kink) -> bool:
    """Whether the reference has a derivative where the realized forward has a kink."""
    return derivatives(truth, kink.x, 1) is not None
