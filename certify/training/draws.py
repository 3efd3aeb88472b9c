"""Random numbers that depend on what they are for, and on nothing that was drawn before."""

from __future__ import annotations

import hashlib

import torch


def generator(purpose: str, *key: int) -> torch.Generator:
    """A generator seeded by the purpose and the numbers: the same at every call, whatever else has run."""
    digest = hashlib.sha256(f"{purpose} {' '.join(map(str, key))}".encode()).digest()
    return torch.Generator().manual_seed(int.from_bytes(digest[:8], "big") >> 1)
