"""Two-sided bounds for the solution of a first-order differential equation, by barriers that it cannot reach.

Let y′ = f(x, y) on (0, ∞) with y → 0 as x → 0 and 0 < y < c, and let B± = a ± U with a(0) = 0 and U > 0 independent of x.
At a first contact y = B₊ one would have B₊′ ≤ y′ = f(x, B₊) and B₊ < c. So y < B₊ follows if at every x

    B₊′ − f(x, B₊) > 0   or   B₊ − c > 0   (the escape),

and likewise y > B₋ if f(x, B₋) − B₋′ > 0 or −B₋ > 0. No theorem on differential equations is used. The equation, the
candidate a and the bound U are data: see :class:`certify.exact.theorem.Theorem`.
"""

from __future__ import annotations

from certify.exact.coordinates import Coordinates
from certify.exact.expression import replace
from certify.exact.inequality import positive
from certify.exact.positivity import Gap
from certify.exact.theorem import Barrier, Bound, Chart, Enclosure, OneSided, Proof, Solution, Step, Theorem


def inequalities(solution: Solution, name: str, bound: Bound) -> dict[str, tuple[str, str]]:
    """For each side the residual inequality and its escape, as expressions that are to be positive."""
    upper, lower = f"({bound.candidate}) + ({bound.radius})", f"({bound.candidate}) - ({bound.radius})"
    x, field = solution.variable, solution.equation
    return {
        "upper": (f"diff({upper}, {x}) - ({replace(field, **{name: upper})})", f"{upper} - ({solution.below})"),
        "lower": (f"0 - (diff({lower}, {x}) - ({replace(field, **{name: lower})}))", f"0 - ({lower})"),
    }


def prove_bound(theorem: Theorem, chart: Chart, bound: Bound) -> Proof | Gap:
    """A proof of ``bound`` by Bernstein positivity, or the smallest box on which a barrier failed.

    The escape is used only where the residual inequality alone does not hold.
    """
    coordinates = Coordinates(theorem, chart)
    steps: list[Step] = []
    for residual, escape in inequalities(theorem.solutions[bound.solution], bound.solution, bound).values():
        step = positive(coordinates, residual)
        if isinstance(step, Gap):
            step = positive(coordinates, residual, escape)
        if isinstance(step, Gap):
            return step
        steps.append(step)
    return Proof(chart=chart, steps=(*steps, *conclusion(bound, *steps, first=0)))


def conclusion(bound: Bound, upper: Step, lower: Step, first: int) -> tuple[Step, ...]:
    """The bound from the inequalities of its barriers, which are the steps number ``first`` and ``first`` + 1, just before."""
    walls = [("below", "+", upper), ("above", "-", lower)]
    barriers = [
        Step(
            statement=OneSided(solution=bound.solution, side=side, function=f"({bound.candidate}) {sign} ({bound.radius})"),
            evidence=Barrier(inequality=first + k, factors=("1",) * len(step.statement.any_of), start=bound.radius),
        )
        for k, (side, sign, step) in enumerate(walls)
    ]
    return (*barriers, Step(statement=bound, evidence=Enclosure(below=first + 2, above=first + 3)))
