"""What is proved about a sample's scores, probabilities, loss, prediction and gradient when its scores and ratios are those of F_n and A_n.

Everything follows from bounds δ_j ≥ |q̂_j − q_j| for its classes and ε ≥ |R_ν − A_n| at its radii, in ball arithmetic, by the
claims learning.*: it holds for every number of classes and all priors. *Anywhere* are the bounds that need nothing but ν, τ and ‖f‖
(the paper's for n = 1); *here* are the sharpest ones known at the sample's own κ_j, r_j and probabilities.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from flint import arb, fmpq, fmpz

from certify.exact import selector
from certify.exact.ball import working_precision
from certify.exact.ladder_constants import OSCILLATION
from certify.exact.number import centre, exact, magnitude
from certify.exact.truth import Truth, less
from certify.learning.enclosure import LEAST, Sample
from certify.learning.states import BITS

UNIFORM = exact("0.25005")
"""C of claim score.uniform, for every ν ≥ 1/2."""

PAPER_LEAST = fmpq(10, 9)
SHORT = 40
"""Bits to which arguments are rounded, outward, for bounds that are monotone in them."""


@dataclass(frozen=True)
class Bounds:
    """Of one sample: of each score, of the change of the loss, of the total variation, and of the gradient's change (‖·‖).

    ``kept`` says whether the prediction is certified not to change.
    """

    scores: list[arb]
    loss: arb
    variation: arb
    gradient: arb
    kept: bool

    @property
    def score(self) -> arb:
        """The largest of the scores' bounds."""
        return largest(self.scores)


def anywhere(sample: Sample, n: int) -> Bounds:
    """δ = ε‖f‖/τ, 2δ, tanh(δ/2), (2/τ)(tanh(δ/2) + ε) and the margin 2δ; ε = ν⁻³ for n = 1 (the paper's), C_n ν^{−(n+2)} otherwise."""
    with working_precision(BITS):
        paper = n == 1 and sample.order >= PAPER_LEAST
        error = arb(1 / sample.order**3) if paper else selector.best(n, nu=sample.order, low=0).bound
        delta = error * sample.norm / exact(sample.found.temperature)
        half = (delta / 2).tanh()
        gradient = 2 * (half + error) / exact(sample.found.temperature)
        deltas = [delta] * sample.found.classes
        return Bounds(deltas, 2 * delta, half, gradient, keeps(sample, deltas))


def here(sample: Sample, n: int) -> Bounds:
    """From the sharpest certificates at the sample's own radii."""
    with working_precision(BITS):
        ends = list(zip(sample.concentrations, sample.radii, strict=True))
        return from_errors(sample, [score_bound(n, sample.order, kappa, r) for kappa, r in ends], ratio_bound(sample, n))


def from_errors(sample: Sample, deltas: list[arb], error: arb) -> Bounds:
    """From bounds of the scores' errors and of the ratio's error at the radii, at the working precision."""
    variation = total_variation(sample.masses, largest(deltas))
    return Bounds(
        scores=deltas,
        loss=loss_bound(sample.masses, sample.label, deltas),
        variation=variation,
        gradient=gradient_bound(sample, deltas, variation, error),
        kept=keeps(sample, deltas),
    )


def score_bound(n: int, order: fmpq, kappa: arb, r: arb) -> arb:
    """The smallest proved bound of |[Φ(r) − Φ(κ)] − [F_n(r) − F_n(κ)]|: by the ratio's between κ and r, or one of claims score.uniform*."""
    low, high = outward(smallest([kappa, r]), largest([kappa, r]))
    found = [selector.best(n, nu=order, low=low, high=high).bound * abs(r - kappa)]
    if n == 1 and order >= fmpq(1, 2):
        found.append(UNIFORM * abs(1 / (order**2 + kappa * kappa) - 1 / (order**2 + r * r)))
    if order >= LEAST:
        found.append(exact(OSCILLATION[n]) / order ** (n + 1) + arb(0))
    return smallest(found)


