"""What is measured, and what is refused before anything is allocated."""

from __future__ import annotations

import os
from dataclasses import dataclass

import torch

from certify.claims.exits import BadInput

DTYPES = {"float32": torch.float32, "float64": torch.float64}
VIEWS = 2
MIB = 1 << 20


@dataclass(frozen=True)
class Settings:
    """The protocol's parameters; the defaults are the paper's. Raises BadInput, one line, for what cannot be run.

    ``threads`` are those that PyTorch uses on the CPU, 0 for as many as it chooses: on a machine with other work one thread
    measures better than two that wait for each other.
    """

    device: str = "cpu"
    batch: int = 32
    classes: int = 1000
    dim: int = 1024
    dtype: str = "float32"
    warmups: int = 3
    repeats: int = 7
    seed: int = 3407
    threads: int = 0

    def __post_init__(self) -> None:
        if self.device not in ("cpu", "cuda"):
            raise BadInput(f"device {self.device!r}: cpu or cuda is accepted")
        if self.dtype not in DTYPES:
            raise BadInput(f"dtype {self.dtype!r}: choose from {', '.join(DTYPES)}")
        for name, least in (("batch", 1), ("classes", 2), ("dim", 4), ("warmups", 0), ("repeats", 1), ("seed", 0), ("threads", 0)):
            value = getattr(self, name)
            if value < least:
                raise BadInput(f"{name} = {value}: at least {least} is accepted")
        if self.dim % 2:
            raise BadInput(f"dim = {self.dim}: the recurrences need an even dimension, as nu = dim/2 - 1 must be whole")
        if self.threads > (cores := os.cpu_count() or 1):
            raise BadInput(f"threads = {self.threads}: at most {cores}, the cores of this machine, are accepted")
        if self.seed >= 1 << 32:
            raise BadInput(f"seed = {self.seed}: below 2^32 is accepted")
        if self.device == "cuda" and not torch.cuda.is_available():
            raise BadInput("device cuda: this PyTorch finds no CUDA device")

    @property
    def geometry(self) -> torch.dtype:
        return DTYPES[self.dtype]

    @property
    def order(self) -> int:
        """ν = p/2 − 1."""
        return self.dim // 2 - 1

    @property
    def itemsize(self) -> int:
        return self.geometry.itemsize


def dense_bytes(settings: Settings) -> int:
    """One B×K×p tensor of the geometry's dtype."""
    return settings.batch * settings.classes * settings.dim * settings.itemsize


def predicted_bytes(settings: Settings) -> int:
    """The most that a row allocates: the bank and its copies, and the larger of

    the dense layout's tensors (five of them at once: two of assignment, the resultants of both views, a gradient) and the
    consistent recurrence's graph (four B×K arrays of float64 a step, two views, beside the resultants).
    """
    scalars = settings.batch * settings.classes * 8
    bank = 6 * settings.classes * settings.dim * settings.itemsize
    resultants = VIEWS * dense_bytes(settings)
    return bank + resultants + max(3 * dense_bytes(settings), VIEWS * 4 * 2 * settings.order * scalars) + 64 * scalars


def refuse_if_too_large(settings: Settings) -> None:
    """Raise BadInput where the prediction exceeds what the device has free."""
    needed, free = predicted_bytes(settings), free_bytes(settings.device)
    if needed > free:
        sizes = f"batch {settings.batch}, classes {settings.classes}, dim {settings.dim}"
        memory = f"need about {needed / MIB:.0f} MiB, and {settings.device} has {free / MIB:.0f} MiB free"
        raise BadInput(f"{sizes} {memory}: choose smaller sizes")


def free_bytes(device: str) -> int:
    """Memory that is free on the device now."""
    if device == "cuda":
        return torch.cuda.mem_get_info()[0]
    return _available() or os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")


def _available() -> int:
    """Linux's estimate of what can be allocated without swapping, where there is one."""
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            found = [line.split()[1] for line in lines if line.startswith("MemAvailable:")]
    except OSError:
        found = []
    return int(found[0]) * 1024 if found else 0
