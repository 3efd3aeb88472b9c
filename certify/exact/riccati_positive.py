"""Positivity of a Riccati residual: by its form, by Bernstein coefficients, or part by part.

A residual that vanishes in a corner of the unit box, where a parameter and ξ go to their ends together, has no positive Bernstein form.
Its numerator N is then split by the highest power of one symbol s, N = s^d·T + rest, and both parts are shown to be positive.
"""

from __future__ import annotations

from certify.exact.coordinates import Coordinates
from certify.exact.inequality import positive
from certify.exact.positivity import Gap
from certify.exact.rational import RationalFunction
from certify.exact.riccati_terms import Terms, positive_by_form, written
from certify.exact.theorem import Combination, Positive, Step

DEPTH = 3


def show(coordinates: Coordinates, terms: Terms, text: str, forms: tuple[str, ...], number: int) -> list[Step] | Gap:
    """Steps from ``number`` on, the last of which is ``text`` > 0, or the box on which Bernstein coefficients did not show it."""
    if terms.roots:
        step = positive(coordinates, text, forms=forms)
        return step if isinstance(step, Gap) else [step]
    return _show(coordinates, terms, text, terms("the residual", text), forms, number, DEPTH)


def _show(
    coordinates: Coordinates, terms: Terms, text: str, function: RationalFunction, forms: tuple[str, ...], number: int, depth: int
) -> list[Step] | Gap:
    if positive_by_form(function):
        return [_combined(text, (written(function), -1))]
    step = positive(coordinates, text, forms=forms)
    if not isinstance(step, Gap):
        return [step]
    for symbol in terms.known if depth else ():
        steps = _split(coordinates, terms, text, function, symbol, number, depth)
        if steps is not None:
            return steps
    return step


def _split(
    coordinates: Coordinates, terms: Terms, text: str, function: RationalFunction, symbol: str, number: int, depth: int
) -> list[Step] | None:
    """The two parts by the highest power of the symbol, and their sum."""
    if not positive_by_form(terms.polynomial(function.below)):
        return None
    degree, highest, rest = terms.highest(function.above, symbol)
    if degree == 0 or rest.above.is_zero():
        return None
    steps, facts = list[Step](), []
    for part, factor in ((highest, f"{symbol}**{degree}"), (rest, "1")):
        found = _show(coordinates, terms, written(part), part, (), number + len(steps), depth - 1)
        if isinstance(found, Gap):
            return None
        steps += found
        facts.append((f"{factor}/({written(terms.polynomial(function.below))})", number + len(steps) - 1))
    return [*steps, _combined(text, *facts)]


def _combined(text: str, *facts: tuple[str, int]) -> Step:
    return Step(statement=Positive(any_of=(text,)), evidence=Combination(terms=facts))
