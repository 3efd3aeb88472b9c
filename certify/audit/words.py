"""The parts of an audit's result in words, line by line."""

from __future__ import annotations

from collections.abc import Sequence

from certify.audit.evidence import Evidence, Extent, Finding, Kind, Kink
from certify.audit.outcome import Coherence
from certify.audit.reproduction import number, reproduction
from certify.audit.traced.certified import Certified, span
from certify.audit.verdicts import CoherenceVerdict, FidelityVerdict, Witness
from certify.exact.interpret.defect import Kind as Proved
from certify.exact.interpret.defect import Stretch

STRETCHES, KINKS = 8, 4
ORDINAL = {1: "derivative", 2: "second derivative"}


def headline(target: str, order: int, coherence: CoherenceVerdict, fidelity: FidelityVerdict) -> str:
    what = f" ({coherence.declared})" if coherence.outcome is Coherence.DECLARED else ""
    why = f": {coherence.why.message}; {coherence.why.remedy}" if coherence.why else ""
    of = target if order == 1 else f"{target} (order {order})"
    return f"{of}: coherence {coherence.outcome.value}{what}{why}; fidelity {fidelity.outcome.value}"


def findings(coherence: CoherenceVerdict) -> list[str]:
    kinds: dict[tuple[str, str], list[Finding]] = {}
    for finding in coherence.findings:
        kinds.setdefault((finding.kind.value, finding.dtype), []).append(finding)
    lines = []
    for (kind, dtype), found in kinds.items():
        inputs = sorted(finding.x for finding in found)
        where = f"x from {inputs[0]:.6g} to {inputs[-1]:.6g}" if inputs[0] != inputs[-1] else f"x = {inputs[0]!r}"
        place = found[0].entry or where
        lines.append(f"  {dtype}: {kind}: {place}" + (f" ({found[0].note})" if found[0].note else ""))
    return lines


def witness(w: Witness | None, order: int) -> list[str]:
    if w is None:
        return []
    name = ORDINAL[order]
    lines = [f"witness: x = {number(w.input)} ({w.dtype})" + (f", {w.entry or w.note}" if w.entry or w.note else "")]
    derived = w.kind in (None, Kind.DERIVATIVE, Kind.LOST)
    rows = [(f"supplied {name}", number(w.supplied)), (f"{name} of the realized forward" if derived else "expected", number(w.realized))]
    rows[1] = (rows[1][0], rows[1][1] + (f"  ± {w.bar:.1g}" if w.bar else ""))
    rows += [("truth", number(w.truth))] if w.truth is not None else []
    width = max(len(words) for words, _ in rows)
    lines += [f"  {words:<{width}}  {value}" for words, value in rows]
    return [*lines, "reproduce:", *(f"  {line}" for line in reproduction(order, w))]


def kinks(coherence: CoherenceVerdict) -> list[str]:
    return [_kink(each) for each in coherence.kinks[:KINKS]]


def _kink(k: Kink) -> str:
    what, supplied = ("a jump of the forward", "and none is right") if k.jump else ("no derivative", "a subgradient")
    place = f"at x = {number(k.x)} ({k.dtype})" + (f", {k.entry}" if k.entry else "")
    return f"  {what} {place}: {k.left:.6g} {k.sides[0]}, {k.right:.6g} {k.sides[1]}; supplied {k.supplied:.6g}, {supplied}"


def deviation(fidelity: FidelityVerdict, order: int) -> list[str]:
    worst = fidelity.worst
    if worst is None or fidelity.bound is None:
        return []
    return [
        f"  largest deviation from the reference at x = {number(worst.x)} ({worst.dtype}, {fidelity.points} points): value "
        f"{worst.value:.10g} for {worst.true_value:.10g}, {ORDINAL[order]} {worst.supplied:.10g} for {worst.true_derivative:.10g}; "
        f"bound {fidelity.bound:.2g}, relative, beside what the last places of x account for"
    ]


def jumps(evidence: Sequence[Evidence]) -> list[str]:
    return [f"  {e.dtype}: the forward was seen to jump near {_some(e.jumps)}" for e in evidence if e.jumps]


def _some(places: Sequence[float]) -> str:
    rest = f" and {len(places) - KINKS} more inputs" if len(places) > KINKS else ""
    return "x = " + ", ".join(f"{place:.6g}" for place in places[:KINKS]) + rest


def proved(proofs: Certified | None) -> list[str]:
    """What is proved, the widest stretches only where there are many, and what such proofs do not see."""
    if proofs is None:
        return []
    shut = [each for each in proofs.stretches if each.kind is not Proved.OPEN]
    shown = sorted(sorted(shut, key=lambda each: each.low - each.high)[:STRETCHES], key=lambda each: each.low)
    rest = [f"  and on {len(shut) - len(shown)} shorter stretches"] if len(shut) > len(shown) else []
    left = [f"  nothing is proved on {_places(proofs.open)}"] if proofs.open else []
    lines = [f"  {proofs.words(each)}" for each in shown]
    head = f"proved of the {proofs.trace.dtype} operations, over the real numbers ({', '.join(proofs.unseen)} not seen):"
    return [head, *lines, *rest, *left]


def extents(evidence: Sequence[Evidence]) -> list[str]:
    return [f"  {e.dtype}: {_extent(e.extent)}" for e in evidence if e.extent is not None]


def _extent(e: Extent) -> str:
    return f"the defect shows from x = {e.starts:.6g} to {e.ends:.6g}, is largest, {e.peak:.4g}, at {e.at:.6g}"


def _places(stretches: Sequence[Stretch]) -> str:
    widest = sorted(sorted(stretches, key=lambda each: each.low - each.high)[:STRETCHES], key=lambda each: each.low)
    rest = f" and {len(stretches) - len(widest)} shorter stretches" if len(stretches) > len(widest) else ""
    return ", ".join(span(each) for each in widest) + rest


def coverage(evidence: Sequence[Evidence]) -> list[str]:
    return [_covered(each) for each in evidence]


def _covered(e: Evidence) -> str:
    interval = f" on [{e.low:.6g}, {e.high:.6g}]" if e.low == e.low else ""
    unresolved = f", {e.unresolved} where structure is finer than the spacing of the format" if e.unresolved else ""
    cut = "" if e.complete else "; the budget ended before all was covered"
    shown = f"{e.points} points, {e.finite} finite, {e.shown} where a derivative shows{unresolved}"
    resolution = f"; the resolution of {e.dtype} here is {e.resolution:.1g}, relative" if e.resolution == e.resolution else ""
    return f"  {e.dtype}{interval}: {shown}, {e.evaluations} evaluations{resolution}{cut}"
