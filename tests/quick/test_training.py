"""Training: data, stream, class state, objective and metrics, each against another way to have it."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
import torch

from certify.claims.exits import Exit
from certify.cli import main
from certify.learning import accumulate, objective, states
from certify.realizations.tensor.consistent_autograd import ConsistentByAutograd
from certify.training import rules
from certify.training.arms import compare
from certify.training.data import SOURCES, load, profile
from certify.training.host import ClassState
from certify.training.learner import Learner
from certify.training.metrics import detection, holm, paired
from certify.training.settings import CAP, TEMPERATURE, VIEWS, Settings
from certify.training.stream import augmented, batch

SMALL = Settings(data="synthetic", dim=16, batch=24, factor=10)


@pytest.fixture(scope="module")
def digits():
    return load(Settings(factor=100))


# Data and stream --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("factor", [10, 50, 100])
def test_the_profile_is_exponential(factor):
    sizes = profile(5000, 10, factor)
    assert (sizes[0], sizes[-1]) == (5000, 5000 // factor)
    ratios = [b / a for a, b in pairwise(sizes)]
    assert max(ratios) - min(ratios) < 1 / sizes[-1]
    assert profile(20, 8, 100)[-1] == 1


def test_digits_are_split_once(digits):
    inside = len(digits.counts)
    assert digits.counts.tolist() == profile(int(digits.counts[0]), inside, 100)
    assert digits.counts[-1] == 1  # R = 1 until a second view has come
    everything = [image.numpy().tobytes() for part in (digits.train.images, digits.test.images) for image in part]
    assert len(set(everything)) == len(everything)
    assert set(digits.test.labels.tolist()) == set(range(inside))
    whole, _ = SOURCES["digits"][0](Settings())
    assert len(digits.outside["held-out classes"]) == int((whole.labels >= inside).sum())


def test_shuffled_pixels_are_the_same_pixels(digits):
    shuffled = digits.outside["shuffled pixels"]
    assert torch.equal(shuffled.flatten(1).sort()[0], digits.test.images.flatten(1).sort()[0])
    assert not torch.equal(shuffled, digits.test.images)


def test_data_and_batches_are_functions_of_seed_and_step(digits):
    settings = Settings(seed=3)
    first, again = load(settings), load(settings)
    assert first.summary() == again.summary()
    assert first.summary()["sha256"] != digits.summary()["sha256"]
    torch.manual_seed(0)
    late = batch(first, settings, 17)
    torch.manual_seed(1)
    assert all(torch.equal(torch.as_tensor(a), torch.as_tensor(b)) for a, b in zip(late, batch(again, settings, 17), strict=True))


def test_an_epoch_has_every_image_once_and_ends_once(digits):
    settings = Settings()
    size = len(digits.train.labels)
    batches = [batch(digits, settings, step) for step in range(-(-2 * size // settings.batch))]
    labels = torch.cat([each.labels[: settings.batch] for each in batches])
    for epoch in range(2):
        assert torch.equal(torch.bincount(labels[epoch * size : (epoch + 1) * size]), digits.counts)
    assert [step for step, each in enumerate(batches) if each.turn] == [-(-size // settings.batch)]
    assert all(torch.equal(each.labels[: settings.batch], each.labels[settings.batch :]) for each in batches)


def test_views_are_shifted_and_noised_apart(digits):
    given = batch(digits, Settings(), 0)
    first, second = given.views.chunk(VIEWS)
    assert not torch.equal(first, second)
    images = digits.train.images[:5]
    still = augmented(images, digits.augmentation._replace(shift=0, noise=0.0), torch.Generator())
    assert torch.equal(still, images)
    mirrored = augmented(images.repeat(20, 1, 1, 1), digits.augmentation._replace(shift=0, noise=0.0, flip=True), torch.Generator())
    kinds = {bool(torch.equal(a, b)) for a, b in zip(mirrored, images.repeat(20, 1, 1, 1), strict=True)}
    assert kinds == {True, False}
    assert all(torch.equal(a, b) or torch.equal(a, b.flip(-1)) for a, b in zip(mirrored, images.repeat(20, 1, 1, 1), strict=True))


class Archive:
    """What torchvision's CIFAR10 looks like; a folder without ``batches`` in it is refused in its words."""

    def __init__(self, root, train, download):
        assert not download
        if not Path(root, "batches").exists():
            raise RuntimeError("Dataset not found or corrupted. You can use download=True to download it")
        generator = np.random.default_rng(int(train))
        self.targets = [i % 10 for i in range(200 if train else 60)]
        self.data = generator.integers(0, 256, (len(self.targets), 32, 32, 3), dtype=np.uint8)


