"""The stream of batches: batch t is a function of the data, the seed and t alone, so that arms share it and a run can go on anywhere."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from certify.training.data import Augmentation, Data
from certify.training.draws import generator
from certify.training.settings import VIEWS, Settings


class Batch(NamedTuple):
    """``views`` V·B×C×H×W, view after view, with their ``labels`` V·B; ``turn``: an epoch has ended before it."""

    views: Tensor
    labels: Tensor
    turn: bool


def batch(data: Data, settings: Settings, step: int) -> Batch:
    """Batch ``step`` of the endless sequence of shuffled epochs, in two augmented views."""
    size, first = len(data.train.labels), step * settings.batch
    indices = torch.cat([_order(size, settings.seed, epoch) for epoch in range(first // size, (first + settings.batch - 1) // size + 1)])
    chosen = indices[first % size : first % size + settings.batch]
    draws = generator("views", settings.seed, step)
    views = torch.cat([augmented(data.train.images[chosen], data.augmentation, draws) for _ in range(VIEWS)])
    turn = step > 0 and first // size > (first - settings.batch) // size
    return Batch(views.to(settings.device), data.train.labels[chosen].repeat(VIEWS).to(settings.device), turn)


def augmented(images: Tensor, augmentation: Augmentation, draws: torch.Generator) -> Tensor:
    """Each image shifted, zeros moving in, mirrored and noised on its own."""
    shift, flip, noise = augmentation
    count, _, height, width = images.shape
    padded = torch.nn.functional.pad(images, (shift,) * 4)
    down, right = torch.randint(0, 2 * shift + 1, (2, count), generator=draws)
    rows, columns = down[:, None] + torch.arange(height), right[:, None] + torch.arange(width)
    if flip:
        mirrored = torch.rand(count, generator=draws) < 0.5
        columns = torch.where(mirrored[:, None], columns.flip(1), columns)
    moved = padded.permute(0, 2, 3, 1)[torch.arange(count)[:, None, None], rows[:, :, None], columns[:, None, :]].permute(0, 3, 1, 2)
    return (moved + noise * torch.randn(moved.shape, generator=draws) if noise else moved).contiguous()


def _order(size: int, seed: int, epoch: int) -> Tensor:
    return torch.randperm(size, generator=generator("epoch", seed, epoch))
