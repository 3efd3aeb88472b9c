"""From a proof, or from the gap where it failed, to a verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from certify.claims.certificate import certify_theorem
from certify.claims.verdict import Reason, Verdict
from certify.exact.coordinates import Coordinates
from certify.exact.positivity import Gap
from certify.exact.theorem import Proof, Theorem
from certify.exact.witness import exact_violation


def conclude(
    claim_id: str,
    theorem: Theorem,
    outcome: Proof | Gap,
    counterexample: Callable[[Gap], Mapping[str, str] | None],
    summary: str,
) -> Verdict:
    """*proved* with a certificate; or *refuted* with the counterexample found; or *undecided* with the smallest box left."""
    if isinstance(outcome, Proof):
        return Verdict.proved(certify_theorem(claim_id, theorem, outcome), summary)
    witness = counterexample(outcome)
    if witness is not None:
        return Verdict.refuted(witness, "fails at " + ", ".join(f"{name} = {value}" for name, value in witness.items()))
    reason = Reason.HYPOTHESIS_FAILS if outcome.false else Reason.INEQUALITY_OPEN
    return Verdict.undecided(reason, reason.message, box=describe(theorem, outcome))


def describe(theorem: Theorem, gap: Gap) -> dict[str, str]:
    """The box in the chart's variables, in words."""
    return {f"side {axis} of the unit box": f"[{low}, {high}]" for axis, (low, high) in enumerate(gap.box)}


def exactly(coordinates: Coordinates, text: str, strict: bool = True) -> Callable[[Gap], Mapping[str, str] | None]:
    """A counterexample to ``text`` > 0 (≥ 0, unless ``strict``) by exact rational evaluation."""

    def search(gap: Gap) -> Mapping[str, str] | None:
        point = exact_violation(coordinates, text, gap, strict)
        return point and {name: str(value) for name, value in point.items()}

    return search
