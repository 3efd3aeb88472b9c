"""A state under F_n and A_n: what is guaranteed beside what happens, quantity by quantity."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite

import torch
from flint import arb, fmpq

from certify.exact.ball import working_precision
from certify.exact.errors import NotAccepted
from certify.exact.increment import root
from certify.exact.selector import ORDERS, uniform
from certify.exact.truth import Truth, less
from certify.learning.bounds import Bounds, anywhere, here, highest, largest
from certify.learning.enclosure import ACCURACY, Sample, enclose
from certify.learning.objective import Evaluation, ladder, patt
from certify.learning.states import BITS, State

FORMATS = {"float64": torch.float64, "float32": torch.float32}


@dataclass(frozen=True)
class Errors:
    """Of one sample against the exact objects: largest score error, changes of loss, probabilities (total variation) and gradient."""

    score: arb
    loss: arb
    variation: arb
    gradient: arb
    kept: bool | None


@dataclass(frozen=True)
class Row:
    """One quantity: guaranteed anywhere and at this state, the formula's error, and the error of each format; largest over the samples."""

    name: str
    anywhere: arb
    here: arb
    formula: arb
    realized: Mapping[str, arb]

    @property
    def holds(self) -> Truth:
        """Whether the formula's error is at most both guarantees."""
        answers = [less(bound, self.formula) for bound in (self.anywhere, self.here)]
        if Truth.YES in answers:
            return Truth.NO
        return Truth.UNKNOWN if Truth.UNKNOWN in answers else Truth.YES


@dataclass(frozen=True)
class Kept:
    """How many predictions are certified unchanged, by both guarantees, and how many are unchanged; None where balls do not tell of all."""

    anywhere: int
    here: int
    formula: int
    realized: Mapping[str, int]


@dataclass(frozen=True)
class Assessment:
    n: int
    state: State
    capped: int
    rows: tuple[Row, ...]
    kept: Kept

    @property
    def holds(self) -> Truth:
        answers = {row.holds for row in self.rows}
        return Truth.NO if Truth.NO in answers else Truth.UNKNOWN if Truth.UNKNOWN in answers else Truth.YES


def assess(found: State, n: int = 1) -> Assessment:
    """All quantities at a state for the closed form n = 0 … 8. Raises ValueError for another n."""
    if n not in ORDERS or isinstance(n, bool):
        raise NotAccepted(f"n = {n}: {ORDERS[0]} to {ORDERS[-1]} are accepted")
    samples = [sample for view in enclose(found, needed(found.order, n)) for sample in view]
    general, local = [anywhere(sample, n) for sample in samples], [here(sample, n) for sample in samples]
    formula = [formula_errors(sample, n) for sample in samples]
    realized = {name: realized_errors(samples, patt(found, ladder(n, dtype))) for name, dtype in FORMATS.items()}
    rows = tuple(_rows(general, local, formula, realized))
    counts = Kept(_count(general), _count(local), _count(formula), {name: _count(errors) for name, errors in realized.items()})
    return Assessment(n, found, int(found.capped().sum()), rows, counts)


def needed(order: fmpq, n: int) -> fmpq:
    """An accuracy of the exact scores and ratios by which the errors of F_n and A_n keep six digits."""
    return min(ACCURACY, uniform(n).constant / order ** (n + 2) / 10**6)


def formula_errors(sample: Sample, n: int) -> Errors:
    """Those of F_n and A_n, evaluated exactly."""
    scores = sample.ladder_scores(n)
    probabilities = sample.probabilities(scores)
    gradient = sample.gradient(probabilities, sample.ladder_quotients(n))
    return _errors(sample, scores, sample.loss(scores), probabilities, gradient)


def realized_errors(samples: list[Sample], evaluation: Evaluation) -> list[Errors]:
    """Those of what was computed in floating point: every finite float is an exact number; NaN where one is not finite."""
    flat = (part.flatten(0, 1).tolist() for part in evaluation)
    results = []
    for sample, scores, loss, gradient in zip(samples, *flat, strict=True):
        if not all(map(isfinite, (*scores, loss, *gradient))):
            results.append(Errors(*(arb.nan(),) * 4, kept=False))
            continue
        exact = [arb(q) for q in scores]
        results.append(_errors(sample, exact, arb(loss), sample.probabilities(exact), [arb(g) for g in gradient]))
    return results


def _errors(sample: Sample, scores: list[arb], loss: arb, probabilities: list[arb], gradient: list[arb]) -> Errors:
    with working_precision(BITS):
        true_gradient = sample.gradient(sample.masses, sample.quotients)
        distance = sum(((a - b) * (a - b) for a, b in zip(gradient, true_gradient, strict=True)), arb(0))
        return Errors(
            score=largest([abs(a - b) for a, b in zip(scores, sample.scores, strict=True)]),
            loss=abs(loss - sample.loss(sample.scores)),
            variation=sum((abs(a - b) for a, b in zip(probabilities, sample.masses, strict=True)), arb(0)) / 2,
            gradient=root(distance),
            kept=_same_prediction(sample, scores),
        )


def _same_prediction(sample: Sample, scores: list[arb]) -> bool | None:
    """Whether both logits are largest at the same class; None where a tie is not excluded."""
    logits = [q + b for q, b in zip(scores, sample.bank.log_priors, strict=True)]
    tops = [_top(logits), _top(sample.logits)]
    return None if None in tops else tops[0] == tops[1]


def _top(logits: list[arb]) -> int | None:
    at = highest(logits)
    sure = all(less(logit, logits[at]) is Truth.YES for j, logit in enumerate(logits) if j != at)
    return at if sure else None


def _count(parts: list[Bounds] | list[Errors]) -> int:
    return sum(part.kept is True for part in parts)


def _rows(general: list[Bounds], local: list[Bounds], formula: list[Errors], realized: Mapping[str, list[Errors]]) -> list[Row]:
    quantities: dict[str, Callable[[Bounds | Errors], arb]] = {
        "score": lambda part: part.score,
        "loss": lambda part: part.loss,
        "probability": lambda part: part.variation,
        "gradient": lambda part: part.gradient,
    }

    def row(name: str, take: Callable[[Bounds | Errors], arb], join: Callable[[list[arb]], arb]) -> Row:
        first, second, third = (join([take(part) for part in parts]) for parts in (general, local, formula))
        return Row(name, first, second, third, {key: join([take(part) for part in parts]) for key, parts in realized.items()})

    with working_precision(BITS):
        rows = [row(name, take, largest) for name, take in quantities.items()]
        return [*rows[:2], row("mean loss", quantities["loss"], mean), *rows[2:]]


def mean(balls: list[arb]) -> arb:
    return sum(balls, arb(0)) / len(balls)
