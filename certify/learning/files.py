"""States in files: NumPy's .npz and safetensors, never anything that executes what it reads."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certify.claims.files import read, write_atomically
from certify.exact.errors import NotAccepted
from certify.exact.number import Number
from certify.learning.states import State, state

LARGEST = 2**30
"""Bytes of a file's arrays, unpacked."""


def load(path: str | Path, cap: Number | None = None) -> State:
    """The state in a .npz or .safetensors file, by the entries of ``learning.state``.

    Raises ValueError, one line, for another kind of file, one that cannot be read, pickled objects, and as ``state`` does.
    """
    entries = arrays(path)
    try:
        return state(entries, cap)
    except NotAccepted as error:
        raise NotAccepted(f"{path}: {error}") from None


def arrays(path: str | Path) -> dict[str, NDArray[Any]]:
    """All arrays of a file by name."""
    readers = {".npz": _from_npz, ".safetensors": _from_safetensors}
    suffix = Path(path).suffix
    if suffix not in readers:
        raise NotAccepted(f"{path}: .npz and .safetensors files are accepted")
    content = read(path)
    try:
        return readers[suffix](content)
    except ImportError:
        raise NotAccepted(f"{path}: the package safetensors is not installed; .npz files need none") from None
    except Exception as error:  # whatever the two readers raise for a damaged file
        raise NotAccepted(
            f"{path} is not a {suffix} file of plain arrays: {str(error).splitlines()[0] if str(error) else error!r}"
        ) from None


def save(path: str | Path, found: State) -> None:
    """Write a state as .npz; the same state gives the same bytes."""
    content = io.BytesIO()
    np.savez(content, allow_pickle=False, **entries_of(found))
    write_atomically(path, content.getvalue())


def entries_of(found: State) -> dict[str, NDArray[Any]]:
    """The entries that give the state again."""
    names = ("means", "counts", "features", "labels", "priors")
    return {**{name: getattr(found, name) for name in names}, "temperature": np.array(found.temperature)}


def digest(entries: Mapping[str, NDArray[Any]]) -> str:
    """SHA-256 of names, types, shapes and values, whatever the file's kind and order."""
    total = hashlib.sha256()
    for name in sorted(entries):
        array = np.ascontiguousarray(entries[name])
        total.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
        total.update(array.tobytes())
    return total.hexdigest()


def _from_npz(content: bytes) -> dict[str, NDArray[Any]]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        size = sum(entry.file_size for entry in archive.infolist())
    if size > LARGEST:
        raise NotAccepted(f"its arrays have {size} bytes, at most {LARGEST} are accepted")
    with np.load(io.BytesIO(content), allow_pickle=False) as loaded:
        return {name: loaded[name] for name in loaded.files}


def _from_safetensors(content: bytes) -> dict[str, NDArray[Any]]:
    from safetensors.numpy import load as parse

    return parse(content)
