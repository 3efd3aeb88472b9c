"""The paper, item by item: its theorems, displayed equations, tables and figures, and the claims that check them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Literal

import msgspec

from certify.claims.record import Report
from certify.claims.registry import Registered
from certify.claims.verdict import Outcome

NOT_YET = "not yet"


class Item(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``item`` at ``place`` of the paper, what it ``states``, and the ids of its claims; without any, its ``status``."""

    place: str
    kind: Literal["theorem", "equation", "statement", "table", "figure"]
    item: str
    states: str
    claims: tuple[str, ...] = ()
    status: str = NOT_YET


class _Paper(msgspec.Struct, frozen=True):
    note: str
    items: tuple[Item, ...]


@dataclass(frozen=True)
class Found:
    """A claim: the grade that it asks for, or what a run made of it, and the file that declares it."""

    id: str
    grade: str
    file: str


@dataclass(frozen=True)
class Traced:
    """An item with its claims."""

    item: Item
    claims: tuple[Found, ...]


@dataclass(frozen=True)
class Trace:
    """The items in the order of the paper, and the claims that belong to none of them."""

    items: tuple[Traced, ...]
    beyond: tuple[Found, ...]


def items() -> tuple[Item, ...]:
    """The paper's items in order, as shipped with the package."""
    content = resources.files("certify.data").joinpath("paper.json").read_bytes()
    return msgspec.json.decode(content, type=_Paper).items


def trace(entries: Sequence[Registered], report: Report | None = None, selected: bool = False) -> Trace:
    """Every item with its claims; with a ``report``, what was reached in that run.

    ``selected``: the entries are not all claims, and items without any of them are left out.
    """
    found = {entry.claim.id: Found(entry.claim.id, _grade(entry, report), _file(entry)) for entry in entries}
    listed = items()
    traced = [Traced(item, tuple(found[id] for id in item.claims if id in found)) for item in listed]
    named = {id for item in listed for id in item.claims}
    return Trace(
        tuple(entry for entry in traced if entry.claims or not selected),
        tuple(claim for id, claim in found.items() if id not in named),
    )


def _grade(entry: Registered, report: Report | None) -> str:
    if entry.trace is not None:
        return Outcome.ERROR.value
    if report is None:
        return entry.claim.grade.value
    record = next((record for record in report.claims if record.id == entry.claim.id), None)
    if record is None:
        return Outcome.NOT_RUN.value
    changes = _changes({name: record.constants[name] for name in record.perturbed})
    return f"{record.outcome.value}{changes}"


def _changes(perturbed: Mapping[str, str]) -> str:
    return f" with {', '.join(f'{name} = {value}' for name, value in perturbed.items())}" if perturbed else ""


def _file(entry: Registered) -> str:
    origin = entry.origin
    return origin.name if origin.path is not None else f"{origin.module.replace('.', '/')}.py"
