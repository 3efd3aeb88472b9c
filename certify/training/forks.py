"""Causal forks: branches that share everything but the backward rule, from a random and from a trained state (Figure 3).

All branches of a fork start from one state (parameters, class state, Adam's moments) and meet the same augmented tensors. At 43 moments
of the original branch the rules are compared at its state (local probes), and the branches' distances from it are taken. The trained
fork starts from the state in which the original branch ends the random one. The distance of the control, *rounded*, is taken from
*consistent*: what a perturbation of one rounding becomes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch import Tensor

from certify.claims.exits import BadInput
from certify.training.checkpoint import Folder, Standing
from certify.training.data import Data, load
from certify.training.learner import Learner
from certify.training.probe import apart, local, replay
from certify.training.rules import CONSISTENT, ORIGINAL, ROUNDED
from certify.training.settings import Settings
from certify.training.stream import batch
from certify.training.threads import one_thread

PROBES = 43
STARTS = ("random", "trained")


def fork(settings: Settings, folder: str | None = None) -> dict[str, Any]:
    """Both forks, as plain data; with a folder, going on from what is there, and the state is kept at every probe.

    Raises BadInput for settings that make no fork, and for a folder that holds another run.
    """
    refuse(settings)
    place = Folder(folder, {"study": "forks", **settings.plain()}) if folder is not None else None
    found = place.result() if place else None
    if found is not None:
        return found
    with one_thread():
        run = _Run(settings, load(settings), place)
        return run.finish()


def refuse(settings: Settings) -> None:
    """Raise BadInput unless the settings make forks."""
    if settings.steps < PROBES - 1:
        raise BadInput(f"steps = {settings.steps}: {PROBES} probes need at least {PROBES - 1}")
    if not {ORIGINAL, CONSISTENT} <= set(settings.arms):
        raise BadInput(f"arms {','.join(settings.arms)}: forks need original and consistent among them")


def marks(steps: int) -> list[int]:
    """The moments of the probes, the first before any update and the last after all."""
    return [i * steps // (PROBES - 1) for i in range(PROBES)]


class _Run:
    def __init__(self, settings: Settings, data: Data, place: Folder | None) -> None:
        self.settings, self.place, self.data = settings, place, data.to(settings.device)
        self.learners = {arm: Learner(settings, self.data, arm) for arm in settings.arms}
        self.recorded: dict[str, Any] = {"data": data.summary(), "forks": []}
        standing = place.standing() if place else None
        self.done = standing.done if standing else 0
        if standing:
            self.recorded = standing.recorded
            for arm, learner in self.learners.items():
                learner.load(_of(arm, standing.tensors))

    def finish(self) -> dict[str, Any]:
        steps = self.settings.steps
        for number, start in enumerate(STARTS):
            if len(self.recorded["forks"]) == number:
                self._begin(start)
            for step in range(self.done - number * steps, steps):
                self._update(number * steps + step)
                if step + 1 in marks(steps):
                    self._probe(step + 1)
                    self._keep()
        if self.place:
            self.place.close(self._tensors(), self.recorded)
            return self.place.result() or {}
        return self.recorded

    def _begin(self, start: str) -> None:
        """All branches at the state of the original one."""
        shared = self.learners[ORIGINAL]
        tensors = shared.tensors()
        for learner in self.learners.values():
            learner.load(tensors)
        first = batch(self.data, self.settings, self.done)
        rules = [arm for arm in self.settings.arms if arm != CONSISTENT]
        self.recorded["forks"].append({"start": start, "replay": replay(shared, first, rules), "probes": []})
        self._probe(0)
        self._keep()

    def _update(self, index: int) -> None:
        """One update of every branch, with one batch."""
        given = batch(self.data, self.settings, index)
        self.losses = {arm: learner.update(given) for arm, learner in self.learners.items()}
        self.done = index + 1

    def _probe(self, step: int) -> None:
        given = batch(self.data, self.settings, self.done)
        found = local(self.learners[ORIGINAL], given, self.settings.arms)
        entry = {"step": step, **found, "apart": self._apart(), "losses": self.losses if step else {}}
        self.recorded["forks"][-1]["probes"].append(entry)

    def _apart(self) -> dict[str, dict[str, float]]:
        """Every branch from the original one, and the control from the branch whose derivative it rounds."""
        found = {arm: apart(learner, self.learners[ORIGINAL]) for arm, learner in self.learners.items() if arm != ORIGINAL}
        if ROUNDED in self.learners:
            found[ROUNDED] = apart(self.learners[ROUNDED], self.learners[CONSISTENT])
        return found

    def _keep(self) -> None:
        if self.place:
            total = len(STARTS) * self.settings.steps
            self.place.keep(Standing(self.done, total, self._tensors(), self.recorded))

    def _tensors(self) -> dict[str, Tensor]:
        return {f"{arm}.{name}": value for arm, learner in self.learners.items() for name, value in learner.tensors().items()}


def _of(arm: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name.removeprefix(f"{arm}."): value for name, value in tensors.items() if name.startswith(f"{arm}.")}


def equal_everywhere(forks: Sequence[dict[str, Any]]) -> bool:
    """Whether the rules with one forward had it bit for bit at every probe."""
    rules = [rule for fork in forks for probe in fork["probes"] for rule in probe["rules"].values()]
    return all(rule["scores_equal"] and rule["loss_equal"] for rule in rules if "scores_equal" in rule)
