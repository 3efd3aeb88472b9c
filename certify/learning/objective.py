"""Scores, logits and the losses of PATT and ProCo on a state, by any realization of (Φ, R): values, and gradients as supplied.

The logit of class j is q_j + log π_j, q_j = Φ̂(r_j) − Φ̂(κ_j); the loss of a sample is the cross-entropy of its logits, that of the
batch the mean over its samples and then over the views. PATT takes the features as they are, ProCo takes f/‖f‖. Class statistics
carry no gradient.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, normalize

from certify.exact.number import show
from certify.learning.geometry import Layout, concentrations, gap, radii, tensor
from certify.learning.states import State
from certify.vmf import potential_increment


class Score(Protocol):
    """From a state and features B×p to scores q (B×K, float64), differentiable in the features."""

    def __call__(self, found: State, features: Tensor) -> Tensor: ...


class Realization(Protocol):
    """What ``certify.realizations.tensor`` provides."""

    def difference(self, a: Tensor, b: Tensor) -> Tensor: ...


class Evaluation(NamedTuple):
    """``scores`` V×B×K, ``losses`` V×B and ``gradients`` V×B×p, each of the latter that of its own sample's loss in its feature."""

    scores: Tensor
    losses: Tensor
    gradients: Tensor

    @property
    def loss(self) -> float:
        """The mean over samples and views."""
        return self.losses.mean().item()


def realized(realization: Realization, layout: Layout = "factorized", geometry: torch.dtype = torch.float64) -> Score:
    """The scores of a realization, its arguments formed in that layout and format."""

    def score(found: State, features: Tensor) -> Tensor:
        return realization.difference(concentrations(found, geometry), radii(found, features, layout, geometry))

    return score


def ladder(n: int, dtype: torch.dtype = torch.float64) -> Score:
    """F_n with A_n (n = 1: AR/FR) by ``certify.vmf``, from r² − κ² itself, all in one format, float64 or float32."""

    def score(found: State, features: Tensor) -> Tensor:
        kappa, square = concentrations(found, dtype).to(dtype), gap(found, features, dtype).to(dtype)
        return potential_increment(kappa, square, nu=show(found.order), order=n).double()

    return score


def patt(found: State, score: Score) -> Evaluation:
    """PATT's adjusted cross-entropy on all views."""
    return _evaluate(found, score, lambda features: features)


def proco(found: State, score: Score) -> Evaluation:
    """ProCo's: of the normalized features; gradients are in the features before normalization."""
    return _evaluate(found, score, lambda features: normalize(features, dim=-1))


def group_means(losses: Tensor, labels: Tensor, groups: Mapping[str, Sequence[int]]) -> dict[str, float]:
    """The mean loss over the samples of each group of classes, views included; groups without samples are left out.

    ``losses`` is V×B, ``labels`` B.
    """
    members = {name: torch.isin(labels, torch.tensor(list(classes))) for name, classes in groups.items()}
    return {name: losses[:, mask].mean().item() for name, mask in members.items() if mask.any()}


def _evaluate(found: State, score: Score, prepare: Callable[[Tensor], Tensor]) -> Evaluation:
    features = tensor(found.features, torch.float64).clone().requires_grad_()
    labels, bias = torch.from_numpy(found.labels), torch.from_numpy(found.priors).log()
    scores = torch.stack([score(found, prepare(view)) for view in features])
    losses = torch.stack([cross_entropy(view + bias, labels, reduction="none") for view in scores])
    (gradients,) = torch.autograd.grad(losses.sum(), features)
    return Evaluation(scores.detach(), losses.detach(), gradients)
