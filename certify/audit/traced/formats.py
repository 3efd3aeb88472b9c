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
    result, given = _dtype(node), {_dtype(each) for each in node.all_input_nodes} - {None}
    if result is None or name not in TRANSLATED or name in (*COMPARED, *CASTS, *MADE):
        return
    if name in LOGICAL and given != {torch.bool}:
        raise Untraceable(f"{name} of numbers")
    if result is torch.bool:
        if given != {torch.bool} or name in COMPUTING - OF_CONDITIONS:
            raise Untraceable(f"{name} of conditions")
    elif result is not low.dtype and (name in COMPUTING or given != {result}):
        low.casts.add(str(result).removeprefix("torch."))


def _dtype(node: Node) -> torch.dtype | None:
    """Of a tensor; None for anything else."""
    value = getattr(node.graph.owning_module, str(node.target)) if node.op == "get_attr" else node.meta.get("val")
    return value.dtype if isinstance(value, torch.Tensor) else None
