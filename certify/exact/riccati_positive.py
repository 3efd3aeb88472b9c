"""Positivity of a Riccati residual: by its form, by Bernstein coefficients, or part by part.

A residual that vanishes in a corner of the unit box, where a parameter and ξ go to their ends together, has no positive Bernstein form.
Its numerator N is then freed of factors, or split by the highest power of one symbol s, N = s^d·T + rest, or into its terms of low degree
in s, as far as their coefficients are positive, and the rest; and all parts are shown to be positive.
"""

from __future__ import annotations

from collections.abc import Iterator

from certify.exact.derivation import Derivation, Open
from certify.exact.positivity import Gap
from certify.exact.rational import RationalFunction
from certify.exact.riccati_terms import Terms, positive_by_form, written

Parts = tuple[tuple[RationalFunction, str], ...]
"""What is to be positive, each with its positive factor."""
DEPTHS, TRIES = (2, 3), 40
"""How often a part is split again, and Bernstein forms that are then tried for one residual."""


def show(derivation: Derivation, text: str, forms: tuple[str, ...]) -> int:
    """The number of the step that states ``text`` > 0. Raises Open with the box on which Bernstein coefficients did not show it."""
    if derivation.terms.roots:
        return derivation.positive(text, forms=forms)
    function, found = derivation.terms("the residual", text), None
    for depth in DEPTHS:
        found = derivation.attempt(lambda depth=depth: Search(derivation).show(text, function, forms, depth))
        if not isinstance(found, Gap):
            return found
    assert isinstance(found, Gap)
    raise Open(found)


class Search:
    """For the parts that are positive, with at most ``TRIES`` Bernstein forms."""

    def __init__(self, derivation: Derivation) -> None:
        self.derivation, self.left = derivation, TRIES

    def show(self, text: str, function: RationalFunction, forms: tuple[str, ...], depth: int) -> int:
        derivation = self.derivation
        if positive_by_form(function):
            return derivation.combined(text, (written(function), -1))
        self.left -= 1
        found = derivation.attempt(lambda: derivation.positive(text, forms=forms))
        if not isinstance(found, Gap):
            return found
        below = derivation.terms.polynomial(function.below)
        for parts in _splits(derivation.terms, function) if depth and positive_by_form(below) else ():
            split = derivation.attempt(lambda parts=parts: self.sum(text, parts, written(below), depth)) if self.left > 0 else found
            if not isinstance(split, Gap):
                return split
        raise Open(found)

    def sum(self, text: str, parts: Parts, below: str, depth: int) -> int:
        """All parts, and what they add up to over the denominator."""
        deeper = depth - 1 if len(parts) > 1 else depth
        facts = [(f"{factor}/({below})", self.show(written(part), part, (), deeper)) for part, factor in parts]
        return self.derivation.combined(text, *facts)


def _splits(terms: Terms, function: RationalFunction) -> Iterator[Parts]:
    """The numerator without factors that are positive by form; in two parts, by each symbol's highest power, then by its lowest ones."""
    core, factor = terms.core(function.above)
    if not factor.above.is_constant():
        yield ((core, written(factor)),)
    for symbol in terms.free:
        degree, highest, rest = terms.highest(function.above, symbol)
        if degree and not rest.above.is_zero():
            yield (highest, f"{symbol}**{degree}"), (rest, "1")
    for symbol in terms.free:
        for low, rest in terms.lowest(function.above, symbol):
            yield (low, "1"), (rest, "1")
