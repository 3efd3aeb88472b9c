"""Files that are either complete or absent."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from certify.claims.exits import BadInput
from certify.claims.text import clipped

LARGEST = 2**28


def write_atomically(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a regular file so that a reader, or a crash, never sees half of it.

    The content goes to a new file in the same folder, reaches the disk, and takes the name. Raises BadInput where that
    is not possible (no such folder, read-only, a folder or device of that name, a full disk); nothing is left behind.
    """
    try:
        _replace(_replaceable(path), content.encode(errors="backslashreplace") if isinstance(content, str) else content)
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None


def read(path: str | os.PathLike[str]) -> bytes:
    """The content of a regular file of at most ``LARGEST`` bytes. Raises BadInput where it cannot be read."""
    try:
        size = _regular(Path(path))
        if size > LARGEST:
            raise ValueError(f"it has {size} bytes, at most {LARGEST} are accepted")
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise BadInput(f"cannot read {os.fspath(path)!r}: {_reason(error)}") from None


def make_folder(path: str | os.PathLike[str]) -> Path:
    """A folder, made with those above it where it does not exist. Raises BadInput where that is not possible."""
    if not os.fspath(path):
        raise BadInput("the name of the output folder is empty")
    try:
        os.makedirs(path, exist_ok=True)
    except (OSError, ValueError, RecursionError) as error:  # the last for thousands of folders in each other
        raise BadInput(f"cannot make the folder {clipped(os.fspath(path))!r}: {_reason(error)}") from None
    return Path(path)


def refuse_unless_replaceable(path: str | os.PathLike[str]) -> None:
    """Raise BadInput where ``write_atomically`` could not write such a file, as far as can be told before it does."""
    try:
        _replaceable(path)
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None


def _replaceable(path: str | os.PathLike[str]) -> Path:
    """The file that a path leads to, which is absent or may be replaced."""
    target = Path(os.path.realpath(path))
    with suppress(FileNotFoundError):
        _regular(target)
        if not os.access(target, os.W_OK):
            raise ValueError("it is read-only")
    return target


def _regular(path: Path) -> int:
    """The size of a regular file. Raises ValueError for a folder, a pipe or a device, OSError where there is nothing."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise ValueError("not a regular file")
    return status.st_size


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


def _unwritable(path: str | os.PathLike[str], error: Exception) -> BadInput:
    return BadInput(f"cannot write {os.fspath(path)!r}: {_reason(error)}")


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
