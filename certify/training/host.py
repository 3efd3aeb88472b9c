"""The host model: an encoder, and the class state that the scores of its features are taken against."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize, one_hot

from certify.training.draws import generator, seeded
from certify.training.settings import CAP, Settings, vision
from certify.vmf.structured import Bank, weigh

HIDDEN = 256
UNSEEN = 0.9
"""Length of the random mean of a class without features, as in the public code."""


def encoder(settings: Settings, shape: tuple[int, ...]) -> nn.Module:
    """From images C×H×W to p features ≥ 0, initialised by the seed (He et al. 2015): one hidden layer, or ResNet18 for CIFAR."""
    with seeded(settings.seed):
        found = _resnet(settings.dim) if settings.data.startswith("cifar") else _perceptron(shape, settings.dim)
    return found.to(settings.device)


def _perceptron(shape: tuple[int, ...], dimension: int) -> nn.Module:
    layers = nn.Linear(torch.Size(shape).numel(), HIDDEN), nn.Linear(HIDDEN, dimension)
    for layer in layers:
        nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
        nn.init.zeros_(layer.bias)
    return nn.Sequential(nn.Flatten(), layers[0], nn.ReLU(), layers[1], nn.ReLU())


def _resnet(dimension: int) -> nn.Module:
    """With a stem of 3×3 and no pooling before the blocks, as is usual at 32×32 pixels."""
    found = vision("torchvision.models").resnet18(num_classes=dimension)
    found.conv1, found.maxpool = nn.Conv2d(3, 64, 3, padding=1, bias=False), nn.Identity()
    return nn.Sequential(found, nn.ReLU())


class ClassState(nn.Module):
    """Means and counts of the features seen of each class since the epoch before began; float64.

    As in the public code two statistics absorb every batch; at an epoch's end the one that began with it takes the place of the one that
    serves, and begins anew.
    """

    means: Tensor
    counts: Tensor
    next_means: Tensor
    next_counts: Tensor

    def __init__(self, classes: int, dimension: int, seed: int) -> None:
        super().__init__()
        directions = torch.randn(classes, dimension, dtype=torch.float64, generator=generator("means", seed))
        for prefix in ("", "next_"):
            self.register_buffer(f"{prefix}means", UNSEEN * normalize(directions, dim=1))
            self.register_buffer(f"{prefix}counts", torch.zeros(classes, dtype=torch.float64))

    @torch.no_grad()
    def absorb(self, features: Tensor, labels: Tensor) -> None:
        """a ← a + (Σ f − m a)/(n + m), n ← n + m, for the m features of each class."""
        alike = one_hot(labels, len(self.counts)).to(torch.float64)
        sums, arrived = alike.T @ features.to(torch.float64), alike.sum(0)
        for prefix in ("", "next_"):
            means, counts = getattr(self, f"{prefix}means"), getattr(self, f"{prefix}counts")
            counts += arrived
            means += (sums - arrived[:, None] * means) / counts.clamp_min(1)[:, None]

    def turn(self) -> None:
        """An epoch has ended."""
        self.means.copy_(self.next_means)
        self.counts.copy_(self.next_counts)
        self.next_counts.zero_()

    @property
    def bank(self) -> Bank:
        """With every κ at most ``CAP``, and at it where R ≥ 1."""
        return Bank(self.means, self.counts, *weigh(self.means, CAP))

    @property
    def capped(self) -> int:
        """The number of classes with κ = ``CAP``."""
        square = self.means.square().sum(1)
        return int((self.means.shape[1] * square.sqrt() >= CAP * (1 - square)).sum())
