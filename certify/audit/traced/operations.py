"""The operations of ATen that are translated, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from certify.audit.traced.arrays import ARRAYS
from certify.audit.traced.lowering import Lowering, Untraceable
from certify.audit.traced.pointwise import POINTWISE

RANDOM = ("rand", "bernoulli", "normal", "dropout", "uniform", "exponential", "multinomial", "poisson", "geometric", "cauchy")
COMPOSITE = ("tanh_backward", "sigmoid_backward")
"""Operations of several roundings, which torch's kernels may fuse."""

OPERATIONS: dict[str, Callable[..., Any]] = {**POINTWISE, **ARRAYS}


def plain_name(name: str) -> str:
    """That of the operation which is done in place."""
    return name.removesuffix("_") if name.endswith("_") and not name.endswith("__") else name


def apply(low: Lowering, name: str, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """One operation of ATen. Raises Untraceable for one that is not translated."""
    if name == "_local_scalar_dense":
        raise Untraceable("a Python number in it depends on the tensors' numbers")
    function = OPERATIONS.get(plain_name(name))
    if function is None:
        raise Untraceable(f"operation {name} of torch is not translated")
    if name in COMPOSITE:
        low.composite.add(name)
    result = function(low, *args, **kwargs)
    if plain_name(name) == name:
        return result
    args[0][...] = result
    return args[0]
