"""Assertions for people's own tests: a backward is the derivative of its forward, and both are true."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from certify.audit.auditor import audit
from certify.audit.outcome import Coherence, Fidelity
from certify.audit.result import Audit

__all__ = ["assert_coherent", "assert_faithful"]


def assert_coherent(fn: Callable[..., Any], *, kinks: bool = True, **options: Any) -> Audit:
    """Raise AssertionError, with the audit's explanation, unless the supplied derivative is the realized forward's.

    ``options`` are those of ``certify.audit``. Points without a derivative are accepted where a subgradient is supplied,
    unless ``kinks`` is false; a disagreement is where it is ``declared``. What is undecided is refused.
    """
    __tracebackhide__ = True
    result = audit(fn, **options)
    accepted = {Coherence.COHERENT, Coherence.DECLARED} | ({Coherence.KINK} if kinks else set())
    if result.coherence.outcome not in accepted:
        raise AssertionError(result.explain())
    return result


def assert_faithful(fn: Callable[..., Any], reference: str | Callable[[Any], Any], **options: Any) -> Audit:
    """Raise AssertionError unless value and supplied derivative are within ``bound``, relatively, of the reference.

    ``options`` are those of ``certify.audit``; the bound is half of the digits where none is given.
    """
    __tracebackhide__ = True
    result = audit(fn, reference=reference, **options)
    if result.fidelity.outcome is not Fidelity.WITHIN:
        raise AssertionError(result.explain())
    return result
