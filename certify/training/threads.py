"""One thread, so that sums have one order and results do not depend on the machine's load or cores."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

import torch

_LOCK = threading.Lock()
_BEFORE: list[int] = []
"""The number of threads that each run inside found when it came."""


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """PyTorch computes with one thread inside, and when the last of several runs of one process leaves with as many as before."""
    with _LOCK:
        _BEFORE.append(_BEFORE[0] if _BEFORE else torch.get_num_threads())
        torch.set_num_threads(1)
    try:
        yield
    finally:
        with _LOCK:
            before = _BEFORE.pop()
            if not _BEFORE:
                torch.set_num_threads(before)
