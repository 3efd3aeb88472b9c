"""The grid of Tables 5 and 6: seven dimensions and 61 log-spaced concentrations x/ν from 10⁻³ to 10³."""

from __future__ import annotations

import numpy as np
from flint import arb, fmpq
from numpy.typing import NDArray

from certify.exact.ball import working_precision

DIMENSIONS = (64, 128, 256, 512, 1024, 2048, 4096)
POINTS = 61


def order(p: int) -> int:
    """ν = p/2 − 1."""
    return p // 2 - 1


def concentrations(p: int) -> NDArray[np.float64]:
    """The doubles nearest to ν·10^(k/10 − 3), k = 0, …, 60: the same on every platform."""
    with working_precision(128):
        return np.array([float(order(p) * arb(10) ** fmpq(k - 30, 10)) for k in range(POINTS)])
