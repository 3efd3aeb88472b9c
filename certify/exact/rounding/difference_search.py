"""Proofs for differences of the potential by bisection: boxes are halved, all of a generation at once, until the bound holds on each."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from certify.exact.rounding.difference import Bisection, Difference
from certify.exact.rounding.difference_sweep import DifferenceSweep
from certify.exact.rounding.sweep import Array, Interval
from certify.exact.rounding.tree import Tree
from certify.exact.rounding.units import Cube

MARGIN = 2.0**-30  # of the bound, for the roundings of the search itself
DEPTH, MOST_BOXES = 60, 20_000
AXES = (0, 1, 2)


@dataclass(frozen=True)
class Gap:
    """The box on which the bound is missed most: intervals of ν/s₀, s₀/s₁ and 1/ν, and the bound there, over u Δ."""

    t: tuple[float, float]
    q: tuple[float, float]
    eps: tuple[float, float]
    bound: float


class Problem:
    """The sweeps of a theorem on the unit cube of t, q and the share of ε. Raises ValueError where the theorem is none."""

    def __init__(self, theorem: Difference) -> None:
        self.sweep, self.k = DifferenceSweep(theorem), float(Fraction(theorem.k)) * (1 - MARGIN)
        self.eps = 1 / float(Fraction(theorem.nu.strip("[").partition(",")[0]))

    def bound(self, boxes: Array) -> Array:
        """The bound on boxes, rows (low t, high t, low q, high q, low share, high share)."""
        a, b, c, d, e, f = boxes.T
        return self.sweep.bound(Cube((Interval(a, b), Interval(c, d), Interval(self.eps * e, self.eps * f))))

    def prove(self) -> Bisection | Gap:
        """A bisection into boxes on which the bound holds, or where it is missed."""
        tree, boxes, numbers = Tree(), np.array([[0.0, 1.0] * 3]), np.array([0])
        bound = self.bound(boxes)
        for _ in range(DEPTH):
            open = bound > self.k
            if not open.any():
                return Bisection(tree=tree.preorder())
            if open.sum() > MOST_BOXES:
                break
            boxes, bound, axes = self._halved(boxes[open])
            numbers = tree.halve(numbers[open], axes)
        return self._gap(boxes, bound)

    def _halved(self, boxes: Array) -> tuple[Array, Array, Array]:
        """Halves along the axis after which the larger of the two bounds is least, of equal ones the longest; their bounds; that axis."""
        halves = np.stack([_halves(boxes, axis) for axis in AXES])
        bounds = self.bound(halves.reshape(-1, 6)).reshape(halves.shape[:-1])
        sides = np.stack([boxes[:, 2 * axis + 1] - boxes[:, 2 * axis] for axis in AXES])
        axes = np.lexsort((-sides, bounds.max(axis=2)), axis=0)[0]
        chosen = axes, np.arange(len(boxes))
        return halves[chosen].reshape(-1, 6), bounds[chosen].ravel(), axes

    def _gap(self, boxes: Array, bound: Array) -> Gap:
        a, b, c, d, e, f = map(float, boxes[int(np.argmax(bound))])
        return Gap((a, b), (c, d), (self.eps * e, self.eps * f), float(bound.max()))


def _halves(boxes: Array, axis: int) -> Array:
    """Of each box the lower half and the upper one, stacked along a second axis."""
    low, high = boxes.copy(), boxes.copy()
    low[:, 2 * axis + 1] = high[:, 2 * axis] = boxes[:, 2 * axis : 2 * axis + 2].mean(axis=1)
    return np.stack([low, high], axis=1)
