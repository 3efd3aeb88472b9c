"""What a record says: the rows of Table 7, the ratios between them, and the targets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, NamedTuple

from certify.bench.alone import COMPILED
from certify.bench.settings import MIB, Settings
from certify.bench.table import STRUCTURED
from certify.claims.exits import Exit

SIZES = ("batch", "classes", "dim", "dtype")
ORIGINAL, CLOSED = "original recurrence", "AR/FR"
HEAD = ("realization", "variant", "median ms", "min", "max", "peak MiB", "floor ms", "x floor")


class Ratio(NamedTuple):
    """A quotient of two medians of one run; ``target`` is what is aimed at, ``least`` whether from above."""

    name: str
    value: float
    target: float | None
    least: bool = True

    @property
    def met(self) -> bool | None:
        if self.target is None:
            return None
        return self.value >= self.target if self.least else self.value <= self.target


SPEEDUP = {"cpu": 150.0, "cuda": 1293.0}
PRODUCTS = 3.0
EVALUATORS = 50.0
"""The targets: original/structured, structured/its matrix products, original evaluator/AR_R evaluator; at the paper's sizes."""


def found(record: Mapping[str, Any], part: str) -> Any:
    """What a part found; None where it failed or was not reached."""
    return (record["parts"].get(part) or {}).get("found")


def rows(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows of Table 7, one a realization: of its variants the fastest that was timed."""
    best: dict[str, dict[str, Any]] = {}
    for row in (found(record, "table") or {}).get("rows", []):
        former = best.get(row["name"])
        if former is None or _median(row) < _median(former):
            best[row["name"]] = row
    return list(best.values())


def _median(row: Mapping[str, Any]) -> float:
    times = row["milliseconds"]
    return float("inf") if times is None else times["median"]


def ratios(record: Mapping[str, Any]) -> list[Ratio]:
    """Of rows, of evaluators alone, and of the structured path to its own products; those whose parts were timed."""
    timed = {row["name"]: _median(row) for row in rows(record) if row["milliseconds"]}
    alone = {entry["name"]: _median(entry) for entry in found(record, "evaluators") or [] if entry["milliseconds"]}
    products = ((found(record, "table") or {}).get("products") or {}).get("median")
    device = record["settings"]["device"]
    known = [
        ("original/ARFR", timed.get(ORIGINAL), timed.get(CLOSED), None, True),
        ("ARFR/structured", timed.get(CLOSED), timed.get(STRUCTURED), None, True),
        ("original/structured", timed.get(ORIGINAL), timed.get(STRUCTURED), SPEEDUP[device], True),
        ("structured/its matrix products", timed.get(STRUCTURED), products, PRODUCTS if device == "cpu" else None, False),
        ("original evaluator/AR_R evaluator, eager", alone.get(ORIGINAL), alone.get(CLOSED), None, True),
        ("original evaluator/AR_R evaluator, compiled", alone.get(ORIGINAL), alone.get(COMPILED), EVALUATORS, True),
    ]
    at_the_papers = all(record["settings"][field.name] == field.default for field in fields(Settings) if field.name in SIZES)
    return [Ratio(name, a / b, target if at_the_papers else None, least) for name, a, b, target, least in known if a and b]


def text(record: Mapping[str, Any]) -> str:
    """A short table; what failed is named last."""
    place, settings = record["environment"], record["settings"]
    sizes = ", ".join(f"{name} {settings[name]}" for name in ("batch", "classes", "dim", "dtype", "seed"))
    where = f"{place['device']}, torch {place['versions']['torch']}, {place['threads']} threads, load {place['load']} before"
    head = f"{where}; {sizes}; medians of {settings['repeats']}"
    return "\n".join([head, *_aligned([HEAD, *map(_line, rows(record))]), "", *map(_ratio, ratios(record)), *failures(record), ""])


def failures(record: Mapping[str, Any]) -> list[str]:
    """Rows that were not timed and parts that failed, each with its reason."""
    parts = [f"{name} failed: {part['failure']}" for name, part in record["parts"].items() if part["failure"]]
    refused = [f"{_name(entry)}, not timed: {entry['failure']}" for entry in _checked(record) if entry["failure"]]
    return [*parts, *refused, *map(_wrong, _wrong_primitives(record)), *_reference(record)]


def outcome(record: Mapping[str, Any]) -> Exit:
    """REFUTED where something is not what it should be; else ERROR where a part failed; else UNDECIDED where a row is missing."""
    checks = [check for entry in _checked(record) for check in entry["checks"]]
    if _wrong_primitives(record) or _reference(record) or not all(check["holds"] for check in checks):
        return Exit.REFUTED
    if any(part["failure"] for part in record["parts"].values()):
        return Exit.ERROR
    return Exit.HOLDS if all(row["milliseconds"] for row in rows(record)) else Exit.UNDECIDED


def _checked(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [*(found(record, "table") or {}).get("rows", []), *(found(record, "evaluators") or [])]


def _name(entry: Mapping[str, Any]) -> str:
    return f"{entry['name']}, {entry.get('variant', 'alone')}"


def _wrong_primitives(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [entry for entry in found(record, "primitives") or [] if not entry["holds"]]


def _wrong(entry: Mapping[str, Any]) -> str:
    place = f"{entry['function']}, {entry['dtype']}, p = {entry['dim']}"
    return f"{place}: off by {entry['error']} u, accepted {entry['accepted']:g} u"


def _reference(record: Mapping[str, Any]) -> list[str]:
    failure = (found(record, "reference") or {}).get("failure")
    return [f"reference: {failure}"] if failure else []


def _line(row: Mapping[str, Any]) -> tuple[str, ...]:
    times, peak = row["milliseconds"], row["peak_bytes"]
    memory = "" if peak is None else f"{peak / MIB:.2f}"
    floor = row["floor_milliseconds"]
    if times is None:
        return row["name"], row["variant"], "not timed", "", "", memory, f"{floor:.3g}", ""
    shown = [f"{times[name]:.4g}" for name in ("median", "least", "most")]
    return row["name"], row["variant"], *shown, memory, f"{floor:.3g}", f"{times['median'] / floor:.3g}"


def _ratio(ratio: Ratio) -> str:
    aim = "" if ratio.target is None else f"  target {'≥' if ratio.least else '≤'} {ratio.target:g}: {'met' if ratio.met else 'not met'}"
    return f"{ratio.name}: {ratio.value:.3g}{aim}"


def _aligned(lines: list[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return ["  ".join(map(str.ljust, line, widths)).rstrip() for line in lines]
