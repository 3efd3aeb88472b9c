"""Positivity of a Riccati residual: by its form, by Bernstein coefficients, or part by part.

A residual that vanishes in a corner of the unit box, where a parameter and ξ go to their ends together, has no positive Bernstein form.
Its numerator N is then split by the highest power of one symbol s, N = s^d·T + rest, and both parts are shown to be positive.
"""

from __future__ import annotations

from certify.exact.derivation import Derivation, Open
from certify.exact.positivity import Gap
from certify.exact.rational import RationalFunction
from certify.exact.riccati_terms import positive_by_form, written

DEPTH = 3


def show(derivation: Derivation, text: str, forms: tuple[str, ...]) -> int:
    """The number of the step that states ``text`` > 0. Raises Open with the box on which Bernstein coefficients did not show it."""
    if derivation.terms.roots:
        return derivation.positive(text, forms=forms)
    return _show(derivation, text, derivation.terms("the residual", text), forms, DEPTH)


def _show(derivation: Derivation, text: str, function: RationalFunction, forms: tuple[str, ...], depth: int) -> int:
    if positive_by_form(function):
        return derivation.combined(text, (written(function), -1))
    found = derivation.attempt(lambda: derivation.positive(text, forms=forms))
    if not isinstance(found, Gap):
        return found
    for symbol in derivation.terms.free if depth else ():
        split = derivation.attempt(lambda s=symbol: _split(derivation, text, function, s, depth, found))
        if not isinstance(split, Gap):
            return split
    raise Open(found)


def _split(derivation: Derivation, text: str, function: RationalFunction, symbol: str, depth: int, gap: Gap) -> int:
    """The two parts by the highest power of the symbol, and their sum. Raises Open, with ``gap``, where there are no two parts."""
    terms = derivation.terms
    if not positive_by_form(terms.polynomial(function.below)):
        raise Open(gap)
    degree, highest, rest = terms.highest(function.above, symbol)
    if degree == 0 or rest.above.is_zero():
        raise Open(gap)
    facts = []
    for part, factor in ((highest, f"{symbol}**{degree}"), (rest, "1")):
        number = _show(derivation, written(part), part, (), depth - 1)
        facts.append((f"{factor}/({written(terms.polynomial(function.below))})", number))
    return derivation.combined(text, *facts)
