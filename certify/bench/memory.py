"""The peak of what is allocated inside the boundary above what was there before it."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch.profiler import ProfilerActivity, profile

ALLOCATION = "[memory]"


def peak_increment(run: Callable[[], object], device: str) -> int:
    """Bytes. On CUDA by the allocator's statistics, on a CPU by its events; kernels' private scratch is in neither."""
    return _on_cuda(run) if device == "cuda" else _on_cpu(run)


def _on_cuda(run: Callable[[], object]) -> int:
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    run()
    torch.cuda.synchronize()
    return torch.cuda.max_memory_allocated() - before


def _on_cpu(run: Callable[[], object]) -> int:
    with _quiet(), profile(activities=[ProfilerActivity.CPU], profile_memory=True, acc_events=False) as recorded:
        kept = run()
    del kept
    results: Any = recorded.profiler.kineto_results if recorded.profiler else None
    events = results.events() if results else []
    allocations = sorted((event.start_ns(), event.nbytes()) for event in events if event.name() == ALLOCATION)
    return peak([size for _, size in allocations])


def peak(changes: list[int]) -> int:
    """The largest partial sum, at least 0."""
    total = highest = 0
    for change in changes:
        total += change
        highest = max(highest, total)
    return highest


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """The profiler's library writes its own log to descriptor 2."""
    sys.stderr.flush()
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
