"""The score and the adjusted cross-entropy as modules."""

import copy
import math
import socket

import pytest
import torch
from torch import distributed, multiprocessing
from torch.utils._python_dispatch import TorchDispatchMode

from certify.vmf import LogitAdjust, VMFScore, potential_difference, structured

CLASSES, DIMENSION, BATCH = 7, 32, 24


def data(dtype: torch.dtype = torch.float64) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(3407)
    labels = torch.randint(CLASSES, (BATCH,), generator=generator)
    centers = torch.randn(CLASSES, DIMENSION, generator=generator, dtype=dtype)
    features = centers[labels] + 2 * torch.randn(BATCH, DIMENSION, generator=generator, dtype=dtype)
    return torch.nn.functional.normalize(features, dim=-1), labels


def module(**options) -> VMFScore:
    return VMFScore(CLASSES, DIMENSION, **{"dtype": torch.float64, **options})


def direct(score: VMFScore, features: torch.Tensor) -> torch.Tensor:
    """The definition, with a tensor of B×K×p."""
    means = score.means
    length = means.norm(dim=1)
    kappa = DIMENSION * length / (1 - length**2)
    vectors = (kappa / length)[:, None] * means + features[:, None, :] / score.temperature
    return potential_difference(kappa, vectors.norm(dim=-1), p=DIMENSION, order=score.order)


