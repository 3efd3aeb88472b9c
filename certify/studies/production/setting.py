"""The settings in which a primitive is tried: the order ν, that of the closed form, and the dtype; and what rounding costs in each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import torch

from certify.studies.production.balls import Array, Balls, balls
from certify.studies.production.closed_form import ClosedForm
from certify.studies.production.reference import Reference
from certify.vmf.plan import LEAST, plan

DIGITS = 30
HALF = (torch.bfloat16, torch.float16)
DIMENSIONS = (2, 3, 4, 5, 10, 31, 64, 101, 128, 513, 4096, 10**6)
OF_FLOAT16 = 4096
"""Beyond this dimension Φ_ν(0) is no number of float16."""
ORDERS = (0.0, 4.0, 63.0, 2047.5)
"""Added to the least order of each closed form."""
FAR, CLOSE = 2.0**199, 2.0**-449
"""Between them neither s nor x² over- or underflows."""

Orders = list[tuple[float, int | None]]


@dataclass(frozen=True)
class Setting:
    """The order ν, and that of the closed form where one is asked for; the dtype of the arguments."""

    nu: float
    dtype: torch.dtype
    order: int | None = None

    @property
    def compute(self) -> torch.dtype:
        return torch.float32 if self.dtype in HALF else self.dtype

    @property
    def form(self) -> str:
        return str(self.compute).removeprefix("torch.")

    @property
    def u(self) -> float:
        return float(torch.finfo(self.compute).eps) / 2

    def stored(self, value: Array) -> Array:
        """What was lost at most when the value was rounded to its dtype: half the distance to the next number of it."""
        if self.dtype not in HALF:
            return np.zeros_like(value)
        info = torch.finfo(self.dtype)
        _, exponent = np.frexp(np.where(np.isfinite(value), value, 0))
        spacing = np.maximum(np.ldexp(float(info.eps), exponent - 1), float(info.smallest_normal * info.eps))
        return spacing / 2

    @property
    def top(self) -> float:
        """N, the order from which the program of a potential descends to ν."""
        return self.nu + plan("potential", self.compute, self.nu, None, self.order, None).steps

    def least(self) -> float:
        """What underflow may do to a result: to each of the logarithms that are added up on the way down, and to the closed form."""
        info = torch.finfo(self.compute)
        return 64 * (1 + self.top) * float(info.smallest_normal * info.eps)

    def reference(self, x: Balls | Array) -> Reference:
        return Reference(self.nu, x, self.form)

    def closed_form(self, x: Array) -> ClosedForm:
        assert self.order is not None
        return ClosedForm(self.order, balls(np.full_like(x, self.nu)), balls(x))

    def s(self, x: Array) -> Array:
        return np.hypot(x, self.nu + 1)


def dimensions(dtype: torch.dtype) -> Orders:
    """The order of each dimension."""
    return [(p / 2 - 1, None) for p in DIMENSIONS]


def small_constants(dtype: torch.dtype) -> Orders:
    """Those at which Φ_ν(0) is a number of the dtype."""
    return [(p / 2 - 1, None) for p in DIMENSIONS if dtype != torch.float16 or p <= OF_FLOAT16]


def rungs(least: Callable[[int], Fraction]) -> Callable[[torch.dtype], Orders]:
    """Orders from the least one on, for each closed form of the ladder."""
    return lambda dtype: [(float(least(n)) + more, n) for n in range(len(LEAST)) for more in ORDERS]
