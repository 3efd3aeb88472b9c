"""Where python-flint is missing, the kernels' coefficients come from the frozen reference.

``certify.vmf`` computes them from exact polynomials; a machine that only measures needs torch, NumPy and this source tree.
"""

from __future__ import annotations

import importlib
import json
import sys
from importlib import resources
from types import ModuleType
from typing import Any

import torch

FILE = "bench_reference.json"
BITS = {torch.float64: "53", torch.float32: "24"}

Table = tuple[tuple[float, ...], ...]


def prepare() -> None:
    """Make ``certify.vmf``'s kernels importable without python-flint; nothing where it is installed."""
    try:
        importlib.import_module("flint")
    except ImportError:
        _stand_in()


def _stand_in() -> None:
    coefficients: Any = ModuleType("certify.vmf.coefficients")
    coefficients.Table, coefficients.table = Table, table
    sys.modules[coefficients.__name__] = coefficients


@torch.compiler.assume_constant_result
def table(family: str, order: int, dtype: torch.dtype) -> Table:
    """As ``certify.vmf.coefficients.table``, from the file."""
    rows = _frozen()[family][BITS[dtype]]
    count = order if family == "potential" else order + 1
    if count > len(rows):
        raise ValueError(f"order {order}: without python-flint the orders up to {len(rows) - 1} are known")
    return tuple(tuple(map(float.fromhex, row)) for row in rows[:count])


def _frozen() -> dict[str, Any]:
    content = resources.files("certify.data").joinpath(FILE).read_text(encoding="ascii")
    return json.loads(content)["coefficients"]
