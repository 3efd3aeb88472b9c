"""The functions of ``certify.special`` and those of PyTorch, SciPy and JAX against Arb: errors, with input, supplied and right value.

Errors are in units u of the dtype (2⁻⁵³, 2⁻²⁴) times a scale, |f| unless the subject says otherwise; the right value is that at the very
float that was given. Where it is subnormal or overflows, no error is counted.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import torch
from flint import arb
from torch import Tensor

from certify.exact.ball import working_precision
from certify.exact.number import exact as exactly
from certify.studies.special import jax_functions
from certify.studies.special.subjects import SUBJECTS, Function, Subject

BITS, MOST_BITS, CLEAR = 300, 9600, 120
"""Working precision is doubled until so many bits of the right value are known."""
DTYPES = {"float64": torch.float64, "float32": torch.float32}
DEFECT = 1000
"""An error of so many u is listed as a defect."""


@dataclass(frozen=True)
class Row:
    """The worst error of one derivative of one implementation."""

    function: str
    derivative: int
    package: str
    dtype: str
    x: float = 0.0
    supplied: float = 0.0
    right: str = ""
    units: float = -1.0

    @property
    def defect(self) -> bool:
        return not self.units < DEFECT


def inputs(subject: Subject, dtype: torch.dtype, count: int = 120) -> Tensor:
    """Over the whole axis, in the dtype; x > 0, and more of them around the centre, for a positive subject."""
    powers = torch.logspace(-6, 3, count, dtype=torch.float64)
    if subject.positive:
        return torch.cat([powers, subject.centre * torch.logspace(-1, 1, count, dtype=torch.float64)]).to(dtype)
    even = torch.linspace(-30, 8, 2 * count, dtype=torch.float64)
    return torch.cat([even, powers, -powers]).to(dtype)


def right(subject: Subject, x: float) -> tuple[arb, ...]:
    """The values at a float, each known to ``CLEAR`` bits or as well as ``MOST_BITS`` allow."""
    bits = BITS
    while True:
        with working_precision(bits):
            values = subject.right(arb(x))
            if bits >= MOST_BITS or all(value.rel_accuracy_bits() > CLEAR or value == 0 for value in values):
                return values
        bits *= 2


def rows(count: int = 120) -> Iterator[Row]:
    """The worst error of every function, derivative, implementation and dtype."""
    for subject in SUBJECTS:
        for dtype_name, dtype in DTYPES.items():
            x = inputs(subject, dtype, count)
            exact = [right(subject, value) for value in x.tolist()]
            for package, function in {"certify": subject.ours, **subject.libraries, **jax_functions.functions(subject.title)}.items():
                for derivative, supplied in enumerate(derivatives(function, x, len(exact[0]))):
                    yield worst(subject, Row(subject.title, derivative, package, dtype_name), x, supplied, exact)


def derivatives(function: Function, x: Tensor, count: int) -> list[Tensor]:
    """The function and what autograd supplies as its derivatives, as many as it does; SciPy's function alone."""
    if not differentiable(function, x[:1]):
        return [function(x)]
    x = x.clone().requires_grad_()
    values = [function(x)]
    while len(values) < count and values[-1].requires_grad:
        values += torch.autograd.grad(values[-1].sum(), x, create_graph=True)
    return [value.detach() for value in values]


def differentiable(function: Function, x: Tensor) -> bool:
    """SciPy's functions refuse tensors that require gradients."""
    try:
        return function(x.clone().requires_grad_()).requires_grad
    except RuntimeError:
        return False


def error(
    subject: Subject, derivative: int, x: float, supplied: float, values: tuple[arb, ...], dtype: torch.dtype
) -> tuple[arb, arb] | None:
    """|supplied − right| less what is certified, and its unit; None where the right value is no normal number of the dtype."""
    info, value = torch.finfo(dtype), values[derivative]
    if not 4 * info.tiny < abs(float(value.mid())) < info.max / 4:
        return None
    with working_precision(BITS):
        scale = subject.scale(arb(x), value) if derivative == 0 else abs(value)
        difference = abs(arb(supplied) - value) if math.isfinite(supplied) else arb("inf")
        certified = exactly(subject.certified) if derivative == 0 else 0
        return difference - certified, scale * exactly(info.eps / 2)


def worst(subject: Subject, row: Row, x: Tensor, supplied: Tensor, exact: list[tuple[arb, ...]]) -> Row:
    for at, value, values in zip(x.tolist(), supplied.tolist(), exact, strict=True):
        found = error(subject, row.derivative, at, value, values, x.dtype)
        if found is None:
            continue
        units = max(0.0, float((found[0] / found[1]).mid())) if math.isfinite(value) else math.inf
        if units > row.units:
            row = replace(row, x=at, supplied=value, right=values[row.derivative].str(17, radius=False), units=units)
    return row
