"""Progress of a run, on stderr: a live line where it is a terminal, plain lines for claims and for parts of the page where it is not."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from certify.claims.record import Report
from certify.claims.session import Watcher
from certify.claims.verdict import Outcome
from certify.claims.worker import Finished

STYLES = {Outcome.PROVED: "green", Outcome.ENCLOSED: "green", Outcome.REFUTED: "bold red", Outcome.ERROR: "red"}


class Stderr(Console):
    """A console on stderr that falls silent when nothing more can be written there."""

    def __init__(self) -> None:
        super().__init__(file=sys.stderr, highlight=False, soft_wrap=True)

    def __exit__(self, *raised: Any) -> None:
        try:
            super().__exit__(*raised)
        except OSError:
            self.quiet = True

    def on_broken_pipe(self) -> None:
        self.quiet = True


class Progress(Watcher):
    """Shows which claims run and what became of the others; tracebacks too if ``verbose``."""

    def __init__(self, verbose: bool = False) -> None:
        self.verbose = verbose
        self.console = Stderr()
        self.running: dict[str, float] = {}
        self.total = self.count = 0
        self.spinner = Spinner("dots")
        self.live = Live(self, console=self.console, transient=True, refresh_per_second=8)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.live.stop()

    def begin(self, report: Report) -> None:
        self.total = len(report.claims)
        self._go_live()

    def _go_live(self) -> None:
        if self.console.is_terminal and not self.console.is_dumb_terminal:
            self.live.start()

    def started(self, id: str) -> None:
        self.running[id] = time.monotonic()

    def finished(self, finished: Finished, report: Report) -> None:
        self.count += 1
        self.running.pop(finished.record.id, None)
        self.console.print(_line(finished))
        if finished.note:
            self.console.print(Text(f"  {finished.note}"))
        if finished.trace and self.verbose:
            self.console.print(Text(finished.trace))

    def end(self, report: Report) -> None:
        self.live.stop()

    def making(self, part: str) -> None:
        self._go_live()
        self.running[part] = time.monotonic()

    def made(self, part: str) -> None:
        self.console.print(Text(f"page  {part}  {time.monotonic() - self.running.pop(part):.2f} s"))

    def __rich__(self) -> Text:
        """The live line: how many have finished, and how long the others have been running."""
        now = time.monotonic()
        running = ", ".join(f"{id} {now - start:.0f} s" for id, start in self.running.copy().items())
        frame = self.spinner.render(now)
        count = f" {self.count}/{self.total}" if self.total else ""
        return Text.assemble(frame if isinstance(frame, Text) else "", f"{count}  {running}")


def _line(finished: Finished) -> Text:
    record = finished.record
    seconds = "" if finished.seconds is None else f"  {finished.seconds:.2f} s"
    outcome = (record.outcome.value, STYLES.get(record.outcome, "yellow"))
    return Text.assemble(outcome, f"  {record.label}{seconds}{'  (resumed)' if finished.resumed else ''}")
