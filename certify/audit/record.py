"""The parts of an audit's result as plain values; numbers that JSON lacks are written as text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, is_dataclass
from typing import Any

from certify.audit.evidence import Evidence
from certify.audit.traced.certified import Certified
from certify.audit.verdicts import CoherenceVerdict, FidelityVerdict
from certify.exact.interpret.defect import Stretch
from certify.exact.number import show


def coherence(verdict: CoherenceVerdict) -> dict[str, Any]:
    return plain(
        {
            "outcome": verdict.outcome.value,
            "why": verdict.why.message if verdict.why else None,
            "declared": verdict.declared,
            "findings": [{**asdict(finding), "kind": finding.kind.name.lower()} for finding in verdict.findings],
            "kinks": [asdict(kink) for kink in verdict.kinks],
        }
    )


def fidelity(verdict: FidelityVerdict) -> dict[str, Any]:
    return plain({**asdict(verdict), "outcome": verdict.outcome.value})


def coverage(evidence: Sequence[Evidence]) -> list[dict[str, Any]]:
    return [{name: value for name, value in plain(each).items() if name not in ("findings", "kinks")} for each in evidence]


def proofs(certified: Certified | None) -> dict[str, Any] | None:
    """The stretches with exact ends and bounds."""
    if certified is None:
        return None
    return {
        "dtype": certified.trace.dtype,
        "compared": list(certified.trace.points),
        "unseen": list(certified.unseen),
        "program": certified.trace.program.digest,
        "tolerance": certified.tolerance,
        "stretches": [_stretch(each, certified.words(each)) for each in certified.stretches],
    }


def _stretch(stretch: Stretch, statement: str) -> dict[str, Any]:
    return {
        "low": show(stretch.low),
        "high": show(stretch.high),
        "kind": stretch.kind.value,
        "bound": None if stretch.bound is None else show(stretch.bound),
        "boxes": stretch.boxes,
        "statement": statement,
    }


def plain(value: Any) -> Any:
    """The value without dataclasses, and without numbers that are not finite."""
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value
