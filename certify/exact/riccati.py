"""Bounds for the solution of a first-order differential equation, by barriers that it cannot reach.

Let y′ = f(x, y) on (0, ∞) with y → 0 as x → 0 and 0 < y < c, and let B be a function with a limit > 0 at 0. At a first contact
y = B one would have B′ ≤ y′ = f(x, B) and B < c. So y < B follows if at every x

    B′ − f(x, B) > 0   or   B − c > 0   (the escape),

and likewise y > B, for a limit < 0, if f(x, B) − B′ > 0 or −B > 0. Where f decreases in y, B may also start at 0 as y does. No
theorem on differential equations is used. The equation and the barriers are data: see :class:`certify.exact.theorem.Theorem`.
"""

from __future__ import annotations

from typing import Literal

from certify.exact.coordinates import Coordinates
from certify.exact.expression import replace
from certify.exact.inequality import positive
from certify.exact.positivity import Gap
from certify.exact.theorem import (
    Barrier,
    Bound,
    Chart,
    DifferenceBound,
    Enclosure,
    Evaluation,
    Identity,
    Integration,
    OneSided,
    Positive,
    Proof,
    Solution,
    Step,
    Theorem,
)

Side = Literal["below", "above"]


def residual_and_escape(solution: Solution, name: str, side: Side, wall: str) -> tuple[str, str]:
    """The two expressions of which one is to be positive at every point, for y on that side of the wall."""
    residual = f"diff({wall}, {solution.variable}) - ({replace(solution.equation, **{name: wall})})"
    return (residual, f"{wall} - ({solution.below})") if side == "below" else (f"0 - ({residual})", f"0 - ({wall})")


def walls(bound: Bound) -> dict[Side, str]:
    """The barriers of a two-sided bound."""
    return {
        "below": f"({bound.candidate}) + ({bound.radius})",
        "above": f"({bound.candidate}) - ({bound.radius})",
    }


def inequalities(solution: Solution, name: str, bound: Bound) -> dict[str, tuple[str, str]]:
    """For each side of a bound, y below its upper and above its lower barrier, the residual inequality and its escape."""
    names = {"below": "upper", "above": "lower"}
    return {names[side]: residual_and_escape(solution, name, side, wall) for side, wall in walls(bound).items()}


def prove_wall(
    coordinates: Coordinates, wall: OneSided, start: str, number: int, forms: tuple[str, ...] = ()
) -> tuple[Step, ...] | Gap:
    """Steps from ``number`` on, of which the last is ``wall``, or the smallest box on which the barrier failed.

    ``start`` is the barrier's distance from 0 at x = 0; ``forms`` are its denominators, positive by their form. The escape is used only
    where the residual inequality alone does not hold.
    """
    solution = coordinates.theorem.solutions[wall.solution]
    residual, escape = residual_and_escape(solution, wall.solution, wall.side, wall.function)
    step = positive(coordinates, residual, forms=forms)
    if isinstance(step, Gap):
        step = positive(coordinates, residual, escape, forms=forms)
    if isinstance(step, Gap):
        return step
    return with_barrier(coordinates, wall, start, number, step, forms=forms)


def with_barrier(
    coordinates: Coordinates, wall: OneSided, start: str, number: int, *inequality: Step, forms: tuple[str, ...] = ()
) -> tuple[Step, ...] | Gap:
    """Steps that end in the inequality of a barrier, continued by ``wall``."""
    *_, shown = inequality
    assert isinstance(shown.statement, Positive)
    steps, last = list(inequality), number + len(inequality) - 1
    if start == "0" and wall.side == "below":
        step = positive(coordinates, wall.function, forms=forms)
        if isinstance(step, Gap):
            return step
        steps.append(step)
    evidence = Barrier(inequality=last, factors=("1",) * len(shown.statement.any_of), start=start)
    return (*steps, Step(statement=wall, evidence=evidence))


def prove_bound(theorem: Theorem, chart: Chart, bound: Bound, start: str | None = None) -> Proof | Gap:
    """A proof of ``bound`` by Bernstein positivity, or the smallest box on which a barrier failed.

    ``start`` is the value of the radius at x = 0, the radius itself unless it is given.
    """
    coordinates = Coordinates(theorem, chart)
    steps: list[Step] = []
    ends = []
    for side, function in walls(bound).items():
        wall = OneSided(solution=bound.solution, side=side, function=function)
        found = prove_wall(coordinates, wall, bound.radius if start is None else start, len(steps))
        if isinstance(found, Gap):
            return found
        steps += found
        ends.append(len(steps) - 1)
    enclosure = Step(statement=bound, evidence=Enclosure(below=ends[0], above=ends[1]))
    return Proof(chart=chart, steps=(*steps, enclosure))


def conclusion(bound: Bound, upper: Step, lower: Step, first: int) -> tuple[Step, ...]:
    """The bound from the inequalities of its barriers, which are the steps number ``first`` and ``first`` + 1, just before."""
    barriers = []
    for k, (step, (side, function)) in enumerate(zip((upper, lower), walls(bound).items(), strict=True)):
        assert isinstance(step.statement, Positive)
        evidence = Barrier(inequality=first + k, factors=("1",) * len(step.statement.any_of), start=bound.radius)
        barriers.append(Step(statement=OneSided(solution=bound.solution, side=side, function=function), evidence=evidence))
    return (*barriers, Step(statement=bound, evidence=Enclosure(below=first + 2, above=first + 3)))


def integrate(difference: DifferenceBound, bound: Bound, number: int, variable: str = "x") -> tuple[Step, ...]:
    """The difference bound that follows from ``bound``, which is the step before ``number``: its last step is ``difference``."""
    parts = {difference.potential: bound.candidate, difference.majorant: bound.radius}
    identities = [
        Step(statement=Identity(left=f"diff({text}, {variable})", right=slope), evidence=Evaluation())
        for text, slope in parts.items()
    ]
    evidence = Integration(bound=number - 1, potential_slope=number, majorant_slope=number + 1)
    return (*identities, Step(statement=difference, evidence=evidence))
