"""Relations between recursively defined sequences, proved by induction with each step an identity of rational functions.

A relation is ``expression > 0``, ``>= 0`` or ``= 0``. It passes from one member to the next because, after substitution, its
expression is a sum of nonnegative multiples of the expressions known there; see :class:`certify.exact.theorem.Recursion`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq

from certify.exact.coordinates import Coordinates
from certify.exact.expression import evaluate, replace
from certify.exact.theorem import Chart, Induction, Map, Recursion, Step, Theorem

Terms = tuple[tuple[str, int], ...]

HOLDS = {">": lambda v: v > 0, ">=": lambda v: v >= 0, "=": lambda v: v == 0}


@dataclass(frozen=True)
class Broken:
    """The relation whose induction step is not the identity given."""

    relation: str
    phase: int


def prove(theorem: Theorem, chart: Chart, statement: Induction, evidence: Recursion) -> Step | Broken:
    """The step, once every one of its identities holds; which coefficients are nonnegative is left to the checker."""
    coordinates = _with_state(theorem, chart, statement)
    first, then = ({name: pair[i] for name, pair in statement.state.items()} for i in (0, 1))
    period = len(statement.phases)
    rows: list[tuple[int, dict[str, str], Iterable[tuple[str, Terms]], tuple[str, ...]]]
    rows = [(0, first, zip(statement.phases[0], evidence.first, strict=True), ())]
    for k, proofs in enumerate(evidence.next):
        facts = (*map(expression, statement.phases[k]), *statement.goes_on)
        target = (k + 1) % period
        rows.append((target, then, zip(statement.phases[target], proofs, strict=True), facts))
    for phase, substitution, pairs, facts in rows:
        for relation, terms in pairs:
            total = "0" + "".join(f" + ({c})*({facts[index] if index >= 0 else 1})" for c, index in terms)
            difference = coordinates(f"{replace(expression(relation), **substitution)} - ({total})")
            if not difference.above.is_zero():
                return Broken(relation, phase)
    return Step(statement=statement, evidence=evidence)


def expression(relation: str) -> str:
    """The left side of ``expression > 0``."""
    return relation.rsplit(" ", 2)[0]


def violation(theorem: Theorem, statement: Induction, starts: Iterable[Mapping[str, fmpq]], members: int = 12) -> dict[str, str] | None:
    """A start, among those given, from which the sequences, computed in rationals, break a relation; None if none does."""
    for start in starts:
        symbols = dict(start)
        for name, text in theorem.where.items():
            symbols[name] = evaluate(text, symbols, fmpq)
        state = {name: evaluate(pair[0], symbols, fmpq) for name, pair in statement.state.items()}
        for k in range(members):
            here = {**symbols, **state}
            for relation in statement.phases[k % len(statement.phases)]:
                text, kind, _ = relation.rsplit(" ", 2)
                if not HOLDS[kind](value := evaluate(text, here, fmpq)):
                    return {**{n: str(v) for n, v in start.items()}, "member": str(k), "fails": relation, "value": str(value)}
            if not all(evaluate(text, here, fmpq) > 0 for text in statement.goes_on):
                break
            state = {name: evaluate(pair[1], here, fmpq) for name, pair in statement.state.items()}
    return None


def starts(**values: Iterable[int | Fraction]) -> Iterable[dict[str, fmpq]]:
    """All combinations of the values given for each symbol."""
    for point in itertools.product(*values.values()):
        yield {name: fmpq(Fraction(v).numerator, Fraction(v).denominator) for name, v in zip(values, point, strict=True)}


def _with_state(theorem: Theorem, chart: Chart, statement: Induction) -> Coordinates:
    """Coordinates in which the state's members are free variables."""
    free = {name: Map(map="itself", variable=f"free_{name}") for name in statement.state}
    return Coordinates(theorem, Chart(symbols={**chart.symbols, **free}, roots=chart.roots))
