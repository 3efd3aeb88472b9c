"""The result of an audit in words, and as plain values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from certify.audit.certified import span
from certify.audit.evidence import Evidence, Extent, Finding, Kind
from certify.audit.outcome import Coherence
from certify.audit.reproduction import number, reproduction
from certify.audit.result import Audit
from certify.exact.interpret.defect import Kind as Proved
from certify.exact.interpret.defect import Stretch
from certify.exact.number import show

STRETCHES = 8
ORDINAL = {1: "derivative", 2: "second derivative"}


def explain(audit: Audit) -> str:
    """Verdicts, witness with its three numbers and a reproduction, coverage, and what else was noticed."""
    parts = [_headline(audit), *_findings(audit), *_extents(audit), *_witness(audit), *_kinks(audit), *_fidelity(audit)]
    parts += [*(_covered(evidence) for evidence in audit.evidence), *_proved(audit)]
    parts += [f"note: {note}" for note in dict.fromkeys([*audit.notes, *(n for e in audit.evidence for n in e.notes)])]
    return "\n".join([*parts, f"{audit.mode} mode ({audit.because}), {audit.seconds:.2f} s"])


def _headline(audit: Audit) -> str:
    coherence, fidelity = audit.coherence, audit.fidelity
    what = f" ({coherence.declared})" if coherence.outcome is Coherence.DECLARED else ""
    why = f": {coherence.why.message}; {coherence.why.remedy}" if coherence.why else ""
    order = "" if audit.order == 1 else f" (order {audit.order})"
    return f"{audit.target}{order}: coherence {coherence.outcome.value}{what}{why}; fidelity {fidelity.outcome.value}"


def _findings(audit: Audit) -> list[str]:
    kinds: dict[tuple[str, str], list[Finding]] = {}
    for finding in audit.coherence.findings:
        kinds.setdefault((finding.kind.value, finding.dtype), []).append(finding)
    lines = []
    for (kind, dtype), found in kinds.items():
        inputs = sorted(finding.x for finding in found)
        where = f"x from {inputs[0]:.6g} to {inputs[-1]:.6g}" if inputs[0] != inputs[-1] else f"x = {inputs[0]!r}"
        place = found[0].entry or where
        lines.append(f"  {dtype}: {kind}: {place}" + (f" ({found[0].note})" if found[0].note else ""))
    return lines


def _witness(audit: Audit) -> list[str]:
    w = audit.witness
    if w is None:
        return []
    name = ORDINAL[audit.order]
    lines = [f"witness: x = {number(w.input)} ({w.dtype})" + (f", {w.entry or w.note}" if w.entry or w.note else "")]
    derived = w.kind in (None, Kind.DERIVATIVE, Kind.LOST)
    rows = [(f"supplied {name}", number(w.supplied)), (f"{name} of the realized forward" if derived else "expected", number(w.realized))]
    rows[1] = (rows[1][0], rows[1][1] + (f"  ± {w.bar:.1g}" if w.bar else ""))
    rows += [("truth", number(w.truth))] if w.truth is not None else []
    width = max(len(words) for words, _ in rows)
    lines += [f"  {words:<{width}}  {value}" for words, value in rows]
    return [*lines, "reproduce:", *(f"  {line}" for line in reproduction(audit.order, w))]


def _kinks(audit: Audit) -> list[str]:
    return [
        f"  no derivative at x = {number(k.x)} ({k.dtype}){', ' + k.entry if k.entry else ''}: {k.left:.6g} {k.sides[0]}, "
        f"{k.right:.6g} {k.sides[1]}; supplied {k.supplied:.6g}, a subgradient"
        for k in audit.coherence.kinks[:4]
    ]


def _fidelity(audit: Audit) -> list[str]:
    worst = audit.fidelity.worst
    if worst is None or audit.fidelity.bound is None:
        return []
    return [
        f"  largest deviation from the reference at x = {number(worst.x)} ({worst.dtype}, {audit.fidelity.points} points): value "
        f"{worst.value:.10g} for {worst.true_value:.10g}, {ORDINAL[audit.order]} {worst.supplied:.10g} for {worst.true_derivative:.10g}; "
        f"bound {audit.fidelity.bound:.2g}, relative, beside what the last places of x account for"
    ]


def _proved(audit: Audit) -> list[str]:
    """What is proved, the widest stretches only where there are many, and what such proofs do not see."""
    proofs = audit.proofs
    if proofs is None:
        return []
    shut = [each for each in proofs.stretches if each.kind is not Proved.OPEN]
    shown = sorted(sorted(shut, key=lambda each: each.low - each.high)[:STRETCHES], key=lambda each: each.low)
    rest = [f"  and on {len(shut) - len(shown)} shorter stretches"] if len(shut) > len(shown) else []
    left = [f"  nothing is proved on {_places(proofs.open)}"] if proofs.open else []
    lines = [f"  {proofs.words(each)}" for each in shown]
    head = f"proved of the {proofs.trace.dtype} operations, over the real numbers ({', '.join(proofs.unseen)} not seen):"
    return [head, *lines, *rest, *left]


def _extents(audit: Audit) -> list[str]:
    return [f"  {e.dtype}: {_extent(e.extent)}" for e in audit.evidence if e.extent is not None]


def _extent(e: Extent) -> str:
    return f"the defect shows from x = {e.starts:.6g} to {e.ends:.6g}, is largest, {e.peak:.4g}, at {e.at:.6g}"


def _places(stretches: Sequence[Stretch]) -> str:
    widest = sorted(sorted(stretches, key=lambda each: each.low - each.high)[:STRETCHES], key=lambda each: each.low)
    rest = f" and {len(stretches) - len(widest)} shorter stretches" if len(stretches) > len(widest) else ""
    return ", ".join(span(each) for each in widest) + rest


def _covered(e: Evidence) -> str:
    interval = f" on [{e.low:.6g}, {e.high:.6g}]" if e.low == e.low else ""
    unresolved = f", {e.unresolved} where structure is finer than the spacing of the format" if e.unresolved else ""
    cut = "" if e.complete else "; the budget ended before all was covered"
    shown = f"{e.points} points, {e.finite} finite, {e.shown} where a derivative shows{unresolved}"
    return f"  {e.dtype}{interval}: {shown}, {e.evaluations} evaluations{cut}"


def record(audit: Audit) -> dict[str, Any]:
    """Plain values; numbers that JSON lacks are written as text."""
    c, f = audit.coherence, audit.fidelity
    raw = {
        "target": audit.target,
        "order": audit.order,
        "mode": audit.mode,
        "because": audit.because,
        "seconds": audit.seconds,
        "coherence": {
            "outcome": c.outcome.value,
            "why": c.why.message if c.why else None,
            "declared": c.declared,
            "findings": [{**asdict(finding), "kind": finding.kind.name.lower()} for finding in c.findings],
            "kinks": [asdict(kink) for kink in c.kinks],
        },
        "fidelity": {"outcome": f.outcome.value, "bound": f.bound, "points": f.points, "worst": asdict(f.worst) if f.worst else None},
        "witness": asdict(audit.witness) if audit.witness else None,
        "coverage": [{k: v for k, v in asdict(e).items() if k not in ("findings", "kinks")} for e in audit.evidence],
        "notes": list(audit.notes),
        "proofs": _proofs(audit),
    }
    return _plain(raw)


def _proofs(audit: Audit) -> dict[str, Any] | None:
    """The stretches with exact ends and bounds."""
    proofs = audit.proofs
    if proofs is None:
        return None
    stretches = [
        {
            "low": show(each.low),
            "high": show(each.high),
            "kind": each.kind.value,
            "bound": None if each.bound is None else show(each.bound),
            "boxes": each.boxes,
            "statement": proofs.words(each),
        }
        for each in proofs.stretches
    ]
    of = {"dtype": proofs.trace.dtype, "compared": list(proofs.trace.points), "unseen": list(proofs.unseen)}
    return {**of, "program": proofs.trace.program.digest, "tolerance": proofs.tolerance, "stretches": stretches}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value
