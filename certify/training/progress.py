"""How far the runs of a folder are, read from their checkpoints: it serves every executor whose workers write there."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.live import Live
from rich.text import Text

from certify.claims.progress import Stderr
from certify.training.checkpoint import RESULT, STATE

INTERVAL = 2.0
"""Seconds between two looks."""
TENTHS = 10


class Progress:
    """On stderr: a live line where it is a terminal, else one line a tenth and one a run; nothing if ``quiet``."""

    def __init__(self, folders: Sequence[str], quiet: bool) -> None:
        self.folders, self.quiet = [Path(folder) for folder in folders], quiet
        self.console, self.stop = Stderr(), threading.Event()
        self.start, self.first = time.monotonic(), self.share()
        self.shown = int(self.first * TENTHS)
        self.live = Live(console=self.console, transient=True, auto_refresh=False)
        self.watch = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Progress:
        if not self.quiet:
            if self.terminal:
                self.live.start()
            self.watch.start()
        return self

    def __exit__(self, *raised: Any) -> None:
        self.stop.set()
        if not self.quiet:
            self.watch.join()
        self.live.stop()

    @property
    def terminal(self) -> bool:
        return self.console.is_terminal and not self.console.is_dumb_terminal

    def finished(self, name: str, seconds: float) -> None:
        """A run has ended."""
        if not self.quiet:
            self.console.print(Text(f"trained  {name}  {seconds:.1f} s"))

    def share(self) -> float:
        """Of all updates, how many have been made; runs are equally long."""
        return sum(map(_share, self.folders)) / len(self.folders)

    def _watch(self) -> None:
        while not self.stop.wait(INTERVAL):
            share = self.share()
            if self.terminal:
                self.live.update(self._line(share), refresh=True)
            elif int(share * TENTHS) > self.shown:
                self.shown = int(share * TENTHS)
                self.console.print(self._line(share))

    def _line(self, share: float) -> Text:
        passed, made = time.monotonic() - self.start, share - self.first
        left = f"{passed * (1 - share) / made:.0f} s left" if made > 0 else "time left not known yet"
        return Text(f"{share:4.0%}  {passed:.0f} s, {left}")


def _share(folder: Path) -> float:
    if (folder / RESULT).exists():
        return 1.0
    try:
        found = json.loads((folder / STATE).read_bytes())
        return found["done"] / found["total"]
    except (OSError, ValueError, KeyError):  # not begun, or just replaced
        return 0.0
