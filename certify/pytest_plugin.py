"""A pytest plugin that collects the claims of test files as tests: one that is refuted, undecided or an error fails.

Proofs count once the independent checker has replayed their certificates, as in ``certify run``.
"""

from __future__ import annotations

from typing import Any

import pytest

from certify.claims.claim import Claim
from certify.claims.settle import Settled, settle
from certify.claims.verdict import Outcome


def pytest_pycollect_makeitem(collector: Any, name: str, obj: object) -> pytest.Item | None:
    """A claim that is declared in the collected module is a test of that module."""
    if isinstance(obj, Claim) and getattr(obj.prover, "__module__", None) == getattr(collector.obj, "__name__", None):
        return ClaimItem.from_parent(collector, name=name, claim=obj)
    return None


class NotEstablished(Exception):
    """A claim did not reach the grade that it asks for."""

    def __init__(self, settled: Settled) -> None:
        self.settled = settled


class ClaimItem(pytest.Item):
    """One claim as a test."""

    def __init__(self, *, claim: Claim, **options: Any) -> None:
        super().__init__(**options)
        self.claim = claim

    def runtest(self) -> None:
        settled = settle(self.claim, self.claim.constants, {"profile": "quick", "seed": 0})
        if settled.verdict.outcome is Outcome.NOT_RUN:
            pytest.skip(settled.verdict.summary)
        if not settled.verdict.outcome.holds:
            raise NotEstablished(settled)

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        if not isinstance(excinfo.value, NotEstablished):
            return super().repr_failure(excinfo, style)
        settled = excinfo.value.settled
        verdict = settled.verdict
        lines = [f"claim {self.claim.id}: {verdict.outcome.value}: {verdict.summary}", f"  states: {self.claim.statement}"]
        lines += [f"  {name} = {value}" for name, value in (verdict.witness or verdict.box or {}).items()]
        if verdict.reason is not None:
            lines.append(f"  {verdict.reason.message}; {verdict.reason.remedy}")
        return "\n".join([*lines, *([settled.trace] if settled.trace else [])])

    def reportinfo(self) -> tuple[Any, int | None, str]:
        code = self.claim.prover.__code__
        return self.path, code.co_firstlineno - 1, f"claim {self.claim.id}"
