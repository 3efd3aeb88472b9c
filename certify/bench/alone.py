"""Evaluators outside any layout: each checked at the state's float64 radii; those of ``TIMED`` timed, forward and backward."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from torch import Tensor

from certify.bench import check
from certify.bench.definitions import Evaluation, closed_form, original
from certify.bench.dense import radii
from certify.bench.evaluators import EVALUATORS, Alone, compiled
from certify.bench.settings import Settings
from certify.bench.state import Inputs
from certify.bench.timing import interleaved
from certify.claims.text import one_line
from certify.realizations.tensor.closed_form import ClosedForm
from certify.realizations.tensor.original import Original

COMPILED = "AR/FR, compiled"
CLEAN = "original recurrence, clean"
TIMED = ("original recurrence", CLEAN, "AR/FR", COMPILED)


class Subject(NamedTuple):
    """What is evaluated, or why it cannot be."""

    definition: Evaluation
    make: Callable[[], Callable[[Tensor, Tensor], Tensor]]


def measure(settings: Settings, inputs: Inputs, report: Callable[[str], None]) -> list[dict[str, Any]]:
    """Every evaluator as plain data, with ``failure`` where its check fails or it does not run."""
    kappa, at = radii(inputs)
    ready: dict[str, Alone] = {}
    found: dict[str, dict[str, Any]] = {}
    for name, subject in subjects(settings.order).items():
        report(f"checking {name} alone")
        try:
            execution = Alone(subject.make(), kappa, at)
            errors = check.evaluator(execution, subject.definition, settings.order)
            failure = check.failure(errors)
        except Exception as error:  # of code that may not run on this device
            execution, errors, failure = None, [], one_line(error)
        found[name] = {"name": name, "milliseconds": None, "checks": [error.data for error in errors], "failure": failure}
        if execution is not None and not failure and name in TIMED:
            ready[name] = execution
    for name, times in interleaved(ready, settings.device, settings.warmups, settings.repeats).items():
        found[name]["milliseconds"] = times._asdict()
    return list(found.values())


def subjects(order: int) -> dict[str, Subject]:
    """By name, at one order."""
    found = {entry.name: Subject(entry.definition, lambda entry=entry: entry.make(order).difference) for entry in EVALUATORS}
    found[CLEAN] = Subject(original, lambda: Original(order).difference)
    return {**found, COMPILED: Subject(closed_form, lambda: compiled(ClosedForm(order)))}
