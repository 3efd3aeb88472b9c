"""Inequalities that an identity makes evident: the expression is another one whose form shows that it is > 0 or ≥ 0.

Which forms show it is left to the checker (its ``combination`` rule); here the identities are verified, and counterexamples to
perturbed statements are found among rational points.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from flint import fmpq

from certify.exact.coordinates import Coordinates
from certify.exact.expression import evaluate
from certify.exact.theorem import Combination, Evaluation, Identity, Nonnegative, Positive, Step, Theorem

POINTS = 2000
POSITIVE = tuple(map(Fraction, ("1/50", "1/3", "1", "2", "7", "100")))


def nonnegative(text: str, form: str) -> Step:
    """text ≥ 0, being ``form``."""
    return Step(statement=Nonnegative(any_of=(text,)), evidence=Combination(terms=((form, -1),)))


def positive(text: str, form: str) -> Step:
    """text > 0, being ``form``."""
    return Step(statement=Positive(any_of=(text,)), evidence=Combination(terms=((form, -1),)))


def identity(left: str, right: str) -> Step:
    """left = right."""
    return Step(statement=Identity(left=left, right=right), evidence=Evaluation())


def first_false(coordinates: Coordinates, steps: Iterable[Step]) -> Step | None:
    """The first step whose identity is none; None if all hold."""
    return next((step for step in steps if not coordinates(_difference(step)).above.is_zero()), None)


def violation(theorem: Theorem, steps: Sequence[Step]) -> dict[str, str] | None:
    """A rational point of the domain at which a statement is false, evaluated exactly; None if none was found."""
    for point in _points(theorem):
        symbols = dict(point)
        for name, text in theorem.where.items():
            symbols[name] = evaluate(text, symbols, fmpq)
        for step in steps:
            text, value = _value(step, symbols)
            if not _holds(step, value):
                return {**{name: str(number) for name, number in point.items()}, "fails": text, "value": str(value)}
    return None


def _difference(step: Step) -> str:
    if isinstance(step.statement, Identity):
        return f"{step.statement.left} - ({step.statement.right})"
    assert isinstance(step.statement, Positive | Nonnegative)
    assert isinstance(step.evidence, Combination)
    return f"{step.statement.any_of[0]} - ({step.evidence.terms[0][0]})"


def _value(step: Step, symbols: Mapping[str, fmpq]) -> tuple[str, fmpq]:
    """What the statement is about, in words and as a number."""
    if isinstance(step.statement, Identity):
        text = f"{step.statement.left} - ({step.statement.right})"
        return f"{text} = 0", evaluate(text, symbols, fmpq)
    assert isinstance(step.statement, Positive | Nonnegative)
    text = step.statement.any_of[0]
    return f"{text} {'>' if isinstance(step.statement, Positive) else '>='} 0", evaluate(text, symbols, fmpq)


def _holds(step: Step, value: fmpq) -> bool:
    match step.statement:
        case Identity():
            return value == 0
        case Positive():
            return value > 0
    return value >= 0


def _points(theorem: Theorem) -> Iterator[dict[str, fmpq]]:
    """Points of domains (0, ∞) and [0, ∞), opaque functions taking either sign."""
    rng = random.Random(0)
    for _ in range(POINTS):
        point = {name: rng.choice(_values(interval)) for name, interval in theorem.domain.items()}
        point |= {name: rng.choice((1, -1)) * rng.choice(POSITIVE) for name in theorem.derivatives}
        yield {name: fmpq(value.numerator, value.denominator) for name, value in point.items()}


def _values(interval: str) -> tuple[Fraction, ...]:
    return (Fraction(0), *POSITIVE) if interval.startswith("[") else POSITIVE
