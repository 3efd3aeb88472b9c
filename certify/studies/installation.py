"""What is installed here, what is not, and which claims and options that leaves "not run"."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase
from importlib.metadata import PackageNotFoundError, requires
from typing import Any, NamedTuple

from certify.claims import installed
from certify.claims.provenance import version
from certify.claims.record import Data
from certify.claims.registry import Registered
from certify.claims.text import one_line

DISTRIBUTION = "certify-numerics"


class Finding(Data, frozen=True):
    """One thing that is needed: what was found of it, what is asked for, and what is not run where that is missing."""

    name: str
    found: str | None
    needed: str
    missing: bool
    required: bool
    without: str = ""
    remedy: str = ""


class Need(NamedTuple):
    """Something optional: how to look for it, the claims (globs) or options that wait for it, and how to get it."""

    name: str
    look: Callable[[], str | None]
    claims: tuple[str, ...]
    option: str
    remedy: str


def _tool(*names: str) -> Callable[[], str | None]:
    return lambda: next(filter(None, map(shutil.which, names)), None)


def _cuda() -> str | None:
    import torch

    return torch.cuda.get_device_name() if torch.cuda.is_available() else None


NEEDS = (
    Need("CUDA device", _cuda, ("production.*.cuda", "profile.*.cuda"), "", "run on a machine with one"),
    Need("C++ compiler", _tool("c++", "g++", "clang++"), ("production.compiled.*.cpu", "profile.torch.compiled.cpu"), "", "install g++"),
    Need("distributed", lambda: version("distributed"), (), "--executor dask://…", f"pip install '{DISTRIBUTION}[dask]'"),
    Need("jax", lambda: version("jax"), (), "JAX in table special", f"pip install '{DISTRIBUTION}[jax]'"),
    Need("gappa", _tool("gappa"), (), "check --with gappa", "apt install gappa"),
    Need("sollya", _tool("sollya"), (), "check --with sollya", "apt install sollya"),
    Need("git", _tool("git"), (), "the commit in reports", "install git"),
)


def findings(entries: Iterable[Registered]) -> list[Finding]:
    """Requirements first, then what is optional, with the claims among ``entries`` that wait for it."""
    ids = [entry.claim.id for entry in entries]
    return [*_requirements(), *(_finding(need, ids) for need in NEEDS)]


def _requirements() -> Iterator[Finding]:
    """The distributions that this one requires, at the versions that it asks for."""
    from packaging.requirements import Requirement

    try:
        texts = requires(DISTRIBUTION) or []
    except PackageNotFoundError:
        yield Finding(name=DISTRIBUTION, found=None, needed="installed", missing=True, required=True, remedy="pip install -e .")
        return
    for requirement in map(Requirement, texts):
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            found = version(requirement.name)
            wrong = found is None or not requirement.specifier.contains(found, prereleases=True)
            needed = str(requirement.specifier) or "any"
            remedy = f"pip install '{requirement}'" if wrong else ""
            yield Finding(name=requirement.name, found=found, needed=needed, missing=wrong, required=True, remedy=remedy)


def _finding(need: Need, ids: list[str]) -> Finding:
    try:
        found = need.look()
    except Exception as error:  # of a library that does not load
        found = None
        need = need._replace(remedy=one_line(error))
    waiting = sum(any(fnmatchcase(id, glob) for glob in need.claims) for id in ids)
    without = need.option or f"{waiting} claims, {' and '.join(need.claims)}"
    return Finding(
        name=need.name, found=found, needed="optional", missing=found is None, required=False, without=without, remedy=need.remedy
    )


def left_out(entries: Iterable[Registered]) -> dict[str, Any]:
    """What a plain ``certify run`` leaves out by choice: long claims, and the claims of installed packages."""
    long = sorted(entry.claim.id for entry in entries if entry.claim.long)
    return {"long claims": len(long), "packages with claims": installed.names()}
