"""What the tensor functions accept, and the precision in which they compute."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from certify.vmf import kernel

COMPUTED_IN = {
    torch.float64: torch.float64,
    torch.float32: torch.float32,
    torch.bfloat16: torch.float32,
    torch.float16: torch.float32,
}
"""The accepted dtypes, and the format in which each is computed; results have the dtype of the argument."""


def format_of(name: str, *tensors: Tensor, nonnegative: bool = False) -> torch.dtype:
    """The format of computation for arguments of one call. Raises ValueError for what is no tensor of an accepted dtype, and for a negative
    element or NaN where ``nonnegative`` are asked for."""
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise ValueError(f"{name} is a {type(tensor).__name__}: a tensor is accepted")
        if tensor.dtype not in COMPUTED_IN:
            accepted = "float64, float32, bfloat16 and float16 are accepted"
            raise ValueError(f"{name} has dtype {str(tensor.dtype).removeprefix('torch.')}: {accepted}")
        if nonnegative:
            refuse_unless(lambda x: x >= 0, name, tensor, f"{name} >= 0 is accepted")
    return COMPUTED_IN[common(*tensors)]


def common(*tensors: Tensor) -> torch.dtype:
    """The dtype to which the arguments promote; tensors without dimensions count as the others do."""
    dtype = tensors[0].dtype
    for tensor in tensors[1:]:
        dtype = torch.promote_types(dtype, tensor.dtype)
    return dtype


def device_of(tensor: Tensor) -> str:
    """The kind of device that computes: for tensors without data, a CPU."""
    return "cpu" if tensor.is_meta else tensor.device.type


def refuse_unless(holds: Callable[[Tensor], Tensor], name: str, value: Tensor, accepted: str) -> None:
    """Raises ValueError unless the condition holds at every element; NaN counts as a violation."""
    if not bool(holds(value).all()):
        raise ValueError(f"{name} has elements outside its domain: {accepted}")


def masked(x: Tensor, value: Tensor) -> Tensor:
    """NaN where x < 0."""
    return torch.where(x < 0, torch.nan, value)


def modulus() -> kernel.Modulus:
    """The form of √(x² + ν²) that is the faster one: eager, or compiled."""
    return kernel.root_of_squares if torch.compiler.is_compiling() else torch.hypot
