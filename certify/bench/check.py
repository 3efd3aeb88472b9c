"""Before anything is timed: every row against its own exact definition, at the very state that is timed.

Tolerances are first-order bounds of rounding times ``SAFETY``. u = 2⁻⁵³ or, for float32 geometry, 2⁻²⁴; X is the largest κ, r.

* An evaluator alone is given float64 radii: potentials of size X are rounded in a few hundred partial sums or in none, so that
  differences may be off by SAFETY·2⁻⁵³·(X + 2ν), and slopes, at most 1, by SAFETY·2⁻⁵³·(1 + 2ν) where 2ν steps are taken.
* Dense scores come from norms of size X: SAFETY·u·X. Structured scores come from one projection: SAFETY·u·‖f‖/τ · max κ/r.
* With scores within δ, probabilities move by at most δ in sum, so that a feature's gradient, V·B·τ·‖∇‖ ≤ 2, may be off by
  (δ + SAFETY·u)/(VBτ), and the loss by 2δ.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from certify.bench.definitions import Evaluation, Expected
from certify.bench.evaluators import Alone
from certify.bench.state import TEMPERATURE

SAFETY = 32
UNIT = {torch.float32: 2.0**-24, torch.float64: 2.0**-53}


class Error(NamedTuple):
    """The largest absolute error of a quantity and what is accepted."""

    quantity: str
    error: float
    tolerance: float

    @property
    def holds(self) -> bool:
        return self.error <= self.tolerance  # False for nan

    @property
    def data(self) -> dict[str, Any]:
        """For the record."""
        return {**self._asdict(), "holds": self.holds}


def failure(errors: list[Error]) -> str:
    """What is wrong, on one line; empty where all hold."""
    wrong = [f"{e.quantity} off by {e.error:.3g}, accepted {e.tolerance:.3g}" for e in errors if not e.holds]
    return "; ".join(wrong)


def evaluator(alone: Alone, evaluate: Evaluation, order: int) -> list[Error]:
    """Differences and slopes of an evaluator against its definition at its own float64 radii."""
    value, slope = (part.cpu().numpy() for part in alone.run())
    radii, kappa = alone.radii.detach().cpu().numpy(), alone.kappa.cpu().numpy()
    potential, exact_slope = evaluate(order, radii)
    difference = potential - evaluate(order, kappa)[0]
    unit = SAFETY * UNIT[torch.float64]
    return [
        Error("difference", _largest(value - difference), unit * (float(radii.max()) + 2 * order)),
        Error("slope", _largest(slope - exact_slope), unit * (1 + 2 * order)),
    ]


def boundary(
    run: Callable[[], tuple[Tensor, Tensor]], scores: Tensor, expected: Expected, score_tolerance: float, unit: float
) -> list[Error]:
    """Scores, loss and feature gradients of a row; ``run`` starts from the restored state."""
    loss, gradient = run()
    count = gradient.shape[0] * gradient.shape[1]
    rows = np.sqrt(np.square(gradient.double().cpu().numpy() - expected.gradient).sum(2))
    return [
        Error("scores", _largest(scores.double().cpu().numpy() - expected.scores), score_tolerance),
        Error("loss", abs(float(loss) - expected.loss), 2 * score_tolerance),
        Error("feature gradient", _largest(rows), (score_tolerance + SAFETY * unit) / (count * TEMPERATURE)),
    ]


def dense_tolerance(expected: Expected, geometry: torch.dtype) -> float:
    """Of scores in the dense layout."""
    return SAFETY * UNIT[geometry] * float(max(expected.radii.max(), expected.concentrations.max()))


def structured_tolerance(expected: Expected, features: Tensor, geometry: torch.dtype) -> float:
    """Of scores from the projection."""
    size = float(features.double().square().sum(-1).max()) ** 0.5 / TEMPERATURE
    quotient = float((expected.concentrations[:, None, :] / expected.radii).max())
    rounding = UNIT[torch.float64] * float(expected.radii.max())
    return SAFETY * (UNIT[geometry] * size * quotient + rounding)


def _largest(values: np.ndarray) -> float:
    return float(np.abs(values).max())  # nan where one is
