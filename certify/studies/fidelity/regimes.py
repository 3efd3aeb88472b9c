"""Which formula a realization uses where: the changes of formula between two points."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

SAMPLES = 4001
HALVINGS = 40

Regime = Callable[[NDArray], NDArray]


def changes(regime: Regime, low: float, high: float) -> list[tuple[float, str]]:
    """(x, name) where a formula takes over, beginning with the one at ``low``, as far as ``SAMPLES`` points tell."""
    x = np.geomspace(low, high, SAMPLES)
    names = regime(x)
    found = [(low, str(names[0]))]
    for i in np.flatnonzero(names[1:] != names[:-1]):
        found.append((_switch(regime, x[i], x[i + 1]), str(names[i + 1])))
    return found


def _switch(regime: Regime, low: float, high: float) -> float:
    before = regime(np.array([low]))[0]
    for _ in range(HALVINGS):
        middle = np.sqrt(low * high)
        low, high = (middle, high) if regime(np.array([middle]))[0] == before else (low, middle)
    return float(high)
