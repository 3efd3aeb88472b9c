"""How long the functions of ``certify.special`` take beside those of the installed libraries, in the same rounds, on one thread.

The kernels that a library's quotient or logarithm is made of are timed alone as well: nothing of it can be faster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor

from certify.bench.timing import Bare, Times, interleaved
from certify.studies.special.errors import differentiable
from certify.studies.special.subjects import SUBJECTS, Function, Subject
from certify.training.threads import one_thread

ELEMENTS, WARMUPS, REPEATS = 100_000, 1, 5
OURS = "certify"


@dataclass(frozen=True)
class Span:
    """Nanoseconds an element: median, least and most of the rounds."""

    median: float
    least: float
    most: float


@dataclass(frozen=True)
class Time:
    """One implementation at float64 inputs; ``both`` is the value with the derivative that autograd finds, where it finds one.

    ``ratio`` is the median of ours over that of this one, of the values.
    """

    function: str
    package: str
    value: Span
    both: Span | None
    ratio: float


def times(elements: int = ELEMENTS, repeats: int = REPEATS) -> Iterator[Time]:
    """Every function of ``certify.special`` and what it is compared with."""
    with one_thread():
        for subject in SUBJECTS:
            yield from _of(subject, elements, repeats)


def inputs(subject: Subject, elements: int) -> Tensor:
    """Random, around where the function bends and where its forms meet."""
    uniform = torch.rand(elements, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    return subject.centre * 10 ** (2 * uniform - 1) if subject.positive else 38 * uniform - 30


def _of(subject: Subject, elements: int, repeats: int) -> Iterator[Time]:
    x = inputs(subject, elements)
    functions = {OURS: subject.ours, **subject.libraries, **subject.kernels}
    found = _rounds({name: partial(function, x) for name, function in functions.items()}, repeats, elements)
    pairs = {name: partial(_both, function, x) for name, function in functions.items() if differentiable(function, x[:1])}
    both = _rounds(pairs, repeats, elements)
    for name, span in found.items():
        yield Time(subject.title, name, span, both.get(name), found[OURS].median / span.median)


def _both(function: Function, x: Tensor) -> Tensor:
    x = x.clone().requires_grad_()
    (slope,) = torch.autograd.grad(function(x).sum(), x)
    return slope


def _rounds(runs: Mapping[str, Callable[[], object]], repeats: int, elements: int) -> dict[str, Span]:
    measured = interleaved({name: Bare(run) for name, run in runs.items()}, "cpu", WARMUPS, repeats)
    return {name: _span(each, elements) for name, each in measured.items()}


def _span(measured: Times, elements: int) -> Span:
    """Of milliseconds."""
    return Span(*(value * 1e6 / elements for value in (measured.median, measured.least, measured.most)))
