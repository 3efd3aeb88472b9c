"""How cost grows: evaluators against the dimension p, the structure-aware boundary against the number of classes K."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import torch

from certify.bench.evaluators import EVALUATORS, Alone
from certify.bench.settings import Settings, dense_bytes, free_bytes
from certify.bench.state import inputs
from certify.bench.structured import variants
from certify.bench.table import Report, peak
from certify.bench.timing import Times, interleaved

DIMENSIONS = (64, 128, 256, 512, 1024, 2048, 4096)
CLASSES = (10, 100, 1_000, 10_000, 100_000)
TIMED = ("original recurrence", "AR/FR")
WARMUPS, REPEATS = 0, 3
ROOM = 4


def dimensions(settings: Settings, report: Report) -> list[dict[str, Any]]:
    """Forward and backward of B×K elements at radii spread over x/ν ∈ [1e-1, 1e2], the same number at every p."""
    found = []
    for dim in DIMENSIONS:
        report(f"evaluators at p = {dim}")
        times = _timed_evaluators(settings, dim)
        found.append({"dim": dim, "milliseconds": {name: value._asdict() for name, value in times.items()}})
    return found


def classes(settings: Settings, report: Report) -> list[dict[str, Any]]:
    """The structure-aware boundary, not compiled; sizes without room for a few copies of the bank are left out."""
    found = []
    for count in CLASSES:
        sized = replace(settings, classes=count)
        if ROOM * count * settings.dim * settings.itemsize > free_bytes(settings.device):
            continue
        report(f"structure-aware boundary at K = {count}")
        execution = next(iter(variants(inputs(sized).to(settings.device)).values()))()
        allocated = peak(execution, settings.device)
        times = interleaved({"": execution}, settings.device, WARMUPS, REPEATS)[""]
        entry = {"classes": count, "milliseconds": times._asdict(), "peak_bytes": allocated}
        found.append({**entry, "score_bytes": settings.batch * count * 8, "dense_bytes": dense_bytes(sized)})
    return found


def _timed_evaluators(settings: Settings, dim: int) -> dict[str, Times]:
    order = dim // 2 - 1
    count = settings.batch * settings.classes
    radii = order * torch.logspace(-1, 2, count, dtype=torch.float64).to(settings.device)
    chosen = [evaluator for evaluator in EVALUATORS if evaluator.name in TIMED]
    kappa = radii.new_full((), order)
    executions = {evaluator.name: Alone(evaluator.make(order).difference, kappa, radii) for evaluator in chosen}
    return interleaved(executions, settings.device, WARMUPS, REPEATS)