def ratio_bound(sample: Sample, n: int) -> arb:
    """The smallest proved bound of |R_ν − A_n| over the sample's radii."""
    low, high = outward(smallest(sample.radii), largest(sample.radii))
    return selector.best(n, nu=sample.order, low=low, high=high).bound


def loss_bound(probabilities: Sequence[arb], label: int, deltas: Sequence[arb]) -> arb:
    """log(P_y + Σ_{j≠y} P_j e^{δ_j+δ_y}), the largest change of the loss either way; log(1 + Q(e^{2δ} − 1)) where all δ_j are δ."""
    pairs = zip(probabilities, deltas, strict=True)
    gains = [p * (delta + deltas[label]).expm1() for j, (p, delta) in enumerate(pairs) if j != label]
    return sum(gains, arb(0)).log1p()


def total_variation(probabilities: Sequence[arb], delta: arb) -> arb:
    """The largest h(m) over the masses m that a set of classes can have, by claim learning.total_variation.

    With M the largest probability, sets have masses up to 1 − M or from M on, where M > 1 − M; h increases up to 1/(1+t).
    """
    at = highest(probabilities)
    top, rest = probabilities[at], sum((p for j, p in enumerate(probabilities) if j != at), arb(0))
    peak = 1 / (1 + delta.exp())
    if less(peak, rest) is not Truth.NO:  # some set's mass may be near the peak
        return (delta / 2).tanh()
    return largest([_gain(rest, top, delta), _gain(top, rest, delta)])


def gradient_bound(sample: Sample, deltas: Sequence[arb], variation: arb, error: arb) -> arb:
    """(2 TV max_j R(r_j) + 2(1 − P̂_y) ε)/τ by claim learning.gradient, 1 − P̂_y ≤ Q t²/(P_y + Q t²), e^{2δ} = t²."""
    own = sample.masses[sample.label]
    others = sum((p for j, p in enumerate(sample.masses) if j != sample.label), arb(0)) * (2 * largest(deltas)).exp()
    ratios = [g * r for g, r in zip(sample.quotients, sample.radii, strict=True)]
    return 2 * (variation * largest(ratios) + others / (own + others) * error) / exact(sample.found.temperature)


def keeps(sample: Sample, deltas: Sequence[arb]) -> bool:
    """Whether the exact prediction a is certified to stay: l_a − l_b > δ_a + δ_b for all b ≠ a."""
    logits = sample.logits
    top = highest(logits)
    others = (j for j in range(len(logits)) if j != top)
    return all(less(deltas[top] + deltas[j], logits[top] - logits[j]) is Truth.YES for j in others)


def outward(low: arb, high: arb) -> tuple[fmpq, fmpq]:
    """Short rational numbers below and above, ≥ 0."""
    return max(_short(low.lower(), fmpq.floor), fmpq(0)), _short(high.upper(), fmpq.ceil)


def _short(end: arb, rounding: Callable[[fmpq], fmpz]) -> fmpq:
    value = centre(end)
    scale = fmpq(2) ** (SHORT - magnitude(value))
    return rounding(value * scale) / scale


def highest(balls: Sequence[arb]) -> int:
    """Where the highest midpoint is."""
    return max(range(len(balls)), key=lambda j: centre(balls[j]))


def largest(balls: Sequence[arb]) -> arb:
    """The maximum of the numbers in the balls."""
    result = balls[0]
    for ball in balls[1:]:
        result = result.max(ball)
    return result


def smallest(balls: Sequence[arb]) -> arb:
    """The minimum of the numbers in the balls."""
    result = balls[0]
    for ball in balls[1:]:
        result = result.min(ball)
    return result


def _gain(mass: arb, rest: arb, delta: arb) -> arb:
    """h(m) = m(1−m)(t²−1)/(1 + m(t²−1)), t = e^δ, from both masses."""
    growth = (2 * delta).expm1()
    return mass * rest * growth / (1 + mass * growth)
