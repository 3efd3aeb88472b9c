"""From a proof, or from the gap where it failed, to a verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from flint import fmpq

from certify.claims.certificate import certify_rounding, certify_theorem
from certify.claims.verdict import Reason, Verdict
from certify.exact import induction, riccati_equation, riccati_witness
from certify.exact.coordinates import Coordinates
from certify.exact.positivity import Gap
from certify.exact.riccati_equation import Problem, Wanted
from certify.exact.riccati_witness import Reference
from certify.exact.rounding.theorem import Rounding, Tiling
from certify.exact.theorem import Chart, Induction, Proof, Recursion, Step, Theorem
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
    return Verdict.undecided(reason, reason.message, box=describe(outcome))


def conclude_riccati(claim_id: str, problem: Problem, reference: Reference, wanted: Sequence[Wanted], summary: str) -> Verdict:
    """The verdict on bounds of a solution of a Riccati equation; ``reference`` is that solution in balls."""
    search = riccati_witness.counterexample(problem, reference, *wanted)
    return conclude(claim_id, riccati_equation.theorem(problem, *wanted), riccati_equation.prove(problem, *wanted), search, summary)


def conclude_rounding(claim_id: str, theorem: Rounding, summary: str) -> Verdict:
    """*proved* with a certificate, by bisection; or *refuted* with floats that violate the bound; or *undecided* with the box left."""
    from certify.exact.rounding.search import Problem
    from certify.exact.rounding.violation import violation

    outcome = Problem(theorem).prove()
    if isinstance(outcome, Tiling):
        return Verdict.proved(certify_rounding(claim_id, theorem, outcome), summary)
    witness = violation(theorem)
    cell = ", ".join(f"{name} in {side}" for name, side in outcome.cell.items())
    if witness is not None:
        where = ", ".join(f"{name} = {witness[name]}" for name in witness if name != "format")
        return Verdict.refuted(witness, f"fails in {witness['format']} at {where}; in the cell {cell}: {outcome.why}")
    return Verdict.undecided(Reason.INEQUALITY_OPEN, f"in the cell {cell}: {outcome.why}", box=outcome.cell)


def describe(gap: Gap) -> dict[str, str]:
    """The box in the chart's variables, in words."""
    return {f"side {axis} of the unit box": f"[{low}, {high}]" for axis, (low, high) in enumerate(gap.box)}


def exactly(coordinates: Coordinates, text: str, strict: bool = True) -> Callable[[Gap], Mapping[str, str] | None]:
    """A counterexample to ``text`` > 0 (≥ 0, unless ``strict``) by exact rational evaluation."""

    def search(gap: Gap) -> Mapping[str, str] | None:
        point = exact_violation(coordinates, text, gap, strict)
        return {name: str(value) for name, value in point.items()} if point else None

    return search


def conclude_induction(
    claim_id: str,
    theorem: Theorem,
    chart: Chart,
    evidence: Recursion,
    tried: Iterable[Mapping[str, fmpq]],
    summary: str,
    further: tuple[Step, ...] = (),
) -> Verdict:
    """The verdict on a theorem whose first statement is an induction; ``tried`` are starts at which to look for a violation."""
    statement = theorem.statements[0]
    assert isinstance(statement, Induction)
    step = induction.prove(theorem, chart, statement, evidence)
    if isinstance(step, Step):
        proof = Proof(chart=chart, steps=(step, *further))
        return Verdict.proved(certify_theorem(claim_id, theorem, proof), summary)
    witness = induction.violation(theorem, statement, tried)
    if witness is not None:
        return Verdict.refuted(witness, f"{witness['fails']} fails: the left side is {witness['value']}")
    return Verdict.undecided(Reason.HYPOTHESIS_FAILS, f"the induction step of {step.relation} is not the identity given")