@pytest.mark.parametrize("order", [1, 4, None])
def test_scores_and_gradients_are_those_of_the_definition(order):
    features, labels = data()
    score = module(order=order)
    score.update(features, labels)
    score.update(features, labels)
    f = features.clone().requires_grad_()
    found, expected = score.eval()(f), direct(score, f)
    assert torch.allclose(found, expected, rtol=1e-12)
    weights = torch.randn(BATCH, CLASSES, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    gradients = [torch.autograd.grad(value, f, weights)[0] for value in (found, expected)]
    assert torch.allclose(*gradients, rtol=1e-11)


def test_the_loss_is_that_of_the_structured_path():
    features, labels = data()
    score, adjust = module(), LogitAdjust([5.0, 1, 1, 1, 1, 1, 10])
    f = features.clone().requires_grad_()
    loss = adjust(score(f, labels), labels)
    other = structured.cross_entropy(score.bank, f, labels, adjust.log_prior, score.temperature)
    assert float(loss.detach()) == pytest.approx(float(other.detach()), rel=1e-13)
    gradients = [torch.autograd.grad(value, f)[0] for value in (loss, other)]
    assert torch.allclose(*gradients, rtol=1e-11, atol=1e-15)


def test_streaming_means_do_not_depend_on_the_batches():
    features, labels = data()
    whole, parts = module(), module()
    whole.update(features, labels)
    for start in range(0, BATCH, 5):
        parts.update(features[start : start + 5], labels[start : start + 5])
    expected = torch.stack([features[labels == j].sum(0) / max(1, int((labels == j).sum())) for j in range(CLASSES)])
    assert torch.allclose(whole.means, expected, atol=1e-15)
    assert torch.allclose(parts.means, expected, atol=1e-15)
    assert torch.equal(whole.counts, torch.bincount(labels, minlength=CLASSES).double())


class Largest(TorchDispatchMode):
    """The number of elements of the largest tensor made."""

    elements = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        if isinstance(result, torch.Tensor):
            self.elements = max(self.elements, result.untyped_storage().nbytes() // result.element_size())
        return result


def test_no_tensor_of_batch_by_classes_by_dimension():
    features, labels = data()
    score, adjust = module(), LogitAdjust([1.0] * CLASSES)
    with Largest() as mode:
        adjust(score(features.requires_grad_(), labels), labels).backward()
    assert mode.elements <= max(BATCH * CLASSES, BATCH * DIMENSION, CLASSES * DIMENSION)


def test_statistics_carry_no_gradient_and_are_buffers():
    features, labels = data()
    score = module()
    score(features.requires_grad_(), labels).sum().backward()
    assert not score.means.requires_grad
    assert list(score.parameters()) == []
    assert features.grad is not None
    other = module()
    other.load_state_dict(copy.deepcopy(score.state_dict()))
    assert sorted(score.state_dict()) == ["counts", "means"]
    assert torch.equal(other.eval()(features), score.eval()(features))


def test_evaluation_leaves_the_statistics():
    features, labels = data()
    score = module().eval()
    score(features, labels)
    assert torch.equal(score.counts, torch.zeros(CLASSES, dtype=torch.float64))


def test_a_backward_after_the_statistics_moved_is_that_of_the_forward():
    features, labels = data()
    score = module()
    score.update(features, labels)
    f = features.clone().requires_grad_()
    first = torch.autograd.grad(score.eval()(f).sum(), f)[0]
    value = score(f).sum()
    score.update(-features, labels)
    assert torch.equal(torch.autograd.grad(value, f)[0], first)


def test_cap_stands_in_where_the_mean_is_no_mean_of_unit_vectors():
    features, labels = data()
    capped, free = module(cap=1e5), module()
    for score in (capped, free):
        score.update(3 * features, labels)
    present = torch.bincount(labels, minlength=CLASSES) > 0
    beyond = free.means.norm(dim=1) >= 1
    assert bool((beyond & present).any())
    assert torch.allclose(capped.concentrations[beyond], torch.full_like(capped.concentrations[beyond], 1e5))
    assert bool(free.concentrations[beyond].isnan().all())
    assert bool(capped.eval()(features).isfinite().all())


def test_autocast_leaves_the_precision():
    features, labels = data(torch.float32)
    score = module(dtype=torch.float32)
    score.update(features, labels)
    expected = score.eval()(features.requires_grad_())
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = score(features)
    assert torch.equal(found, expected)
    (gradient,) = torch.autograd.grad(found.sum(), features)
    assert gradient.dtype == torch.float32


def test_a_tolerance_takes_the_place_of_the_order():
    features, labels = data()
    score = module(tol=1e-12)
    assert torch.allclose(score(features, labels), direct(score, features), rtol=1e-10)


def test_training_decreases_the_loss():
    features, labels = data(torch.float32)
    encoder = torch.nn.Linear(DIMENSION, DIMENSION)
    score, adjust = VMFScore(CLASSES, DIMENSION), LogitAdjust([1.0] * CLASSES)
    optimizer = torch.optim.SGD(encoder.parameters(), lr=0.02)
    losses = []
    for _ in range(20):
        loss = adjust(score(torch.nn.functional.normalize(encoder(features), dim=-1), labels), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < losses[0]


def test_adjustment_is_the_prior():
    logits, labels = torch.randn(5, 3, dtype=torch.float64), torch.tensor([0, 1, 2, 1, 0])
    prior = torch.tensor([0.5, 0.25, 0.25], dtype=torch.float64)
    expected = torch.nn.functional.cross_entropy(logits + 2 * prior.log(), labels, reduction="sum")
    adjust, other = LogitAdjust([2, 1, 1], strength=2, reduction="sum"), LogitAdjust([1.0] * 3, reduction="sum")
    assert torch.allclose(adjust(logits, labels), expected)
    other.load_state_dict(adjust.state_dict())
    assert torch.equal(other(logits, labels), adjust(logits, labels))
    assert torch.allclose(adjust(logits, torch.nn.functional.one_hot(labels, 3).double()), expected)


def test_the_prior_keeps_no_graph_of_the_counts():
    assert not LogitAdjust(torch.ones(3, requires_grad=True)).log_prior.requires_grad


def test_scores_have_a_shape_on_tensors_without_data():
    assert VMFScore(3, 8, device="meta")(torch.zeros(2, 8, device="meta")).shape == (2, 3)


def synchronised(rank: int, port: int, results) -> None:
    distributed.init_process_group("gloo", f"tcp://127.0.0.1:{port}", rank=rank, world_size=2)
    features, labels = data()
    score = module()
    part = slice(0, 10) if rank == 0 else slice(10, BATCH)
    score.update(features[part], labels[part])
    results[rank] = (score.means.tolist(), score.counts.tolist())
    distributed.destroy_process_group()


def test_statistics_are_synchronised_between_processes():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    context = multiprocessing.get_context("spawn")
    with context.Manager() as manager:
        results = manager.dict()
        multiprocessing.spawn(synchronised, (port, results), nprocs=2)  # pyright: ignore
        found = dict(results)
    features, labels = data()
    score = module()
    score.update(features, labels)
    assert found[0] == found[1]
    assert torch.allclose(torch.tensor(found[0][0], dtype=torch.float64), score.means, atol=1e-15)
    assert found[0][1] == score.counts.tolist()


@pytest.mark.parametrize(
    ("build", "named"),
    [
        (lambda: VMFScore(0, 8), "0 classes"),
        (lambda: VMFScore(3, 1), "dimension 1"),
        (lambda: VMFScore(3, 8, temperature=0), "temperature"),
        (lambda: VMFScore(3, 8, cap=-1), "cap"),
        (lambda: VMFScore(3, 8, dtype=torch.float16), "float16"),
        (lambda: VMFScore(3, 8, order=9), "n = 9"),
        (lambda: VMFScore(3, 8, tol=1e-40), "not attainable"),
        (lambda: VMFScore(3, 8)([[0.0] * 8]), "features is a list"),
        (lambda: VMFScore(3, 8)(torch.zeros(2, 7)), "B × 8"),
        (lambda: VMFScore(3, 8)(torch.zeros(2, 8, dtype=torch.int64)), "int64"),
        (lambda: VMFScore(3, 8)(torch.zeros(2, 8), torch.zeros(3, dtype=torch.int64)), "2 integers"),
        (lambda: VMFScore(3, 8)(torch.zeros(2, 8), torch.zeros(2)), "2 integers"),
        (lambda: LogitAdjust([1.0, 0.0]), "positive"),
        (lambda: LogitAdjust([1.0, math.nan]), "positive"),
        (lambda: LogitAdjust([1.0, math.inf]), "positive"),
        (lambda: LogitAdjust([]), "positive"),
    ],
)
def test_refusals(build, named):
    with pytest.raises(ValueError, match=named):
        build()
