"""Theorems of identities, and of inequalities that an identity makes evident: their charts and their verdicts."""

from __future__ import annotations

from collections.abc import Iterable

from certify.claims.certificate import certify_theorem
from certify.claims.verdict import Reason, Verdict
from certify.exact.by_form import first_false, violation
from certify.exact.coordinates import Coordinates
from certify.exact.theorem import Chart, Map, Proof, Step, Theorem

REAL: dict[str, str] = {}
"""The slopes of an opaque function of which none is needed: any real number."""


def theorem(
    steps: Iterable[Step], *, positive: str = "", nonnegative: str = "", real: str = "", where: dict[str, str] | None = None
) -> Theorem:
    """What the steps state, for all values of the symbols named, separated by spaces, in each of the three ranges."""
    domain = dict.fromkeys(positive.split(), "(0, oo)") | dict.fromkeys(nonnegative.split(), "[0, oo)")
    derivatives = dict.fromkeys(real.split(), REAL)
    return Theorem(domain=domain, where=where or {}, derivatives=derivatives, statements=tuple(step.statement for step in steps))


def chart(statement: Theorem) -> Chart:
    """Every symbol by itself."""
    return Chart(symbols={name: Map(map="itself", variable=f"{name}_") for name in statement.domain})


def conclude_algebra(claim_id: str, statement: Theorem, steps: tuple[Step, ...], summary: str) -> Verdict:
    """*proved* where every step's identity holds; *refuted* by a rational point where a statement is false; else *undecided*."""
    own = chart(statement)
    false = first_false(Coordinates(statement, own), steps)
    if false is None:
        return Verdict.proved(certify_theorem(claim_id, statement, Proof(chart=own, steps=steps)), summary)
    witness = violation(statement, steps)
    if witness is None:
        return Verdict.undecided(Reason.HYPOTHESIS_FAILS, "a statement is not the form that would show it")
    return Verdict.refuted(witness, f"{witness['fails']} fails: the left side is {witness['value']}")
