"""Running tasks over an executor, as many at a time as there are workers; a worker's death costs only its own task."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass
from threading import Event
from typing import Any, Generic, TypeVar

from certify.claims.pool import SpawnedPool, WorkerDied, close

POLL = 0.1  # seconds between two looks at the stop event
Task = TypeVar("Task")
Results = Generator[tuple[Task, Any], None, None]
Round = Generator[tuple[Task, Any], None, list[Task]]
Pool = Callable[[int], Executor]


@dataclass
class Runner(Generic[Task]):
    """Runs ``function`` on tasks, ``jobs`` at a time, until all are done or ``stop`` is set.

    ``pool`` makes an executor of so many workers; anything with the interface of ``concurrent.futures.Executor`` will
    do. ``started`` is told of every task that is handed over.
    """

    function: Callable[[Task], Any]
    jobs: int
    stop: Event
    started: Callable[[Task], None]
    pool: Pool = SpawnedPool

    def run(self, tasks: Iterable[Task]) -> Results[Task]:
        """Each task with its result, or with the exception that it raised, in the order in which tasks end.

        Tasks that have not ended when ``stop`` is set are abandoned and not yielded.
        """
        waiting = deque(tasks)
        while waiting and not self.stop.is_set():
            lost = yield from self._round(waiting, self.jobs)
            yield from self._each_alone(lost)

    def _each_alone(self, lost: list[Task]) -> Results[Task]:
        """One of these tasks ended its worker, and the others were lost with it: each again, by itself."""
        if len(lost) == 1:
            yield lost[0], WorkerDied()
            return
        for task in lost:
            again = yield from self._round(deque([task]), 1)
            yield from self._each_alone(again)

    def _round(self, waiting: deque[Task], jobs: int) -> Round[Task]:
        """Work until nothing waits; return the tasks that were lost if the executor broke."""
        executor, running = self.pool(jobs), dict[Future[Any], Task]()
        try:
            while (waiting or running) and not self.stop.is_set():
                lost = self._hand_over(executor, waiting, running, jobs)
                done, _ = wait(running, POLL, FIRST_COMPLETED)
                for future in done:
                    task, error = running.pop(future), future.exception()
                    if isinstance(error, BrokenExecutor):
                        lost.append(task)
                    else:
                        yield task, future.result() if error is None else error
                if lost:
                    return [*lost, *running.values()]
            return []
        finally:
            close(executor, abandon=bool(running))

    def _hand_over(self, executor: Executor, waiting: deque[Task], running: dict[Future[Any], Task], jobs: int) -> list[Task]:
        """Give every idle worker a task; return the task that could not be given because the executor is broken."""
        while waiting and len(running) < jobs:
            task = waiting.popleft()
            self.started(task)
            try:
                running[executor.submit(self.function, task)] = task
            except BrokenExecutor:
                return [task]
        return []
