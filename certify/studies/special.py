"""The functions of ``certify.special`` and those of PyTorch and SciPy against Arb: the worst error found,
with input, supplied and right value.

Errors are relative, in units u of the dtype (2⁻⁵³, 2⁻²⁴), at inputs that spread over the whole axis; the right value is that at the very
float that was given. Where it is subnormal or overflows, no error is counted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import torch
from flint import arb
from torch import Tensor

from certify.exact.ball import working_precision
from certify.special import bessel_k_ratio, erfcx, log_ndtr, normal_hazard

BITS = 300
DTYPES = {"float64": torch.float64, "float32": torch.float32}
ORDER = 32
DEFECT = 1000
"""An error of so many u is listed as a defect."""

Right = Callable[[arb], tuple[arb, ...]]
"""A function and its derivatives."""


@dataclass(frozen=True)
class Row:
    """The worst error of one derivative of one implementation."""

    function: str
    derivative: int
    package: str
    dtype: str
    x: float
    supplied: float
    right: str
    units: float

    @property
    def defect(self) -> bool:
        return not self.units < DEFECT


def _log_ndtr(x: arb) -> tuple[arb, ...]:
    below = (-x / arb(2).sqrt()).erfc() / 2
    slope = _density(x) / below
    return below.log(), slope, -slope * (x + slope)


def _hazard(x: arb) -> tuple[arb, ...]:
    value = _density(x) / ((x / arb(2).sqrt()).erfc() / 2)
    return value, value * (value - x)


def _erfcx(x: arb) -> tuple[arb, ...]:
    value = (x * x).exp() * x.erfc()
    slope = 2 * x * value - 2 / arb.pi().sqrt()
    return value, slope, 2 * value + 2 * x * slope


def _density(x: arb) -> arb:
    return (-x * x / 2).exp() / (2 * arb.pi()).sqrt()


def _bessel_k_ratio(x: arb) -> tuple[arb, ...]:
    value = x.bessel_k(arb(ORDER + 1), scaled=True) / x.bessel_k(arb(ORDER), scaled=True)
    return value, value * value - (2 * ORDER + 1) / x * value - 1


RIGHT: dict[str, Right] = {"log_ndtr": _log_ndtr, "normal_hazard": _hazard, "erfcx": _erfcx, "bessel_k_ratio": _bessel_k_ratio}
OURS: dict[str, Callable[[Tensor], Tensor]] = {
    "log_ndtr": log_ndtr,
    "normal_hazard": normal_hazard,
    "erfcx": erfcx,
    "bessel_k_ratio": lambda x: bessel_k_ratio(x, nu=ORDER),
}


def inputs(name: str, dtype: torch.dtype, count: int = 120) -> Tensor:
    """Over the whole axis, in the dtype; x > 0 for the ratio of Bessel functions."""
    powers = torch.logspace(-6, 3, count, dtype=torch.float64)
    even = torch.linspace(-30, 8, 2 * count, dtype=torch.float64)
    return (powers if name == "bessel_k_ratio" else torch.cat([even, powers, -powers])).to(dtype)


def implementations(name: str) -> dict[str, Callable[[Tensor], Tensor]]:
    """Ours, PyTorch's and SciPy's, where they exist."""
    from scipy import special

    found: dict[str, Callable[[Tensor], Tensor]] = {"certify": OURS[name]}
    if hasattr(torch.special, name):
        found["torch"] = getattr(torch.special, name)
    if hasattr(special, name):
        found["scipy"] = lambda x: torch.from_numpy(getattr(special, name)(x.numpy()))
    return found


def rows(count: int = 120) -> Iterator[Row]:
    """The worst error of every function, derivative, implementation and dtype."""
    for name, right in RIGHT.items():
        for dtype_name, dtype in DTYPES.items():
            x = inputs(name, dtype, count)
            with working_precision(BITS):
                exact = [right(arb(value)) for value in x.tolist()]
            for package, function in implementations(name).items():
                for derivative, supplied in enumerate(derivatives(function, x, len(exact[0]))):
                    wanted = [values[derivative] for values in exact]
                    yield _worst(Row(name, derivative, package, dtype_name, 0.0, 0.0, "", 0.0), x, supplied, wanted)


def derivatives(function: Callable[[Tensor], Tensor], x: Tensor, count: int) -> list[Tensor]:
    """The function and what autograd supplies as its derivatives, as many as it does; SciPy's function alone."""
    if not _differentiable(function, x[:1]):
        return [function(x)]
    x = x.clone().requires_grad_()
    values = [function(x)]
    while len(values) < count and values[-1].requires_grad:
        values += torch.autograd.grad(values[-1].sum(), x, create_graph=True)
    return [value.detach() for value in values]


def _differentiable(function: Callable[[Tensor], Tensor], x: Tensor) -> bool:
    """SciPy's functions refuse tensors that require gradients."""
    try:
        return function(x.clone().requires_grad_()).requires_grad
    except RuntimeError:
        return False


def _worst(row: Row, x: Tensor, supplied: Tensor, exact: list[arb]) -> Row:
    info = torch.finfo(x.dtype)
    for at, value, right in zip(x.tolist(), supplied.tolist(), exact, strict=True):
        size = abs(float(right.mid()))
        if not 4 * info.tiny < size < info.max / 4:
            continue
        with working_precision(BITS):
            units = float(abs((arb(value) - right) / right).mid()) / (info.eps / 2) if math.isfinite(value) else math.inf
        if units > row.units:
            row = replace(row, x=at, supplied=value, right=right.str(17, radius=False), units=units)
    return row


def markdown(found: list[Row]) -> str:
    """The rows as a table; defects are marked."""
    head = "| function | derivative | library | dtype | worst error (u) | x | supplied | right | |\n| - | - | - | - | - | - | - | - | - |"
    lines = [
        f"| {r.function} | {r.derivative} | {r.package} | {r.dtype} | {r.units:.3g} | {r.x!r} | {r.supplied!r} | {r.right} |"
        f" {'defect' if r.defect else ''} |"
        for r in found
    ]
    return "\n".join([head, *lines])
