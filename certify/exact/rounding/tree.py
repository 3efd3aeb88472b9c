"""Bisections in the making, many nodes at a time."""

from __future__ import annotations

import numpy as np


class Tree:
    """For each node −1 − axis, or 0 for a leaf, and the number of its lower half, which the upper one follows."""

    def __init__(self) -> None:
        self.label, self.first = [0], [0]

    def halve(self, nodes: np.ndarray, axes: np.ndarray) -> np.ndarray:
        """Halve leaves along an axis each; the numbers of the halves, in pairs."""
        first = len(self.label) + 2 * np.arange(len(nodes))
        for node, child, axis in zip(nodes, first, axes, strict=True):
            self.label[node], self.first[node] = -1 - int(axis), int(child)
        self.label += [0] * (2 * len(nodes))
        self.first += [0] * (2 * len(nodes))
        return np.stack([first, first + 1], axis=1).ravel()

    def preorder(self) -> tuple[int, ...]:
        """The labels, lower halves first."""
        found, pending = [], [0]
        while pending:
            node = pending.pop()
            found.append(self.label[node])
            if self.label[node]:
                pending += [self.first[node] + 1, self.first[node]]
        return tuple(found)
