"""Spawned worker processes that end with their parent."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from multiprocessing import connection
from typing import Any

THREADS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_NUM_THREADS",
)


class SpawnedPool(ProcessPoolExecutor):
    """A process pool whose workers use one BLAS thread each, leave SIGINT to their parent and print to stderr only."""

    def __init__(self, workers: int) -> None:
        super().__init__(workers, multiprocessing.get_context("spawn"), initializer=_begin)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        with _inherited():  # workers are started here
            return super().submit(fn, *args, **kwargs)

    def kill_workers(self) -> None:
        """End the workers at once and wait until they are gone."""
        for process in list((self._processes or {}).values()):
            process.kill()
        self.shutdown(wait=True, cancel_futures=True)


def close(executor: Executor, abandon: bool) -> None:
    """Shut an executor down; where its work is abandoned, without waiting for it."""
    if not abandon:
        executor.shutdown(wait=True)
    elif isinstance(executor, SpawnedPool):
        executor.kill_workers()
    else:
        executor.shutdown(wait=False, cancel_futures=True)


@contextlib.contextmanager
def _inherited() -> Iterator[None]:
    """What a process started here inherits: one thread for BLAS, interrupts blocked."""
    saved = {name: os.environ.get(name) for name in THREADS}
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        yield
    finally:
        for name, value in saved.items():
            os.environ.pop(name, None) if value is None else os.environ.update({name: value})
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _begin() -> None:
    """Run once in every worker."""
    os.dup2(2, 1)  # stdout is for results, which what a claim prints is not
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
