"""How far a contradiction reaches: where it starts and ends, where it is largest, and how large."""

from __future__ import annotations

import numpy as np

from certify.audit.estimates import SCANNING
from certify.audit.evidence import Extent
from certify.audit.precision import middle
from certify.audit.samples import Domain
from certify.audit.scan import Seen, look
from certify.audit.subject import Subject

HALVINGS = 24  # towards an end
ROUNDS, PLACES = 6, 9  # of looks around the largest defect, and points of each


def extent(subject: Subject, domain: Domain, seen: Seen) -> Extent | None:
    """Of the contradictions in ``seen``; None where there is none that is finite."""
    wrong = np.flatnonzero(seen.contradicted & np.isfinite(seen.s))
    if not wrong.size:
        return None
    first, last = int(wrong[0]), int(wrong[-1])
    starts = _end(subject, domain, seen.x[first], seen.x[max(first - 1, 0)])
    ends = _end(subject, domain, seen.x[last], seen.x[min(last + 1, seen.x.size - 1)])
    best = int(wrong[np.argmax(np.abs(seen.s - seen.realized)[wrong])])
    low, high = seen.x[max(best - 1, 0)], seen.x[min(best + 1, seen.x.size - 1)]
    return Extent(starts, ends, *_peak(subject, domain, float(low), float(seen.x[best]), float(high)))


def _end(subject: Subject, domain: Domain, inside: float, outside: float) -> float:
    """The last input, going from one that is contradicted to one that is not, that is contradicted."""
    for _ in range(HALVINGS):
        between = float(middle(np.array([inside]), np.array([outside]), subject.format)[0])
        if between in (inside, outside):
            break
        contradicted = look(subject, np.array([between]), domain, SCANNING)[0].contradicted[0]
        inside, outside = (between, outside) if contradicted else (inside, between)
    return float(inside)


def _peak(subject: Subject, domain: Domain, low: float, best: float, high: float) -> tuple[float, float, float]:
    """Where the largest defect between two inputs is, and the two derivatives there: points around the best so far, ever closer."""
    largest, reach, numbers = -1.0, max(best - low, high - best), (0.0, 0.0)
    for _ in range(ROUNDS):
        x = np.unique(subject.format.round(np.append(np.linspace(max(low, best - reach), min(high, best + reach), PLACES), best)))
        seen = look(subject, x, domain, SCANNING)[0]
        gap = np.where(seen.contradicted & np.isfinite(seen.s), np.abs(seen.s - seen.realized), 0.0)
        k = int(gap.argmax())
        if gap[k] > largest:
            largest, best, numbers = float(gap[k]), float(x[k]), (float(seen.s[k]), float(seen.realized[k]))
        reach /= PLACES / 4
    return best, *numbers
