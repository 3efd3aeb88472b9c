"""Spawned worker processes that end with their parent: shared by tasks that can be trusted to leave no trace, or one a task."""

from __future__ import annotations

import contextlib
import ctypes
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from multiprocessing import connection
from multiprocessing.context import SpawnProcess
from types import ModuleType
from typing import Any

from certify.claims.text import one_line

THREADS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_NUM_THREADS",
)


PR_SET_PDEATHSIG = 1  # <sys/prctl.h>: the signal that a process gets when its parent dies
SPAWN = multiprocessing.get_context("spawn")
POLL = 0.05  # seconds between two looks at a process


class WorkerDied(RuntimeError):
    """The process that ran a task ended before the task did."""

    def __init__(self, message: str = "its process ended before it did") -> None:
        super().__init__(message)


class SpawnedPool(ProcessPoolExecutor):
    """A process pool whose workers use one BLAS thread each, leave SIGINT to their parent and print to stderr only."""

    def __init__(self, workers: int) -> None:
        super().__init__(workers, SPAWN, initializer=_begin)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        with _inherited():  # workers are started here
            return super().submit(fn, *args, **kwargs)

    def kill_workers(self) -> None:
        """End the workers at once and wait until they are gone."""
        for process in list((self._processes or {}).values()):
            process.kill()
        self.shutdown(wait=True, cancel_futures=True)


class SeparateProcesses(Executor):
    """Gives every task a process of its own, like those of ``SpawnedPool``, and ends all that it has started with it.

    Whatever a task does to its process (precision, environment, threads, children) reaches no other task.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers  # whoever submits keeps to it
        self._processes: set[SpawnProcess] = set()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        receiver, sender = SPAWN.Pipe(duplex=False)
        process, future = SPAWN.Process(target=_answer, args=(sender, fn, args, kwargs)), Future[Any]()
        with _inherited():
            process.start()
        sender.close()
        self._processes.add(process)
        threading.Thread(target=self._await, args=(process, receiver, future), daemon=True).start()
        return future

    def _await(self, process: SpawnProcess, receiver: connection.Connection, future: Future[Any]) -> None:
        """Hand on what a process answers, and end it."""
        try:
            while not receiver.poll(POLL) and process.exitcode is None:
                pass
            answer, error = receiver.recv() if receiver.poll() else (None, WorkerDied())
        except (EOFError, OSError):
            answer, error = None, WorkerDied()
        except Exception as unreadable:
            answer, error = None, unreadable
        receiver.close()
        _end(process)
        self._processes.discard(process)
        future.set_result(answer) if error is None else future.set_exception(error)

    def kill_workers(self) -> None:
        """End the processes at once and wait until they are gone."""
        for process in list(self._processes):
            _end(process)


def close(executor: Executor, abandon: bool) -> None:
    """Shut an executor down; where its work is abandoned, without waiting for it."""
    if not abandon:
        executor.shutdown(wait=True)
    elif isinstance(executor, SpawnedPool | SeparateProcesses):
        executor.kill_workers()
    else:
        executor.shutdown(wait=False, cancel_futures=True)


@contextlib.contextmanager
def _inherited() -> Iterator[None]:
    """What a process started here inherits: one thread for BLAS, interrupts blocked, and not the program that was started.

    Spawned processes run that again, which they need for nothing, and which a script must then provide for.
    """
    saved, program = {name: os.environ.get(name) for name in THREADS}, sys.modules["__main__"]
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    os.environ.update(dict.fromkeys(THREADS, "1"))
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = program
        for name, value in saved.items():
            os.environ.pop(name, None) if value is None else os.environ.update({name: value})
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _answer(sender: connection.Connection, fn: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
    """Run one task in a process of its own."""
    os.setpgid(0, 0)
    _begin()
    try:
        answer = fn(*args, **kwargs), None
    except BaseException as error:
        answer = None, error
    try:
        sender.send(answer)
    except Exception as error:  # what cannot be pickled
        sender.send((None, RuntimeError(one_line(error))))


def _end(process: SpawnProcess) -> None:
    """Kill a process and all that it has started, unless those have left its group."""
    assert process.pid  # it was started
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.join()


def _begin() -> None:
    """Run once in every worker."""
    os.dup2(2, 1)  # stdout is for results, which what a claim prints is not
    parent = multiprocessing.parent_process()
    assert parent is not None
    assert parent.pid is not None
    end_with(parent.pid)
    threading.Thread(target=_end_after, args=(parent.sentinel,), daemon=True).start()


def end_with(parent: int) -> None:
    """End this process when its parent dies."""
    with contextlib.suppress(AttributeError, OSError):  # Linux only
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it has died before it could be noticed
        os._exit(1)


def _end_after(sentinel: int) -> None:
    """Elsewhere than on Linux: as soon as no long operation in C keeps threads from running."""
    connection.wait([sentinel])
    os._exit(1)
