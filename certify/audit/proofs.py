"""Certified mode beside the numerical one: what is traced, which branches it has, what is proved, and what that contradicts."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from flint import arb, fmpq

from certify.audit.clock import Clock
from certify.audit.elementwise import Elementwise
from certify.audit.evidence import Finding, Kind
from certify.audit.judge import CLEAR
from certify.audit.precision import Floats
from certify.audit.samples import Domain
from certify.audit.scan import confirmed
from certify.audit.shrink import decimals
from certify.audit.subject import NoGradient, Subject
from certify.audit.traced.certified import Certified, Suspect, branches, prove
from certify.audit.traced.lowering import Untraceable
from certify.audit.traced.trace import Trace, trace
from certify.exact.ball import working_precision
from certify.exact.interpret.defect import BITS, Stretch, enclosure
from certify.exact.number import nearest_double
from certify.exact.program import ProgramError
from certify.exact.truth import Truth, less

SHARE, LEAST, TOTAL = 0.5, 0.1, 1.8  # seconds of work where no budget is given: of the proofs, and with all before
NEEDED = 2.0  # seconds of a budget that a trace may take
ATTEMPTS = 40_000
BEYOND = 4096.0  # last places from which on a proved defect is no rounding of constants that somebody typed
WITHIN = 1.25  # times a bound is the defect seen where it is to be proved
AROUND = fmpq(1, 2**40)  # half-width of a box about a witness, relative


def traced(subject: Subject, domain: Domain, clock: Clock) -> Trace | str:
    """The trace of what is audited, or why there is none."""
    if clock.budget is not None and clock.budget - clock.seconds < NEEDED:
        return "the budget leaves no time for a trace"
    if not clock.left("tracing"):
        return "the budget ended"
    try:
        with clock.aside():
            return trace(subject.value, domain=(domain.low, domain.high), dtype=subject.format.dtype)
    except (Untraceable, NoGradient) as error:
        return str(error)
    except Exception as error:  # the function's own, at one of the inputs at which the trace is compared with it
        return f"it raises {type(error).__name__} at an input of the domain"


def thresholds(found: Trace | str, domain: Domain) -> Floats:
    """Points at which the traced program branches; none where there is no trace."""
    try:
        return np.zeros(0) if isinstance(found, str) else np.array(branches(found, (domain.low, domain.high)))
    except ProgramError:
        return np.zeros(0)


def proved(found: Trace, one: Elementwise, witness: Finding | None, clock: Clock) -> Certified | str:
    """What is proved in the time that is left, or why nothing is. A lower bound is tried for around the ``witness``."""
    left = clock.budget - clock.seconds if clock.budget is not None else min(SHARE, max(LEAST, TOTAL - clock.worked))
    counted = time.process_time if clock.budget is None else time.monotonic
    if left <= 0 or not clock.left("proofs"):
        return "the budget ended before anything was proved"
    domain = (one.domain.low, one.domain.high)
    try:
        result = prove(found, domain, suspects=_suspects(found, one, witness), attempts=ATTEMPTS, seconds=left, clock=counted)
    except ProgramError as error:
        return f"no interpreter of the proofs runs the program: {error}"
    nothing = len(result.open) == len(result.stretches)
    return "the function was traced, and nothing was proved of it in the time there was" if nothing else result


def _suspects(found: Trace, one: Elementwise, witness: Finding | None) -> Sequence[Suspect]:
    """The stretch of inputs around the witness at which the defect seen is above a tenth of a power of ten below it.

    None where the defect is one of the numbers only, and over the reals below that.
    """
    if witness is None or witness.kind is not Kind.DERIVATIVE or witness.dtype != one.evidence.dtype:
        return []
    seen, size = one.seen, abs(witness.supplied - witness.realized)
    if not 0 < size < math.inf:
        return []
    power = math.floor(math.log10(size)) - 1
    if not _exceeds(found, witness.x, Fraction(10) ** power):
        return []
    large = seen.contradicted & (np.abs(seen.s - seen.realized) >= WITHIN * 10.0**power)
    at = int(np.clip(np.searchsorted(seen.x, witness.x), 0, seen.x.size - 1))
    below, above = np.flatnonzero(~large[:at]), np.flatnonzero(~large[at:])
    low = seen.x[below[-1] + 1] if below.size else seen.x[0]
    high = seen.x[at + above[0] - 1] if above.size else seen.x[-1]
    if not low < high:
        return []
    return [Suspect(float(low), float(min(max(witness.x, low), high)), float(high), Fraction(10) ** power)]


def contradiction(result: Certified, one: Elementwise) -> Finding | None:
    """The clearest proved defect that is no rounding, unless the numbers themselves support what is supplied there."""
    found = [finding for stretch in result.incoherent if (finding := _finding(result, stretch, one)) is not None]
    return max(found, key=lambda finding: finding.relative, default=None)


def _finding(result: Certified, stretch: Stretch, one: Elementwise) -> Finding | None:
    low, high = nearest_double(stretch.low), nearest_double(stretch.high)
    x = next((x for x in decimals(low / 2 + high / 2) if low < x < high), None)
    if x is None:
        return None
    try:
        defect, supplied = _at(result.trace, x, (stretch.high - stretch.low) / 4)
    except ProgramError:
        return None
    gap, s = _middle(defect), _middle(supplied)
    bar = float(defect.rad())
    places = BEYOND * one.subject.format.eps
    again = confirmed(one.subject, np.array([x]), one.domain)
    supported = abs(again.s[0] - again.realized[0]) <= again.bar[0] and again.bar[0] < abs(gap) / CLEAR
    if not (abs(gap) - bar > places * max(1.0, abs(s), abs(s - gap))) or supported:
        return None
    step = min(high - low, abs(x)) / 1024
    return Finding(Kind.DERIVATIVE, x, s, s - gap, bar, step, one.evidence.dtype, one.subject.order, note=result.words(stretch))


def _at(found: Trace, x: float, room: fmpq | None = None) -> tuple[arb, arb]:
    """Defect and supplied derivative on a small box about x. Raises ProgramError."""
    at = fmpq(*x.as_integer_ratio())
    radius = max(abs(at), AROUND) * AROUND
    radius = radius if room is None else min(radius, room)
    with working_precision(BITS):
        return enclosure(found.program, "x", at - radius, at + radius, {})


def _exceeds(found: Trace, x: float, bound: Fraction) -> bool:
    """Whether the defect close to x is proved to be at least so large."""
    try:
        defect, _ = _at(found, x)
    except ProgramError:
        return False
    return less(defect.abs_lower(), fmpq(bound.numerator, bound.denominator)) is Truth.NO


def _middle(ball: arb) -> float:
    return float(ball.mid())
