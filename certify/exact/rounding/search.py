"""Proofs by bisection: boxes are halved, all of a generation at once, until the bound holds on each."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from certify.exact.format import FORMATS
from certify.exact.program import power_of_two
from certify.exact.rounding.function import disagreements
from certify.exact.rounding.scaling import Scaling
from certify.exact.rounding.sweep import Boxes, Interval, Sweep, boxes
from certify.exact.rounding.theorem import Missed, Rounding, Tiling, order_ends
from certify.exact.rounding.tree import Tree

MARGIN = 2.0**-30  # of the bound, for the roundings of the search itself and for underflow
LINEAR = 2.0**-20  # where t is small enough for f to be linear
DEPTH, MOST_BOXES = 60, 40_000


class Problem:
    """The sweeps of a theorem on the unit square of m and of the share of ε. Raises ValueError where the theorem is none."""

    def __init__(self, theorem: Rounding) -> None:
        self.theorem = theorem
        low, high = order_ends(theorem.nu)
        self.eps = (0.0 if high is None else float(1 / high), float(1 / low))
        digits = min(FORMATS[name].bits for name in theorem.formats)
        self.scaling = Scaling(theorem, digits, low == high and power_of_two(low))
        self.sweep = Sweep(self.scaling, 2.0**-digits)
        self.tail = max(self._beyond(name) for name in theorem.formats)

    def boxes(self, square: np.ndarray) -> Boxes:
        """The boxes of rows (low m, high m, low share, high share)."""
        a, b, c, d = square.T
        return boxes(Interval(a, b), self._eps(c, d))

    def _eps(self, c: np.ndarray, d: np.ndarray) -> Interval:
        span = self.eps[1] - self.eps[0]
        return Interval(self.eps[0] + span * c, self.eps[0] + span * d)

    def bound(self, square: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """On each box, the error bound in units of u, and the bound of the computed values."""
        bound, largest = self.sweep.bound(self.boxes(square))
        return bound + self.tail, largest

    def prove(self) -> Tiling | Missed:
        """A tiling by boxes on which the bound holds; or where it is missed, or the program is not the function."""
        outcome, point = self._tiling(), next(disagreements(self.theorem), None)
        if point is None or isinstance(outcome, Missed):
            return outcome
        m, nu = point
        where = _leaf(outcome, (float(m), (1 / float(nu) - self.eps[0]) / (self.eps[1] - self.eps[0] or 1)))
        return self._missed(where, f"the program is not the function: they differ at x/(nu + s) = {m}, nu = {nu}")

    def _tiling(self) -> Tiling | Missed:
        k = float(Fraction(self.theorem.k)) * (1 - MARGIN)
        largest = float(Fraction(self.theorem.largest)) if self.theorem.largest else np.inf
        tree, square, numbers = Tree(), np.array([[0.0, 1.0, 0.0, 1.0]]), np.array([0])
        for _ in range(DEPTH):
            bound, size = self.bound(square)
            open = (bound > k) | (size > largest)
            if not open.any():
                return Tiling(tree=tree.preorder())
            if open.sum() > MOST_BOXES:
                break
            square, numbers = self._halved(square[open], numbers[open], tree)
        return self._gap(square)

    def _halved(self, square: np.ndarray, numbers: np.ndarray, tree: Tree) -> tuple[np.ndarray, np.ndarray]:
        """Halves along the axis after which the larger of the two bounds is smaller."""
        splits = [_halves(square, axis) for axis in (0, 1)]
        worse = [np.maximum(*(self.bound(half)[0] for half in split)) for split in splits]
        sides = np.stack([square[:, 1] - square[:, 0], square[:, 3] - square[:, 2]])
        axis = np.where(worse[0] == worse[1], sides[0] < sides[1], worse[1] < worse[0]).astype(int)
        if self.eps[0] == self.eps[1]:
            axis[:] = 0
        children = np.stack([np.where((axis == 0)[:, None], a, b) for a, b in zip(*splits, strict=True)], axis=1)
        return children.reshape(-1, 4), tree.halve(numbers, axis)

    def _gap(self, square: np.ndarray) -> Missed:
        """The box with the largest bound; of those with none, where x/ν is largest and ν least."""
        bound, _ = self.bound(square)
        worst = max(square[bound == bound.max()], key=lambda row: (row[1], row[3]))
        place = self.sweep.overflowing(self.boxes(worst[None]))
        if place is None:
            return self._missed(worst, "")
        node = self.theorem.program.nodes[place]
        return self._missed(worst, f"node {place}, {node.op}, scales like s^{self.scaling.nodes[place].degree} and may overflow there")

    def _missed(self, row: np.ndarray, why: str) -> Missed:
        a, b, c, d = map(float, row)
        bound, _ = self.bound(row[None])
        span = self.eps[1] - self.eps[0]
        eps = self.eps[0] + span * c, self.eps[0] + span * d
        return Missed((a, b), eps, float(bound[0]), why or f"the bound found is {bound[0]:.6g}")

    def _beyond(self, name: str) -> float:
        """How far f at x > x_max may be from f at x_max, in units of u of this format; f is as good as linear in t there."""
        ranges, digits = self.theorem.formats[name], FORMATS[name].bits
        one, t = np.ones(1), np.full(1, LINEAR)
        eps = self._eps(0 * one, one)
        out = Sweep(self.scaling, 0.0).output(Boxes(Interval(one - t * t, one), Interval(0 * t, t), Interval(0 * t, t * eps.high)))
        width = out.high - out.low if self.scaling.unit == 0 else np.maximum(out.high, 0) - np.minimum(out.low, 0)
        return float(width[0]) / LINEAR * 2.0 ** (ranges.nu_max - ranges.x_max + digits)


def _leaf(tiling: Tiling, point: tuple[float, float]) -> np.ndarray:
    """The leaf that a point (m, share) is in."""
    pending, labels = [np.array([[0.0, 1.0, 0.0, 1.0]])], iter(tiling.tree)
    while True:
        box, label = pending.pop(), next(labels)
        if label:
            pending += reversed(_halves(box, -1 - label))
        elif all(box[0, 2 * axis] <= point[axis] <= box[0, 2 * axis + 1] for axis in (0, 1)):
            return box[0]


def _halves(square: np.ndarray, axis: int) -> tuple[np.ndarray, np.ndarray]:
    low, high = square.copy(), square.copy()
    middle = square[:, 2 * axis : 2 * axis + 2].mean(axis=1)
    low[:, 2 * axis + 1] = high[:, 2 * axis] = middle
    return low, high
