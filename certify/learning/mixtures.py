"""States made from mixtures of von Mises–Fisher distributions of stated concentrations, by the estimator that is used on real features."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from certify.learning.accumulate import class_sums
from certify.learning.states import State, state
from certify.vmf.sampling import around, complement_of_cosine

SEED = 3407


def mixture(
    concentrations: tuple[float, float],
    *,
    classes: int = 10,
    dimension: int = 64,
    samples: int = 8,
    views: int = 2,
    seen: tuple[int, int] = (200, 20),
    temperature: float = 0.1,
    seed: int = SEED,
) -> State:
    """Unit features of classes around uniformly random directions, float32.

    Concentrations and the numbers of features seen, from the first class to the last, are log-linear between the two ends given. Each
    class's mean and count come from features drawn from its distribution; the batch has ``samples`` labels, drawn by the counts,
    and one draw of its class for each view. Raises ValueError for sizes that make no state.
    Draws are those of torch's generator on this platform.
    """
    if min(classes, samples, views, *seen) < 1 or min(concentrations) < 0:
        raise ValueError("classes, samples, views and numbers of features seen are at least 1, concentrations at least 0")
    kappas, counts = _log_linear(concentrations, classes), _log_linear(seen, classes).round().astype(np.int64)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        directions = torch.nn.functional.normalize(torch.randn(classes, dimension, dtype=torch.float64), dim=1)
        known = torch.from_numpy(np.repeat(np.arange(classes), counts))
        sums, found = class_sums(_draw(directions, kappas, known).numpy(), known.numpy(), classes)
        labels = torch.multinomial(torch.from_numpy(counts / counts.sum()), samples, replacement=True)
        features = torch.stack([_draw(directions, kappas, labels) for _ in range(views)])
    means = (sums / found[:, None]).astype(np.float32)
    entries = {"means": means, "counts": found, "labels": labels.numpy(), "temperature": temperature}
    return state({**entries, "features": features.numpy().astype(np.float32)})


def _log_linear(ends: tuple[float, float], count: int) -> np.ndarray:
    return np.geomspace(*ends, count) if min(ends) > 0 else np.linspace(*ends, count)


def _draw(directions: Tensor, kappas: np.ndarray, labels: Tensor) -> Tensor:
    """One unit vector for each label, from its class's distribution."""
    kappa = torch.from_numpy(kappas)[labels]
    return around(directions[labels], complement_of_cosine(kappa, directions.shape[1]))
