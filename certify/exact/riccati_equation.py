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

from certify.exact.derivation import Derivation, derive
from certify.exact.positivity import Gap
from certify.exact.rational import RationalFunction
from certify.exact.riccati import Side, denominators, wall, walls
from certify.exact.riccati_terms import Refusal, Terms, written
from certify.exact.theorem import Bound, Chart, Enclosure, OneSided, Positive, Proof, Solution, Statement, Theorem

POSITIVE = re.compile(r"\(\d|\[0*[1-9]")
"""Intervals whose numbers are > 0."""

PARTS = ("quadratic", "linear", "constant")

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
    σ(ξ). 0 < Y − σ < ``below``, and Y − σ → 0 as ξ → 0. ``parameters`` gives the intervals of the other symbols, of which the
    ``vanishing`` one goes to 0 in what is claimed, and ``where`` further definitions, with the square roots' rational forms in the chart.
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
    vanishing: str = ""
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
    def terms(self) -> Terms:
        """Over the parameters and ξ."""
        return Terms.of((*self.parameters, self.variable), self.where, self.chart)

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
    terms, equation = problem.terms, problem.equation
    x, shift = terms("the substitution", problem.substitution), terms("the shift", problem.shift)
    at = {equation.variable: x}
    a, b, c = (terms(f"the {part} coefficient", getattr(equation, part), at) for part in PARTS)
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

    return derive(theorem(problem, *wanted), problem.chart, lambda derivation: establish(problem, derivation, *wanted))


def establish(problem: Problem, derivation: Derivation, *wanted: Wanted) -> None:
    """The bounds, as steps of a proof."""
    _refuse_poles(problem, derivation)
    for each in wanted:
        _prove(problem, derivation, each)


def _prove(problem: Problem, derivation: Derivation, wanted: Wanted) -> int:
    """What is wanted of Y, from barriers of y."""
    ends = [
        wall(derivation, OneSided(solution=problem.remainder, side=side, function=_barrier(problem, function)))
        for side, function in sides(wanted).items()
    ]
    stated = statement(problem, wanted)
    if isinstance(wanted, Bound):
        return derivation.step(stated, Enclosure(below=ends[0], above=ends[1]))
    return ends[0] if derivation.steps[ends[0]].statement == stated else derivation.combined(stated, ("1", ends[0]))


def sides(wanted: Wanted) -> dict[Side, str]:
    """The bounds of Y, by the side on which it is to lie."""
    return walls(wanted) if isinstance(wanted, Bound) else {wanted.side: wanted.function}


def _barrier(problem: Problem, function: str) -> str:
    """The bound less the shift, in lowest terms: poles at ξ = 0 that cancel must not be seen."""
    if problem.shift == "0" and problem.terms.regular(function):
        return function
    return written(problem.terms("the bound", f"({function}) - ({problem.shift})"))


def _refuse_poles(problem: Problem, derivation: Derivation) -> None:
    """Raises Refusal for a pole of the problem's own terms, or what is not seen to be none."""
    equation, terms = problem.equation, derivation.terms
    x = terms("the substitution", problem.substitution)
    parts = {f"the {name} coefficient": getattr(equation, name) for name in PARTS}
    parts |= {"the shift": problem.shift, "the substitution": problem.substitution}
    for name, text in parts.items():
        denominators(derivation, f"{name} {text!r}", terms(name, text, {equation.variable: x}))
