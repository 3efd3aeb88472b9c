"""Medians over interleaved rounds."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from statistics import median
from typing import NamedTuple, Protocol

import torch


class Execution(Protocol):
    """Something timed: ``restore`` brings its state back, outside the timed region."""

    def restore(self) -> None: ...

    def run(self) -> object: ...


class Times(NamedTuple):
    """Milliseconds over the repetitions."""

    median: float
    least: float
    most: float
    all: tuple[float, ...]


class Bare:
    """A function without state."""

    def __init__(self, function: Callable[[], object]) -> None:
        self.run = function

    def restore(self) -> None:
        pass


def interleaved(executions: Mapping[str, Execution], device: str, warmups: int, repeats: int) -> dict[str, Times]:
    """Every execution in turn, ``warmups`` rounds unmeasured, then ``repeats``: what drifts, drifts for all.

    A measured run follows an unmeasured one of its own, as consecutive repetitions do: what the others have put in its place in the caches
    is charged to none.
    """
    measure = cuda_milliseconds if device == "cuda" else milliseconds
    found: dict[str, list[float]] = {name: [] for name in executions}
    for round in range(warmups + repeats):
        for name, execution in executions.items():
            execution.restore()
            execution.run()
            if round >= warmups:
                execution.restore()
                found[name].append(measure(execution.run))
    return {name: summary(values) for name, values in found.items()}


def summary(values: list[float]) -> Times:
    return Times(median(values), min(values), max(values), tuple(values))


def milliseconds(run: Callable[[], object]) -> float:
    """By the monotonic clock."""
    start = time.perf_counter_ns()
    run()
    return (time.perf_counter_ns() - start) / 1e6


def cuda_milliseconds(run: Callable[[], object]) -> float:
    """Between two events on the current stream."""
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    torch.cuda.synchronize()
    start.record()
    run()
    end.record()
    end.synchronize()
    return start.elapsed_time(end)
