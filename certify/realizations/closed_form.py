"""AR/FR in FP64 (NumPy): the potential F_R and its derivative A_R, both in closed form and of fixed depth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class ClosedForm:
    """F_R by its stable difference and A_R, written in s = √(x²+ν²), t = ν/s and y = x/s so that no power overflows."""

    order: float
    name: ClassVar[str] = "AR/FR"
    dtype: ClassVar[str] = "float64"
    domain: ClassVar[str] = "x >= 0, nu > 0, below a quarter of the largest float"

    def difference(self, a: NDArray, b: NDArray) -> NDArray:
        """F_R(b) − F_R(a), from the end with the smaller s: from the larger one, Δ/(ν+s) can round to −1."""
        low, high = np.minimum(a, b), np.maximum(a, b)
        s0, s1 = np.hypot(low, self.order), np.hypot(high, self.order)
        delta = (high - low) * ((high + low) / (s1 + s0))
        t0, t1 = self.order / s0, self.order / s1
        correction = delta / s0 / s1 * (5 / 24 * (t0 * t0 + t0 * t1 + t1 * t1) - 0.125)
        logarithms = self.order * np.log1p(delta / (self.order + s0)) + 0.5 * np.log1p(delta / s0)
        return np.copysign(1.0, b - a) * (delta - logarithms + correction)

    def derivative(self, x: NDArray) -> NDArray:
        """A_R(x) = x/(ν+s) − x/(2s²) + x(4ν²−x²)/(8s⁵)."""
        s = np.hypot(x, self.order)
        e, t = 1 / s, self.order / s
        return x / (self.order + s) - x / s * e * (0.5 - e * (5 * t * t - 1) / 8)

    def regime(self, x: NDArray) -> NDArray:
        return np.full(np.shape(x), "closed form")
