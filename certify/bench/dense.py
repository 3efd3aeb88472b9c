"""The layout of the public code: every feature expanded over every class, in the update and in the geometry.

Per view: class sums through a B×K×p assignment, κ = pR/(1 − R²) with its cap, resultants ρ_bj = κ_jμ_j + f_b/τ (B×K×p), their
norms, the evaluator on B×K float64 radii, cross-entropy with log priors. The loss is the mean of the views, its backward runs
to the features through autograd, and the statistics carry no gradient. What varies is the evaluator.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, one_hot

from certify.bench.state import CAP, TEMPERATURE, Inputs
from certify.realizations.tensor.protocol import TensorRealization


class Dense:
    """Table 7's boundary in the dense layout with one realization as evaluator."""

    def __init__(self, realization: TensorRealization, inputs: Inputs) -> None:
        self.realization = realization
        self.inputs = inputs
        self.means = inputs.means.clone()
        self.counts = inputs.counts.to(inputs.means.dtype)
        self.features = inputs.features.clone().requires_grad_()

    def restore(self) -> None:
        """The class state as it was before the first view."""
        self.means = self.inputs.means.clone()
        self.counts = self.inputs.counts.to(self.means.dtype)

    def run(self) -> tuple[Tensor, Tensor]:
        """The loss, and its gradient in the features (V×B×p)."""
        loss = torch.stack([self._loss(features) for features in self.features]).mean()
        (gradient,) = torch.autograd.grad(loss, self.features)
        return loss.detach(), gradient

    def scores(self) -> Tensor:
        """q of both views (V×B×K), each after its update."""
        found = []
        with torch.no_grad():
            for features in self.features:
                self._absorb(features)
                found.append(self._scores(features))
        return torch.stack(found)

    def _loss(self, features: Tensor) -> Tensor:
        self._absorb(features.detach())
        return cross_entropy(self._scores(features) + self.inputs.log_priors, self.inputs.labels)

    def _absorb(self, features: Tensor) -> None:
        assignment = one_hot(self.inputs.labels, len(self.means)).to(features.dtype)
        sums = (features[:, None, :] * assignment[:, :, None]).sum(0)
        arrived = assignment.sum(0)
        weight = (arrived / (arrived + self.counts))[:, None]
        self.means = self.means * (1 - weight) + sums / arrived.clamp(min=1)[:, None] * weight
        self.counts = self.counts + arrived

    def _scores(self, features: Tensor) -> Tensor:
        length = torch.linalg.vector_norm(self.means, dim=1)
        kappa = self.means.shape[1] * length / (1 - length * length)
        kappa = torch.where((kappa >= 0) & (kappa <= CAP), kappa, CAP)
        directed = kappa[:, None] * (self.means / length[:, None])
        resultants = directed[None] + features[:, None, :] / TEMPERATURE
        radii = torch.linalg.vector_norm(resultants, dim=2)
        return self.realization.difference(kappa.double(), radii.double())


def radii(inputs: Inputs) -> tuple[Tensor, Tensor]:
    """κ (K) and r (B×K) in float64, as the first view meets them before any update: what evaluators alone are timed on."""
    means, features = inputs.means.double(), inputs.features[0].double()
    square = means.square().sum(1)
    weight = means.shape[1] / (1 - square)
    projection = features @ means.T
    own = features.square().sum(1)[:, None] / TEMPERATURE**2
    kappa = weight * square.sqrt()
    return kappa, torch.sqrt(kappa * kappa + 2 * weight * projection / TEMPERATURE + own)
