"""Inputs to try: log-uniform around the order and over all exponents, the ends of the domain, and where programs change their ways."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from certify.studies.production.balls import Array

NEAR, ALL = 0.75, 0.1
"""Shares: within 2^±20 of ν + 1, and of all exponents; the rest is around powers of two and ν."""
POWERS = 20.0
CLOSE = 64
"""Of the neighbours of a float, how far away."""
CLAMPS = (2.0**60, 2.0**500)
"""Of ``vmf.kernel.X_MAX``."""


@dataclass(frozen=True)
class Source:
    """Numbers of one dtype from 0 to ``largest``, as doubles."""

    dtype: torch.dtype
    largest: float
    generator: np.random.Generator

    def held(self, values: Array) -> Array:
        """Rounded to the dtype, and those beyond the domain left at its end."""
        tensor = torch.from_numpy(np.minimum(np.abs(values), self.largest)).to(self.dtype).double()
        return np.minimum(tensor.numpy(), self.largest)

    def arguments(self, nu: float, count: int) -> Array:
        """So many numbers, the ends of the domain first."""
        ends = self.ends(nu)
        rest = max(count - len(ends), 0)
        near, everywhere = int(rest * NEAR), int(rest * ALL)
        found = (ends, self.near(nu, near), self.everywhere(everywhere), self.sharp(nu, rest - near - everywhere))
        return self.held(np.concatenate(found))[:count]

    def ends(self, nu: float) -> Array:
        info = torch.finfo(self.dtype)
        least = info.smallest_normal
        clamps = [clamp * factor for clamp in CLAMPS for factor in (1 - info.eps, 1, 1 + info.eps)]
        values = [0, least * info.eps, least * (1 - info.eps), least, 1, nu, nu + 1, self.largest / 2, self.largest, *clamps]
        return np.array([value for value in values if value <= self.largest])

    def near(self, nu: float, count: int) -> Array:
        return (nu + 1) * np.exp2(self.generator.uniform(-POWERS, POWERS, count))

    def everywhere(self, count: int) -> Array:
        info = torch.finfo(self.dtype)
        low, high = np.log2(info.smallest_normal * info.eps), np.log2(self.largest)
        return np.exp2(self.generator.uniform(low, high, count))

    def sharp(self, nu: float, count: int) -> Array:
        scale = np.where(self.generator.random(count) < 1 / 2, 1.0, nu + 1) * np.exp2(np.round(self.generator.uniform(-12, 12, count)))
        return self.beside(scale)

    def beside(self, values: Array) -> Array:
        """Neighbours of the values, up to ``CLOSE`` floats away."""
        eps = float(torch.finfo(self.dtype).eps)
        return self.held(values * (1 + eps * self.generator.integers(-CLOSE, CLOSE + 1, values.shape)))

    def around(self, values: Array, count: int) -> Array:
        """Half of them beside one of the values, half within a few percent of one."""
        chosen = self.generator.choice(values, count)
        wide = chosen * np.exp2(self.generator.normal(0, 0.05, count))
        return np.where(self.generator.random(count) < 1 / 2, self.beside(chosen), self.held(wide))


def tensors(arguments: tuple[Array, ...], dtype: torch.dtype, device: str) -> tuple[Any, ...]:
    return tuple(torch.from_numpy(np.ascontiguousarray(array)).to(dtype).to(device) for array in arguments)
