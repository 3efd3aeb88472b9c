"""Witnesses against a bound of a Riccati solution: exact points at which balls confirm that it fails."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from flint import arb, fmpq

from certify.exact.ball import decimal, working_precision
from certify.exact.coordinates import Coordinates
from certify.exact.expression import evaluate
from certify.exact.positivity import Gap
from certify.exact.riccati_equation import Problem, Wanted, sides, theorem
from certify.exact.truth import Truth, positive

Point = Mapping[str, fmpq]
"""Exact values of the parameters, of ξ, and of the equation's own variable."""

Reference = Callable[[Point], arb]
"""Y at a point, as a ball of the working precision."""

BITS = 256
NEAR_ENDS = tuple(Fraction(1, 2**k) for k in range(4, 18))


def counterexample(problem: Problem, reference: Reference, *wanted: Wanted) -> Callable[[Gap], Mapping[str, str] | None]:
    """A search, to be given the box where the proof failed, for a point at which a bound wanted fails; for ``claims.conclude``."""

    def search(gap: Gap) -> Mapping[str, str] | None:
        with working_precision(BITS):
            for point in points(problem, gap):
                for each in wanted:
                    found = _violated(problem, reference, point, each)
                    if found is not None:
                        return found
        return None

    return search


def points(problem: Problem, gap: Gap | None = None, count: int = 16) -> Iterator[Point]:
    """Points of the range, at 0 of the vanishing parameter: within the gap's box, then all over the unit box, denser towards its ends."""
    coordinates = Coordinates(theorem(problem), problem.chart)
    moved = [name != problem.vanishing for name in (*problem.parameters, problem.variable)]
    inside = [Fraction(k, count) for k in range(1, count)]
    axis = [*inside, *(v for e in NEAR_ENDS for v in (e, 1 - e) if v not in inside)]
    boxes = [] if gap is None else [[[low + (high - low) * v for v in inside] for low, high in gap.box]]
    for grid in (*boxes, [axis] * len(coordinates.variables)):
        for values in itertools.product(*(part if moves else [Fraction(0)] for part, moves in zip(grid, moved, strict=True))):
            yield _point(problem, coordinates, [fmpq(v.numerator, v.denominator) for v in values])


def _point(problem: Problem, coordinates: Coordinates, values: list[fmpq]) -> Point:
    symbols = {name: coordinates[name] for name in (*problem.parameters, problem.variable)}
    point = {name: function.above(*values) / function.below(*values) for name, function in symbols.items()}
    x = evaluate(problem.substitution, point, fmpq)
    return {**point, problem.equation.variable: x}


def _violated(problem: Problem, reference: Reference, point: Point, wanted: Wanted) -> Mapping[str, str] | None:
    symbols = balls(problem, point)
    value = reference(point)
    for side, function in sides(wanted).items():
        bound = evaluate(function, symbols, arb)
        excess = value - bound if side == "below" else bound - value
        if positive(excess) is Truth.YES:
            at = {name: str(number) for name, number in point.items()}
            return {**at, problem.name: decimal(value, 20), f"{problem.name} is to be {side}": decimal(bound, 20)}
    return None


def balls(problem: Problem, point: Point) -> dict[str, arb]:
    """The symbols at a point, those of ``where`` included."""
    symbols = {name: arb(number) for name, number in point.items()}
    for name, text in problem.where.items():
        root = text.startswith("sqrt(")
        value = evaluate(text.removeprefix("sqrt") if root else text, symbols, arb)
        symbols[name] = value.sqrt() if root else value
    return symbols
