"""The audit: of one variable or of many, in which formats, and what is seen in each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from certify.audit import field as fields
from certify.audit import rays
from certify.audit.clock import Clock
from certify.audit.conclusion import Gathered, conclude
from certify.audit.elementwise import Elementwise
from certify.audit.evidence import Evidence
from certify.audit.landmarks import landmarks
from certify.audit.many import Many
from certify.audit.nature import check_output, elementwise_on, independent, module_inputs
from certify.audit.precision import Floats
from certify.audit.proofs import thresholds, traced
from certify.audit.reference import Reference
from certify.audit.request import Request, request
from certify.audit.result import Audit
from certify.audit.samples import Domain, domain_of, special
from certify.audit.state import preserved
from certify.audit.subject import NoGradient, Subject, WrongOutput
from certify.audit.traced.trace import Trace

DEFAULT_FORMATS = ("float64", "float32")
BATCH = 24  # elements of a batch, for functions whose elements are not independent


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
    clock = Clock(budget, watch)
    asked = request(fn, domain, inputs, reference, dtype, order, declared, bound, field)
    with preserved():
        one_variable = not asked.field and (asked.inputs is None or elementwise_on(asked.fn, asked.inputs))
        return conclude(asked, _elementwise(asked, clock) if one_variable else _many(asked, clock), clock)


def _elementwise(asked: Request, clock: Clock) -> Gathered:
    """A function of one variable, element by element, in each format; in batches where its elements are not independent."""
    extra = np.zeros(0) if asked.inputs is None else asked.inputs[0].detach().double().reshape(-1).numpy()
    formats = _Formats(clock, extra, landmarks(asked.fn))
    for format in asked.formats(DEFAULT_FORMATS):
        formats.audit(Subject(asked.fn, format, asked.order), domain_of(asked.domain, format))
    return formats.gathered()


@dataclass
class _Formats:
    """The audits of one function in several formats, the trace in the first one, and the first error where no input is accepted."""

    clock: Clock
    extra: Floats
    numbers: Floats
    trace: Trace | str = Audit.because
    audits: list[Elementwise] = field(default_factory=list)
    coupled: list[Evidence] = field(default_factory=list)
    refused: Exception | None = None

    def audit(self, subject: Subject, domain: Domain) -> None:
        """Raises NoGradient and WrongOutput; what else the function raises is kept, as other formats may be accepted."""
        try:
            check_output(subject, domain)
            if not independent(subject, domain, self.extra):
                self.coupled.append(_batches(subject, domain, self.clock))
                return
            one = self._first_look(subject, domain)
        except (NoGradient, WrongOutput):
            raise
        except Exception as error:
            self.refused = self.refused or error
            return
        one.run()
        self.audits.append(one)

    def _first_look(self, subject: Subject, domain: Domain) -> Elementwise:
        """Raises what the function raises where it accepts no input at all."""
        if not self.audits:
            self.trace = traced(subject, domain, self.clock)
            self.numbers = np.concatenate([thresholds(self.trace, domain), self.numbers])
        one = Elementwise(subject, domain, self.extra, self.clock, self.numbers)
        if subject.raised is not None and not np.isfinite(one.seen.y).any():
            raise subject.raised
        return one

    def gathered(self) -> Gathered:
        if not self.audits and not self.coupled:
            raise _as_bad_input(self.refused)
        evidence = [*(one.evidence for one in self.audits), *self.coupled]
        return Gathered(evidence, self.audits, self.trace if self.audits else Audit.because)


def _batches(subject: Subject, domain: Domain, clock: Clock) -> Evidence:
    """A batch of ordinary points, for functions whose elements depend on each other or on chance."""
    x = special(domain, subject.format)
    x = x[np.isfinite(subject.forward(x))]
    x = x[np.argsort(np.abs(np.log2(np.maximum(np.abs(x), 1e-30))), kind="stable")][:BATCH]
    generator = np.random.default_rng(0)
    many = Many(subject.fn, [torch.tensor(generator.permutation(x))], subject.format, subject.order)
    evidence = rays.audit(many, subject.format.round(generator.permutation(x)), clock)
    evidence.notes.append("elements are not independent of each other: the function was audited on batches")
    return evidence


def _many(asked: Request, clock: Clock) -> Gathered:
    """A function of given inputs, or a claimed field of gradients, in each format."""
    fn, inputs = module_inputs(asked.fn, asked.inputs or ())
    floating = [value.dtype for value in inputs if isinstance(value, torch.Tensor) and value.is_floating_point()]
    if not floating:
        raise ValueError("inputs: at least one floating-point tensor is needed")
    evidence = []
    for format in asked.formats(floating[:1]):
        many = Many(fn, inputs, format, asked.order)
        try:
            start = format.round(many.start)
            evidence.append(fields.audit(many, start) if asked.field else rays.audit(many, start, clock))
        except NoGradient:
            raise
        except Exception as error:
            raise _as_bad_input(error) from None
    return Gathered(evidence)


def _as_bad_input(error: Exception | None) -> ValueError:
    if isinstance(error, ValueError):
        return error
    line = next(iter(str(error).splitlines()), "")
    return ValueError(f"the function raises {type(error).__name__}: {line}" if error else "the function accepts none of the inputs tried")
