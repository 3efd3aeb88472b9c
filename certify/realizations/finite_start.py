"""The original recurrence: the finite-start forward Φ̃_{ν,M} with the backward min(R̃_{ν,M}, 1), in FP64."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from certify.exact import recurrence


@dataclass(frozen=True)
class FiniteStart:
    """``order`` is a whole number ν and ``start`` the M ≥ ν of b_M = 1; M = 2ν unless given."""

    order: int
    start: int | None = None
    name: ClassVar[str] = "finite-start recurrence, clipped backward"
    dtype: ClassVar[str] = "float64"
    domain: ClassVar[str] = "1e-300 <= x <= 1e300"

    @property
    def first(self) -> int:
        return 2 * self.order if self.start is None else self.start

    def difference(self, a: NDArray, b: NDArray) -> NDArray:
        return recurrence.potential(self.order, self.first, b) - recurrence.potential(self.order, self.first, a)

    def derivative(self, x: NDArray) -> NDArray:
        return np.minimum(recurrence.ratio(self.order, self.first, x), 1.0)

    def regime(self, x: NDArray) -> NDArray:
        return np.where(recurrence.ratio(self.order, self.first, x) > 1, "clipped", "below the clip")
