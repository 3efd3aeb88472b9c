"""Floating-point formats: the constants of a dtype, its units in the last place, and bisection over its numbers.

Numbers of every format are held in float64 arrays, which contain all of float32, float16 and bfloat16.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

Floats = NDArray[np.float64]
POPULATED = 40  # values that show a format
LAST_USED = 0.2  # share of them whose last place is odd
WORDS = {8: torch.int64, 4: torch.int32, 2: torch.int16}


@dataclass(frozen=True)
class Precision:
    """A binary format: ``bits`` of significand, spacing ``eps`` at one, smallest normal and subnormal, largest number."""

    name: str
    dtype: torch.dtype
    bits: int
    eps: float
    smallest: float
    least: float
    largest: float

    def round(self, x: Floats) -> Floats:
        """The nearest numbers of the format."""
        if self.dtype is torch.float64:
            return np.asarray(x, dtype=np.float64)
        return torch.as_tensor(np.asarray(x, dtype=np.float64)).to(self.dtype).double().numpy()

    def ulp(self, x: Floats) -> Floats:
        """The spacing of the format at x, the least number at 0; inf and nan give the spacing at one."""
        _, exponent = np.frexp(np.where(np.isfinite(x), x, 1.0))
        return np.where(x == 0, self.least, np.maximum(np.ldexp(self.eps, exponent - 1), self.least))


def _precision(dtype: torch.dtype) -> Precision:
    info = torch.finfo(dtype)
    bits = 1 - int(np.log2(info.eps))
    return Precision(str(dtype).removeprefix("torch."), dtype, bits, info.eps, info.tiny, info.tiny * info.eps, info.max)


PRECISIONS = {
    str(dtype).removeprefix("torch."): _precision(dtype) for dtype in (torch.float64, torch.float32, torch.bfloat16, torch.float16)
}


def precision(dtype: torch.dtype | str) -> Precision:
    """The format of a dtype or of its name. Raises ValueError for any other."""
    name = str(dtype).removeprefix("torch.")
    if name not in PRECISIONS:
        raise ValueError(f"dtype {name!r}: use one of {', '.join(PRECISIONS)}")
    return PRECISIONS[name]


def effective(y: Floats, format: Precision) -> Precision:
    """The shortest format whose numbers the values are, and whose last place they use at most sizes.

    Values on a grid of fixed spacing, such as quantized ones, use it at their largest size only: they keep their format.
    """
    y = y[np.isfinite(y) & (y != 0)]
    octave = np.frexp(y)[1]
    for shorter in sorted(PRECISIONS.values(), key=lambda one: -one.eps):
        if shorter.eps <= format.eps or y.size < POPULATED or not np.array_equal(shorter.round(y), y):
            continue
        odd = np.mod(y / shorter.ulp(y), 2) == 1
        sizes = [odd[octave == k].mean() for k in np.unique(octave) if (octave == k).sum() >= POPULATED // 4]
        if len(sizes) > 2 and np.median(sizes) > LAST_USED:
            return shorter
    return format


def middle(a: Floats, b: Floats, format: Precision) -> Floats:
    """The number of the format halfway from a to b in the order of all its numbers; a or b where they are neighbours."""
    low, high = _rank(a, format), _rank(b, format)
    return _number(low // 2 + high // 2 + (low & high & 1), format)


def _rank(x: Floats, format: Precision) -> NDArray[np.int64]:
    """Positions in the order of the numbers of the format; both zeros have position 0."""
    bits = torch.as_tensor(np.asarray(x, dtype=np.float64)).to(format.dtype).view(WORDS[format.dtype.itemsize])
    return torch.where(bits < 0, torch.iinfo(bits.dtype).min - bits, bits).long().numpy()


def _number(rank: NDArray[np.int64], format: Precision) -> Floats:
    bits = torch.as_tensor(rank).to(WORDS[format.dtype.itemsize])
    return torch.where(bits < 0, torch.iinfo(bits.dtype).min - bits, bits).view(format.dtype).double().numpy()
