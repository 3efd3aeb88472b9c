"""The functions of ``certify.special`` at random inputs, each error held against its bound in balls."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from zlib import crc32

import numpy as np
import torch
from flint import arb
from torch import Tensor

from certify.exact.ball import working_precision
from certify.exact.number import exact as exactly
from certify.exact.truth import Truth, less
from certify.studies.points import all_of
from certify.studies.special.errors import BITS, DTYPES, Row, derivatives, error, right, worst
from certify.studies.special.subjects import Subject


@dataclass(frozen=True)
class Judged:
    """The worst row of one derivative, and whether every error is below its bound."""

    row: Row
    holds: Truth


def drawn(subject: Subject, dtype: torch.dtype, count: int, seed: int) -> Tensor:
    """Random inputs over all magnitudes from 10⁻⁶ to 10³, half of them where the function bends."""
    generator = np.random.default_rng([seed, crc32(subject.title.encode())])
    powers = 10.0 ** generator.uniform(-6, 3, count - count // 2)
    if subject.positive:
        bend = subject.centre * 10.0 ** generator.uniform(-1, 1, count // 2)
    else:
        powers *= generator.choice([-1, 1], len(powers))
        bend = generator.uniform(-36, 10, count // 2)
    return torch.from_numpy(np.concatenate([powers, bend])).to(dtype)


def judged(subject: Subject, form: str, limits: Sequence[Fraction], count: int, seed: int) -> Iterator[Judged]:
    """Each derivative of ours at random inputs against its k."""
    x = drawn(subject, DTYPES[form], count, seed)
    exact = [right(subject, value) for value in x.tolist()]
    for derivative, (k, supplied) in enumerate(zip(limits, derivatives(subject.ours, x, len(limits)), strict=True)):
        row = Row(subject.title, derivative, "certify", form)
        holds = all_of(_within(subject, derivative, k, *each, x.dtype) for each in zip(x.tolist(), supplied.tolist(), exact, strict=True))
        yield Judged(worst(subject, row, x, supplied, exact), holds)


def _within(
    subject: Subject, derivative: int, k: Fraction, x: float, supplied: float, values: tuple[arb, ...], dtype: torch.dtype
) -> Truth:
    found = error(subject, derivative, x, supplied, values, dtype)
    if found is None:
        return Truth.YES
    if not math.isfinite(supplied):
        return Truth.NO
    with working_precision(BITS):
        return less(found[0], found[1] * exactly(k))
