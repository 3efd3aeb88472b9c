"""One run at a time in a folder."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from certify.claims.exits import BadInput

LOCK = ".lock"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold an advisory lock; its file is gone afterwards, and a file that a killed run left behind is no obstacle.

    Raises BadInput where another run holds it, or the folder cannot be written.
    """
    path = folder / LOCK
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise BadInput(f"cannot write in {str(path.parent)!r}: {error.strerror}") from None
    try:
        _take(descriptor, path)
        try:
            yield
        finally:
            path.unlink(missing_ok=True)
    finally:
        os.close(descriptor)


def _take(descriptor: int, path: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        held = os.path.samestat(os.fstat(descriptor), os.stat(path))  # not the file that an ending run has just removed
    except OSError:
        held = False
    if not held:
        raise BadInput(f"another run is writing in {str(path.parent)!r}")
