"""Claim files in TOML: claims as data.

    [[claim]]
    id = "softplus.error"
    statement = '|\\mathrm{softplus}(x) - \\log(1+e^x)| \\le 10^{-8}'
    target = "kernel.py:softplus"
    …

One of the keys ``KINDS`` says what kind of claim a table declares; the class named there has that kind's keys, and its method ``claim``
makes the claim. To read a file runs none of the code that it names.
"""

from __future__ import annotations

import tomllib
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import msgspec

from certify.claims.claim import Claim
from certify.claims.exits import BadInput
from certify.claims.files import read
from certify.claims.text import clipped, line

KINDS = {"target": "certify.audit.bounds.table:BoundTable", "riccati": "certify.claims.toml:RiccatiTable"}
Exact = int | str
"""A number as it is written: no float is made of one."""


class Malformed(BadInput):
    """A claim file that is not what the format asks for; the message names the file and the key."""


class Declared(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The keys that every kind of claim has."""

    id: str
    statement: str
    source: str = ""
    grade: str = "enclosed"

    def claim(self, folder: Path) -> Claim:
        """The claim; paths of files in it are relative to ``folder``. Raises ValueError, naming the key, for a value that will not do."""
        raise NotImplementedError


class RiccatiTable(Declared, frozen=True, kw_only=True):
    """Bounds of a solution of a Riccati equation, see ``certify.claims.riccati``."""

    riccati: dict[str, Any]
    grade: Literal["proved"] = "proved"

    def claim(self, folder: Path) -> Claim:
        from certify.claims.riccati import riccati_claim

        return riccati_claim(msgspec.structs.asdict(self))


def module(name: str, path: str, shown: str) -> ModuleType:
    """The claims of a file as the names of a module. Raises Malformed, which calls the file what ``shown`` says."""
    found = ModuleType(name, f"Claims declared in {Path(path).name}.")
    try:
        for number, table in enumerate(_tables(path), 1):
            claim = _claim(table, number, Path(path).parent)
            if claim.id in vars(found):
                raise ValueError(f"two claims have the id {claim.id!r}")
            setattr(found, claim.id, claim)
    except ValueError as error:
        raise Malformed(f"claim file {shown!r}: {clipped(line(str(error)))}") from None
    return found


def _tables(path: str) -> list[Any]:
    try:
        data = tomllib.loads(read(path).decode(), parse_float=str)
    except BadInput as error:
        raise ValueError(f"it cannot be read: {str(error).rpartition(': ')[2]}") from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not TOML in UTF-8: {error}") from None
    unknown = sorted(data.keys() - {"claim"})
    if unknown:
        raise ValueError(f"unknown key {unknown[0]!r}; the file holds tables [[claim]]")
    tables = data.get("claim", [])
    if not isinstance(tables, list):
        raise ValueError("key 'claim': write [[claim]] in two brackets")
    return tables


def _claim(table: Any, number: int, folder: Path) -> Claim:
    """Raises ValueError, which names the claim."""
    if not isinstance(table, dict):
        raise ValueError(f"claim {number}: a table of keys is needed")
    kinds = sorted(KINDS.keys() & table.keys())
    try:
        if len(kinds) != 1:
            raise ValueError(f"exactly one of the keys {', '.join(map(repr, KINDS))} is needed")
        return msgspec.convert(table, _kind(kinds[0])).claim(folder)
    except ValueError as error:  # BadInput, and what msgspec raises, among them
        raise ValueError(f"claim {table.get('id', number)!r}: {_in_words(error)}") from None


def _kind(key: str) -> type[Declared]:
    module, _, name = KINDS[key].partition(":")
    return getattr(import_module(module), name)


def _in_words(error: ValueError) -> str:
    """What msgspec says of a table, in the words of the format."""
    words = {"Object contains unknown field": "unknown key", "Object missing required field": "missing key"}
    text = str(error).replace("`", "'").replace(" - at '$.", " for the key '")
    for theirs, ours in words.items():
        text = text.replace(theirs, ours)
    return text
