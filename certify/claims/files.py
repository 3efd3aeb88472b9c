"""Files that are either complete or absent."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from certify.claims.exits import BadInput


def write_atomically(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a regular file so that a reader, or a crash, never sees half of it.

    The content goes to a new file in the same folder, reaches the disk, and takes the name. Raises BadInput where that
    is not possible (no such folder, read-only, a folder or device of that name, a full disk); nothing is left behind.
    """
    try:
        target = Path(os.path.realpath(path))
        _refuse_unless_replaceable(target)
        _replace(target, content.encode(errors="backslashreplace") if isinstance(content, str) else content)
    except (OSError, ValueError) as error:
        raise BadInput(f"cannot write {os.fspath(path)!r}: {_reason(error)}") from None


def read(path: str | os.PathLike[str]) -> bytes:
    """The content of a file. Raises BadInput where it cannot be read."""
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise BadInput(f"cannot read {os.fspath(path)!r}: {_reason(error)}") from None


def _refuse_unless_replaceable(target: Path) -> None:
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISREG(mode):
        raise ValueError("not a regular file")
    if not os.access(target, os.W_OK):
        raise ValueError("it is read-only")


def _replace(target: Path, content: bytes) -> None:
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with open(draft, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, target)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
