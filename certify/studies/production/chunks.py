"""Long studies in chunks, each kept on disk until all are done: a study that was interrupted continues where it was."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from certify.claims.provenance import PACKAGE
from certify.studies.production.study import NOTHING, Outcome

SOURCES = ("vmf", "exact", "studies/production")


class _Done(msgspec.Struct, frozen=True):
    chunk: int
    outcome: Outcome


def in_chunks(key: tuple[object, ...], count: int, compute: Callable[[int], Outcome], folder: Path | None = None) -> Outcome:
    """The outcomes of chunks 0 … count − 1 together; stops at the first failure.

    What is done is kept in ``folder`` (by default below $XDG_CACHE_HOME or ~/.cache), in a file whose name is the digest of the key and of
    the sources; the file goes when the study ends.
    """
    file = (folder or _cache()) / f"{_digest(key)}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    done = {each.chunk: each.outcome for each in _read(file)}
    outcome = NOTHING
    with file.open("ab") as stream:
        for chunk in range(count):
            if chunk not in done:
                done[chunk] = compute(chunk)
                stream.write(b"\n" + msgspec.json.encode(_Done(chunk, done[chunk])) + b"\n")
                stream.flush()
            outcome = outcome.joined(done[chunk])
            if outcome.failed:
                break
    file.unlink(missing_ok=True)
    return outcome


def _read(file: Path) -> Iterator[_Done]:
    """The lines that are whole."""
    for line in file.read_bytes().splitlines() if file.exists() else ():
        try:
            yield msgspec.json.decode(line, type=_Done)
        except msgspec.DecodeError:
            continue


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "certify" / "production"


def _digest(key: tuple[object, ...]) -> str:
    found = hashlib.sha256(repr(key).encode())
    for source in SOURCES:
        for file in sorted((PACKAGE / source).rglob("*.py")):
            found.update(file.read_bytes())
    return found.hexdigest()
