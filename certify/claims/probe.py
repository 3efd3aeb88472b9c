"""Importing foreign code first where it can do no harm: in a process of its own, which it may end."""

from __future__ import annotations

import os
import sys

from certify.claims.exits import BadInput
from certify.claims.origin import Origin
from certify.claims.pool import SeparateProcesses, WorkerDied


def refuse_if_deadly(origin: Origin) -> None:
    """Raise BadInput where the import of this origin ends the process (``os._exit``, a crash) instead of returning or raising."""
    if origin.shipped or origin.module in sys.modules or (origin.path or "").endswith(".toml"):
        return
    executor = SeparateProcesses(1)
    try:
        executor.submit(_import, origin).result()
    except WorkerDied:
        raise BadInput(f"{origin.name} ends the process that imports it: none of its claims can be listed or run") from None
    finally:
        executor.kill_workers()


def _import(origin: Origin) -> None:
    """In silence: it is imported, and heard, again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    try:
        origin.load()
    except BaseException:  # met again by whoever imports it
        return
