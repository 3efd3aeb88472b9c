"""The largest value of a function between the points of a grid, by adaptive bisection.

The search knows the function through its values only. An interval promises the larger of its end values, and as much
again as the function changes from end to end. The most promising intervals are halved (in log x) until none promises
more than ``GAIN`` times the best value found, or is too narrow, or the budget is spent. A jump keeps its promise
however often its interval is halved, so it is located, and whatever hides beside it is met on the way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Function = Callable[[NDArray], NDArray]

GAIN = 1.0001
NARROWEST = 2.0**-32  # of log x
BATCH = 8


@dataclass(frozen=True)
class Peak:
    """The largest value found and where, among the ``evaluations`` points that were tried."""

    x: float
    value: float
    evaluations: int


def largest(function: Function, grid: NDArray, budget: int = 400, guide: Function | None = None) -> Peak:
    """The largest value of ``function`` on [grid[0], grid[-1]] among at most ``budget`` points, the grid's among them.

    ``guide`` is a function in whose changes the value shows: the function itself unless given. For the error of
    Φ̂(x+1) − Φ̂(x) it is the error of Φ̂(x), which keeps a jump in sight from afar. Deterministic. Raises ValueError for
    a grid that is not positive and increasing, or a budget below 2·len(grid).
    """
    if len(grid) < 2 or grid[0] <= 0 or np.any(np.diff(grid) <= 0):
        raise ValueError("the search needs a grid of at least two positive, increasing points")
    if budget < 2 * len(grid):
        raise ValueError(f"budget {budget}: the search needs at least {2 * len(grid)} evaluations")
    points = _Points(np.empty(0), np.empty(0), np.empty(0))
    added = np.concatenate([grid, _between(grid[:-1], grid[1:])])
    while len(added):
        values = function(added)
        points = points.joined(added, values, guide(added) if guide else values)
        added = points.most_promising(min(BATCH, budget - len(points.x)))
    at = int(np.argmax(points.value))
    return Peak(float(points.x[at]), float(points.value[at]), len(points.x))


@dataclass(frozen=True)
class _Points:
    """Points in increasing order, with the values of the function and of its guide."""

    x: NDArray
    value: NDArray
    guide: NDArray

    def joined(self, x: NDArray, value: NDArray, guide: NDArray) -> _Points:
        ranks = np.argsort(np.concatenate([self.x, x]), kind="stable")
        pairs = ((self.x, x), (self.value, value), (self.guide, guide))
        return _Points(*(np.concatenate(pair)[ranks] for pair in pairs))

    def most_promising(self, room: int) -> NDArray:
        """The midpoints of at most ``room`` intervals."""
        promise = np.maximum(self.value[:-1], self.value[1:]) + np.abs(np.diff(self.guide))
        promise[np.diff(np.log(self.x)) < NARROWEST] = 0
        chosen = np.argsort(-promise, kind="stable")[:room]
        chosen = chosen[promise[chosen] > GAIN * np.max(self.value)]
        return _between(self.x[chosen], self.x[chosen + 1])


def _between(a: NDArray, b: NDArray) -> NDArray:
    return np.sqrt(a) * np.sqrt(b)
