"""How accurate is accurate enough: from wanted accuracies of loss and gradient back to the primitive, the ladder's order and the format.

A primitive with |R_ν − R̂| ≤ ε everywhere and a coherent potential has score errors of at most ε|r_j − κ_j| at each class. What
this guarantees of loss, gradient and predictions (``learning.bounds``) grows with ε, so that the largest ε that suffices is found
by bisection; each answer is a decimal at which the guarantee was evaluated in balls and found to suffice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import isfinite

from flint import arb, fmpq

from certify.exact import selector
from certify.exact.ball import decimal_below, working_precision
from certify.exact.domain import positive
from certify.exact.errors import NotAccepted
from certify.exact.increment import root
from certify.exact.number import Number, centre, exact
from certify.exact.truth import Truth, less
from certify.learning.assessment import FORMATS, mean
from certify.learning.bounds import Bounds, from_errors, here, highest, largest, outward, smallest
from certify.learning.enclosure import Sample, enclose
from certify.learning.objective import Evaluation, ladder, patt
from certify.learning.states import BITS, State

SHOWN = 3
"""Significant digits of a tolerance."""

LARGEST, SMALLEST = fmpq(1), fmpq(1, 10**60)
"""|R_ν − R̂| ≤ 1 says nothing; no accuracy below the other end is looked for."""


@dataclass(frozen=True)
class Wanted:
    """Accuracies: of the mean loss over samples and views, and of every sample's feature gradient; None where it does not matter."""

    loss: fmpq | None
    gradient: fmpq | None


@dataclass(frozen=True)
class Choice:
    """A format and the smallest n with which A_n, F_n computed in it suffice at the state (None if none does), and what is guaranteed."""

    format: str
    n: int | None
    loss: arb
    gradient: arb


@dataclass(frozen=True)
class Tolerance:
    """Largest ε by what it preserves, the smallest of those wanted (``primitive``), and what provides it.

    ``order`` is the smallest n whose certified ratio error at the state's radii is at most ``primitive``, None where none is; ``choices``
    use the scores' own certificates, which are sharper, and include the rounding errors of the format, enclosed at this state.
    """

    wanted: Wanted
    by: dict[str, fmpq | None]
    primitive: fmpq | None
    order: int | None
    choices: tuple[Choice, ...]


def tolerance(found: State, loss: Number | None = None, gradient: Number | None = None) -> Tolerance:
    """The tolerance for a change of the mean loss and of each feature gradient. Raises ValueError unless one is given, positive."""
    if loss is None and gradient is None:
        raise NotAccepted("give the wanted accuracy of the loss or of the gradient")
    wanted = Wanted(*(None if value is None else positive(name, value) for name, value in (("loss", loss), ("gradient", gradient))))
    samples = [sample for view in enclose(found) for sample in view]
    by = primitive_tolerances(samples, wanted)
    asked = [by[name] for name in ("loss", "gradient") if name in by]
    primitive = None if None in asked else min(value for value in asked if value is not None)
    choices = tuple(_choice(found, samples, wanted, name) for name in FORMATS)
    return Tolerance(wanted, by, primitive, None if primitive is None else _order(samples, primitive), choices)


def primitive_tolerances(samples: Sequence[Sample], wanted: Wanted) -> dict[str, fmpq | None]:
    """The largest ε for each accuracy wanted, and for all predictions; None where SMALLEST is too large."""
    found = {}
    if wanted.loss is not None:
        found["loss"] = _largest(lambda eps: mean_loss([with_ratio_error(s, eps) for s in samples]), wanted.loss)
    if wanted.gradient is not None:
        found["gradient"] = _largest(lambda eps: largest([with_ratio_error(s, eps).gradient for s in samples]), wanted.gradient)
    found["predictions"] = _for_predictions(samples)
    return found


def with_ratio_error(sample: Sample, eps: fmpq) -> Bounds:
    """What |R_ν − R̂| ≤ ε guarantees of a sample."""
    with working_precision(BITS):
        return from_errors(sample, [eps * length for length in sample.lengths], arb(eps))


def mean_loss(bounds: Sequence[Bounds]) -> arb:
    with working_precision(BITS):
        return mean([each.loss for each in bounds])


