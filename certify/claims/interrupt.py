"""Ctrl-C, SIGTERM and a closed terminal as an event that a run looks at between two claims."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextlib.contextmanager
def interruptible() -> Iterator[threading.Event]:
    """An event that SIGINT, SIGTERM or SIGHUP sets. A second signal acts as it did before; outside the main thread all do."""
    stop = threading.Event()
    previous = {}
    if threading.current_thread() is threading.main_thread():
        previous = {number: signal.getsignal(number) for number in SIGNALS}

    def restore() -> None:
        for number, handler in previous.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)

    def handle(_number: int, _frame: FrameType | None) -> None:
        stop.set()
        restore()

    for number, handler in previous.items():
        if handler != signal.SIG_IGN:  # as under nohup
            signal.signal(number, handle)
    try:
        yield stop
    finally:
        restore()
