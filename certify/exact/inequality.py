"""Inequalities between expressions, reduced to polynomial positivity on the chart's unit box.

An expression becomes N/D in the chart's variables. Factors that are positive by their form (the variables v, 1 − v, 1 + v,
1 + v²) are moved into a multiplier, so that zeros on the boundary of the box, which no Bernstein form survives, disappear.
"""

from __future__ import annotations

from typing import Any

from flint import fmpq_mpoly

from certify.exact import positivity
from certify.exact.coordinates import Coordinates
from certify.exact.positivity import Gap
from certify.exact.rational import RationalFunction
from certify.exact.theorem import Bernstein, Nonnegative, Positive, Step


def positive(coordinates: Coordinates, *any_of: str, strict: bool = True, forms: tuple[str, ...] = ()) -> Step | Gap:
    """A step showing that everywhere in the domain one of the expressions is > 0 (≥ 0, unless ``strict``), or the box where that failed.

    ``forms`` are further expressions, positive by their form, that may occur as factors: the denominators of a candidate, say.
    """
    factors = positive_factors(coordinates, forms)
    reduced = [reduce_to_polynomial(coordinates, coordinates(text), factors) for text in any_of]
    tables = [table for _, table in reduced]
    found = positivity.prove(tables, strict)
    if isinstance(found, Gap):
        return found
    evidence = Bernstein(multipliers=tuple(m for m, _ in reduced), polynomials=tuple(tables), tree=found.tree)
    return Step(statement=(Positive if strict else Nonnegative)(any_of=any_of), evidence=evidence)


def positive_factors(coordinates: Coordinates, forms: tuple[str, ...]) -> dict[str, fmpq_mpoly]:
    """Polynomials that are positive on the open box, by expressions whose form shows it."""
    factors = {}
    for v in coordinates.variables:
        texts = (v, f"1 + {v}", f"1 + {v}**2", *((f"1 - {v}",) if v in coordinates.open else ()))
        factors |= {text: coordinates(text).above for text in texts}
    for form in forms:
        function = coordinates(form)
        rest, poles = strip(function.below, factors)
        factors[f"({form})*{_product(poles)}"] = function.above / rest
    return factors


def reduce_to_polynomial(coordinates: Coordinates, function: RationalFunction, factors: dict[str, fmpq_mpoly]) -> tuple[str, list]:
    """(multiplier, integer coefficients) with multiplier·function = the polynomial, multiplier > 0 by its form.

    Raises ValueError where the denominator is not a product of the ``factors``.
    """
    above, zeros = strip(function.above, factors)
    rest, poles = strip(function.below, factors)
    if not rest.is_constant():
        raise ValueError(f"the denominator {rest} is not positive by its form on the box")
    table = positivity.coefficients(above / rest, coordinates.variables)
    scale = _ratio(table, above / rest, len(coordinates.variables))
    return f"{scale}*{_product(poles)}/({_product(zeros)})", table


def strip(polynomial: fmpq_mpoly, factors: dict[str, fmpq_mpoly]) -> tuple[fmpq_mpoly, dict[str, int]]:
    """Divide out the factors; return what is left and their powers."""
    powers: dict[str, int] = {}
    for text, factor in factors.items():
        while not polynomial.is_zero() and not polynomial.is_constant():
            quotient, remainder = divmod(polynomial, factor)
            if not remainder.is_zero():
                break
            polynomial, powers[text] = quotient, powers.get(text, 0) + 1
    return polynomial, powers


def _product(powers: dict[str, int]) -> str:
    return "*".join(f"({factor})**{k}" for factor, k in powers.items()) or "1"


def _ratio(table: list, polynomial: fmpq_mpoly, dimension: int) -> str:
    """The positive rational by which the integer table exceeds the polynomial."""
    if polynomial.is_zero():
        return "1"
    monomial, coefficient = next(iter(polynomial.to_dict().items()))
    entry: Any = table
    for i in map(int, monomial[:dimension]):
        entry = entry[i]
    return str(entry / coefficient)
