"""Branch points: places between two samples where a function, its derivative or its being finite changes at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from certify.audit.precision import Floats, Precision, middle

STEPS = 80  # halvings that bring any two floats together


def narrowed(
    a: Floats, b: Floats, larger_left: Callable[[Floats, Floats, Floats], np.ndarray], format: Precision, steps: int = STEPS
) -> tuple[Floats, Floats, list[Floats]]:
    """Halve the intervals [a, b] until their ends are neighbours; ``larger_left`` picks the half to keep from (a, m, b).

    Returns the last ends and the midpoints on the way.
    """
    a, b, visited = a.copy(), b.copy(), []
    for _ in range(steps):
        m = middle(a, b, format)
        if ((m == a) | (m == b)).all():
            break
        visited.append(m)
        left = larger_left(a, m, b)
        a, b = np.where(left, a, m), np.where(left, m, b)
    return a, b, visited


def jumps(evaluate: Callable[[Floats], Floats], a: Floats, b: Floats, format: Precision) -> tuple[Floats, Floats]:
    """Follow the larger change of a function from a to b, down to neighbouring numbers."""

    def larger_left(a: Floats, m: Floats, b: Floats) -> np.ndarray:
        fa, fm, fb = np.split(evaluate(np.concatenate([a, m, b])), 3)
        left, right = np.abs(fm - fa), np.abs(fb - fm)
        return np.where(np.isfinite(fm), ~(right > left), np.isfinite(fa))

    ends = narrowed(a, b, larger_left, format)
    return ends[0], ends[1]
