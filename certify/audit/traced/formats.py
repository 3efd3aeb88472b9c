"""In which format an operation computes: a program has one, and conditions in it are no numbers."""

from __future__ import annotations

import torch
from torch.fx import Node

from certify.audit.traced.arrays import ARRAYS, CASTS, MADE, SUMMED
from certify.audit.traced.lowering import Lowering, Untraceable
from certify.audit.traced.pointwise import COMPARED, LOGICAL, POINTWISE

OF_CONDITIONS = {*LOGICAL, "where", "mul"}
"""What computes with conditions as a program does; of booleans the sum is true where either is, and −1 as a boolean is true."""
TRANSLATED = {*POINTWISE, *ARRAYS}
COMPUTING = {*POINTWISE, *SUMMED, "fill"}


def look_at(low: Lowering, name: str, node: Node) -> None:
    """Record an operation at another format than the trace's. Raises Untraceable where numbers serve as conditions or the reverse."""
    result, given = dtype_of(node), {found for each in node.all_input_nodes if (found := dtype_of(each)) is not None}
    if result is None or name not in TRANSLATED or name in (*CASTS, *MADE):
        return
    if name in COMPARED:  # after a cast to a common format, which may round
        low.casts.update(map(_word, given - {low.dtype, torch.bool}))
        return
    if name in LOGICAL and given != {torch.bool}:
        raise Untraceable(f"{name} of numbers")
    if result is torch.bool:
        if given != {torch.bool} or name in COMPUTING - OF_CONDITIONS:
            raise Untraceable(f"{name} of conditions")
    elif result is not low.dtype and (name in COMPUTING or given != {result}):
        low.casts.add(_word(result))


def _word(format: torch.dtype) -> str:
    return str(format).removeprefix("torch.")


def dtype_of(node: Node) -> torch.dtype | None:
    """Of a tensor; None for anything else."""
    value = getattr(node.graph.owning_module, str(node.target)) if node.op == "get_attr" else node.meta.get("val")
    return value.dtype if isinstance(value, torch.Tensor) else None
