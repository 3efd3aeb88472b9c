"""The original and the consistent recurrence at one PATT state: one forward, two backwards, and what differs."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from flint import arb
from torch import Tensor

from certify.learning.geometry import Layout, radii, tensor
from certify.learning.objective import Evaluation, patt, realized
from certify.learning.states import State
from certify.realizations.tensor.consistent import Consistent
from certify.realizations.tensor.original import Original
from certify.studies.finite_start.coherence import at

IDENTICAL = "0"


@dataclass(frozen=True)
class Difference:
    """Of one view: texts are "0" where both are bitwise equal; gradients are those of the mean loss of the view."""

    score: str
    loss: str
    residual: arb
    relative: float
    largest: float


def evaluations(found: State, layout: Layout = "factorized", geometry: torch.dtype = torch.float64) -> tuple[Evaluation, Evaluation]:
    """By the original and by the consistent recurrence."""
    order = int(found.order)
    supplied, own = (patt(found, realized(rule(order), layout, geometry)) for rule in (Original, Consistent))
    return supplied, own


def differences(found: State, layout: Layout = "factorized", geometry: torch.dtype = torch.float64) -> list[Difference]:
    """View by view."""
    supplied, own = evaluations(found, layout, geometry)
    points = [radii(found, tensor(features, torch.float64), layout, geometry) for features in found.features]
    return [_difference(found, view, supplied, own, x) for view, x in enumerate(points)]


def bitwise_equal(a: Tensor, b: Tensor) -> bool:
    """Of float64 tensors."""
    return torch.equal(a.contiguous().view(torch.int64), b.contiguous().view(torch.int64))


def relative(supplied: Tensor, own: Tensor) -> Tensor:
    """‖b − a‖/‖a‖ along the last dimension, b supplied, a consistent."""
    return (supplied - own).norm(dim=-1) / own.norm(dim=-1)


def after_scaling(supplied: Tensor, own: Tensor) -> Tensor:
    """‖b − c a‖/‖b‖ with the best c = ⟨a, b⟩/‖a‖² of each query."""
    scale = (own * supplied).sum(-1, keepdim=True) / own.square().sum(-1, keepdim=True)
    return (supplied - scale * own).norm(dim=-1) / supplied.norm(dim=-1)


def largest_residual(order: int, x: Tensor) -> arb:
    """|D| in balls at the radius where FP64 finds it largest."""
    gaps = (Original(order).derivative(x) - Consistent(order).derivative(x)).abs()
    return abs(at(order, float(x.flatten()[gaps.argmax()])).residual)


def _difference(found: State, view: int, supplied: Evaluation, own: Evaluation, x: Tensor) -> Difference:
    a, b = own.gradients[view].flatten(), supplied.gradients[view].flatten()
    return Difference(
        score=_gap(supplied.scores[view], own.scores[view]),
        loss=_gap(supplied.losses[view], own.losses[view]),
        residual=largest_residual(int(found.order), x),
        relative=relative(b, a).item(),
        largest=((b - a).abs().max() / found.samples).item(),
    )


def _gap(a: Tensor, b: Tensor) -> str:
    """The largest difference: "0" if and only if all bits agree."""
    return IDENTICAL if bitwise_equal(a, b) else f"{(a - b).abs().max().item():.3e}"
