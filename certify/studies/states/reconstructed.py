"""Learning states rebuilt in place of the paper's captured ones, which are not public: *reconstructed states*.

PATT at p = 512. The printed query range, r/ν from 392.35 to 393.11, begins just above 1e5/ν = 392.16: every κ_j is the public code's cap
1e5, which unnormalised features reach, and r_j − κ_j ≈ ⟨μ_j, f⟩/τ. Here class directions and features are Gaussian perturbations of
one common direction, and the lengths of the features are such that the radii run over the printed range exactly.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from certify.exact.number import exact
from certify.learning.states import State, state

SEED = 3407
DIMENSION = 512
NU = DIMENSION // 2 - 1
CAP = 10**5
LOW, HIGH = exact("392.35"), exact("393.11")
"""r/ν as printed."""

TEMPERATURE = 0.1
SPREAD = 0.2
"""Length of the perturbations relative to the common direction."""

OWN = 0.5
"""Share of its class's perturbation in a feature's."""

COUNTS = (500, 5)
"""Of the first and the last class of CIFAR100-LT, imbalance 100; log-linear between."""

LABEL = "reconstructed state"
SWEEPS = 60


@cache
def patt(classes: int = 100, samples: int = 256, views: int = 2) -> State:
    """A bank of capped classes and features whose radii r_j/ν run from ``LOW`` to ``HIGH``; float32, labels by the classes' counts."""
    random = np.random.RandomState(SEED)
    counts = np.geomspace(*COUNTS, classes).round()
    common, own = _unit(random.standard_normal(DIMENSION)), _around(random, (classes,))
    labels = random.choice(classes, samples, p=counts / counts.sum())
    shifts = OWN * own[labels] + np.sqrt(1 - OWN**2) * _around(random, (views, samples))
    directions, features = _unit(common + own), _unit(common + shifts)
    lengths = _lengths(random, features @ directions.T)
    entries = {
        "means": (2 * directions).astype(np.float32),
        "counts": counts,
        "features": (TEMPERATURE * lengths[..., None] * features).astype(np.float32),
        "labels": labels,
        "temperature": TEMPERATURE,
    }
    return state(entries, cap=CAP)


def describe(found: State) -> str:
    """Its label and sizes."""
    sizes = f"p = {found.dimension}, K = {found.classes}, {found.views} x {found.samples} queries"
    return f"{LABEL}: {sizes}, kappa = 1e5, r/nu from 392.35 to 393.11, tau = {TEMPERATURE}, seed {SEED}"


def increments() -> tuple[fmpq, fmpq]:
    """The least and the largest r − κ of the printed range."""
    return LOW * NU - CAP, HIGH * NU - CAP


def _lengths(random: np.random.RandomState, cosines: NDArray) -> NDArray:
    """‖f‖/τ of V×B features, evenly spread over the batch, with ‖f‖⟨μ, f̂⟩/τ from the least to the largest increment (cosines V×B×K)."""
    low, high = (float(end) for end in increments())
    steps = random.permutation(np.linspace(0, 1, cosines[..., 0].size)).reshape(cosines.shape[:-1])
    first, last = low, high
    for _ in range(SWEEPS):
        products = (first + (last - first) * steps)[..., None] * cosines
        first, last = first * low / products.min(), last * high / products.max()
    return first + (last - first) * steps


def _around(random: np.random.RandomState, shape: tuple[int, ...]) -> NDArray:
    return SPREAD * random.standard_normal((*shape, DIMENSION)) / np.sqrt(DIMENSION)


def _unit(vectors: NDArray) -> NDArray:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
