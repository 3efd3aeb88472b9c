"""A dask.distributed cluster as an executor: every task in a process of its own, on whichever worker is free.

A worker that is lost loses nothing: its tasks begin anew on another one. Workers must run the same code as this process, to the byte.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future
from typing import Any

from distributed import Client, get_worker
from distributed.scheduler import KilledWorker

from certify.claims import apart
from certify.claims.pool import WorkerDied
from certify.claims.provenance import code

PATIENCE = 10  # seconds to reach the scheduler


class DaskExecutor(Executor):
    """The cluster whose scheduler has this address. Raises OSError where none answers, ValueError where its workers will not do."""

    def __init__(self, address: str) -> None:
        self.client = Client(address, timeout=PATIENCE, set_as_default=False)
        try:
            self.workers = self._threads()
        except BaseException:
            self.client.close()
            raise
        self.inner = self.client.get_executor(pure=False)

    def _threads(self) -> int:
        """How many tasks the workers run at a time. Raises ValueError where there are none, or where they run other code."""
        threads: Any = self.client.nthreads()
        if not threads:
            raise ValueError("the cluster has no workers")
        try:
            versions: Any = self.client.run(code)
        except Exception as error:
            raise ValueError(f"its workers cannot import certify: {error}") from None
        others = sorted(worker for worker, version in versions.items() if version != code())
        if others:
            raise ValueError(f"worker {others[0]} runs other code than this process")
        return sum(threads.values())

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        answer, remote = Future[Any](), self.inner.submit(_on_worker, fn, args, kwargs)
        remote.add_done_callback(lambda done: _hand_on(done, answer))
        return answer

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self.inner.shutdown(wait=wait and not cancel_futures)  # without waiting it cancels
        self.client.close()


def _on_worker(fn: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """A task apart, ended when the client cancels it."""
    worker = get_worker()
    key = worker.get_current_task()

    def wanted() -> bool:
        known = worker.state.tasks.get(key)
        return known is not None and known.state != "cancelled"

    return apart.run(fn, args, kwargs, wanted)


def _hand_on(done: Future[Any], answer: Future[Any]) -> None:
    if done.cancelled():
        answer.set_exception(WorkerDied("the cluster gave it up"))
    elif (error := done.exception()) is None:
        answer.set_result(done.result())
    else:
        answer.set_exception(WorkerDied() if isinstance(error, KilledWorker) else error)
