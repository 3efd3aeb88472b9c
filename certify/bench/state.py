"""The fixed inputs: two views of synthetic features, labels, class means and counts, log priors, all from one seed."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from certify.bench.settings import VIEWS, Settings

TEMPERATURE = 0.07
CAP = 1e5
LENGTHS = (0.5, 0.95)
"""The resultant lengths R_j of the class means, uniform between these: κ = pR/(1 − R²) from 683 to 9977 at p = 1024."""
MOST_SEEN = 1000


@dataclass(frozen=True)
class Inputs:
    """``features`` is V×B×p and ``means`` K×p in the geometry's dtype, ``labels`` B, ``counts`` and ``log_priors`` K in float64."""

    features: Tensor
    labels: Tensor
    means: Tensor
    counts: Tensor
    log_priors: Tensor

    def to(self, device: str) -> Inputs:
        return Inputs(*(getattr(self, name).to(device) for name in self.__dataclass_fields__))

    @property
    def digest(self) -> str:
        """SHA-256 of all bytes, on the CPU."""
        total = hashlib.sha256()
        for name in self.__dataclass_fields__:
            total.update(getattr(self, name).cpu().contiguous().numpy().tobytes())
        return total.hexdigest()


def inputs(settings: Settings) -> Inputs:
    """The state of that seed, the same on every machine: the stream of NumPy's RandomState is frozen.

    Features and class directions are uniform on the sphere, a class has been seen 1 to 1000 times and its log prior is
    its share of what was seen. All is formed in float64 and rounded once to the geometry's dtype.
    """
    random = np.random.RandomState(settings.seed)
    features = _directions(random, VIEWS * settings.batch, settings.dim).reshape(VIEWS, settings.batch, settings.dim)
    labels = random.randint(0, settings.classes, settings.batch)
    lengths = random.uniform(*LENGTHS, settings.classes)
    means = lengths[:, None] * _directions(random, settings.classes, settings.dim)
    counts = random.randint(1, MOST_SEEN + 1, settings.classes).astype(np.float64)
    log_priors = np.log(counts / counts.sum())
    geometry = settings.geometry
    return Inputs(
        torch.from_numpy(features).to(geometry),
        torch.from_numpy(labels.astype(np.int64)),
        torch.from_numpy(means).to(geometry),
        torch.from_numpy(counts),
        torch.from_numpy(log_priors),
    )


def _directions(random: np.random.RandomState, count: int, dim: int) -> np.ndarray:
    found = random.standard_normal((count, dim))
    return found / np.sqrt(np.square(found).sum(1, keepdims=True))
