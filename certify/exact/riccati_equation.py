"""Bounds for a solution of a Riccati equation, as data: the equation, the side where it is pinned, and the bounds wanted.

    Y′ = a Y² + b Y + c                       along some variable x, with coefficients rational in x and the parameters
    x = X(ξ),  y = Y − σ(ξ)                   a stated substitution, rational in ξ > 0 and the parameters, and a shift, such that
    y → 0 as ξ → 0,   0 < y < below           is known (cited)

A solution that decays at x = ∞ is pinned there by X = 1/ξ, one on the whole axis by X = 1/ξ − ξ; no barrier runs backward. Then

    dy/dξ = X′·(a (y + σ)² + b (y + σ) + c) − σ′

is again such an equation, and the rules of :mod:`certify.exact.riccati` prove bounds of it: residual or escape > 0 on the whole range,
parameters included. A barrier that starts at 0 as y does needs a right side that decreases in y > 0; the shift can be chosen so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from certify.exact.coordinates import Coordinates
from certify.exact.inequality import positive_factors, strip
from certify.exact.positivity import UNIT, Gap
from certify.exact.rational import RationalFunction
from certify.exact.riccati import Side, prove_wall, residual_and_escape, walls, with_barrier
from certify.exact.riccati_positive import show
from certify.exact.riccati_terms import Refusal, Terms, nonnegative_by_form, positive_by_form, written
from certify.exact.theorem import (
    Bound,
    Chart,
    Combination,
    Enclosure,
    OneSided,
    Positive,
    Proof,
    Solution,
    Statement,
    Step,
    Theorem,
)

POSITIVE = re.compile(r"\(\d|\[0*[1-9]")
"""Intervals whose numbers are > 0."""

Wanted = Bound | OneSided
"""A bound of Y = ``problem.name``, two-sided or one-sided."""


@dataclass(frozen=True)
class Equation:
    """Y′ = ``quadratic``·Y² + ``linear``·Y + ``constant`` along ``variable``."""

    variable: str
    quadratic: str
    linear: str
    constant: str


@dataclass(frozen=True)
class Problem:
    """A solution Y of an equation, where it is pinned, and coordinates in which its bounds are rational.

    ``variable`` is ξ, the last symbol of the chart, running over (0, ∞) by stereographic or odds; ``substitution`` is X(ξ) and ``shift`` is
    σ(ξ). 0 < Y − σ < ``below``, and Y − σ → 0 as ξ → 0. ``parameters`` gives the intervals of the other symbols, ``where`` further
    definitions, with the square roots' rational forms in the chart.
    """

    equation: Equation
    variable: str
    substitution: str
    below: str
    chart: Chart
    is_: str
    source: str
    name: str = "Y"
    shift: str = "0"
    parameters: Mapping[str, str] = field(default_factory=dict)
    where: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, interval in self.parameters.items():
            if not POSITIVE.match(interval):
                raise Refusal(f"parameter {name}: an interval of numbers > 0 is accepted, not {interval!r}")

    @property
    def remainder(self) -> str:
        """The symbol of y = Y − σ: that of Y itself where σ is 0."""
        return self.name if self.shift == "0" else f"{self.name}_0"

    @property
    def whole(self) -> str:
        """Y in terms of y."""
        return self.name if self.shift == "0" else f"{self.remainder} + ({self.shift})"


def solution(problem: Problem) -> Solution:
    """The formal solution y = Y − σ. Raises Refusal for a term that is not rational, naming it."""
    square, slope, constant = _coefficients(problem)
    y = problem.remainder
    return Solution(
        variable=problem.variable,
        equation=f"({written(constant)}) + ({written(slope)})*{y} + ({written(square)})*{y}**2",
        below=problem.below,
        damping=_damping(square, slope, y),
        is_=problem.is_,
        source=problem.source,
    )


def _coefficients(problem: Problem) -> tuple[RationalFunction, RationalFunction, RationalFunction]:
    """Those of y², y and 1 in dy/dξ."""
    terms, equation = Terms.of(problem), problem.equation
    x, shift = terms("the substitution", problem.substitution), terms("the shift", problem.shift)
    at = {equation.variable: x}
    a, b, c = (terms(f"the {part} coefficient", getattr(equation, part), at) for part in ("quadratic", "linear", "constant"))
    speed = terms.slope(x, problem.variable)
    drift = (a * shift + b) * shift + c
    return speed * a, speed * (2 * a * shift + b), speed * drift - terms.slope(shift, problem.variable)


def _damping(square: RationalFunction, slope: RationalFunction, y: str) -> str:
    parts = [] if slope.above.is_zero() else [f"({written(-slope)})"]
    parts += [] if square.above.is_zero() else [f"2*({written(-square)})*{y}"]
    return " + ".join(parts) or "0"


def statement(problem: Problem, wanted: Wanted) -> Statement:
    """What is wanted of Y, said of y."""
    if isinstance(wanted, Bound):
        return Bound(solution=problem.whole, candidate=wanted.candidate, radius=wanted.radius)
    if problem.shift == "0":
        return wanted
    upper = wanted.side == "below"
    first, second = (wanted.function, problem.whole) if upper else (problem.whole, wanted.function)
    return Positive(any_of=(f"({first}) - ({second})",))


def theorem(problem: Problem, *wanted: Wanted) -> Theorem:
    """The formal theorem: the bounds wanted, of this solution, at every ξ > 0 and all values of the parameters."""
    return Theorem(
        domain={**problem.parameters, problem.variable: "(0, oo)"},
        where=dict(problem.where),
        solutions={problem.remainder: solution(problem)},
        statements=tuple(statement(problem, each) for each in wanted),
    )


def prove(problem: Problem, *wanted: Wanted) -> Proof | Gap:
    """A proof of the bounds, or the smallest box on which a barrier failed.

    Raises Refusal, one line that names the term, for coefficients, substitution, shift or bound that are not rational, have a pole in
    the range, or for a bound that is not pinned where the solution is.
    """
    coordinates = Coordinates(theorem(problem, *wanted), problem.chart)
    steps: list[Step] = []
    for each in wanted:
        found = _proved(problem, coordinates, each, len(steps))
        if isinstance(found, Gap):
            return found
        steps += found
    return Proof(chart=problem.chart, steps=tuple(steps))


def _proved(problem: Problem, coordinates: Coordinates, wanted: Wanted, number: int) -> list[Step] | Gap:
    """Steps from ``number`` on, of which the last states what is wanted."""
    steps, ends = list[Step](), []
    for side, function in sides(wanted).items():
        wall = OneSided(solution=problem.remainder, side=side, function=_barrier(problem, function))
        found = _barrier_steps(problem, coordinates, wall, number + len(steps))
        if isinstance(found, Gap):
            return found
        steps += found
        ends.append(number + len(steps) - 1)
    if isinstance(wanted, Bound):
        return [*steps, Step(statement=statement(problem, wanted), evidence=Enclosure(below=ends[0], above=ends[1]))]
    if problem.shift != "0":
        steps.append(Step(statement=statement(problem, wanted), evidence=Combination(terms=(("1", ends[0]),))))
    return steps


def sides(wanted: Wanted) -> dict[Side, str]:
    """The bounds of Y, by the side on which it is to lie."""
    return walls(wanted) if isinstance(wanted, Bound) else {wanted.side: wanted.function}


def _barrier_steps(problem: Problem, coordinates: Coordinates, wall: OneSided, number: int) -> tuple[Step, ...] | Gap:
    """By the residual alone, where that is positive; else by residual or escape."""
    start, forms = _start(problem, wall), _denominators(problem, coordinates, wall)
    if start is None:
        return Gap((UNIT,) * len(coordinates.variables), false=True)
    residual, _ = residual_and_escape(coordinates.theorem.solutions[wall.solution], wall.solution, wall.side, wall.function)
    found = show(coordinates, Terms.of(problem), residual, forms, number)
    if isinstance(found, Gap):
        return prove_wall(coordinates, wall, start, number, forms)
    return with_barrier(coordinates, wall, start, number, *found, forms=forms)


def _barrier(problem: Problem, function: str) -> str:
    """The bound less the shift, in lowest terms: the poles at ξ = 0 that they share cancel."""
    if problem.shift == "0":
        return function
    return written(Terms.of(problem)("the bound", f"({function}) - ({problem.shift})"))


def _start(problem: Problem, wall: OneSided) -> str | None:
    """The barrier's distance from y at ξ = 0; None where it begins on the wrong side.

    Raises Refusal where it has no value there, or one whose sign its form does not show.
    """
    terms, bound = Terms.of(problem), f"the bound {wall.function!r}"
    at_zero = terms.at_zero(bound, wall.function)
    distance = at_zero if wall.side == "below" else -at_zero
    if distance.above.is_zero():
        _demand_damping(problem, bound)
        return "0"
    if positive_by_form(-distance):
        return None
    if not positive_by_form(distance):
        start = f"at {problem.variable} = 0 its distance from the solution is {written(distance)}"
        raise Refusal(f"{bound} is not pinned: {start}, not > 0 by its form")
    return written(distance)


def _demand_damping(problem: Problem, bound: str) -> None:
    square, slope, _ = _coefficients(problem)
    level = all(map(nonnegative_by_form, (-square, -slope))) and any(map(positive_by_form, (-square, -slope)))
    if not level:
        damping = _damping(square, slope, problem.remainder)
        raise Refusal(f"{bound} is not pinned: it starts where the solution does, but {damping} is not > 0 by its form")


def _denominators(problem: Problem, coordinates: Coordinates, wall: OneSided) -> tuple[str, ...]:
    """The factors of the denominators, positive by their form. Raises Refusal for one that is not: a pole, or not seen to be none."""
    terms = Terms.of(problem)
    equation = problem.equation
    parts = {
        **{f"the {name} coefficient": getattr(equation, name) for name in ("quadratic", "linear", "constant")},
        "the shift": problem.shift,
        "the bound": wall.function,
    }
    x = terms("the substitution", problem.substitution)
    functions = {name: terms(name, text, {equation.variable: x}) for name, text in parts.items()}
    functions |= {"the substitution": x}
    forms: dict[str, None] = {}
    for name, function in functions.items():
        for factor in terms.factors(function.below):
            text = written(factor)
            polynomial = coordinates(text)
            rest, _ = strip(polynomial.above, positive_factors(coordinates, ()))
            if rest.is_constant():
                continue
            if not positive_by_form(factor):
                whole = f"{name} {parts.get(name, problem.substitution)!r}"
                raise Refusal(f"{whole} may have a pole in the range: {text} is not > 0 by its form")
            forms[text] = None
    return tuple(forms)
