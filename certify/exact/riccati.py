"""Bounds for the solution of a first-order differential equation, by barriers that it cannot reach.

Let y′ = f(x, y) on (0, ∞) with y → 0 as x → 0 and 0 < y < c, and let B be a function with a limit > 0 at 0. At a first contact
y = B one would have B′ ≤ y′ = f(x, B) and B < c. So y < B follows if at every x

    B′ − f(x, B) > 0   or   B − c > 0   (the escape),

and likewise y > B, for a limit < 0, if f(x, B) − B′ > 0 or −B > 0. Where f decreases in y, B may also start at 0 as y does. No
theorem on differential equations is used. The equation, where it is pinned and the bounds wanted are data, a
:class:`certify.exact.theorem.Theorem` in a chart; where a barrier starts and which denominators are positive is found out here.
:mod:`certify.exact.riccati_equation` makes such a theorem of an equation that has still to be substituted.
"""

from __future__ import annotations

from typing import Literal

from certify.exact.derivation import Derivation, Open, derive
from certify.exact.expression import replace
from certify.exact.inequality import positive_factors, strip
from certify.exact.positivity import UNIT, Gap
from certify.exact.rational import RationalFunction
from certify.exact.riccati_positive import show
from certify.exact.riccati_terms import Refusal, Terms, nonnegative_by_form, positive_by_form, written
from certify.exact.theorem import (
    Barrier,
    Bound,
    Chart,
    DifferenceBound,
    Enclosure,
    Identity,
    Integration,
    Nonnegative,
    OneSided,
    Positive,
    Proof,
    Solution,
    Statement,
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


def residuals(solution: Solution, bound: Bound) -> tuple[str, str]:
    """What is to be > 0 where no escape is wanted, for y below the upper and above the lower barrier."""
    upper, lower = (residual_and_escape(solution, bound.solution, side, wall)[0] for side, wall in walls(bound).items())
    return upper, lower


def prove(theorem: Theorem, chart: Chart) -> Proof | Gap:
    """A proof of a theorem whose statements are bounds of its solutions, inequalities and identities, or the smallest box left.

    Raises Refusal, one line that names the term, for a bound that is not rational, has a pole in the range, or is not pinned where
    the solution is.
    """

    def build(derivation: Derivation) -> None:
        for statement in theorem.statements:
            establish(derivation, statement)

    return derive(theorem, chart, build)


def establish(derivation: Derivation, statement: Statement) -> int:
    """The number of the step that states it. Raises Open where it was not shown, TypeError for other kinds of statement."""
    match statement:
        case Bound():
            return bound(derivation, statement)
        case OneSided():
            return wall(derivation, statement)
        case Identity():
            return derivation.identity(statement)
        case Positive() | Nonnegative():
            return derivation.shown(statement)
    raise TypeError(f"{type(statement).__name__} is not established by barriers")


def bound(derivation: Derivation, wanted: Bound) -> int:
    """A two-sided bound, by its two barriers."""
    below, above = (
        wall(derivation, OneSided(solution=wanted.solution, side=side, function=function)) for side, function in walls(wanted).items()
    )
    return derivation.step(wanted, Enclosure(below=below, above=above))


def wall(derivation: Derivation, wanted: OneSided) -> int:
    """A one-sided bound: by the residual alone, where that is positive, else by residual or escape."""
    name = f"the bound {wanted.function!r}"
    start, forms = _start(derivation, name, wanted), _forms(derivation, name, wanted)
    solution = derivation.theorem.solutions[wanted.solution]
    residual, escape = residual_and_escape(solution, wanted.solution, wanted.side, wanted.function)
    shown = derivation.attempt(lambda: show(derivation, residual, forms))
    number = derivation.positive(residual, escape, forms=forms) if isinstance(shown, Gap) else shown
    factors = ("1", "1") if isinstance(shown, Gap) else ("1",)
    if start == "0" and wanted.side == "below":
        show(derivation, wanted.function, forms)
    return derivation.step(wanted, Barrier(inequality=number, factors=factors, start=start))


def _start(derivation: Derivation, name: str, wanted: OneSided) -> str:
    """The barrier's distance from y at ξ = 0. Raises Open where it begins on the wrong side.

    Raises Refusal where it has no value there, or one whose sign its form does not show.
    """
    terms = derivation.terms
    at_zero = terms.at_zero(name, wanted.function)
    distance = at_zero if wanted.side == "below" else -at_zero
    if distance.above.is_zero():
        _demand_damping(terms, name, derivation.theorem.solutions[wanted.solution], wanted.solution)
    elif positive_by_form(-distance):
        raise Open(Gap((UNIT,) * len(derivation.coordinates.variables), false=True))
    elif not positive_by_form(distance):
        start = f"at {terms.free[-1]} = 0 its distance from the solution is {written(distance)}"
        raise Refusal(f"{name} is not pinned: {start}, not > 0 by its form")
    return written(distance)


def _demand_damping(terms: Terms, name: str, solution: Solution, y: str) -> None:
    """Raises Refusal unless the right side decreases in y > 0, by the form of its coefficients."""
    damping = terms("the damping", solution.damping)
    parts = terms.by_power(damping.above, y) if positive_by_form(terms.polynomial(damping.below)) else []
    if not (all(map(nonnegative_by_form, parts)) and any(map(positive_by_form, parts))):
        raise Refusal(f"{name} is not pinned: it starts where the solution does, but {solution.damping} is not > 0 by its form")


def _forms(derivation: Derivation, name: str, wanted: OneSided) -> tuple[str, ...]:
    """Denominators of the residual that the chart does not show to be positive, but their form does."""
    equation = derivation.theorem.solutions[wanted.solution].equation
    texts = {name: wanted.function, "the equation": replace(equation, **{wanted.solution: "1"})}
    forms: dict[str, None] = {}
    for named, text in texts.items():
        if not seen_positive(derivation, derivation.coordinates(text)):
            forms |= dict.fromkeys(denominators(derivation, named, derivation.terms(named, text)))
    return tuple(forms)


def denominators(derivation: Derivation, name: str, function: RationalFunction) -> list[str]:
    """Factors of the denominator, positive by their form. Raises Refusal for one that is not: a pole, or not seen to be none."""
    found = []
    for factor in derivation.terms.factors(function.below):
        text = written(factor)
        if seen_positive(derivation, 1 / derivation.coordinates(text)):
            continue
        if not positive_by_form(factor):
            raise Refusal(f"{name} may have a pole in the range: {text} is not > 0 by its form")
        found.append(text)
    return found


def seen_positive(derivation: Derivation, function: RationalFunction) -> bool:
    """Whether the denominator is a product of the chart's own positive factors."""
    rest, _ = strip(function.below, positive_factors(derivation.coordinates, ()))
    return rest.is_constant()


def conclusion(derivation: Derivation, wanted: Bound, upper: int, lower: int) -> int:
    """The bound, from the steps that show the ``residuals`` of its two barriers to be > 0."""
    below, above = (
        derivation.step(
            OneSided(solution=wanted.solution, side=side, function=function),
            Barrier(inequality=number, factors=("1",), start=wanted.radius),
        )
        for number, (side, function) in zip((upper, lower), walls(wanted).items(), strict=True)
    )
    return derivation.step(wanted, Enclosure(below=below, above=above))


def integrate(derivation: Derivation, difference: DifferenceBound, wanted: Bound) -> int:
    """The difference bound that follows from a bound of the slope along x, which is established first."""
    number = bound(derivation, wanted)
    potential, majorant = (
        derivation.identity(Identity(left=f"diff({text}, x)", right=slope))
        for text, slope in ((difference.potential, wanted.candidate), (difference.majorant, wanted.radius))
    )
    return derivation.step(difference, Integration(bound=number, potential_slope=potential, majorant_slope=majorant))
