"""Claims on the solution of a Riccati equation as data, the table ``[claim.riccati]`` of a claim file:

    [claim.riccati]
    name = "D"                      # Y, 0 < Y - shift < below, with Y - shift -> 0 where it is pinned; all this is cited from `source`
    is = "Dawson's integral"
    variable = "x"                  # Y' = quadratic*Y**2 + linear*Y + constant for x > 0
    quadratic = "0"
    linear = "-2*x"
    constant = "1"
    pinned = "0"                    # or "oo"; or "substitution" of x by a rational function of another "along"
    below = "1"
    lower = "x/(1 + c*x**2)"        # what is claimed, one of them or both
    upper = "x/(1 + d*x**2)"
    constants = { c = 2, d = "2/3" }
    reference = "sqrt(pi)/2*exp(-x**2)*erfi(x)"

Expressions are in x, the ``parameters`` (each with an interval of numbers > 0), the constants and what ``where`` defines. ``reference`` is
Y in Arb's functions: with it a bound that is false is refuted by a point; without it the verdict is undecided.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import msgspec
from flint import arb, fmpq

from certify.claims.claim import Claim
from certify.claims.conclude import conclude
from certify.claims.constants import rational
from certify.claims.verdict import Outcome, Verdict
from certify.exact.expression import evaluate, replace
from certify.exact.riccati import Side
from certify.exact.riccati_equation import Equation, Problem, prove, theorem
from certify.exact.riccati_terms import Refusal
from certify.exact.riccati_witness import Point, Reference, counterexample
from certify.exact.theorem import Chart, Map, OneSided, Theorem

PINNED = {"0": "{z}", "oo": "1/{z}"}
"""x as a function of z > 0, which goes to 0 as x goes to where the solution is pinned."""

NAME = re.compile(r"[A-Za-z]\w*")
INTERVAL = re.compile(r"(?:\((0)|\[(\d[\d/.]*)), oo\)|\(0, (\d[\d/.]*)\]")
"""Intervals that a chart maps onto the unit interval: (0, oo), [c, oo) and (0, c]."""

FUNCTIONS: Mapping[str, Callable[..., arb]] = {
    **{name: getattr(arb, name) for name in ("exp", "log", "sqrt", "sinh", "cosh", "tanh", "atan", "erf", "erfc", "erfi", "gamma")},
    "bessel_i": lambda nu, x: x.bessel_i(nu),
    "bessel_k": lambda nu, x: x.bessel_k(nu),
    "gamma_upper": lambda a, x: arb.gamma_upper(x, a),
    "hyp1f1": lambda a, b, x: x.hypgeom_1f1(a, b),
}
"""What a reference may be made of."""


class Riccati(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The keys of the table."""

    name: str
    is_: str = msgspec.field(name="is")
    source: str
    variable: str
    quadratic: str
    linear: str
    constant: str
    below: str
    pinned: str = ""
    substitution: str = ""
    along: str = ""
    shift: str = "0"
    lower: str = ""
    upper: str = ""
    parameters: dict[str, str] = {}
    where: dict[str, str] = {}
    constants: dict[str, int | str] = {}
    reference: str = ""

    def claim(self, id: str, statement: str, source: str) -> Claim:
        """The claim. Raises ValueError, one line that names the key, for values that will not do."""
        if not (self.lower or self.upper):
            raise Refusal("key 'lower' or 'upper': a bound is needed")
        constants = {name: rational(name, value) for name, value in self.constants.items()}
        self._look_at_reference(self.problem(constants), constants)

        def formal(**values: Fraction) -> Theorem:
            return theorem(self.problem(values), *self.wanted(values))

        def prover(**values: Fraction) -> Verdict:
            problem, wanted = self.problem(values), self.wanted(values)
            search = counterexample(problem, self.ball(values), *wanted) if self.reference else lambda _: None
            summary = f"{self.name} is within its bounds in the whole range"
            return conclude(id, theorem(problem, *wanted), prove(problem, *wanted), search, summary)

        return Claim(id, statement, f"{self.variable} > 0", source, prover, Outcome.PROVED, constants, formal)

    def _look_at_reference(self, problem: Problem, constants: Mapping[str, Fraction]) -> None:
        """Raises Refusal where it is no expression of the variables in the functions that it may be made of."""
        if self.reference:
            self.ball(constants)(dict.fromkeys((*problem.parameters, problem.variable, self.variable), fmpq(1)))

    def problem(self, constants: Mapping[str, Fraction]) -> Problem:
        """Raises Refusal, which names the key."""
        for name in (self.name, self.variable, *self.parameters, *self.where, *constants):
            if not NAME.fullmatch(name):
                raise Refusal(f"{name!r} is no name of a symbol: a letter, then letters, digits and _ are accepted")
        along, substitution = self._coordinate()
        maps = {name: _map(name, interval) for name, interval in self.parameters.items()}
        exact = {name: str(value) for name, value in constants.items()}
        own = {} if along == self.variable else {self.variable: substitution}
        return Problem(
            equation=Equation(self.variable, *(replace(text, **exact) for text in (self.quadratic, self.linear, self.constant))),
            variable=along,
            substitution=replace(substitution, **exact),
            below=replace(self.below, **exact),
            chart=Chart(symbols={**maps, along: Map(map="odds", variable=f"{along}_")}),
            is_=self.is_,
            source=self.source,
            name=self.name,
            shift=replace(self.shift, **exact),
            parameters=self.parameters,
            where={name: replace(text, **exact) for name, text in {**own, **self.where}.items()},
        )

    def _coordinate(self) -> tuple[str, str]:
        """The variable that goes to 0 where the solution is pinned, and x as a function of it."""
        if self.substitution:
            if self.pinned or not NAME.fullmatch(self.along) or self.along == self.variable:
                raise Refusal("key 'substitution': it needs 'along', the name of another variable, in place of 'pinned'")
            return self.along, self.substitution
        if self.pinned not in PINNED:
            raise Refusal(f"key 'pinned' = {self.pinned!r}: '0' and 'oo' are accepted, or 'substitution' and 'along' in its place")
        along = self.variable if self.pinned == "0" else f"{self.variable}_inverse"
        return along, PINNED[self.pinned].format(z=along)

    def wanted(self, constants: Mapping[str, Fraction]) -> tuple[OneSided, ...]:
        exact = {name: str(value) for name, value in constants.items()}
        bounds: dict[Side, str] = {"above": self.lower, "below": self.upper}
        return tuple(OneSided(solution=self.name, side=side, function=replace(text, **exact)) for side, text in bounds.items() if text)

    def ball(self, constants: Mapping[str, Fraction]) -> Reference:
        """Y at a point. Raises Refusal for what is no expression in Arb's functions."""

        def value(point: Point) -> arb:
            known = {**point, **{name: arb(str(v.numerator)) / arb(str(v.denominator)) for name, v in constants.items()}}
            symbols = {name: arb(number) for name, number in known.items()} | {"pi": arb.pi()}
            try:
                return _evaluated(self.reference, symbols)
            except KeyError as error:
                raise Refusal(f"key 'reference': unknown symbol {error.args[0]}") from None
            except (ValueError, SyntaxError, TypeError) as error:
                raise Refusal(f"key 'reference' {self.reference!r}: {error}") from None

        return value


def _map(name: str, interval: str) -> Map:
    match = INTERVAL.fullmatch(interval)
    if match is None:
        raise Refusal(f"parameter {name}: '(0, oo)', '[c, oo)' and '(0, c]' with a number c > 0 are accepted, not {interval!r}")
    _, least, most = match.groups()
    if least or most:
        return Map(map="reciprocal" if least else "multiple", variable=f"{name}_", scale=least or most)
    return Map(map="odds", variable=f"{name}_")


def _evaluated(text: str, symbols: Mapping[str, arb]) -> arb:
    def call(function: Callable[..., arb]) -> Callable[..., arb]:
        return lambda first, *others: function(first, *(_evaluated(other, symbols) for other in others))

    return evaluate(text, symbols, arb, functions={name: call(function) for name, function in FUNCTIONS.items()})


def riccati_claim(data: Mapping[str, Any]) -> Claim:
    """The claim that a table with the keys ``id``, ``statement``, ``source`` and ``riccati`` declares.

    Raises ValueError, one line that names the key, for one that will not do.
    """
    table = msgspec.convert(data["riccati"], Riccati)
    return table.claim(data["id"], data["statement"], data.get("source", ""))
