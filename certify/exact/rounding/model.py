"""The standard model as algebra: a rounding is a factor 1 + u e, |e| ≤ 1, and a bound of the error a polynomial inequality.

Every e runs over its whole range and u over (0, 2^−24], so that binary32 and binary64 are one theorem and no term of second order is
dropped. The inequalities are not strict and their sides continuous, so that they hold at the ends of open ranges too.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from flint import fmpq

from certify.exact.coordinates import Coordinates
from certify.exact.derivation import Derivation, derive
from certify.exact.positivity import Gap
from certify.exact.theorem import Chart, Map, Nonnegative, Positive, Proof, Theorem

SMALL = "1/16777216"
TRIES, INSIDE = 4000, 64
OFF = {"": (2, 1), "cuda": (7, 4)}
"""Units u of themselves by which √(x² + ν²) and quotients may be off, on CPUs and under both profiles of CUDA; sums and products by one."""

Symbols = Mapping[str, tuple[str, Map]]
"""Each symbol's interval, and how it runs over it."""


def itself(name: str) -> Map:
    return Map(map="itself", variable=f"{name}_")


def below(name: str, most: str) -> tuple[str, Map]:
    """A symbol in (0, most]."""
    return f"(0, {most}]", Map(map="multiple", variable=f"{name}_", scale=most)


class Model(NamedTuple):
    """A theorem in the standard model, its chart, and what it divides by."""

    theorem: Theorem
    chart: Chart
    forms: tuple[str, ...]

    def prove(self) -> Proof | Gap:
        """By Bernstein coefficients, or the box on which they leave an inequality open."""

        def build(derivation: Derivation) -> None:
            for each in self.theorem.statements:
                assert isinstance(each, Positive | Nonnegative)
                derivation.shown(each, self.forms if isinstance(each, Nonnegative) else ())

        return derive(self.theorem, self.chart, build)

    def counterexample(self, _gap: Gap) -> dict[str, str] | None:
        """A rational point, all errors at the ends of their ranges, at which one of the inequalities is false."""
        coordinates, rng = Coordinates(self.theorem, self.chart), random.Random(0)
        functions = [coordinates(each.any_of[0]) for each in self.theorem.statements if isinstance(each, Nonnegative)]
        for _ in range(TRIES):
            point = [_chosen(variable, rng) for variable in coordinates.variables]
            if any(function.below(*point) != 0 and function.above(*point) / function.below(*point) < 0 for function in functions):
                symbols = ((name, coordinates[name]) for name in self.theorem.domain)
                return {name: str(function.above(*point) / function.below(*point)) for name, function in symbols}
        return None


def _chosen(variable: str, rng: random.Random) -> fmpq:
    """An end for errors, u at its largest, other symbols inside."""
    if variable.startswith("g"):
        return fmpq(rng.randrange(2))
    return fmpq(1) if variable == "u_" else fmpq(rng.randrange(1, INSIDE), INSIDE)


def model(
    symbols: Symbols,
    errors: int,
    where: Mapping[str, str],
    bounds: Iterable[tuple[str, str]],
    positive: tuple[str, ...],
    forms: tuple[str, ...],
    roots: Mapping[str, str] | None = None,
) -> Model:
    """``positive`` > 0 and, for each pair, |second| ≤ first, for every u, all symbols and e0, e1, …: so many ``errors``.

    ``where`` comes after the errors, ``forms`` are the divisors.
    """
    symbols = {**symbols, "u": below("u", SMALL), **{f"g{i}": ("[0, 1]", itself(f"g{i}")) for i in range(errors)}}
    statements = [Nonnegative(any_of=(f"{width} {sign} ({error})",)) for width, error in bounds for sign in "-+"]
    theorem = Theorem(
        domain={name: interval for name, (interval, _) in symbols.items()},
        where={**{f"e{i}": f"2*g{i} - 1" for i in range(errors)}, **where},
        statements=(*(Positive(any_of=(each,)) for each in positive), *statements),
    )
    return Model(theorem, Chart(symbols={name: map for name, (_, map) in symbols.items()}, roots=dict(roots or {})), forms)
