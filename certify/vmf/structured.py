"""Scores of features against a bank of classes, and their gradients, without a tensor of batch × classes × dimension.

A class j is known by the mean a_j of its features, R_j = ‖a_j‖; then κ_j = pR_j/(1 − R_j²), μ_j = a_j/R_j and
κ_jμ_j = w_j a_j with the weight w_j = κ_j/R_j = p/(1 − R_j²): μ_j is never formed, and R_j = 0 is no special case. With
r_j = ‖κ_jμ_j + f/τ‖, ν = p/2 − 1 and s(x) = √(ν² + x²),

    r_j² − κ_j² = 2w_j⟨a_j, f⟩/τ + ‖f‖²/τ²,    s(r_j)² = s(κ_j)² + (r_j² − κ_j²),
    q_j = F_R(r_j) − F_R(κ_j),    ∇_f q_j = (w_j a_j + f/τ) g_j/τ,    g_j = A_R(r_j)/r_j,

and q_j, g_j are functions of s(κ_j) and r_j² − κ_j² alone. A view costs one product of features and means for the projection,
one elementwise pass, and one product of B×K weights and means for the gradient. Features that arrive change at most B rows of
the bank: only their norms are computed anew.

Geometry is in the dtype of the means (float32 or float64), scalars in float64. Statistics carry no gradient, as in the source:
PATT and ProCo's score, whose public layout (features B×p, means K×p, log priors K) is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import Tensor


class Bank(NamedTuple):
    """Class means (K×p) and, in float64 (K): counts n_j, weights w_j = κ_j/R_j, bases s(κ_j) = √(ν² + κ_j²)."""

    means: Tensor
    counts: Tensor
    weights: Tensor
    bases: Tensor

    @property
    def order(self) -> float:
        """ν = p/2 − 1."""
        return self.means.shape[1] / 2 - 1

    @property
    def concentrations(self) -> Tensor:
        """κ_j."""
        return self.weights * torch.linalg.vector_norm(self.means, dim=1, dtype=torch.float64)


def bank(means: Tensor, counts: Tensor, cap: float | None = None) -> Bank:
    """A bank from class means and counts, both copied.

    ``cap`` bounds κ and stands in where R_j ≥ 1, as in the public code (1e5 there); without it such a class is NaN.
    Raises ValueError for shapes that do not fit, p < 3, integer means, or a cap that is not positive.
    """
    if means.ndim != 2 or counts.shape != means.shape[:1]:
        raise ValueError(f"means of shape {tuple(means.shape)} and counts of {tuple(counts.shape)}: K×p and K are accepted")
    if means.shape[1] < 3:
        raise ValueError(f"dimension p = {means.shape[1]}: the closed form needs nu = p/2 - 1 > 0")
    if means.dtype not in (torch.float32, torch.float64):
        raise ValueError(f"means of {means.dtype}: float32 and float64 are accepted")
    if cap is not None and not cap > 0:
        raise ValueError(f"cap = {cap}: a positive concentration, or None, is accepted")
    copied = means.detach().clone(memory_format=torch.contiguous_format)
    weights, bases = weigh(copied, cap)
    return Bank(copied, counts.to(torch.float64, copy=True), weights, bases)


def weigh(means: Tensor, cap: float | None) -> tuple[Tensor, Tensor]:
    """w = κ/R and s(κ) of each row, in float64."""
    dimension = means.shape[1]
    order = dimension / 2 - 1
    square = means.to(torch.float64).square().sum(1)
    weights = torch.where(square < 1, dimension / (1 - square), torch.nan)
    if cap is not None:
        limit = cap * torch.rsqrt(square)
        weights = torch.where(weights <= limit, weights, limit)
    return weights, torch.sqrt(order * order + weights * weights * square)


def absorb_(bank: Bank, features: Tensor, labels: Tensor, cap: float | None = None) -> None:
    """Move the means of the classes present to a_j + (Σ f − m a_j)/(n_j + m), m features of class j, in place."""
    features = features.detach().to(bank.means.dtype)
    alike = _alike(labels, features.dtype)
    _put_(bank, labels, _moved(_taken(bank, labels), alike @ features, alike.sum(1), cap))


def _alike(labels: Tensor, dtype: torch.dtype) -> Tensor:
    """B×B, 1 where two labels agree."""
    return (labels[:, None] == labels[None, :]).to(dtype)


def _moved(rows: Bank, total: Tensor, arrived: Tensor, cap: float | None) -> Bank:
    """The rows of the labels, one a feature, after ``arrived`` features have come, ``total`` their sum; rows of one label stay equal."""
    counts = rows.counts + arrived
    means = rows.means + (total - arrived[:, None] * rows.means) / counts.to(total.dtype)[:, None]
    return Bank(means, counts, *weigh(means, cap))


def _taken(bank: Bank, labels: Tensor) -> Bank:
    return Bank(*(part[labels] for part in bank))


def _put_(bank: Bank, labels: Tensor, rows: Bank) -> None:
    """Equal rows write the same bits to the same place: the order of writing does not matter."""
    for part, values in zip(bank, rows, strict=True):
        part.index_put_((labels,), values)


def excess(bank: Bank, features: Tensor, temperature: float) -> Tensor:
    """r² − κ² for each feature and class (B×K), from one projection."""
    square = features.to(torch.float64).square().sum(1) / (temperature * temperature)
    projection = (bank.means @ features.T).T.to(torch.float64)
    return (2 / temperature) * bank.weights * projection + square[:, None]


def score_and_slope(bases: Tensor, excess: Tensor, order: float) -> tuple[Tensor, Tensor]:
    """q = F_R(r) − F_R(κ) and g = A_R(r)/r from s(κ) and r² − κ², elementwise in float64.

    The smaller of s(κ), s(r) is the base of the logarithms: from the larger one Δ/(ν + s) can round to −1. Powers of s are
    products of 1/s and ν/s, and overflow nowhere while κ and ‖f‖/τ stay below 1e150.
    """
    s = torch.sqrt((bases * bases + excess).clamp_min(order * order))
    step = excess.abs() / (bases + s)
    low = torch.minimum(bases, s)
    e0, e1 = 1 / bases, 1 / s
    t0, t1 = order * e0, order * e1
    correction = step * e0 * e1 * (5 / 24 * (t0 * t0 + t0 * t1 + t1 * t1) - 0.125)
    size = step - order * torch.log1p(step / (order + low)) - 0.5 * torch.log1p(step / low) + correction
    slope = 1 / (order + s) - e1 * e1 * (0.5 - e1 * (5 * t1 * t1 - 1) * 0.125)
    return torch.where(excess < 0, -size, size), slope


def combine(bank: Bank, features: Tensor, coefficients: Tensor, temperature: float) -> Tensor:
    """Σ_j c_j ∇_f q_j for c_j g_j = ``coefficients`` (B×K): one product, and a multiple of the feature itself."""
    along = (coefficients * bank.weights).to(features.dtype) @ bank.means
    own = (coefficients.sum(1) / (temperature * temperature)).to(features.dtype)
    return along / temperature + own[:, None] * features


def loss_and_gradient(bank: Bank, features: Tensor, labels: Tensor, log_priors: Tensor, temperature: float) -> tuple[Tensor, Tensor]:
    """The mean cross-entropy of q + log prior and its gradient in the features, in one pass: no graph, B×K memory."""
    value, slope = score_and_slope(bank.bases, excess(bank, features, temperature), bank.order)
    loss, residual = _cross_entropy((value + log_priors).T, labels)
    return loss, combine(bank, features, residual.T * slope / len(features), temperature)


def _cross_entropy(logits: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    """The mean for logits K×… and labels …, and the derivative in the logits of the sum."""
    largest = logits.amax(0)
    powers = torch.exp(logits - largest)
    total = powers.sum(0)
    classes = torch.arange(len(logits), device=labels.device).view(-1, *[1] * labels.ndim)
    loss = (torch.log(total) + largest - logits.gather(0, labels[None])[0]).mean()
    return loss, powers / total - (labels == classes).to(logits.dtype)


class Views(NamedTuple):
    """What V views in order meet: B rows of means (V×B×p), and all weights and bases (K×V)."""

    rows: Tensor
    weights: Tensor
    bases: Tensor


Scoring = Callable[[Views, Tensor, Tensor, Tensor, Tensor, float, float], tuple[Tensor, Tensor, Tensor]]


def step(
    bank: Bank,
    features: Tensor,
    labels: Tensor,
    log_priors: Tensor,
    temperature: float,
    cap: float | None = None,
    score: Scoring | None = None,
) -> tuple[Tensor, Tensor]:
    """A training step on V views (V×B×p) of the same labels: the mean of their losses and its gradient; the bank moves.

    The views go in order: each is absorbed, then scored against the bank as it is then. These banks differ in the rows of
    the labels only, so that one product with the last of them serves all projections and one all gradients; what belongs to
    those rows is put right by products of B×B×p. ``score`` is ``coefficients`` or another form of it.
    """
    features = features.detach().to(bank.means.dtype)
    views = _absorb_in_order_(bank, features, labels, cap)
    square = features.to(torch.float64).square().sum(2, keepdim=True) * temperature**-2
    projection = _projection(bank, views, features, labels)
    loss, weighted, total = (score or coefficients)(views, projection, square, labels, log_priors, temperature, bank.order)
    own = (total * temperature**-2).to(features.dtype)
    return loss, _along(bank, views, weighted, labels) * (1 / temperature) + own * features


def coefficients(
    views: Views, projection: Tensor, square: Tensor, labels: Tensor, log_priors: Tensor, temperature: float, order: float
) -> tuple[Tensor, Tensor, Tensor]:
    """From ⟨a_j, f⟩ (V×B×K) and ‖f‖²/τ² (V×B×1): the mean cross-entropy, and for c_j = (p_j − 1[j = y]) g_j/(VB) the products
    c_j w_j (V×B×K, in the projection's dtype) and the sums Σ c_j (V×B×1). Computed class by class, as the projection is stored.
    """
    weights, bases = views.weights[..., None], views.bases[..., None]
    excess = (2 / temperature) * weights * projection.permute(2, 0, 1).to(torch.float64) + square[..., 0]
    value, slope = score_and_slope(bases, excess, order)
    loss, residual = _cross_entropy(value + log_priors[:, None, None], labels.expand(projection.shape[:2]))
    found = residual * slope * (1 / square.numel())
    return loss, (found * weights).to(projection.dtype).permute(1, 2, 0), found.sum(0)[..., None]


def _absorb_in_order_(bank: Bank, features: Tensor, labels: Tensor, cap: float | None) -> Views:
    alike = _alike(labels, features.dtype)
    arrived = alike.sum(1)
    rows, found = _taken(bank, labels), []
    for total in alike @ features:
        rows = _moved(rows, total, arrived, cap)
        found.append(rows)
    weights = torch.stack([bank.weights.index_put((labels,), rows.weights) for rows in found], 1)
    bases = torch.stack([bank.bases.index_put((labels,), rows.bases) for rows in found], 1)
    _put_(bank, labels, rows)
    return Views(torch.stack([rows.means for rows in found]), weights, bases)


def _projection(bank: Bank, views: Views, features: Tensor, labels: Tensor) -> Tensor:
    """⟨a_j, f⟩ (V×B×K), a_j as each view meets it, stored class by class: the product is faster so."""
    count, batch = features.shape[:2]
    found = bank.means @ features.flatten(0, 1).T
    earlier = torch.arange((count - 1) * batch, device=labels.device)
    found[labels[:, None], earlier] = (views.rows[:-1] @ features[:-1].mT).transpose(0, 1).flatten(1)
    return found.T.unflatten(0, (count, batch))


def _along(bank: Bank, views: Views, weighted: Tensor, labels: Tensor) -> Tensor:
    """Σ_j c_j w_j a_j (V×B×p), each class counted once however often it is among the labels."""
    repeated = (labels[:, None] == labels[None, :]).tril(-1).any(1)
    few = weighted[:-1, :, labels].masked_fill(repeated, 0)
    found = (weighted.permute(2, 0, 1).flatten(1).T @ bank.means).unflatten(0, weighted.shape[:2])
    found[:-1] += few @ (views.rows[:-1] - views.rows[-1])
    return found


def scores(bank: Bank, features: Tensor, temperature: float) -> Tensor:
    """q (B×K, float64), differentiable twice, in the features only. Run the backward before the bank changes again."""
    return _Scores.apply(features, bank, temperature)


def cross_entropy(bank: Bank, features: Tensor, labels: Tensor, log_priors: Tensor, temperature: float) -> Tensor:
    """The loss of ``loss_and_gradient``, differentiable once, in the features only. The bank may change before the backward."""
    return _Loss.apply(features, bank, labels, log_priors, temperature)


class _Scores(torch.autograd.Function):
    """g is computed with q; what is saved is B×K beside the bank itself."""

    @staticmethod
    def forward(ctx: Any, features: Tensor, bank: Bank, temperature: float) -> Tensor:
        value, slope = score_and_slope(bank.bases, excess(bank, features, temperature), bank.order)
        ctx.save_for_backward(features, slope, *bank)
        ctx.temperature = temperature
        return value

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, None, None]:
        features, slope, *tensors = ctx.saved_tensors
        bank = Bank(*tensors)
        if torch.is_grad_enabled():  # to be differentiated again: g as a function of the features
            slope = score_and_slope(bank.bases, excess(bank, features, ctx.temperature), bank.order)[1]
        return combine(bank, features, upstream * slope, ctx.temperature), None, None


class _Loss(torch.autograd.Function):
    """The gradient is computed with the loss; what is saved is B×p."""

    @staticmethod
    def forward(ctx: Any, features: Tensor, bank: Bank, labels: Tensor, log_priors: Tensor, temperature: float) -> Tensor:
        loss, gradient = loss_and_gradient(bank, features, labels, log_priors, temperature)
        ctx.save_for_backward(features, gradient)
        return loss

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, None, None, None, None]:
        features, gradient = ctx.saved_tensors
        return upstream.to(gradient.dtype) * _Final.apply(gradient, features), None, None, None, None


class _Final(torch.autograd.Function):
    """A gradient as a function of the features that refuses to be differentiated: second derivatives are never left out in silence."""

    @staticmethod
    def forward(ctx: Any, gradient: Tensor, features: Tensor) -> Tensor:
        return gradient.view_as(gradient)

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[None, None]:
        raise NotImplementedError("structured.cross_entropy is differentiable once: take the cross-entropy of structured.scores instead")
