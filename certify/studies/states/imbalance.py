"""The stress test of class count and prior imbalance: 15 fixed states, their errors enclosed, the data of Figure 8.

Eight unit queries and a pool of 2000 class directions in 128 dimensions from seed 3407; concentrations from 10 to 10 000 in random
order, smaller class sets being prefixes of the same pool; log-linear priors. The paper states neither the generator nor the five
class counts: those here are ours, and so are the digits of the errors, while the bounds are the paper's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from flint import arb, arb_mat, fmpq

from certify.exact.ball import working_precision
from certify.exact.debye import ladder_increment
from certify.exact.ladder_constants import OSCILLATION
from certify.exact.number import exact
from certify.learning.assessment import mean
from certify.learning.bounds import largest
from certify.learning.mixtures import SEED

DIMENSION = 128
QUERIES = 8
TEMPERATURE = fmpq(1, 10)
COUNTS = (10, 100, 500, 1000, 2000)
RATIOS = (1, 100, 1000)
CONCENTRATIONS = (10.0, 1e4)
BITS = 192
"""Of the working precision."""

REFERENCE = 8
"""The potential is F_8 within the bound of claim score.uniform.8."""


@dataclass(frozen=True)
class Configuration:
    """The largest score error and the mean change of the cross-entropy (in absolute value) over the queries, with their guarantees."""

    classes: int
    ratio: int
    score: arb
    loss: arb
    score_bound: arb
    loss_bound: arb


@dataclass(frozen=True)
class Pool:
    """Scores by F_R and by Φ_ν (8×2000), labels and ‖f‖ of the queries."""

    approximate: list[list[arb]]
    true: list[list[arb]]
    norms: list[arb]
    draws: list[int]

    def labels(self, classes: int) -> list[int]:
        """Of the queries, in a set of so many classes."""
        return [draw % classes for draw in self.draws]


def configurations() -> Iterator[Configuration]:
    """All 15."""
    for classes in COUNTS:
        for ratio in RATIOS:
            yield configuration(classes, ratio)


def configuration(classes: int, ratio: int) -> Configuration:
    """The first so many classes of the pool, with priors from 1 down to 1/ratio, log-linear."""
    found = pool()
    with working_precision(BITS):
        errors = [largest([abs(a - b) for a, b in zip(*rows, strict=True)]) for rows in _prefixes(found, classes)]
        bias = [-arb(fmpq(j, max(classes - 1, 1))) * arb(ratio).log() for j in range(classes)]
        changes = []
        for label, rows in zip(found.labels(classes), _prefixes(found, classes), strict=True):
            losses = [_cross_entropy([q + b for q, b in zip(row, bias, strict=True)], label) for row in rows]
            changes.append(losses[0] - losses[1])
        deltas = [norm / TEMPERATURE / order() ** 3 for norm in found.norms]
        bounds = largest(deltas), 2 * mean(deltas)
        return Configuration(classes, ratio, largest(errors), abs(mean(changes)), *bounds)


def order() -> fmpq:
    """ν."""
    return fmpq(DIMENSION, 2) - 1


@cache
def pool() -> Pool:
    """The queries against the whole pool; NumPy's RandomState is a frozen stream."""
    random = np.random.RandomState(SEED)
    queries, directions = (_directions(random, count) for count in (QUERIES, max(COUNTS)))
    kappas = random.permutation(np.geomspace(*CONCENTRATIONS, max(COUNTS)))
    draws = random.randint(0, 2**31, QUERIES)
    with working_precision(BITS):
        features, classes = arb_mat(queries.tolist()), arb_mat((kappas[:, None] * directions).tolist())
        squares, own = _squares(classes), _squares(features)
        ends = _ends(squares, own, (features * classes.transpose()).table())
        radius = exact(OSCILLATION[REFERENCE]) / order() ** (REFERENCE + 1)
        true = [[q + arb(0, radius) for q in row] for row in _scores(REFERENCE, squares, ends)]
        return Pool(_scores(1, squares, ends), true, [square.sqrt() for square in own], draws.tolist())


def _squares(vectors: arb_mat) -> list[arb]:
    return [sum((x * x for x in row), arb(0)) for row in vectors.table()]


def _ends(squares: list[arb], own: list[arb], products: list[list[arb]]) -> list[list[arb]]:
    """r² = κ² + 2⟨f, κμ⟩/τ + ‖f‖²/τ² of each query and class."""
    return [
        [square + 2 * product / TEMPERATURE + length / TEMPERATURE**2 for square, product in zip(squares, row, strict=True)]
        for length, row in zip(own, products, strict=True)
    ]


def _scores(n: int, squares: list[arb], ends: list[list[arb]]) -> list[list[arb]]:
    """F_n(r) − F_n(κ)."""
    return [[ladder_increment(n, order(), k, r) for k, r in zip(squares, row, strict=True)] for row in ends]


def _directions(random: np.random.RandomState, count: int) -> np.ndarray:
    vectors = random.standard_normal((count, DIMENSION))
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def _prefixes(found: Pool, classes: int) -> list[tuple[list[arb], list[arb]]]:
    return [(a[:classes], b[:classes]) for a, b in zip(found.approximate, found.true, strict=True)]


def _cross_entropy(logits: list[arb], label: int) -> arb:
    return sum(((logit - logits[label]).exp() for logit in logits), arb(0)).log()
