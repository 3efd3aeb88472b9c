"""The exact definitions that the rows realize, evaluated at a state in float64 by plain loops.

Independent of what is timed: another form of the recurrence, float64 geometry, no autograd. ``frozen`` holds it against exact
values. The finite start is M = 2ν; with b_M = 1, b_{M+1} = 0, b_{i−1} = (2i/x) b_i + b_{i+1} the quotients r_i = b_{i+1}/b_i
obey r_{i−1} = 1/(2i/x + r_i), and y_i = x (log(r_{i+1}/x))′ obeys y_{i−1} = −r_i r_{i+1}(2 + y_i): no step subtracts.

    R̃ = r_ν,   Φ̃ = log I₀ + Σ_{i<ν} log(r_i/x),   Φ̃′ = I₁/I₀ + (1/x) Σ_{i<ν} y_i.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from certify.bench.state import CAP, TEMPERATURE, Inputs

Evaluation = Callable[[int, NDArray], tuple[NDArray, NDArray]]


class FiniteStart(NamedTuple):
    """Φ̃, R̃ and Φ̃′ at M = 2ν."""

    potential: NDArray
    ratio: NDArray
    derivative: NDArray


class Expected(NamedTuple):
    """Scores (V×B×K), the mean cross-entropy of the views, and its supplied gradient in the features (V×B×p)."""

    scores: NDArray
    loss: float
    gradient: NDArray
    radii: NDArray
    concentrations: NDArray


def finite_start(order: int, x: NDArray) -> FiniteStart:
    """All three from one sweep; x > 0, up to 1e15, and x/ν down to 1e-3 without loss."""
    above = ratio = y = total = log_total = np.zeros_like(x)
    for i in range(2 * order, 0, -1):
        r = 1 / (2 * i / x + above)
        y = -r * above * (2 + y)
        if i == order + 1:
            ratio = r
        if i <= order:
            total = total + y
            log_total = log_total + np.log(r / x)
        above = r
    point = torch.from_numpy(np.ascontiguousarray(x))
    i0e, i1e = torch.special.i0e(point).numpy(), torch.special.i1e(point).numpy()
    return FiniteStart(np.log(i0e) + x + log_total, ratio, i1e / i0e + total / x)


def original(order: int, x: NDArray) -> tuple[NDArray, NDArray]:
    """Φ̃ with min(R̃, 1)."""
    found = finite_start(order, x)
    return found.potential, np.minimum(found.ratio, 1.0)


def consistent(order: int, x: NDArray) -> tuple[NDArray, NDArray]:
    """Φ̃ with Φ̃′."""
    found = finite_start(order, x)
    return found.potential, found.derivative


def closed_form(order: int, x: NDArray) -> tuple[NDArray, NDArray]:
    """F_R with A_R, as the paper prints them."""
    s = np.sqrt(order * order + x * x)
    potential = s - order * np.log(order + s) - 0.5 * np.log(s) + (3 * x * x - 2 * order * order) / (24 * s**3)
    return potential, x / (order + s) - x / (2 * s * s) + x * (4 * order * order - x * x) / (8 * s**5)


def expected(evaluate: Evaluation, inputs: Inputs) -> Expected:
    """The boundary of Table 7 with that evaluator at these inputs, which are taken as exact."""
    means, counts = inputs.means.double().cpu().numpy(), inputs.counts.cpu().numpy()
    labels, log_priors = inputs.labels.cpu().numpy(), inputs.log_priors.cpu().numpy()
    views = []
    for features in inputs.features.double().cpu().numpy():
        means, counts = _absorbed(means, counts, features, labels)
        views.append(_view(evaluate, means, features, labels, log_priors))
    scores, losses, gradients, radii, concentrations = map(np.stack, zip(*views, strict=True))
    return Expected(scores, float(losses.mean()), gradients / len(views), radii, concentrations)


def _absorbed(means: NDArray, counts: NDArray, features: NDArray, labels: NDArray) -> tuple[NDArray, NDArray]:
    sums, arrived = np.zeros_like(means), np.zeros_like(counts)
    np.add.at(sums, labels, features)
    np.add.at(arrived, labels, 1)
    total = counts + arrived
    return (counts[:, None] * means + sums) / total[:, None], total


def _view(evaluate: Evaluation, means: NDArray, features: NDArray, labels: NDArray, log_priors: NDArray) -> tuple[Any, ...]:
    dim = means.shape[1]
    length = np.sqrt(np.square(means).sum(1))
    kappa = dim * length / (1 - length * length)
    kappa = np.where((kappa >= 0) & (kappa <= CAP), kappa, CAP)
    directed = (kappa / length)[:, None] * means
    own = np.square(features).sum(1)[:, None] / TEMPERATURE**2
    radii = np.sqrt(np.square(kappa) + 2 * (features @ directed.T) / TEMPERATURE + own)
    potential, slope = evaluate(dim // 2 - 1, radii)
    scores = potential - evaluate(dim // 2 - 1, kappa)[0]
    probability, loss = _cross_entropy(scores + log_priors, labels)
    weights = probability * slope / radii / (len(features) * TEMPERATURE)
    gradient = weights @ directed + weights.sum(1, keepdims=True) * features / TEMPERATURE
    return scores, loss, gradient, radii, kappa


def _cross_entropy(logits: NDArray, labels: NDArray) -> tuple[NDArray, float]:
    """The derivative in the logits, unaveraged, and the mean loss."""
    rows = np.arange(len(labels))
    largest = logits.max(1, keepdims=True)
    powers = np.exp(logits - largest)
    normalizer = powers.sum(1, keepdims=True)
    loss = np.mean(np.log(normalizer[:, 0]) + largest[:, 0] - logits[rows, labels])
    probability = powers / normalizer
    probability[rows, labels] -= 1
    return probability, float(loss)
