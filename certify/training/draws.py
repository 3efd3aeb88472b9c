"""Random numbers that depend on what they are for, and on nothing that was drawn before."""

from __future__ import annotations

import contextlib
import hashlib
import threading
from collections.abc import Iterator

import torch

_GLOBAL = threading.Lock()


def generator(purpose: str, *key: int) -> torch.Generator:
    """A generator seeded by the purpose and the numbers: the same at every call, whatever else has run."""
    digest = hashlib.sha256(f"{purpose} {' '.join(map(str, key))}".encode()).digest()
    return torch.Generator().manual_seed(int.from_bytes(digest[:8], "big") >> 1)


@contextlib.contextmanager
def seeded(seed: int) -> Iterator[None]:
    """PyTorch's own generator, for what takes no other, seeded inside and as it was afterwards; one thread at a time."""
    with _GLOBAL, torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield
