"""The exact objects of a state in balls: radii, scores of Φ_ν and of F_n, probabilities, losses and feature gradients.

All entries of a state are exact numbers. With w_j = κ_j/R_j = p/(1 − R_j²), rational where no cap enters,

    κ_j² = w_j²‖a_j‖²,    r_j² = κ_j² + 2w_j⟨a_j, f⟩/τ + ‖f‖²/τ²,    ∇_f q_j = (w_j a_j + f/τ) R_ν(r_j)/(τ r_j).

Scores and ratios of Φ_ν are those of F_8 and A_8 with their proved errors (claims score.uniform.8, ladder.8) where these are small
enough, and come from Bessel functions elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from flint import arb, arb_mat, fmpq

from certify.exact import selector
from certify.exact.ball import working_precision
from certify.exact.debye import ladder_increment, ladder_quotient
from certify.exact.increment import potential_increment, ratio_quotient, root
from certify.exact.ladder_constants import OSCILLATION
from certify.exact.number import centre, exact
from certify.learning.states import BITS, State

T = TypeVar("T")

DIGITS = 40
ACCURACY = fmpq(1, 10**20)
"""Largest error of a score or a ratio by which the closed forms may stand in for the Bessel functions."""

LEAST = fmpq(31)
"""The orders of claim score.uniform.n."""

HIGHEST = 8


@dataclass(frozen=True)
class Bank:
    """The classes in balls."""

    means: arb_mat
    weights: list[arb]
    squares: list[arb]
    log_priors: list[arb]


@dataclass(frozen=True)
class Sample:
    """One feature against all classes: κ_j², r_j², and the feature itself. Its balls are those of BITS bits."""

    found: State
    bank: Bank
    label: int
    feature: list[arb]
    ends: list[arb]
    accuracy: fmpq

    @property
    def order(self) -> fmpq:
        return self.found.order

    @cached_property
    def concentrations(self) -> list[arb]:
        """κ_j."""
        return self._in_balls(lambda: [root(square) for square in self.bank.squares])

    @cached_property
    def radii(self) -> list[arb]:
        """r_j."""
        return self._in_balls(lambda: [root(square) for square in self.ends])

    @cached_property
    def norm(self) -> arb:
        """‖f‖."""
        return self._in_balls(lambda: root(sum((x * x for x in self.feature), arb(0))))

    @cached_property
    def scores(self) -> list[arb]:
        """q_j = Φ_ν(r_j) − Φ_ν(κ_j)."""
        return self._in_balls(lambda: [self._score(a, b) for a, b in zip(self.bank.squares, self.ends, strict=True)])

    @cached_property
    def quotients(self) -> list[arb]:
        """R_ν(r_j)/r_j."""
        return self._in_balls(lambda: [self._quotient(end) for end in self.ends])

    @cached_property
    def masses(self) -> list[arb]:
        """The exact probabilities: softmax of q_j + log π_j."""
        return self.probabilities(self.scores)

    @cached_property
    def logits(self) -> list[arb]:
        """q_j + log π_j."""
        return self._in_balls(lambda: [q + b for q, b in zip(self.scores, self.bank.log_priors, strict=True)])

    @cached_property
    def lengths(self) -> list[arb]:
        """|r_j − κ_j|, by which an error of the ratio enters the score."""
        return self._in_balls(lambda: [abs(r - kappa) for r, kappa in zip(self.radii, self.concentrations, strict=True)])

    def ladder_scores(self, n: int) -> list[arb]:
        """F_n(r_j) − F_n(κ_j)."""
        return self._in_balls(lambda: [ladder_increment(n, self.order, a, b) for a, b in zip(self.bank.squares, self.ends, strict=True)])

    def ladder_quotients(self, n: int) -> list[arb]:
        """A_n(r_j)/r_j."""
        return self._in_balls(lambda: [ladder_quotient(n, self.order, end) for end in self.ends])

    def probabilities(self, scores: Sequence[arb]) -> list[arb]:
        """Softmax of the scores with the log priors."""
        return self._in_balls(lambda: _softmax([q + b for q, b in zip(scores, self.bank.log_priors, strict=True)]))

    def loss(self, scores: Sequence[arb]) -> arb:
        """−log of the label's probability, from the logits' differences: no digits are lost where it is small."""
        return self._in_balls(lambda: _cross_entropy([q + b for q, b in zip(scores, self.bank.log_priors, strict=True)], self.label))

    def gradient(self, probabilities: Sequence[arb], quotients: Sequence[arb]) -> list[arb]:
        """Σ_j (P_j − 1[j=y]) ∇_f q_j, from P and the quotients R(r_j)/r_j."""
        return self._in_balls(lambda: self._gradient(probabilities, quotients))

    def _in_balls(self, compute: Callable[[], T]) -> T:
        with working_precision(BITS):
            return compute()

    def _score(self, start: arb, end: arb) -> arb:
        radius = _score_error(self.order)
        if radius is not None and radius <= self.accuracy:
            return ladder_increment(HIGHEST, self.order, start, end) + arb(0, radius)
        return potential_increment(self.order, start, end, DIGITS)

    def _quotient(self, end: arb) -> arb:
        bound = selector.best(HIGHEST, nu=self.order)
        if bound.square <= self.accuracy**2:
            r = root(end)
            if not r.contains(0):
                return ladder_quotient(HIGHEST, self.order, end) + arb(0, 1) * bound.bound / r
        return ratio_quotient(self.order, end, DIGITS)

    def _gradient(self, probabilities: Sequence[arb], quotients: Sequence[arb]) -> list[arb]:
        scale = 1 / exact(self.found.temperature)
        others = sum((p for j, p in enumerate(probabilities) if j != self.label), arb(0))
        errors = [-others if j == self.label else p for j, p in enumerate(probabilities)]
        radial = [c * g * scale for c, g in zip(errors, quotients, strict=True)]
        along = arb_mat([[c * w for c, w in zip(radial, self.bank.weights, strict=True)]]) * self.bank.means
        own = sum(radial, arb(0)) * scale
        return [a + own * x for a, x in zip(along.table()[0], self.feature, strict=True)]


def enclose(found: State, accuracy: fmpq = ACCURACY) -> list[list[Sample]]:
    """The samples of each view."""
    with working_precision(BITS):
        bank = _bank(found)
        scale = 1 / exact(found.temperature)
        columns = bank.means.transpose()
        return [_view(found, bank, arb_mat(view.tolist()), columns, scale, accuracy) for view in found.features]


def _bank(found: State) -> Bank:
    lengths, p = found.squared_lengths(), found.dimension
    weights = [found.cap / square.sqrt() if found.cap is not None and found.is_capped(square) else p / (1 - square) for square in lengths]
    squares = [w * w * square for w, square in zip(weights, lengths, strict=True)]
    return Bank(arb_mat(found.means.tolist()), weights, squares, [arb(exact(float(prior))).log() for prior in found.priors])


def _view(found: State, bank: Bank, features: arb_mat, columns: arb_mat, scale: fmpq, accuracy: fmpq) -> list[Sample]:
    samples = []
    for label, feature, row in zip(found.labels, features.table(), (features * columns).table(), strict=True):
        own = sum((x * x for x in feature), arb(0)) * scale * scale
        ends = [k + 2 * w * c * scale + own for k, w, c in zip(bank.squares, bank.weights, row, strict=True)]
        samples.append(Sample(found, bank, int(label), feature, ends, accuracy))
    return samples


def _score_error(order: fmpq) -> fmpq | None:
    """The bound of claim score.uniform.8; None below its orders."""
    return exact(OSCILLATION[HIGHEST]) / order ** (HIGHEST + 1) if order >= LEAST else None


def _softmax(logits: Sequence[arb]) -> list[arb]:
    top = max(logits, key=centre)
    powers = [(logit - top).exp() for logit in logits]
    total = sum(powers, arb(0))
    return [power / total for power in powers]


def _cross_entropy(logits: Sequence[arb], label: int) -> arb:
    others = [(logit - logits[label]).exp() for j, logit in enumerate(logits) if j != label]
    return sum(others, arb(0)).log1p()