def test_cifar_through_torchvision_s_loader(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(sys.modules, "torchvision", ModuleType("torchvision"))
    monkeypatch.setitem(sys.modules, "torchvision.datasets", SimpleNamespace(CIFAR10=Archive))
    arguments = ["train", "arms", "--data", "cifar10", "--folder", str(tmp_path), "-o", str(tmp_path / "out")]
    assert main(arguments) == Exit.BAD_INPUT
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "does not hold cifar10: RuntimeError: Dataset not found or corrupted" in err
    (tmp_path / "batches").touch()
    settings = Settings(data="cifar10", folder=str(tmp_path), factor=10, batch=8)
    found = load(settings)
    assert found.counts.tolist() == profile(20, 8, 10)
    assert (len(found.test.labels), len(found.outside["held-out classes"])) == (48, 12)
    assert batch(found, settings, 0).views.shape == (16, 3, 32, 32)
    assert 0 <= found.train.images.min() <= found.train.images.max() <= 1


def test_a_torchvision_of_another_pytorch_is_one_line(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(sys.modules, "torchvision", None)
    assert main(["train", "forks", "--data", "cifar100", "--folder", str(tmp_path), "-o", str(tmp_path / "out")]) == Exit.BAD_INPUT
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "come with torchvision, which cannot be imported: ModuleNotFoundError" in err
    assert not (tmp_path / "out").exists()


# Host -------------------------------------------------------------------------------------------------------------------


def test_the_class_state_is_the_streaming_mean():
    state, generator = ClassState(3, 8, 0), torch.Generator().manual_seed(0)
    means, counts = state.means.numpy().copy(), state.counts.numpy().copy()
    for _ in range(4):
        features, labels = torch.randn(9, 8, generator=generator), torch.randint(0, 3, (9,), generator=generator)
        state.absorb(features, labels)
        means, counts = accumulate.update(means, counts.astype(int), features.double().numpy(), labels.numpy())
    np.testing.assert_allclose(state.means.numpy(), means, rtol=1e-13)
    assert state.counts.tolist() == counts.tolist()


def test_an_epoch_s_statistics_begin_anew():
    state, features = ClassState(2, 8, 0), torch.randn(6, 8)
    state.absorb(features, torch.tensor([0, 0, 0, 1, 1, 1]))
    state.turn()
    state.absorb(2 * features, torch.tensor([0, 0, 0, 1, 1, 1]))
    assert torch.allclose(state.means[0], 1.5 * features[:3].double().mean(0))
    state.turn()
    assert torch.allclose(state.means[0], 2 * features[:3].double().mean(0))


def test_capped_classes_are_counted():
    """A class of one feature has R = 1; features longer than one do the same."""
    state = ClassState(3, 8, 0)
    state.absorb(torch.nn.functional.normalize(torch.ones(1, 8)), torch.tensor([0]))
    state.absorb(5 * torch.eye(8)[:2], torch.tensor([1, 1]))
    assert state.capped == 2
    assert state.bank.concentrations.tolist()[:2] == pytest.approx([CAP, CAP])
    assert state.bank.concentrations[2] < CAP


@pytest.mark.parametrize("features", ["raw", "unit"])
@pytest.mark.parametrize("rule", ["original", "consistent", "AR_1", "AR_2"])
def test_the_objective_is_patt_s(rule, features):
    """``learning.objective`` at a state of the same statistics."""
    settings = Settings(data="synthetic", dim=16, batch=12, factor=10, features=features)
    learner = Learner(settings, load(settings), rule, torch.float64)
    given = batch(learner.data, settings, 0)
    found = learner.meet(given).detach().requires_grad_()
    loss = learner.loss(learner.scores(found), given.labels)
    (gradient,) = torch.autograd.grad(loss, found)
    entries = {"means": learner.state.means.numpy(), "counts": np.maximum(learner.state.counts.numpy(), 1), "temperature": TEMPERATURE}
    views = {"features": found.detach().numpy().reshape(VIEWS, settings.batch, -1), "labels": given.labels[: settings.batch].numpy()}
    state = states.state({**entries, **views, "priors": learner.log_prior.exp().numpy()}, cap="1e5")
    expected = objective.patt(state, objective.realized(learner.realization))
    assert loss.item() == pytest.approx(expected.loss, rel=1e-9)
    torch.testing.assert_close(gradient.view_as(expected.gradients), expected.gradients / len(given.labels), rtol=1e-6, atol=1e-12)


def test_the_consistent_arm_trains_on_its_own_derivative(monkeypatch):
    """One update with the derivative recursion and one through autograd."""

    def moved():
        learner = Learner(SMALL, load(SMALL), "consistent", torch.float64)
        learner.update(batch(learner.data, SMALL, 0))
        return learner.parameters()

    by_recursion = moved()
    monkeypatch.setitem(rules.RECURRENCES, "consistent", ConsistentByAutograd)
    torch.testing.assert_close(by_recursion, moved(), rtol=1e-9, atol=1e-9)


def test_the_control_rounds_the_derivative_and_nothing_else():
    x = torch.linspace(1, 1e5, 50, dtype=torch.float64)
    control, own = rules.realization("rounded", 63), rules.realization("consistent", 63)
    assert torch.equal(control.potential(x), own.potential(x))
    assert torch.equal(control.derivative(x), own.derivative(x).float().double())
    assert not torch.equal(control.derivative(x), own.derivative(x))


def test_a_loss_that_is_not_finite_ends_the_run():
    learner = Learner(SMALL, load(SMALL), "consistent")
    with torch.no_grad():
        next(learner.encoder.parameters()).fill_(float("nan"))
    with pytest.raises(ValueError, match="arm consistent, seed 0: a loss is nan"):
        learner.update(batch(learner.data, SMALL, 0))


# Metrics ----------------------------------------------------------------------------------------------------------------


def test_detection_by_counting():
    generator = torch.Generator().manual_seed(1)
    inside, outside = (torch.randint(0, 12, (n,), generator=generator).double() + shift for n, shift in ((60, 2.0), (40, 0.0)))
    auroc, fpr = detection(inside, outside)
    pairs = inside[:, None] - outside[None]
    assert auroc == pytest.approx(float((pairs > 0).double().mean() + (pairs == 0).double().mean() / 2))
    thresholds = [t for t in inside.tolist() if (inside >= t).double().mean() >= 0.95]
    assert fpr == pytest.approx(float((outside >= max(thresholds)).double().mean()))


def test_the_paired_test_is_student_s():
    from scipy.stats import t

    a, b = [81.0, 83.5, 80.0, 84.0], [80.0, 83.0, 80.5, 82.0]
    differences = np.array(a) - np.array(b)
    statistic = differences.mean() / (differences.std(ddof=1) / np.sqrt(4))
    found = paired(a, b)
    assert found["p"] == pytest.approx(2 * t.sf(abs(statistic), 3))
    assert found["difference"] == pytest.approx(differences.mean())
    assert found["half_width"] == pytest.approx(t.ppf(0.975, 3) * differences.std(ddof=1) / 2)
    assert paired(a, a) == {"difference": 0.0, "half_width": None, "p": None}


def test_holm_s_correction_by_its_definition():
    """The hypotheses rejected at any level are those that the step-down procedure rejects."""
    given = [0.01, 0.04, 0.011, 0.2, None]
    tests = {index: {"p": p, "difference": 0.0} for index, p in enumerate(given)}
    holm(tests)
    ordered = sorted(p for p in given if p is not None)
    for level in (0.02, 0.05, 0.1, 0.3):
        rejected = 0
        while rejected < len(ordered) and ordered[rejected] <= level / (len(ordered) - rejected):
            rejected += 1
        assert {
            p for p, test in zip(given, tests.values(), strict=True) if test["adjusted"] is not None and test["adjusted"] <= level
        } == set(ordered[:rejected])
    assert [test["verdict"] for test in tests.values()] == ["difference", "noise", "difference", "noise", "equal"]


def test_a_comparison_pairs_runs_by_seed():
    names = ("accuracy", "AUROC, held-out classes", "FPR95, held-out classes", "AUROC, shuffled pixels", "FPR95, shuffled pixels")
    runs = [
        {"factor": 10, "arm": arm, "seed": seed, "metrics": dict.fromkeys(names, 10.0 * seed + gain * (1 + seed % 2 / 100))}
        for seed in (4, 1, 0, 3, 2)
        for arm, gain in (("original", 0.0), ("consistent", 0.0), ("AR_1", 1.0))
    ]
    for row in compare(runs):
        assert row["arms"]["consistent"]["test"]["verdict"] == "equal"
        assert row["arms"]["AR_1"]["test"]["verdict"] == "difference"
        assert row["arms"]["original"]["values"] == [0.0, 10.0, 20.0, 30.0, 40.0]
    alone = compare([run for run in runs if run["seed"] == 1])
    assert {row["arms"]["AR_1"]["test"]["verdict"] for row in alone} == {"untested"}
