"""What holds of a primitive's results beside their accuracy: they do not depend on their neighbours, on the run, or on the compiler.

Results are compared bit by bit where shape, layout and threads are the same, as vector loops and the elements that these leave over may
round differently; elsewhere two results may differ by twice the bound of each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import torch

from certify import vmf
from certify.studies.production.balls import Array
from certify.studies.production.catalogue import PRIMITIVES
from certify.studies.production.inputs import tensors
from certify.studies.production.primitives import Arguments, Primitive
from certify.studies.production.setting import Setting

SIZE = 263
"""A prime, so that every vector loop leaves elements over."""
ORDERS, COMPILED = (0.0, 31.0), (63.0, 2047.0)
"""Far descents are long programs: compilers need minutes for them."""
STRANGERS = (0.0, 1e-30, 3.0, 1e30, float("inf"), float("nan"), -1.0)
ALONE = 5
"""Elements that are computed alone as well."""
REPEATS = 3


@dataclass(frozen=True)
class Difference:
    """Two results for one input that differ, or differ by more than they may."""

    primitive: str
    dtype: str
    nu: float
    arguments: tuple[float, ...]
    how: str
    results: tuple[float, float]


@dataclass(frozen=True)
class Subject:
    """A primitive in one setting, with inputs and their results."""

    primitive: Primitive
    setting: Setting
    arguments: Arguments
    device: str
    k: Fraction

    def run(self, arguments: Arguments) -> Array:
        return self.primitive.results(self.setting, arguments, self.device)

    def of_tensors(self, given: tuple[Any, ...]) -> Array:
        return self.primitive.computed(self.setting, given)

    def allowed(self, found: Array) -> Array:
        """What two results may differ by."""
        with np.errstate(all="ignore"):
            judged = self.primitive.judge(self.setting, self.arguments, found)
        return 2 * (float(self.k) * judged.unit + judged.extra) / judged.sensitivity

    def differing(self, how: str, a: Array, b: Array, allowed: Array | float, at: Sequence[int] | None = None) -> Difference | None:
        """The first place where a and b differ by more than is allowed; ``at`` says which inputs they belong to."""
        with np.errstate(invalid="ignore"):
            wrong = np.flatnonzero(~((a == b) | (np.isnan(a) & np.isnan(b)) | (np.abs(a - b) <= allowed)))
        if not len(wrong):
            return None
        place = int(wrong[0])
        input = place if at is None else at[place]
        values = tuple(float(array[input]) for array in self.arguments)
        dtype = str(self.setting.dtype).removeprefix("torch.")
        return Difference(self.primitive.name, dtype, self.setting.nu, values, how, (float(a[place]), float(b[place])))


def subjects(
    device: str,
    dtype: torch.dtype,
    bounds: Mapping[str, Fraction],
    orders: Sequence[float] = ORDERS,
    primitives: Sequence[Primitive] = tuple(PRIMITIVES.values()),
) -> Iterator[Subject]:
    """Every primitive at some orders; ``bounds`` has the k of each."""
    for primitive in primitives:
        settings = primitive.settings(dtype)
        chosen = [setting for setting in settings if setting.nu in orders] or settings[:: len(settings) // len(orders)]
        for place, setting in enumerate(chosen):
            source = primitive.source(setting, np.random.default_rng(place))
            with np.errstate(all="ignore"):
                arguments = primitive.draw(setting, source, SIZE)
            yield Subject(primitive, setting, arguments, device, bounds[primitive.name])


def dependent(subject: Subject) -> Difference | None:
    """Where an element depends on its neighbours, or on the shape by more than rounding."""
    found = subject.run(subject.arguments)
    halves = (np.arange(len(found)) % 2 == 0, np.arange(len(found)) < len(found) // 2)
    for kept in (*halves, *(~half for half in halves)):
        changed = tuple(np.where(kept, array, np.resize(STRANGERS, len(found))) for array in subject.arguments)
        if subject.primitive.name == "log_prob":  # the cosine belongs to the call, not to the element
            changed = (changed[0], subject.arguments[1])
        difference = subject.differing("other neighbours", found[kept], subject.run(changed)[kept], 0.0, np.flatnonzero(kept).tolist())
        if difference:
            return difference
    return _elsewhere(subject, found)


def _elsewhere(subject: Subject, found: Array) -> Difference | None:
    allowed = subject.allowed(found)
    given = tensors(subject.arguments, subject.setting.dtype, subject.device)
    strided = subject.of_tensors(tuple(torch.stack([each, each], 1).reshape(-1)[::2] for each in given))
    difference = subject.differing("every second element of a buffer", found, strided, allowed)
    for place in np.linspace(0, len(found) - 1, ALONE).astype(int).tolist():
        alone = subject.of_tensors(tuple(each[place : place + 1] for each in given))
        difference = difference or subject.differing("alone", found[place : place + 1], alone, allowed[place], [place])
    return difference


def unsteady(subject: Subject) -> Difference | None:
    """Where the same call returns other bits."""
    found = subject.run(subject.arguments)
    for _ in range(REPEATS):
        difference = subject.differing("again", found, subject.run(subject.arguments), 0.0)
        if difference:
            return difference
    return None


def recompiled(subject: Subject) -> Difference | None:
    """Where compiled code differs from eager code by more than rounding."""
    torch._dynamo.reset()
    eager = subject.run(subject.arguments)
    compiled = torch.compile(subject.primitive.call, fullgraph=True, dynamic=False)
    other = replace(subject, primitive=replace(subject.primitive, call=lambda setting, given: compiled(setting, given)))
    return subject.differing("compiled", eager, other.run(subject.arguments), subject.allowed(eager))


def incoherent(device: str, dtype: torch.dtype) -> Iterator[Difference | None]:
    """For each closed form where the gradient that its potential supplies is not, to the bit, what ``ratio`` returns."""
    closed = PRIMITIVES["closed_form"]
    for setting in closed.settings(dtype):
        arguments = closed.draw(setting, closed.source(setting, np.random.default_rng(0)), SIZE)
        subject = Subject(closed, setting, tuple(np.minimum(x, float(torch.finfo(dtype).max) / 4) for x in arguments), device, Fraction(0))
        (x,) = (each.requires_grad_() for each in tensors(subject.arguments, dtype, device))
        value = vmf.potential_difference(torch.zeros_like(x), x, nu=setting.nu, order=setting.order)
        (gradient,) = torch.autograd.grad(value.sum(), x)
        ratio = vmf.ratio(x.detach(), nu=setting.nu, order=setting.order)
        pair = (each.cpu().double().numpy() for each in (gradient, ratio))
        yield subject.differing("gradient of the potential, ratio", *pair, allowed=0.0)