def _largest(guarantee: Callable[[fmpq], arb], wanted: fmpq) -> fmpq | None:
    """The largest ε of SHOWN digits found with guarantee(ε) ≤ wanted: bisection of its logarithm."""

    def suffices(eps: fmpq) -> bool:
        with working_precision(BITS):
            return less(wanted, guarantee(eps)) is Truth.NO

    if suffices(LARGEST):
        return LARGEST
    if not suffices(SMALLEST):
        return None
    low, high = SMALLEST, LARGEST
    while high > low * (1 + fmpq(1, 10**SHOWN)):
        middle = _between(low, high)
        low, high = (middle, high) if suffices(middle) else (low, middle)
    rounded = _rounded(arb(low))
    return rounded if suffices(rounded) else low


def _between(low: fmpq, high: fmpq) -> fmpq:
    """Near the geometric mean."""
    with working_precision(64):
        return centre((arb(low) * arb(high)).sqrt())


def _rounded(value: arb) -> fmpq:
    """A decimal of SHOWN digits that is not above."""
    return exact(decimal_below(value, SHOWN))


def _for_predictions(samples: Sequence[Sample]) -> fmpq | None:
    """Below the smallest (l_a − l_b)/(|r_a − κ_a| + |r_b − κ_b|), a the prediction, b ≠ a; None where a sample's prediction is a tie."""
    with working_precision(BITS):
        quotients = []
        for sample in samples:
            top, pairs = highest(sample.logits), enumerate(zip(sample.logits, sample.lengths, strict=True))
            best, own = sample.logits[top], sample.lengths[top]
            quotients += [(best - logit) / (own + length) for j, (logit, length) in pairs if j != top]
        least = smallest(quotients)
        return min(_rounded(least), LARGEST) if less(0, least) is Truth.YES else None


def _order(samples: Sequence[Sample], eps: fmpq) -> int | None:
    """The smallest n with |R_ν − A_n| ≤ ε proved between all κ and r of the state."""
    with working_precision(BITS):
        ends = [x for sample in samples for x in (*sample.radii, *sample.concentrations)]
        low, high = outward(smallest(ends), largest(ends))
    choices = (selector.best(n, nu=samples[0].order, low=low, high=high) for n in selector.ORDERS)
    return next((choice.n for choice in choices if choice.square <= eps**2), None)


def _choice(found: State, samples: Sequence[Sample], wanted: Wanted, name: str) -> Choice:
    best = None
    for n in selector.ORDERS:
        choice = total(found, samples, n, name)
        if _suffices(choice, wanted):
            return choice
        best = choice if best is None or less(choice.loss, best.loss) is Truth.YES else best
    assert best is not None
    return Choice(name, None, best.loss, best.gradient)


def total(found: State, samples: Sequence[Sample], n: int, name: str) -> Choice:
    """The guarantees of F_n and A_n, and the rounding errors of the format at this state, enclosed, together."""
    bounds = [here(sample, n) for sample in samples]
    rounding = list(_rounding(samples, n, patt(found, ladder(n, FORMATS[name]))))
    with working_precision(BITS):
        loss = mean([bound.loss + error[0] for bound, error in zip(bounds, rounding, strict=True)])
        gradient = largest([bound.gradient + error[1] for bound, error in zip(bounds, rounding, strict=True)])
    return Choice(name, n, loss, gradient)


def _rounding(samples: Sequence[Sample], n: int, evaluation: Evaluation) -> Iterator[tuple[arb, arb]]:
    """Of each sample, the distances of what was computed from the same formula evaluated exactly: loss and gradient."""
    losses, gradients = (part.flatten(0, 1).tolist() for part in evaluation[1:])
    for sample, loss, gradient in zip(samples, losses, gradients, strict=True):
        if not all(map(isfinite, (loss, *gradient))):
            yield arb("inf"), arb("inf")
            continue
        with working_precision(BITS):
            scores = sample.ladder_scores(n)
            exact_gradient = sample.gradient(sample.probabilities(scores), sample.ladder_quotients(n))
            square = sum(((a - b) * (a - b) for a, b in zip(gradient, exact_gradient, strict=True)), arb(0))
            yield abs(loss - sample.loss(scores)), root(square)


def _suffices(choice: Choice, wanted: Wanted) -> bool:
    pairs = [(choice.loss, wanted.loss), (choice.gradient, wanted.gradient)]
    return all(limit is None or less(limit, value) is Truth.NO for value, limit in pairs)
