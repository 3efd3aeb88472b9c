"""A proof under construction: steps are added one by one, and each may use the numbers of earlier ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

from certify.exact.coordinates import Coordinates
from certify.exact.inequality import positive
from certify.exact.positivity import Gap
from certify.exact.riccati_terms import Terms
from certify.exact.theorem import (
    Chart,
    Combination,
    Evaluation,
    Evidence,
    Identity,
    Nonnegative,
    Positive,
    Proof,
    Statement,
    Step,
    Supremum,
    Theorem,
)


class Open(Exception):
    """An inequality was not shown; ``gap`` is the box where."""

    def __init__(self, gap: Gap) -> None:
        super().__init__(gap)
        self.gap = gap


class Derivation:
    """Every method returns the number of the step that states what it is named for, and raises Open where that was not shown."""

    def __init__(self, theorem: Theorem, chart: Chart) -> None:
        self.theorem, self.chart, self.coordinates = theorem, chart, Coordinates(theorem, chart)
        self.steps: list[Step] = []

    @cached_property
    def terms(self) -> Terms:
        """The theorem's expressions as rational functions of its own symbols."""
        return Terms.of(self.theorem.domain, self.theorem.where, self.chart, self.theorem.solutions)

    def know(self, suprema: Mapping[str, Supremum]) -> None:
        """From here on each supremum runs between its two ends as its variable runs over [0, 1]."""
        self.coordinates = Coordinates(self.theorem, self.chart, suprema)

    def step(self, statement: Statement, evidence: Evidence) -> int:
        self.steps.append(Step(statement=statement, evidence=evidence))
        return len(self.steps) - 1

    def positive(self, *any_of: str, strict: bool = True, forms: tuple[str, ...] = ()) -> int:
        """By Bernstein coefficients; see :func:`certify.exact.inequality.positive`."""
        found = positive(self.coordinates, *any_of, strict=strict, forms=forms)
        if isinstance(found, Gap):
            raise Open(found)
        return self.step(found.statement, found.evidence)

    def shown(self, statement: Positive | Nonnegative, forms: tuple[str, ...] = ()) -> int:
        """The statement, as by ``positive``."""
        return self.positive(*statement.any_of, strict=isinstance(statement, Positive), forms=forms)

    def combined(self, statement: Statement | str, *terms: tuple[str, int]) -> int:
        """A statement, or the positivity of an expression, as a sum of earlier ones."""
        return self.step(Positive(any_of=(statement,)) if isinstance(statement, str) else statement, Combination(terms=terms))

    def identity(self, statement: Identity) -> int:
        return self.step(statement, Evaluation())

    def attempt(self, build: Callable[[], int]) -> int | Gap:
        """What ``build`` returns; where it raises Open, the gap, and no step of it remains."""
        mark = len(self.steps)
        try:
            return build()
        except Open as left:
            del self.steps[mark:]
            return left.gap


def derive(theorem: Theorem, chart: Chart, build: Callable[[Derivation], object]) -> Proof | Gap:
    """The proof that ``build`` constructs, or the box on which one of its inequalities was not shown."""
    derivation = Derivation(theorem, chart)
    try:
        build(derivation)
    except Open as left:
        return left.gap
    return Proof(chart=chart, steps=tuple(derivation.steps))
