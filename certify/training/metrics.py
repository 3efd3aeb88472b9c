"""What a trained arm is measured by, and whether two arms differ by more than noise.

Accuracy is that of the scores without priors. An image belongs the more, the larger its most probable class, max_j exp q_j / Σ exp q
(Hendrycks and Gimpel 2017); AUROC is the probability that a test image does so more than an outside one, FPR95 the share of outside images
accepted at the threshold that accepts 95 % of the test images.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, stdev
from typing import Any

import numpy as np
import torch
from torch import Tensor

from certify.training.learner import Learner
from certify.training.settings import Absent

RECALL = 0.95
LEVEL = 0.05
"""Of significance, after Holm's correction for the number of tests."""


def accuracy(learner: Learner) -> float:
    """On the test set, in percent."""
    return _right(_scores(learner, learner.data.test.images), learner)


def measure(learner: Learner) -> dict[str, float]:
    """Accuracy on the test set, AUROC and FPR95 against each outside set, in percent."""
    scores = _scores(learner, learner.data.test.images)
    found = {"accuracy": _right(scores, learner)}
    for name, images in learner.data.outside.items():
        auroc, fpr = detection(_belonging(scores), _belonging(_scores(learner, images)))
        found |= {f"AUROC, {name}": 100 * auroc, f"FPR95, {name}": 100 * fpr}
    return found


def detection(inside: Tensor, outside: Tensor) -> tuple[float, float]:
    """AUROC and FPR95 of scores that are larger inside."""
    try:
        from sklearn.metrics import roc_auc_score, roc_curve
    except ImportError:
        raise Absent("AUROC is computed by scikit-learn, which is not installed") from None
    truth = np.r_[np.ones(len(inside)), np.zeros(len(outside))]
    values = torch.cat([inside, outside]).cpu().numpy()
    false, true, _ = roc_curve(truth, values, drop_intermediate=False)
    return float(roc_auc_score(truth, values)), float(false[np.argmax(true >= RECALL)])


def _belonging(scores: Tensor) -> Tensor:
    return scores.softmax(1).amax(1)


def _right(scores: Tensor, learner: Learner) -> float:
    return 100 * float((scores.argmax(1) == learner.data.test.labels).double().mean())


@torch.no_grad()
def _scores(learner: Learner, images: Tensor, at_once: int = 512) -> Tensor:
    return torch.cat([learner.scores(learner.features(part)) for part in images.split(at_once)])


def summary(values: Sequence[float]) -> dict[str, Any]:
    """Mean and standard deviation (n − 1) over runs."""
    return {"mean": fmean(values), "sd": stdev(values) if len(values) > 1 else None, "values": list(values)}


def paired(values: Sequence[float], reference: Sequence[float]) -> dict[str, Any]:
    """Student's paired t-test (two-sided) of runs that share seed, data and batches.

    The mean difference, the half-width of its 95 % interval, and p; both None where there is no variation.
    """
    from scipy.stats import ttest_rel

    differences = [a - b for a, b in zip(values, reference, strict=True)]
    found: dict[str, Any] = {"difference": fmean(differences), "half_width": None, "p": None}
    if len(differences) > 1 and max(differences) > min(differences):
        test: Any = ttest_rel(values, reference)
        low, high = test.confidence_interval(1 - LEVEL)
        found |= {"half_width": float(high - low) / 2, "p": float(test.pvalue)}
    return found


def holm(tests: Mapping[Any, dict[str, Any]]) -> None:
    """Add to each test its p adjusted for all of them (Holm 1979), and whether it is *noise* or a *difference*.

    Without p it is *equal*, or *untested* where runs are too few or vary too little.
    """
    given = sorted((test["p"], index) for index, test in enumerate(tests.values()) if test["p"] is not None)
    entries, largest = list(tests.values()), 0.0
    for rank, (p, index) in enumerate(given):
        largest = max(largest, min(1.0, (len(given) - rank) * p))
        entries[index]["adjusted"] = largest
    for test in entries:
        test.setdefault("adjusted", None)
        test["verdict"] = _verdict(test)


def _verdict(test: dict[str, Any]) -> str:
    if test["adjusted"] is None:
        return "untested" if test["difference"] else "equal"
    return "difference" if test["adjusted"] < LEVEL else "noise"
