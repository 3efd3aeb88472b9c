"""What the records of ``certify bench`` show of Table 7, Figure 6 and the reversal: orders and growth, never the size of a time."""

from __future__ import annotations

from collections.abc import Iterator

from flint import fmpq

from certify.bench.summary import CLOSED, ORIGINAL, rows
from certify.bench.table import STRUCTURED
from certify.exact.number import exact
from certify.exact.truth import Truth
from certify.studies.points import Point, decided
from certify.studies.timings.record import Record

RECURRENCES = (ORIGINAL, "consistent recurrence", "log-domain Miller")
GROWTH = 4
"""How many times more than AR/FR the original recurrence grows, at least, from the smallest dimension to the largest."""
SHARE = 10
"""What part of one B×K×p tensor the structure-aware path takes, at most, at the largest number of classes."""


def order(record: Record) -> Iterator[Point]:
    """Every row agreed with its own exact definition before it was timed; time and memory fall in the order that the paper prints."""
    at, found = _place(record), {row["name"]: row for row in rows(record.raw)}
    for name, row in found.items():
        agrees = bool(row["checks"]) and all(check["error"] <= check["tolerance"] for check in row["checks"])
        yield Point({**at, "realization": name}, "agrees with its own exact definition", decided(agrees))
    for name in RECURRENCES:
        yield _faster(at, found, CLOSED, name)
    yield _faster(at, found, STRUCTURED, CLOSED)
    for name in (*RECURRENCES, CLOSED):
        yield _smaller(at, found, STRUCTURED, name)
    yield _smaller(at, found, ORIGINAL, "consistent recurrence")


def growth(record: Record) -> Iterator[Point]:
    """A recurrence grows with p and AR/FR does not; the structure-aware path has no B×K×p term."""
    at, parts = _place(record), record.parts
    if dimensions := parts.dimensions.found:
        first, last = (dimensions[place].milliseconds for place in (0, -1))
        ratios = {name: exact(last[name].median) / exact(first[name].median) for name in (ORIGINAL, CLOSED)}
        spread = {"p": f"{dimensions[0].dim} to {dimensions[-1].dim}"}
        grows = decided(ratios[ORIGINAL] > GROWTH * ratios[CLOSED])
        yield Point({**at, **spread}, f"{ORIGINAL} grows more than {GROWTH} times as much as {CLOSED}", grows, ratios)
    if classes := parts.classes.found:
        entry = classes[-1]
        found = {"bytes": fmpq(entry.peak_bytes), "of one tensor": fmpq(entry.dense_bytes)}
        small = decided(SHARE * entry.peak_bytes < entry.dense_bytes)
        yield Point({**at, "K": str(entry.classes)}, f"the memory is below a share 1/{SHARE} of one B×K×p tensor", small, found)


def _place(record: Record) -> dict[str, str]:
    return {"device": f"{record.settings.device}, {record.environment.device}"}


def _faster(at: dict[str, str], found: dict[str, dict], a: str, b: str) -> Point:
    values = [(found.get(name) or {}).get("milliseconds") for name in (a, b)]
    return _less(at, f"{a} is faster than {b}", *(None if value is None else value["median"] for value in values))


def _smaller(at: dict[str, str], found: dict[str, dict], a: str, b: str) -> Point:
    return _less(at, f"{a} takes less memory than {b}", *((found.get(name) or {}).get("peak_bytes") for name in (a, b)))


def _less(at: dict[str, str], relation: str, a: float | None, b: float | None) -> Point:
    """A number that is missing leaves it open."""
    if a is None or b is None:
        return Point(at, relation, Truth.UNKNOWN)
    return Point(at, relation, decided(a < b), {"the first": exact(a), "the second": exact(b)})
