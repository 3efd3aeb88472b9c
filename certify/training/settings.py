"""What is trained, and what is refused before anything is."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

import torch

from certify.claims.exits import BadInput
from certify.claims.text import one_line
from certify.training.rules import SHARED, realization

DATA = ("digits", "cifar10", "cifar100", "synthetic")
DEVICES = ("cpu", "cuda")
FEATURES = ("raw", "unit")
FORKED = (*SHARED, "AR_1")

VIEWS = 2
TEMPERATURE = 0.1
CAP = 1e5
"""Of κ, as in the public code."""
RATE = 1e-3
"""Of Adam."""
FIXED = {"views": VIEWS, "temperature": TEMPERATURE, "cap": CAP, "rate": RATE}


class Absent(BadInput):
    """Data, a library or a record that is not here."""


@dataclass(frozen=True)
class Settings:
    """One run. ``factor`` is the largest class over the smallest, ``dim`` the features' p, ``folder`` where CIFAR lies.

    ``features`` are the encoder's last ReLU: *raw*, as PATT takes them, so that means are longer than one and every κ is at the cap, or
    *unit*, as ProCo does, so that κ = pR/(1 − R²) follows the spread of each class.

    Raises BadInput, one line, for what cannot be run.
    """

    data: str = "digits"
    factor: int = 100
    dim: int = 128
    batch: int = 64
    steps: int = 1000
    seed: int = 0
    device: str = "cpu"
    features: str = "raw"
    arms: tuple[str, ...] = FORKED
    folder: str | None = None

    def __post_init__(self) -> None:
        _choose("data", self.data, DATA)
        _choose("device", self.device, DEVICES)
        _choose("features", self.features, FEATURES)
        for name, least, most in (("factor", 1, 10**6), ("dim", 4, 4096), ("batch", 2, 4096), ("steps", 1, 10**6), ("seed", 0, 2**32 - 1)):
            value = getattr(self, name)
            if not least <= value <= most:
                raise BadInput(f"{name} = {value}: {least} to {most} is accepted")
        if self.dim % 2:
            raise BadInput(f"dim = {self.dim}: the recurrences need an even dimension, as nu = dim/2 - 1 must be whole")
        if self.device == "cuda" and not torch.cuda.is_available():
            raise BadInput("device cuda: this PyTorch finds no CUDA device")
        for arm in self.arms:
            realization(arm, self.order)
        if not self.arms or len(set(self.arms)) < len(self.arms):
            raise BadInput("arms: different ones are accepted, one at least")
        if self.data.startswith("cifar") and self.folder is None:
            raise BadInput(f"data {self.data}: name the folder that holds it with --folder DIR")

    @property
    def order(self) -> int:
        """ν = p/2 − 1."""
        return self.dim // 2 - 1

    def plain(self) -> dict[str, Any]:
        """What the results depend on; where the data lie is no part of it."""
        found = {**asdict(self), "arms": list(self.arms), **FIXED}
        del found["folder"]
        return found


def _choose(name: str, value: str, accepted: tuple[str, ...]) -> None:
    if value not in accepted:
        raise BadInput(f"{name} {value!r}: choose from {', '.join(accepted)}")


def vision(name: str) -> ModuleType:
    """A module of torchvision. Raises Absent where it is not installed, or not the one that belongs to this PyTorch."""
    try:
        return import_module(name)
    except Exception as error:  # RuntimeError, where its operators were built for another PyTorch
        raise Absent(f"CIFAR and ResNet18 come with torchvision, which cannot be imported: {one_line(error)}") from None
