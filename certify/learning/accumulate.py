"""Class statistics from features: sums, counts, means, and their streaming update (claims state.streaming, state.resultant)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def class_sums(features: Array, labels: Array, classes: int) -> tuple[Array, Array]:
    """S_j = Σ f (K×p, in the features' dtype) and n_j (K) over the features N×p with label j; no N×K array is formed.

    Raises ValueError for shapes that do not fit and labels outside 0 … K − 1.
    """
    if features.ndim != 2 or labels.shape != features.shape[:1]:
        raise ValueError(f"features of shape {features.shape} and labels of shape {labels.shape}: N×p and N are accepted")
    if len(labels) and not (labels.min() >= 0 and labels.max() < classes):
        raise ValueError(f"labels run from {labels.min()} to {labels.max()}: 0 to {classes - 1} are accepted")
    sums = np.zeros((classes, features.shape[1]), features.dtype)
    np.add.at(sums, labels, features)
    return sums, np.bincount(labels, minlength=classes)


def update(means: Array, counts: Array, features: Array, labels: Array) -> tuple[Array, Array]:
    """a⁺ = a + (s − m a)/(n + m) and n⁺ = n + m, where m features of sum s have arrived; classes without any keep their mean."""
    sums, arrived = class_sums(features, labels, len(means))
    total = counts + arrived
    moved = means + (sums - arrived[:, None] * means) / np.maximum(total, 1)[:, None]
    return moved.astype(means.dtype), total


def squared_resultant(features: Array) -> tuple[float, float]:
    """R_n² of N×p features as its two parts: n⁻² Σ‖z_a‖², and n⁻² Σ_{a≠b}⟨z_a, z_b⟩, in float64."""
    z = features.astype(np.float64)
    gram = z @ z.T
    own = float(np.trace(gram)) / len(z) ** 2
    return own, float(gram.sum()) / len(z) ** 2 - own
