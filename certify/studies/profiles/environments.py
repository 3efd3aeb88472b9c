"""The environments that profiles speak of, as tables of vectorised operations: NumPy, torch eager and compiled, on CPU and CUDA."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certify.exact.interpret import plain
from certify.exact.program import Builder, Program

Operation = Callable[..., NDArray]
PROBED = ("add", "sub", "mul", "div", "sqrt", "hypot", "exp", "expm1", "log", "log1p", "tanh", "erf", "erfc", "i0e")
DTYPES = {"binary64": "float64", "binary32": "float32"}


class Absent(ValueError):
    """The environment is not present here; the message names what is missing."""


def numpy(form: str) -> dict[str, Operation]:
    return {op: lambda *arrays, op=op: plain.execute(_single(op, len(arrays)), _named(arrays), DTYPES[form])[0] for op in PROBED}


def torch_vector(form: str) -> dict[str, Operation]:
    """Contiguous tensors, which torch's vector loops take."""
    return _torch(form, lambda tensor: tensor)


def torch_scalar(form: str) -> dict[str, Operation]:
    """Tensors of every second element of a buffer, which most operations take one by one."""
    import torch

    def spread(tensor: Any) -> Any:
        return torch.stack([tensor, tensor], dim=1).reshape(-1)[::2]

    return _torch(form, spread)


def torch_cuda(form: str) -> dict[str, Operation]:
    _cuda()
    return _torch(form, lambda tensor: tensor.cuda())


def torch_compiled(form: str) -> dict[str, Operation]:
    return _torch(form, lambda tensor: tensor, compiled=True)


def torch_compiled_cuda(form: str) -> dict[str, Operation]:
    _cuda()
    return _torch(form, lambda tensor: tensor.cuda(), compiled=True)


ENVIRONMENTS: dict[str, Callable[[str], dict[str, Operation]]] = {
    "numpy": numpy,
    "torch.eager.cpu.vector": torch_vector,
    "torch.eager.cpu.scalar": torch_scalar,
    "torch.compiled.cpu": torch_compiled,
    "torch.eager.cuda": torch_cuda,
    "torch.compiled.cuda": torch_compiled_cuda,
}


def _cuda() -> None:
    import torch

    if not torch.cuda.is_available():
        raise Absent("no CUDA device is present")


def _torch(form: str, place: Callable[[Any], Any], compiled: bool = False) -> dict[str, Operation]:
    """Each operation as torch runs it, on tensors that ``place`` has put where they belong."""
    import torch

    table = plain.operations((torch, torch.special), torch.ones((), dtype=getattr(torch, DTYPES[form])))

    def operation(op: str) -> Operation:
        def run(*arrays: NDArray) -> NDArray:
            tensors = [place(torch.from_numpy(np.ascontiguousarray(array))) for array in arrays]
            if compiled:
                torch._dynamo.reset()  # or kernels beyond the limit of recompilations would run eagerly
                return torch.compile(lambda *each: table[op](*each), fullgraph=True)(*tensors).cpu().numpy()
            return table[op](*tensors).cpu().numpy()

        return run

    return {op: operation(op) for op in PROBED}


def _named(arrays: tuple[Any, ...]) -> dict[str, Any]:
    return dict(zip("xy", arrays, strict=False))


def _single(op: str, arity: int) -> Program:
    builder = Builder()
    return builder.program(builder.call(op, *builder.inputs(*"xy"[:arity])))
