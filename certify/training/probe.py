"""Different backward rules at one shared state: forward values, gradients, updates, and where the state lies.

Gradients are compared with the forward's own, which *consistent* supplies.

Everything here happens in copies of the learner with a float64 encoder, so that what is measured is the rules' and not the rounding of
float32 products.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from certify.training.learner import Learner
from certify.training.rules import CONSISTENT, ORIGINAL, SHARED, realization
from certify.training.stream import Batch


class Response(NamedTuple):
    """Scores (B×K), the loss, and its gradients in the features (B×p) and in all parameters (a vector)."""

    scores: Tensor
    loss: Tensor
    features: Tensor
    parameters: Tensor


def responses(learner: Learner, batch: Batch, rules: Sequence[str]) -> dict[str, Response]:
    """What each rule makes of the batch at the learner's state, which stays as it is."""
    scratch = learner.copy(torch.float64)
    features = scratch.meet(batch)
    leaf = features.detach().clone().requires_grad_()
    found = {}
    for rule in rules:
        scores = realization(rule, learner.settings.order).difference(*scratch.arguments(leaf))
        loss = scratch.loss(scores, batch.labels)
        (gradient,) = torch.autograd.grad(loss, leaf)
        parts = torch.autograd.grad(features, list(scratch.encoder.parameters()), gradient, retain_graph=True)
        vector = torch.cat([part.reshape(-1) for part in parts])
        found[rule] = Response(scores.detach(), loss.detach(), gradient, vector)
    return found


def local(learner: Learner, batch: Batch, rules: Sequence[str]) -> dict[str, Any]:
    """A local probe: for every rule the gaps to the forward's own gradient, and whether the shared forward is one bit for bit."""
    found = responses(learner, batch, tuple(dict.fromkeys((*rules, CONSISTENT))))
    gaps = {rule: _against(found[CONSISTENT], found[rule], rule) for rule in rules if rule != CONSISTENT}
    return {"rules": gaps, **regime(learner, batch)}


def _against(reference: Response, other: Response, rule: str) -> dict[str, Any]:
    forward: dict[str, Any] = {"scores": float((other.scores - reference.scores).abs().max())}
    if rule in SHARED:
        forward |= {"scores_equal": torch.equal(other.scores, reference.scores), "loss_equal": torch.equal(other.loss, reference.loss)}
    return {
        **forward,
        "feature_gap": relative(other.features - reference.features, reference.features),
        "feature_gap_rescaled": rescaled(reference.features, other.features),
        "parameter_gap": relative(other.parameters - reference.parameters, reference.parameters),
    }


def regime(learner: Learner, batch: Batch) -> dict[str, Any]:
    """Where the batch lies: r/ν and κ/ν (least, median, largest), capped classes, and the relative defect |g − Φ̃′|/Φ̃′ of *original*."""
    scratch = learner.copy(torch.float64)
    kappa, radii = scratch.arguments(scratch.meet(batch).detach())
    order = learner.settings.order
    supplied, own = (realization(rule, order).derivative(radii) for rule in (ORIGINAL, CONSISTENT))
    return {
        "radius": _spread(radii / order),
        "concentration": _spread(kappa / order),
        "capped": scratch.state.capped,
        "clipped": float((supplied == 1).double().mean()),
        "defect": _spread((supplied - own).abs() / own),
    }


def _spread(values: Tensor) -> list[float]:
    return [float(values.min()), float(values.median()), float(values.max())]


def replay(learner: Learner, batch: Batch, rules: Sequence[str]) -> dict[str, Any]:
    """One step from the shared state under each rule: gradients in all parameters and Adam's updates, before and after rescaling.

    ``factor`` is c = ⟨a, b⟩/‖a‖², a the forward's own gradient and b the rule's; residuals are ‖b − c a‖/‖b‖, and that of the update when
    Adam is given c a in place of b.
    """
    found = responses(learner, batch, tuple(dict.fromkeys((*rules, CONSISTENT))))
    own = found[CONSISTENT].parameters
    return {rule: _replayed(learner, own, found[rule].parameters) for rule in rules if rule != CONSISTENT}


def _replayed(learner: Learner, own: Tensor, supplied: Tensor) -> dict[str, float]:
    factor = best_factor(own, supplied)
    moved = _moved(learner, supplied)
    return {
        "factor": factor,
        "gradient_gap": relative(supplied - own, own),
        "gradient_residual": relative(supplied - factor * own, supplied),
        "update_gap": relative(moved - _moved(learner, own), moved),
        "update_residual": relative(moved - _moved(learner, factor * own), moved),
    }


def _moved(learner: Learner, gradient: Tensor) -> Tensor:
    """By what Adam moves the parameters from the learner's state, given that gradient."""
    scratch = learner.copy(torch.float64)
    before, parameters = scratch.parameters(), list(scratch.encoder.parameters())
    for parameter, part in zip(parameters, gradient.split([each.numel() for each in parameters]), strict=True):
        parameter.grad = part.reshape(parameter.shape).clone()
    scratch.adam.step()
    return scratch.parameters() - before


def rescaled(own: Tensor, supplied: Tensor) -> float:
    """‖b − c a‖/‖b‖ with the best c."""
    return relative(supplied - best_factor(own, supplied) * own, supplied)


def best_factor(own: Tensor, supplied: Tensor) -> float:
    """c = ⟨a, b⟩/‖a‖²; one where a = 0."""
    square = float((own * own).sum())
    return float((own * supplied).sum()) / square if square else 1.0


def relative(difference: Tensor, whole: Tensor) -> float:
    """‖difference‖/‖whole‖; zero where there is no difference."""
    size = float(difference.norm())
    return size / float(whole.norm()) if size else 0.0


def apart(learner: Learner, origin: Learner) -> dict[str, float]:
    """The distance of a branch from another: of parameters over their norm, of test features over theirs."""
    images = origin.data.test.images
    parameters, features = origin.parameters(), origin.features(images)
    return {
        "parameters": relative(learner.parameters() - parameters, parameters),
        "features": relative(learner.features(images) - features, features),
    }
