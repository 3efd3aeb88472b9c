"""The structure-aware path against plain loops in float64, and what it must not do."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.bench.memory import peak_increment
from certify.vmf import structured
from certify.vmf.structured import Bank

TAU = 0.1


def case(seed, views=2, batch=6, classes=5, dim=12, dtype=torch.float64):
    """Features, labels with repetitions, a bank and log priors."""
    random = np.random.RandomState(seed)
    features = torch.from_numpy(random.standard_normal((views, batch, dim)) / dim**0.5).to(dtype)
    labels = torch.from_numpy(random.randint(0, classes, batch))
    means = torch.from_numpy(random.uniform(-1, 1, (classes, dim)) / dim**0.5).to(dtype)
    counts = torch.from_numpy(random.randint(1, 9, classes).astype(float))
    log_priors = torch.log_softmax(torch.from_numpy(random.standard_normal(classes)), 0)
    return features, labels, means, counts, log_priors


def by_loops(features, labels, means, counts, log_priors, cap=None):
    """Loss and gradient of the step by autograd through resultants formed one by one, with the printed F_R."""
    features = features.clone().requires_grad_()
    means, counts = means.clone(), counts.clone()
    dim = means.shape[1]
    nu = dim / 2 - 1

    def potential(x):
        s = torch.sqrt(nu * nu + x * x)
        return s - nu * torch.log(nu + s) - 0.5 * torch.log(s) + (3 * x * x - 2 * nu * nu) / (24 * s**3)

    total = 0
    for view in features:
        for label in set(labels.tolist()):
            own = view.detach()[labels == label]
            means[label] = (counts[label] * means[label] + own.sum(0)) / (counts[label] + len(own))
            counts[label] += len(own)
        length = means.norm(dim=1)
        kappa = dim * length / (1 - length**2)
        if cap is not None:
            kappa = torch.where((kappa >= 0) & (kappa <= cap), kappa, cap)
        resultants = (kappa / length)[:, None] * means + view[:, None, :] / TAU
        logits = potential(resultants.norm(dim=2)) - potential(kappa) + log_priors
        total = total + torch.nn.functional.cross_entropy(logits, labels) / len(features)
    (gradient,) = torch.autograd.grad(total, features)
    return total.detach(), gradient, means, counts


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**31 - 1), st.integers(1, 3), st.integers(1, 7), st.integers(2, 9), st.sampled_from([3, 4, 9, 12]))
def test_a_step_is_the_loss_and_gradient_of_plain_loops(seed, views, batch, classes, dim):
    features, labels, means, counts, log_priors = case(seed, views, batch, classes, dim)
    bank = structured.bank(means, counts)
    loss, gradient = structured.step(bank, features, labels, log_priors, TAU)
    expected, slope, moved, seen = by_loops(features, labels, means, counts, log_priors)
    torch.testing.assert_close(loss, expected, rtol=1e-11, atol=1e-12)
    torch.testing.assert_close(gradient, slope, rtol=1e-9, atol=1e-12)
    torch.testing.assert_close(bank.means, moved, rtol=1e-13, atol=1e-15)
    assert torch.equal(bank.counts, seen)


def test_the_bank_keeps_what_its_means_say():
    features, labels, means, counts, log_priors = case(1)
    bank = structured.bank(means, counts)
    structured.step(bank, features, labels, log_priors, TAU)
    fresh = structured.bank(bank.means, bank.counts)
    torch.testing.assert_close(bank.weights, fresh.weights, rtol=1e-14, atol=0)
    torch.testing.assert_close(bank.bases, fresh.bases, rtol=1e-14, atol=0)


def test_a_step_is_its_views_in_order():
    features, labels, means, counts, log_priors = case(2, dtype=torch.float32)
    whole, parts = structured.bank(means, counts), structured.bank(means, counts)
    loss, gradient = structured.step(whole, features, labels, log_priors, TAU)
    losses, gradients = [], []
    for view in features:
        structured.absorb_(parts, view, labels)
        one, slope = structured.loss_and_gradient(parts, view, labels, log_priors, TAU)
        losses.append(one)
        gradients.append(slope)
    torch.testing.assert_close(loss, torch.stack(losses).mean(), rtol=1e-6, atol=1e-6)
    torch.testing.assert_close(gradient, torch.stack(gradients) / 2, rtol=1e-4, atol=1e-6)
    assert all(torch.equal(a, b) for a, b in zip(whole, parts, strict=True))


def test_classes_at_the_cap_and_beyond_length_one():
    features, labels, means, counts, log_priors = case(3)
    means[0] *= 1.5 / means[0].norm()
    means[1] *= 0.999999 / means[1].norm()
    labels[:] = 2
    bank = structured.bank(means, counts, cap=50.0)
    assert bank.concentrations[:2].tolist() == pytest.approx([50.0, 50.0])
    loss, gradient = structured.step(bank, features, labels, log_priors, TAU, 50.0)
    expected, slope, _, _ = by_loops(features, labels, means, counts, log_priors, 50.0)
    torch.testing.assert_close(loss, expected, rtol=1e-11, atol=1e-12)
    torch.testing.assert_close(gradient, slope, rtol=1e-9, atol=1e-12)
    assert structured.bank(means, counts).weights[0].isnan()


def test_an_empty_class_has_the_limit_of_its_formulas():
    features, _, means, counts, _ = case(4)
    means[3] = 0
    bank = structured.bank(means, counts)
    value = structured.scores(bank, features[0], TAU)
    assert bank.weights[3] == means.shape[1]
    assert value.isfinite().all()
    assert (value[:, 3] > 0).all()


def test_scores_pass_gradcheck_and_statistics_have_no_gradient():
    features, labels, means, counts, log_priors = case(5)
    bank = structured.bank(means, counts)
    leaf = features[0].clone().requires_grad_()
    assert torch.autograd.gradcheck(lambda f: structured.scores(bank, f, TAU), leaf)
    assert torch.autograd.gradcheck(lambda f: 3 * structured.cross_entropy(bank, f, labels, log_priors, TAU), leaf)
    watched = Bank(bank.means.clone().requires_grad_(), *bank[1:])
    value = structured.scores(watched, leaf, TAU).sum()
    assert torch.autograd.grad(value, watched.means, allow_unused=True) == (None,)


def test_second_derivatives_are_right_or_refused():
    features, labels, means, counts, log_priors = case(6)
    bank = structured.bank(means, counts)
    leaf = features[0].clone().requires_grad_()
    assert torch.autograd.gradgradcheck(lambda f: structured.scores(bank, f, TAU), leaf)
    (slope,) = torch.autograd.grad(structured.cross_entropy(bank, leaf, labels, log_priors, TAU), leaf, create_graph=True)
    with pytest.raises(NotImplementedError, match="differentiable once"):
        slope.sum().backward()


def test_a_bank_that_moved_is_noticed_or_does_not_matter():
    features, labels, means, counts, log_priors = case(6)
    bank = structured.bank(means, counts)
    leaf = features[0].clone().requires_grad_()
    value = structured.scores(bank, leaf, TAU).sum()
    loss = structured.cross_entropy(bank, leaf, labels, log_priors, TAU)
    _, gradient = structured.loss_and_gradient(bank, leaf.detach(), labels, log_priors, TAU)
    structured.absorb_(bank, features[1], labels)
    loss.backward()
    assert torch.equal(leaf.grad, gradient)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        value.backward()


def test_the_base_is_the_smaller_end():
    """r far below κ: from κ, Δ/(ν+s) would round to −1 and its logarithm to −∞."""
    nu, kappa = 1.0, 1e17
    bases = torch.tensor([(nu * nu + kappa * kappa) ** 0.5], dtype=torch.float64)
    value, slope = structured.score_and_slope(bases, torch.tensor([-kappa * kappa], dtype=torch.float64), nu)
    assert value.isfinite().all()
    assert -kappa < value.item() < -0.9 * kappa
    assert 0 < slope.item() < 1


def test_memory_has_no_term_of_batch_classes_dimension():
    features, labels, means, counts, log_priors = case(7, batch=8, classes=300, dim=2048, dtype=torch.float32)
    bank = structured.bank(means / means.norm(dim=1, keepdim=True) * 0.5, counts)
    dense = 8 * 300 * 2048 * 4
    assert peak_increment(lambda: structured.step(bank, features, labels, log_priors, TAU), "cpu") < dense / 10


@pytest.mark.parametrize(
    ("means", "counts", "cap", "match"),
    [
        (torch.zeros(3), torch.ones(3), None, "shape"),
        (torch.zeros(3, 4), torch.ones(2), None, "shape"),
        (torch.zeros(3, 2), torch.ones(3), None, "dimension p = 2"),
        (torch.zeros(3, 4, dtype=torch.float16), torch.ones(3), None, "float16"),
        (torch.zeros(3, 4), torch.ones(3), -1.0, "cap = -1"),
    ],
)
def test_banks_that_are_refused(means, counts, cap, match):
    with pytest.raises(ValueError, match=match):
        structured.bank(means, counts, cap)
