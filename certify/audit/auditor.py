"""The audit: which mode, which formats, and the verdict on all that was seen."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from certify.audit import field, rays
from certify.audit.certified import Certified
from certify.audit.clock import Clock
from certify.audit.elementwise import Elementwise
from certify.audit.evidence import Evidence, Finding, Kind
from certify.audit.fidelity import Deviation, deviation, smooth_at, worst
from certify.audit.landmarks import landmarks
from certify.audit.many import Many
from certify.audit.nature import check_output, elementwise_on, independent, module_inputs
from certify.audit.outcome import Coherence, Fidelity, Why
from certify.audit.precision import PRECISIONS, Precision, precision
from certify.audit.proofs import contradiction, proved, thresholds, traced
from certify.audit.reference import Reference, reference
from certify.audit.result import Audit
from certify.audit.samples import Domain, domain_of, special
from certify.audit.scan import coarser
from certify.audit.shrink import simplest
from certify.audit.state import preserved
from certify.audit.subject import NoGradient, Subject, WrongOutput
from certify.audit.target import missing
from certify.audit.trace import Trace
from certify.audit.verdicts import CoherenceVerdict, FidelityVerdict, Witness

DEFAULT_FORMATS = ("float64", "float32")
SPOILED = (Kind.LOST, Kind.UPSTREAM, Kind.REPEATED, Kind.BATCH, Kind.LAYOUT)  # what no declaration excuses
BATCH = 24  # elements of a batch, for functions whose elements are not independent
FEW = 0.02  # of the points must show a derivative
NO_TRUTH = "the reference has no real value with a derivative at any of the points tried"
NO_USE = "references are for functions of one variable, element by element"


def audit(
    fn: Callable[..., Any],
    domain: tuple[float, float] | None = None,
    inputs: Any = None,
    reference: str | Reference | None = None,
    dtype: Any = None,
    order: int = 1,
    declared: str | None = None,
    budget: float | None = None,
    *,
    bound: float | None = None,
    field: bool = False,
    watch: Callable[[str], None] | None = None,
) -> Audit:
    """Is this backward the derivative of this forward, and is either true?

    ``fn`` maps a tensor to one of the same shape, element by element, on the interval ``domain`` (the whole axis of the
    format where none is given); or it takes ``inputs``, example tensors of any shape, of which the floating-point ones
    are differentiated. ``reference`` names the truth, see ``audit.reference``. ``dtype`` is a dtype, its name, or
    several; float64 and float32 by default, for functions of given inputs that of the first. ``order`` 2 audits the
    derivative in the same way. ``declared`` names a surrogate that the author intends, such as "straight-through".
    ``budget`` bounds the time, in seconds; the result says what was covered. ``bound`` is the relative error that
    fidelity allows, half of the digits by default. ``field`` says that the output itself is claimed to be a gradient with
    respect to ``inputs``: is it that of any function? ``watch`` is told the stages.

    Nothing is tuned: a derivative contradicts another when they differ by more than measured noise, at least the last
    places of the output, and the misfit of local polynomials can account for. Neither ``fn`` nor global state is changed.
    Raises ValueError, one line, for a function that accepts none of the inputs, returns another shape or supplies no
    derivative, for an empty domain, and for an argument that is none.
    """
    return _Audit(fn, domain, inputs, reference, dtype, order, declared, Clock(budget, watch), bound, field).run()


@dataclass
class _Audit:
    fn: Callable[..., Any]
    domain: tuple[float, float] | None
    inputs: Any
    named: str | Reference | None
    dtype: Any
    order: int
    declared: str | None
    clock: Clock
    bound: float | None
    field: bool

    def __post_init__(self) -> None:
        if not callable(self.fn):
            raise ValueError(f"{self.fn!r:.80} is not callable")
        if self.order not in (1, 2):
            raise ValueError(f"order {self.order!r}: 1 and 2 are accepted")
        if self.field and self.inputs is None:
            raise ValueError("field: example tensors are needed as inputs")
        if self.declared is not None and not str(self.declared).strip():
            raise ValueError("declared: the name of the surrogate is needed")
        if self.bound is not None and not 0 <= self.bound < math.inf:
            raise ValueError(f"bound {self.bound!r}: a finite relative error, 0 or larger, is accepted")
        self.target = getattr(self.fn, "__qualname__", type(self.fn).__name__)
        if isinstance(self.fn, torch.nn.Module):
            self.target = type(self.fn).__name__
            self.fn = copy.deepcopy(self.fn)
        self.trace: Trace | str = Audit.because
        self.truth = reference(self.named)
        if isinstance(self.inputs, torch.Tensor):
            self.inputs = (self.inputs,)
        if any(isinstance(x, torch.Tensor) and not x.numel() for x in self.inputs or ()):
            raise ValueError("inputs: a tensor without elements shows nothing")
        needed = missing(self.fn, 1 if self.inputs is None else len(self.inputs))
        if needed:
            raise ValueError(f"{self.target} needs more arguments than given: {', '.join(needed)}")

    def run(self) -> Audit:
        with preserved():
            scalar = not self.field and (self.inputs is None or elementwise_on(self.fn, self.inputs))
            return self._elementwise() if scalar else self._many()

    def _formats(self, default: Sequence[Any]) -> list[Precision]:
        chosen = default if self.dtype is None else self.dtype if isinstance(self.dtype, list | tuple) else [self.dtype]
        return [precision(one) for one in chosen]

    def _elementwise(self) -> Audit:
        extra = np.zeros(0) if self.inputs is None else self.inputs[0].detach().double().reshape(-1).numpy()
        audits: list[Elementwise] = []
        coupled: list[Evidence] = []
        refused: Exception | None = None
        numbers = landmarks(self.fn)
        for format in self._formats(DEFAULT_FORMATS):
            subject, domain = Subject(self.fn, format, self.order), domain_of(self.domain, format)
            try:
                check_output(subject, domain)
                if not independent(subject, domain, extra):
                    coupled += self._batches(subject, domain)
                    continue
                if not audits:
                    self.trace = traced(subject, domain, self.clock)
                    numbers = np.concatenate([thresholds(self.trace, domain), numbers])
                one = Elementwise(subject, domain, extra, self.clock, numbers)
                if subject.raised is not None and not np.isfinite(one.seen.y).any():
                    raise subject.raised
            except (NoGradient, WrongOutput):
                raise
            except Exception as error:
                refused = refused or error
                continue
            one.run()
            audits.append(one)
        if not audits and not coupled:
            raise _as_bad_input(refused)
        return self._verdict([one.evidence for one in audits] + coupled, audits)

    def _batches(self, subject: Subject, domain: Domain) -> list[Evidence]:
        """Batches of ordinary points, for functions whose elements depend on each other or on chance."""
        x = special(domain, subject.format)
        x = x[np.isfinite(subject.forward(x))]
        x = x[np.argsort(np.abs(np.log2(np.maximum(np.abs(x), 1e-30))), kind="stable")][:BATCH]
        generator = np.random.default_rng(0)
        evidence = rays.audit(
            self._as_many([torch.tensor(generator.permutation(x))], subject.format),
            subject.format.round(generator.permutation(x)),
            self.clock,
        )
        evidence.notes.append("elements are not independent of each other: the function was audited on batches")
        return [evidence]

    def _as_many(self, inputs: Sequence[Any], format: Precision) -> Many:
        return Many(self.fn, inputs, format, self.order)

    def _many(self) -> Audit:
        fn, inputs = module_inputs(self.fn, self.inputs)
        floating = [value.dtype for value in inputs if isinstance(value, torch.Tensor) and value.is_floating_point()]
        if not floating:
            raise ValueError("inputs: at least one floating-point tensor is needed")
        evidence = []
        for format in self._formats(floating[:1]):
            many = Many(fn, inputs, format, self.order)
            try:
                start = format.round(many.start)
                evidence.append(field.audit(many, start) if self.field else rays.audit(many, start, self.clock))
            except NoGradient:
                raise
            except Exception as error:
                raise _as_bad_input(error) from None
        return self._verdict(evidence, [])

    def _verdict(self, evidence: list[Evidence], audits: list[Elementwise]) -> Audit:
        findings = sorted((f for e in evidence for f in e.findings), key=_clarity)
        kinks, notes = [], []
        for kink in (k for e in evidence for k in e.kinks):
            if self.truth is not None and audits and self.order == 1 and smooth_at(self.truth, kink):
                notes.append(f"the realized forward has a kink at x = {kink.x!r}, where the reference has none: see fidelity")
            else:
                kinks.append(kink)
        findings, witness = self._witness(findings, audits)
        proofs = self._proofs(findings, audits)
        if isinstance(proofs, Certified) and not findings and (also := contradiction(proofs, audits[0])):
            findings, witness = self._witness([also], [])
        fidelity = self._fidelity(audits, [f.x for f in findings[:1]] + [k.x for e in evidence for k in e.kinks])
        if self.truth is not None and fidelity.outcome is Fidelity.UNKNOWN:
            notes.append(f"fidelity is unknown: {NO_TRUTH if audits else NO_USE}")
        coherence = self._coherence(findings, kinks, evidence)
        if witness is None and fidelity.outcome is Fidelity.OUTSIDE and fidelity.worst is not None:
            witness = self._unfaithful(fidelity.worst, audits)
        mode: dict[str, Any] = {"because": proofs} if isinstance(proofs, str) else _certified(proofs)
        return Audit(self.target, coherence, fidelity, witness, evidence, self.order, self.clock.seconds, notes=tuple(notes), **mode)

    def _witness(self, findings: list[Finding], audits: list[Elementwise]) -> tuple[list[Finding], Witness | None]:
        """The clearest finding at the simplest input, first in the list."""
        if not findings:
            return findings, None
        first = findings[0]
        for one in audits:
            if one.evidence.dtype == first.dtype and first.step > 0 and not first.entry:
                small = simplest(first, one.judged, lambda x, one=one: one.domain.low <= x <= one.domain.high)
                findings = [small, *findings]
                first = small
        truth = None
        if self.truth is not None and audits:
            found = deviation(self.truth, first.x, math.nan, math.nan, self.order, precision(first.dtype), None)
            truth = found.true_derivative if found else None
        return findings, Witness(
            first.x, first.supplied, first.realized, truth, first.bar, first.step, first.dtype, first.entry, first.kind, first.note
        )

    def _proofs(self, findings: list[Finding], audits: list[Elementwise]) -> Certified | str:
        """What is proved, or why there is only the numerical mode."""
        found = self.trace if audits else Audit.because
        if isinstance(found, str):
            return found
        return proved(found, audits[0], next(iter(findings), None), self.clock)

    def _fidelity(self, audits: list[Elementwise], also: list[float]) -> FidelityVerdict:
        if self.truth is None or not audits:
            return FidelityVerdict(Fidelity.UNKNOWN)
        largest, total, format = None, 0, coarser(audits[0].subject)
        for one in audits:
            found, count = worst(self.truth, one.seen, self.order, coarser(one.subject), self.bound, np.array(also))
            total += count
            if found is not None and (largest is None or found.ratio > largest.ratio):
                largest, format = found, coarser(one.subject)
        if largest is None:
            return FidelityVerdict(Fidelity.UNKNOWN)
        bound = float(np.sqrt(format.eps)) if self.bound is None else self.bound
        return FidelityVerdict(Fidelity.OUTSIDE if largest.ratio > 1 else Fidelity.WITHIN, largest, bound, total)

    def _unfaithful(self, worst: Deviation, audits: list[Elementwise]) -> Witness:
        one = next(one for one in audits if coarser(one.subject).name == worst.dtype or one.subject.format.name == worst.dtype)
        i = int(np.searchsorted(one.seen.x, worst.x))
        seen = one.seen
        return Witness(
            worst.x,
            worst.supplied,
            float(seen.realized[i]),
            worst.true_derivative,
            float(seen.bar[i]),
            float(seen.step[i]),
            one.evidence.dtype,
        )

    def _coherence(self, findings: list[Finding], kinks: list[Any], evidence: list[Evidence]) -> CoherenceVerdict:
        if findings:
            excused = self.declared is not None and not any(f.kind in SPOILED for f in findings)
            return CoherenceVerdict(Coherence.DECLARED if excused else Coherence.INCOHERENT, findings, kinks, declared=self.declared)
        if kinks:
            return CoherenceVerdict(Coherence.DECLARED if self.declared else Coherence.KINK, (), kinks, declared=self.declared)
        if not any(e.finite for e in evidence):
            return CoherenceVerdict(Coherence.OUT_OF_DOMAIN, declared=self.declared)
        judged = [e for e in evidence if e.shown and e.shown >= FEW * e.finite]
        if not judged:
            why = Why.RANDOM if any(e.random for e in evidence) else Why.BUDGET if self.clock.cut else Why.NOISE
            return CoherenceVerdict(Coherence.INCONCLUSIVE, why=why, declared=self.declared)
        return CoherenceVerdict(Coherence.COHERENT, declared=self.declared)


def _certified(proofs: Certified) -> dict[str, Any]:
    compared = f"at {len(proofs.trace.points)} inputs, both sides of its branches included"
    return {"mode": "certified", "because": f"the traced program gives the function's own numbers {compared}", "proofs": proofs}


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


def _as_bad_input(error: Exception | None) -> ValueError:
    if isinstance(error, ValueError):
        return error
    line = next(iter(str(error).splitlines()), "")
    return ValueError(f"the function raises {type(error).__name__}: {line}" if error else "the function accepts none of the inputs tried")
