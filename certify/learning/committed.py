"""The states that come with the package, made by ``mixtures.mixture`` with seed 3407, each held against its digest when it is read."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

from certify.learning.files import arrays, digest
from certify.learning.states import State, state

FOLDER = Path(str(resources.files("certify.data").joinpath("states")))


def names() -> list[str]:
    """What is there."""
    return sorted(_digests())


def shipped(name: str) -> State:
    """The state of that name. Raises ValueError for an unknown one, and for a file that is not the one committed."""
    known = _digests()
    if name not in known:
        raise ValueError(f"no shipped state {name!r}: {', '.join(sorted(known))} are there")
    entries = arrays(FOLDER / f"{name}.npz")
    if digest(entries) != known[name]:
        raise ValueError(f"the shipped state {name!r} does not have the digest in {FOLDER.name}/digests.json")
    return state(entries)


def _digests() -> dict[str, str]:
    return json.loads(FOLDER.joinpath("digests.json").read_text())
