"""The inputs at which operations are probed: of all exponents, near powers of two and near each other, and where functions bend."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from certify.studies.profiles.environments import DTYPES, PROBED

BINARY = ("add", "sub", "mul", "div", "hypot")
POSITIVE = ("sqrt", "log", "i0e")
RANGES = {
    "binary64": {"exp": (-708.0, 709.0), "expm1": (-40.0, 709.0), "erfc": (-6.0, 26.5), "tanh": (-20.0, 20.0), "erf": (-6.0, 6.0)},
    "binary32": {"exp": (-87.0, 88.0), "expm1": (-18.0, 88.0), "erfc": (-4.0, 9.0), "tanh": (-10.0, 10.0), "erf": (-4.0, 4.0)},
}
"""Where the functions are neither constant nor beyond the format, to be covered evenly."""


def inputs(op: str, form: str, points: int, seed: int) -> tuple[NDArray, ...]:
    """Arguments of an operation: a third over all exponents, a third near powers of two and near each other, a third where it bends."""
    generator = np.random.default_rng([seed, PROBED.index(op), len(form)])
    dtype = np.dtype(DTYPES[form])
    x, y = (_column(op, form, points, generator, dtype) for _ in range(2))
    if op not in BINARY:
        return (x,)
    near = generator.random(points) < 1 / 4
    y = np.where(near, x * (1 + generator.integers(-64, 65, points) * np.finfo(dtype).eps), y).astype(dtype)
    return x, y


def _column(op: str, form: str, points: int, generator: np.random.Generator, dtype: np.dtype) -> NDArray:
    info = np.finfo(dtype)
    share = generator.random(points)
    exponents = generator.uniform(info.minexp - info.nmant, info.maxexp, points)
    exponents = np.where(share < 1 / 3, exponents, generator.uniform(-12, 12, points))
    size = np.exp2(exponents).astype(dtype)
    powers = np.exp2(np.round(generator.uniform(-20, 20, points))) * (1 + generator.integers(-40, 41, points) * float(info.eps))
    low, high = RANGES[form].get(op, (-30.0, 30.0))
    column = np.where(share < 1 / 2, size, np.where(share < 2 / 3, powers, np.abs(generator.uniform(low, high, points))))
    signs = np.where(generator.random(points) < 1 / 2, 1.0, -1.0)
    column = (np.abs(column) if op in POSITIVE else column * signs).astype(dtype)
    return np.where(column <= -1, -column, column) if op == "log1p" else column
