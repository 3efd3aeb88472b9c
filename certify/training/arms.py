"""One arm trained to the end and measured, and the comparison of arms over seeds (Tables 1 and 8 in small)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from certify.claims.exits import BadInput
from certify.training.checkpoint import Folder, Standing
from certify.training.data import load
from certify.training.learner import Learner
from certify.training.metrics import accuracy, holm, measure, paired, summary
from certify.training.probe import regime
from certify.training.rules import ORIGINAL
from certify.training.settings import Settings
from certify.training.stream import batch
from certify.training.threads import one_thread

MARKS = 20
"""Moments of a curve, the last being the end."""
METRICS = ("accuracy", "AUROC, held-out classes", "FPR95, held-out classes", "AUROC, shuffled pixels", "FPR95, shuffled pixels")


def train(settings: Settings, folder: str | None = None) -> dict[str, Any]:
    """The only arm of the settings, trained and measured after its last update; plain data.

    With a folder it goes on from what is there, and keeps its state ``MARKS`` times. Raises BadInput for several arms, and for a folder
    that holds another run.
    """
    if len(settings.arms) != 1:
        raise BadInput(f"arms {','.join(settings.arms)}: a run has one")
    place = Folder(folder, {"study": "arms", **settings.plain()}) if folder is not None else None
    found = place.result() if place else None
    if found is not None:
        return found
    with one_thread():
        return _train(settings, place)


def _train(settings: Settings, place: Folder | None) -> dict[str, Any]:
    source = load(settings)
    data = source.to(settings.device)
    learner, recorded = Learner(settings, data, settings.arms[0]), {"data": source.summary(), "curve": [], "loss": 0.0}
    done, standing = 0, place.standing() if place else None
    if standing:
        done, recorded = standing.done, standing.recorded
        learner.load(standing.tensors)
    for step in range(done, settings.steps):
        recorded["loss"] += learner.update(batch(data, settings, step))
        if step + 1 in marks(settings.steps):
            recorded["curve"].append(_mark(learner, step + 1, recorded))
            if place:
                place.keep(Standing(step + 1, settings.steps, learner.tensors(), recorded))
    result = {"data": recorded["data"], "curve": recorded["curve"], "metrics": measure(learner)}
    if place:
        place.close(learner.tensors(), result)
        return place.result() or {}
    return result


def marks(steps: int) -> list[int]:
    """After so many updates the curve has a point."""
    return sorted({(i + 1) * steps // MARKS for i in range(MARKS)} - {0})


def _mark(learner: Learner, step: int, recorded: dict[str, Any]) -> dict[str, Any]:
    """Mean loss since the last mark, accuracy, and where the next batch lies; the sum of losses begins anew."""
    since = step - (recorded["curve"][-1]["step"] if recorded["curve"] else 0)
    loss, recorded["loss"] = recorded["loss"] / since, 0.0
    given = batch(learner.data, learner.settings, step)
    return {"step": step, "loss": loss, "accuracy": accuracy(learner), **regime(learner, given)}


def compare(runs: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """For each factor and metric every arm's mean and sd, and its paired test against *original*; tests of all are corrected together.

    ``runs`` are results with ``factor``, ``arm`` and ``seed``, in any order.
    """
    ordered = sorted(runs, key=lambda run: (run["factor"], run["arm"], run["seed"]))
    rows = [
        {"factor": factor, "metric": metric, "arms": _by_arm(group, metric)}
        for factor, group in ((factor, list(group)) for factor, group in groupby(ordered, lambda run: run["factor"]))
        for metric in METRICS
    ]
    tests = {}
    for index, row in enumerate(rows):
        reference = row["arms"].get(ORIGINAL)
        for arm, found in row["arms"].items():
            if reference and arm != ORIGINAL:
                tests[index, arm] = found["test"] = paired(found["values"], reference["values"])
    holm(tests)
    return rows


def _by_arm(runs: list[dict[str, Any]], metric: str) -> dict[str, dict[str, Any]]:
    return {arm: summary([run["metrics"][metric] for run in group]) for arm, group in groupby(runs, lambda run: run["arm"])}
