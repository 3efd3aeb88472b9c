"""Families of claims: those whose ids begin alike, and what each family of this project is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from certify.claims.verdict import Outcome
from certify.report.html.claims import ClaimView
from certify.report.html.grades import WEAKEST_FIRST

ABOUT = {
    "audit": "what the auditor finds of the paper's realizations",
    "concentration": "the finite start at high concentration",
    "defect": "the coherence defect of the finite start",
    "figure": "the paper's figures, computed again",
    "identity": "the closed forms belong together",
    "ladder": "the expansion at every order n, with its constants",
    "learning": "scores, losses, gradients and predictions",
    "production": "certify.vmf as it runs on this machine",
    "profile": "how large an error each operation makes here",
    "ratio": "the Bessel ratio and the closed form AR",
    "recurrence": "the finite start: sign and size of its error",
    "riccati": "other functions that satisfy a Riccati equation",
    "rounding": "floating-point errors of the programs that run",
    "score": "differences of the potential",
    "softmax": "mismatched gradients belong to no loss",
    "special": "certify.special as it runs on this machine",
    "state": "class means and concentrations",
    "table": "the paper's tables, computed again",
    "training": "training under different backward rules",
}
"""In a few words; claims that people bring have families of their own."""


@dataclass(frozen=True)
class Family:
    """Claims whose ids begin alike; ``weakest`` of those that were run."""

    name: str
    counts: Mapping[Outcome, int]
    seconds: float
    weakest: Outcome | None

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    @property
    def about(self) -> str:
        return ABOUT.get(self.name, "")


def families(found: Sequence[ClaimView]) -> list[Family]:
    """In the order of their names."""
    return [_family(name, [view for view in found if view.family == name]) for name in dict.fromkeys(view.family for view in found)]


def _family(name: str, found: Sequence[ClaimView]) -> Family:
    outcomes = [view.record.outcome for view in found]
    counts = {outcome: outcomes.count(outcome) for outcome in Outcome if outcome in outcomes}
    weakest = next((outcome for outcome in WEAKEST_FIRST if outcome in counts), None)
    return Family(name, counts, sum(view.seconds or 0 for view in found), None if weakest is Outcome.NOT_RUN else weakest)
