"""Long-tailed data with sets beside them that belong to no class of theirs.

The last fifth of the classes is held out: its images are the first outside set, and those of the test set with their pixels shuffled the
second. Of the other classes, class j keeps n_j = ⌊n_0 f^(−j/(K−1))⌋ training images, f the factor, one at least (Cui et al. 2019).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

from certify.claims.exits import BadInput
from certify.claims.text import one_line
from certify.training.draws import generator, seeded
from certify.training.settings import Absent, Settings, vision

HELD_OUT = 5
"""One class in so many."""

TESTED = 50
"""Images of each class in the test set, where the source has no test set of its own."""

MIXTURE, PIXELS, PER_CLASS = 300.0, 8, 150
"""The synthetic data: concentration, side of an image, images of each of ten classes."""


class Labelled(NamedTuple):
    """Images N×C×H×W in float32 and their labels."""

    images: Tensor
    labels: Tensor


class Augmentation(NamedTuple):
    """Shifts by up to so many pixels, mirrored or not, with noise of that standard deviation."""

    shift: int
    flip: bool
    noise: float


@dataclass(frozen=True)
class Data:
    """``outside`` are images of other kinds, by the name of their set."""

    train: Labelled
    test: Labelled
    outside: dict[str, Tensor]
    augmentation: Augmentation

    @property
    def counts(self) -> Tensor:
        """n_j, training images of each class."""
        return torch.bincount(self.train.labels)

    def to(self, device: str) -> Data:
        """The training set stays where batches are drawn."""
        test = Labelled(*(part.to(device) for part in self.test))
        return Data(self.train, test, {name: images.to(device) for name, images in self.outside.items()}, self.augmentation)

    def summary(self) -> dict[str, Any]:
        """Sizes, and the digest of all that is used."""
        parts = [*self.train, *self.test, *self.outside.values()]
        total = hashlib.sha256(b"".join(part.contiguous().numpy().tobytes() for part in parts))
        outside = {name: len(images) for name, images in self.outside.items()}
        return {"train": self.counts.tolist(), "test": len(self.test.labels), "outside": outside, "sha256": total.hexdigest()}


def load(settings: Settings) -> Data:
    """The data of a run. Raises BadInput, one line, where they cannot be read."""
    source, augmentation = SOURCES[settings.data]
    train, test = source(settings)
    classes = int(train.labels.max()) + 1
    inside = classes - classes // HELD_OUT
    if test is None:
        train, test = _split(train, inside, settings.seed)
    held_out = test.images[test.labels >= inside]
    kept = Labelled(*(part[test.labels < inside] for part in test))
    outside = {"held-out classes": held_out, "shuffled pixels": _shuffled(kept.images, settings.seed)}
    return Data(_long_tail(train, inside, settings), kept, outside, augmentation)


def profile(most: int, classes: int, factor: int) -> list[int]:
    """n_j = ⌊n_0 f^(−j/(K−1))⌋, one at least."""
    return [max(1, int(most * factor ** (-j / max(classes - 1, 1)))) for j in range(classes)]


def _long_tail(train: Labelled, classes: int, settings: Settings) -> Labelled:
    found = [_of_class(train.labels, j, "tail", settings.seed) for j in range(classes)]
    sizes = profile(min(map(len, found)), classes, settings.factor)
    chosen = torch.cat([indices[:size] for indices, size in zip(found, sizes, strict=True)])
    return Labelled(train.images[chosen], train.labels[chosen])


def _split(all: Labelled, inside: int, seed: int) -> tuple[Labelled, Labelled]:
    """The test set gets ``TESTED`` images of each class that is kept, and all of the others."""
    orders = [_of_class(all.labels, j, "split", seed) for j in range(int(all.labels.max()) + 1)]
    test = torch.cat([order[:TESTED] if j < inside else order for j, order in enumerate(orders)])
    train = torch.cat([order[TESTED:] for order in orders[:inside]])
    return Labelled(all.images[train], all.labels[train]), Labelled(all.images[test], all.labels[test])


def _of_class(labels: Tensor, j: int, purpose: str, seed: int) -> Tensor:
    """The indices of a class, in random order."""
    indices = torch.nonzero(labels == j).reshape(-1)
    return indices[torch.randperm(len(indices), generator=generator(purpose, seed, j))]


def _shuffled(images: Tensor, seed: int) -> Tensor:
    """Each image's pixels in an order of its own."""
    flat = images.flatten(2)
    order = torch.rand(flat.shape[0], flat.shape[2], generator=generator("pixels", seed)).argsort(1)
    return flat.gather(2, order[:, None].expand_as(flat)).view_as(images)


def _digits(settings: Settings) -> tuple[Labelled, None]:
    """Handwritten digits of the UCI repository, 1797 images of 8×8 pixels, as scikit-learn ships them."""
    try:
        from sklearn.datasets import load_digits
    except ImportError:
        raise Absent("the digits come with scikit-learn, which is not installed") from None
    images, labels = load_digits(return_X_y=True)
    return Labelled(torch.from_numpy(images / 16).float().view(-1, 1, 8, 8), torch.from_numpy(labels).long()), None


def _synthetic(settings: Settings) -> tuple[Labelled, None]:
    """Unit vectors of ten von Mises–Fisher distributions around random directions, as images."""
    from certify.vmf.sampling import around, complement_of_cosine

    labels = torch.arange(10).repeat_interleave(PER_CLASS)
    with seeded(settings.seed):
        directions = torch.nn.functional.normalize(torch.randn(10, PIXELS**2, dtype=torch.float64), dim=1)
        cosines = complement_of_cosine(torch.full((len(labels),), MIXTURE, dtype=torch.float64), PIXELS**2)
        vectors = around(directions[labels], cosines)
    return Labelled(vectors.float().view(-1, 1, PIXELS, PIXELS), labels), None


def _cifar(name: str) -> Callable[[Settings], tuple[Labelled, Labelled]]:
    def read(settings: Settings) -> tuple[Labelled, Labelled]:
        assert settings.folder is not None
        if not Path(settings.folder).is_dir():
            raise BadInput(f"no folder {settings.folder!r}: --folder names the one in which {name}'s archive lies unpacked")
        datasets = vision("torchvision.datasets")
        try:
            parts = [getattr(datasets, name.upper())(settings.folder, train=train, download=False) for train in (True, False)]
        except Exception as error:  # whatever a damaged or foreign archive makes the loader raise
            raise BadInput(f"{settings.folder!r} does not hold {name}: {one_line(error)}") from None
        return _labelled(parts[0]), _labelled(parts[1])

    return read


def _labelled(part: Any) -> Labelled:
    images = torch.from_numpy(part.data).permute(0, 3, 1, 2).contiguous().float() / 255
    return Labelled(images, torch.as_tensor(part.targets, dtype=torch.int64))


SMALL, NATURAL = Augmentation(1, False, 0.1), Augmentation(4, True, 0.0)
SOURCES: dict[str, tuple[Callable[[Settings], tuple[Labelled, Labelled | None]], Augmentation]] = {
    "digits": (_digits, SMALL),
    "synthetic": (_synthetic, SMALL),
    "cifar10": (_cifar("cifar10"), NATURAL),
    "cifar100": (_cifar("cifar100"), NATURAL),
}
