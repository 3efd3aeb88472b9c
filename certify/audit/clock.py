"""The time an audit may take, and what it tells of its progress."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from numbers import Real


class Clock:
    """Counts from its creation; ``budget`` in seconds, None for as long as it takes."""

    def __init__(self, budget: float | None = None, watch: Callable[[str], None] | None = None) -> None:
        if budget is not None and not (isinstance(budget, Real) and budget > 0):
            raise ValueError(f"budget {budget!r}: seconds greater than 0 are accepted")
        self.start, self.began = time.monotonic(), time.process_time()
        self.budget = budget
        self.watch = watch
        self.cut = False

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.start

    @property
    def worked(self) -> float:
        """Seconds of the processor's time since then."""
        return time.process_time() - self.began

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Work that does not count: what is imported for the first trace."""
        before = self.worked
        try:
            yield
        finally:
            self.began += self.worked - before

    def left(self, stage: str) -> bool:
        """Whether there is time for another stage, which is announced; what is skipped is remembered as cut."""
        if self.budget is not None and self.seconds > self.budget:
            self.cut = True
            return False
        if self.watch is not None:
            self.watch(stage)
        return True
