"""From what was seen to the result: witness, proofs, and the two verdicts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from certify.audit.clock import Clock
from certify.audit.elementwise import Elementwise
from certify.audit.evidence import Evidence, Finding, Kind, Kink
from certify.audit.fidelity import Deviation, deviation, smooth_at, worst
from certify.audit.outcome import Coherence, Fidelity, Why
from certify.audit.precision import PRECISIONS, precision
from certify.audit.proofs import contradiction, proved
from certify.audit.request import Request
from certify.audit.result import Audit
from certify.audit.scan import coarser
from certify.audit.shrink import simplest
from certify.audit.traced.certified import Certified
from certify.audit.traced.trace import Trace
from certify.audit.verdicts import CoherenceVerdict, FidelityVerdict, Witness

SPOILED = (Kind.LOST, Kind.UPSTREAM, Kind.REPEATED, Kind.BATCH, Kind.LAYOUT)  # what no declaration excuses
FEW = 0.02  # of the points must show a derivative

NO_TRUTH = "the reference has no real value with a derivative at any of the points tried"
NO_USE = "references are for functions of one variable, element by element"


@dataclass(frozen=True)
class Gathered:
    """``audits`` are those of functions of one variable, in each format, ``trace`` that in the first of these, or why there is none."""

    evidence: Sequence[Evidence]
    audits: Sequence[Elementwise] = ()
    trace: Trace | str = Audit.because


def conclude(asked: Request, gathered: Gathered, clock: Clock) -> Audit:
    """The result; proofs are tried in the time that the clock leaves."""
    evidence, audits = gathered.evidence, gathered.audits
    findings = sorted((finding for each in evidence for finding in each.findings), key=_clarity)
    findings = _simplified(findings, audits)
    proofs = _proofs(gathered, findings, clock)
    if isinstance(proofs, Certified) and not findings and (proved_wrong := contradiction(proofs, audits[0])):
        findings = [proved_wrong]
    kinks = [kink for each in evidence for kink in each.kinks]
    alone = [kink for kink in kinks if _of_the_forward_alone(kink, asked, audits)]
    notes = [f"the realized forward has a kink at x = {kink.x!r}, where the reference has none: see fidelity" for kink in alone]
    fidelity, unfaithful = _fidelity(asked, audits, [each.x for each in (*findings[:1], *kinks)])
    if asked.truth is not None and fidelity.outcome is Fidelity.UNKNOWN:
        notes.append(f"fidelity is unknown: {NO_TRUTH if audits else NO_USE}")
    witness = _witness(findings[0], asked, audits) if findings else unfaithful
    coherence = _coherence(asked, findings, [kink for kink in kinks if kink not in alone], evidence, clock.cut)
    mode: dict[str, Any] = {"because": proofs} if isinstance(proofs, str) else _certified(proofs)
    return Audit(asked.target, coherence, fidelity, witness, evidence, asked.order, clock.seconds, notes=tuple(notes), **mode)


def _clarity(finding: Finding) -> tuple[Any, ...]:
    """Order of findings: in value before in conduct, lost ones and large ones first, short decimals and moderate sizes."""
    size = min(finding.relative, 1.0)
    moderate = abs(math.log2(max(abs(finding.x), 1e-300)))
    return (
        finding.kind not in (Kind.DERIVATIVE, Kind.LOST),
        list(PRECISIONS).index(finding.dtype),
        -round(size, 1),
        -round(size, 3),
        round(moderate / 8),
        len(repr(finding.x)),
    )


def _simplified(findings: list[Finding], audits: Sequence[Elementwise]) -> list[Finding]:
    """The clearest finding at the simplest input first."""
    for one in audits:
        first = next(iter(findings), None)
        if first is not None and one.evidence.dtype == first.dtype and first.step > 0 and not first.entry:
            findings = [simplest(first, one.judged, lambda x, one=one: one.domain.low <= x <= one.domain.high), *findings]
    return findings


def _witness(finding: Finding, asked: Request, audits: Sequence[Elementwise]) -> Witness:
    truth = None
    if asked.truth is not None and audits:
        found = deviation(asked.truth, finding.x, math.nan, math.nan, asked.order, precision(finding.dtype), None)
        truth = found.true_derivative if found else None
    numbers = (finding.x, finding.supplied, finding.realized, truth, finding.bar, finding.step)
    return Witness(*numbers, finding.dtype, finding.entry, finding.kind, finding.note)


def _proofs(gathered: Gathered, findings: Sequence[Finding], clock: Clock) -> Certified | str:
    """What is proved, or why there is only the numerical mode."""
    if isinstance(gathered.trace, str):
        return gathered.trace
    return proved(gathered.trace, gathered.audits[0], next(iter(findings), None), clock)


def _certified(proofs: Certified) -> dict[str, Any]:
    compared = f"at {len(proofs.trace.points)} inputs, both sides of its branches included"
    return {"mode": "certified", "because": f"the traced program gives the function's own numbers {compared}", "proofs": proofs}


def _of_the_forward_alone(kink: Kink, asked: Request, audits: Sequence[Elementwise]) -> bool:
    """Whether the reference has a derivative where the realized forward has none."""
    return asked.truth is not None and bool(audits) and asked.order == 1 and smooth_at(asked.truth, kink)


def _fidelity(asked: Request, audits: Sequence[Elementwise], also: Sequence[float]) -> tuple[FidelityVerdict, Witness | None]:
    """The verdict, and a witness where that is *outside*; the inputs of ``also`` are among those looked at."""
    if asked.truth is None or not audits:
        return FidelityVerdict(Fidelity.UNKNOWN), None
    found, total = [], 0
    for one in audits:
        largest, count = worst(asked.truth, one.seen, asked.order, coarser(one.subject), asked.bound, np.array(also))
        found += [] if largest is None else [(largest, one)]
        total += count
    if not found:
        return FidelityVerdict(Fidelity.UNKNOWN), None
    largest, one = max(found, key=lambda each: each[0].ratio)
    bound = float(np.sqrt(coarser(one.subject).eps)) if asked.bound is None else asked.bound
    if largest.ratio > 1:
        return FidelityVerdict(Fidelity.OUTSIDE, largest, bound, total), _unfaithful(largest, one)
    return FidelityVerdict(Fidelity.WITHIN, largest, bound, total), None


def _unfaithful(worst: Deviation, one: Elementwise) -> Witness:
    seen, i = one.seen, int(np.searchsorted(one.seen.x, worst.x))
    realized, bar, step = (float(part[i]) for part in (seen.realized, seen.bar, seen.step))
    return Witness(worst.x, worst.supplied, realized, worst.true_derivative, bar, step, one.evidence.dtype)


def _coherence(
    asked: Request, findings: Sequence[Finding], kinks: Sequence[Kink], evidence: Sequence[Evidence], cut: bool
) -> CoherenceVerdict:
    excused = asked.declared is not None and not any(finding.kind in SPOILED for finding in findings)
    if findings:
        return CoherenceVerdict(Coherence.DECLARED if excused else Coherence.INCOHERENT, findings, kinks, declared=asked.declared)
    if kinks:
        return CoherenceVerdict(Coherence.DECLARED if excused else Coherence.KINK, (), kinks, declared=asked.declared)
    if not any(each.finite for each in evidence):
        return CoherenceVerdict(Coherence.OUT_OF_DOMAIN, declared=asked.declared)
    if not any(each.shown and each.shown >= FEW * each.finite for each in evidence):
        why = Why.RANDOM if any(each.random for each in evidence) else Why.BUDGET if cut else Why.NOISE
        return CoherenceVerdict(Coherence.INCONCLUSIVE, why=why, declared=asked.declared)
    return CoherenceVerdict(Coherence.COHERENT, declared=asked.declared)
