"""Inequalities between expressions, reduced to polynomial positivity on the chart's unit box.

An expression becomes N/D in the chart's variables. Factors that are positive by their form (the variables v, 1 − v, 1 + v,
1 + v²) are moved into a multiplier, so that zeros on the boundary of the box, which no Bernstein form survives, disappear.
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq_mpoly

from certify.exact import positivity
from certify.exact.coordinates import Coordinates
from certify.exact.positivity import Gap
from certify.exact.rational import RationalFunction
from certify.exact.theorem import Bernstein, Nonnegative, Positive, Step


def positive(coordinates: Coordinates, *any_of: str, strict: bool = True) -> Step | Gap:
    """A step showing that everywhere in the domain one of the expressions is > 0 (≥ 0, unless ``strict``), or the box where that failed."""
    multipliers, tables = zip(*(reduce_to_polynomial(coordinates, coordinates(text)) for text in any_of), strict=True)
    found = positivity.prove(tables, strict)
    if isinstance(found, Gap):
        return found
    nested = tables if len(coordinates.variables) > 1 else [[row[0] for row in table] for table in tables]
    evidence = Bernstein(multipliers=multipliers, polynomials=tuple(nested), tree=found.tree)
    return Step(statement=(Positive if strict else Nonnegative)(any_of=any_of), evidence=evidence)


def reduce_to_polynomial(coordinates: Coordinates, function: RationalFunction) -> tuple[str, list[list[int]]]:
    """(multiplier, integer coefficients) with multiplier·function = the polynomial, multiplier > 0 by its form.

    Raises ValueError where the denominator is not a product of factors that are positive by their form.
    """
    above, zeros = strip_positive(coordinates, function.above)
    rest, poles = strip_positive(coordinates, function.below)
    if not rest.is_constant():
        raise ValueError(f"the denominator {rest} is not positive by its form on the box")
    table = positivity.coefficients(above / rest, coordinates.variables)
    scale = _ratio(table, above / rest, coordinates)
    return f"{scale}*{_product(poles)}/({_product(zeros)})", table


def strip_positive(coordinates: Coordinates, polynomial: fmpq_mpoly) -> tuple[fmpq_mpoly, dict[str, int]]:
    """Divide out the factors that are positive by their form; return what is left and their powers."""
    powers: dict[str, int] = {}
    for v in coordinates.variables:
        for text in (v, f"(1 - {v})", f"(1 + {v})", f"(1 + {v}**2)"):
            if text.startswith("(1 -") and v not in coordinates.open:
                continue
            factor = coordinates(text).above
            while not polynomial.is_zero() and not polynomial.is_constant():
                quotient, remainder = divmod(polynomial, factor)
                if not remainder.is_zero():
                    break
                polynomial, powers[text] = quotient, powers.get(text, 0) + 1
    return polynomial, powers


def _product(powers: dict[str, int]) -> str:
    return "*".join(f"{factor}**{k}" for factor, k in powers.items()) or "1"


def _ratio(table: Sequence[Sequence[int]], polynomial: fmpq_mpoly, coordinates: Coordinates) -> str:
    """The positive rational by which the integer table exceeds the polynomial."""
    i, j = next((i, j) for i, row in enumerate(table) for j, c in enumerate(row) if c)
    monomial = (i, j)[: len(coordinates.variables)]
    return str(table[i][j] / polynomial.to_dict()[monomial])
