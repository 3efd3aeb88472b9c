"""The target at points, against the reference: where is the error largest, in multiples of what the claim allows?

Points are drawn evenly and by magnitude over the domain, beside its ends and around the worst ones found. A violation is confirmed
exactly: what was computed is a number, and the reference a ball.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from flint import arb, fmpq

from certify.audit.bounds.allowed import Allowed
from certify.audit.bounds.truth import Truth
from certify.exact.ball import decimal, working_precision
from certify.exact.interpret.interval import Box
from certify.exact.number import exact
from certify.exact.truth import Truth as Answer
from certify.exact.truth import less

ROUNDS, BEST = 4, 6
BITS = 256
LEAST = 1e-12  # magnitudes from here on are drawn by their logarithm


@dataclass(frozen=True)
class Found:
    """What was computed at a point and what is true there; ``size`` is the error in multiples of what is allowed, for ordering only."""

    point: Mapping[str, float]
    computed: float
    true: arb
    size: float


@dataclass(frozen=True)
class Search:
    """A target, its reference and what is allowed, on the numbers of one dtype in a box."""

    function: Callable[..., Any]
    truth: Truth
    allowed: Allowed
    box: Box
    dtype: torch.dtype

    def worst(self, count: int, seed: int) -> tuple[Found | None, int]:
        """The point of largest error among about ``count``, and the number of points at which the reference has a value."""
        generator = np.random.default_rng(seed)
        found, share = self._at(self._spread(count // 2, generator)), count // (2 * ROUNDS * BEST)
        for _ in range(ROUNDS if found else 0):
            best = sorted(found, key=lambda each: -each.size)[:BEST]
            found += self._at(np.concatenate([self._around(each, share, generator) for each in best]))
        return max(found, key=lambda each: each.size, default=None), len(found)

    def violates(self, found: Found) -> bool:
        """Whether the error at a point is beyond what is allowed, certainly."""
        if not math.isfinite(found.computed):
            return True
        with working_precision(BITS):
            error = abs(arb(exact(found.computed)) - found.true)
            return less(self.allowed.most(found.true), error) is Answer.YES

    def _at(self, points: Any) -> list[Found]:
        """What is found at the points, a row each, where the reference has a value."""
        rows = [row for row in self._numbers(points) if self._within(row)]
        if not rows:
            return []
        columns = np.array(rows).T
        with torch.no_grad():
            computed = self.function(*(torch.tensor(column, dtype=self.dtype) for column in columns))
        if not isinstance(computed, torch.Tensor) or computed.shape != (len(rows),):
            raise ValueError("the target does not map tensors of one shape to a tensor of that shape")
        values = computed.detach().double().tolist()
        each = (self._found(dict(zip(self.box, row, strict=True)), value) for row, value in zip(rows, values, strict=True))
        return [one for one in each if one is not None]

    def _found(self, point: dict[str, float], computed: float) -> Found | None:
        true = self.truth.at({name: exact(x) for name, x in point.items()})
        if not true.is_finite():
            return None
        if not math.isfinite(computed):
            return Found(point, computed, true, math.inf)
        with working_precision(BITS):
            size = abs(arb(exact(computed)) - true) / self.allowed.most(true)
            return Found(point, computed, true, float(size.mid()) if size.is_finite() else math.inf)

    def _numbers(self, points: Any) -> list[list[float]]:
        """The points in numbers of the dtype, each once."""
        rounded = torch.tensor(np.asarray(points, dtype=np.float64).reshape(-1, len(self.box)), dtype=self.dtype).double()
        return np.unique(rounded.numpy(), axis=0).tolist()

    def _within(self, row: Sequence[float]) -> bool:
        return all(math.isfinite(x) and low <= exact(x) <= high for x, (low, high) in zip(row, self.box.values(), strict=True))

    def _spread(self, count: int, generator: np.random.Generator) -> Any:
        columns = [_column(float_of(low), float_of(high), count, generator) for low, high in self.box.values()]
        if len(columns) > 1:
            columns = [generator.permutation(column) for column in columns]
        return np.stack(columns, axis=1)

    def _around(self, found: Found, count: int, generator: np.random.Generator) -> Any:
        """Points near a point, at distances of all magnitudes."""
        columns = []
        for (name, x), (low, high) in zip(found.point.items(), self.box.values(), strict=True):
            width = float_of(high - low)
            steps = width * np.exp(generator.uniform(math.log(2.0**-40), math.log(0.25), count)) * generator.choice([-1, 1], count)
            columns.append(np.clip(x + steps, float_of(self.box[name][0]), float_of(self.box[name][1])))
        return np.stack(columns, axis=1)


def _column(low: float, high: float, count: int, generator: np.random.Generator) -> Any:
    """Numbers of an interval: its ends and their neighbours, evenly spread ones, and ones of all magnitudes."""
    ends = [low, high, math.nextafter(low, high), math.nextafter(high, low)]
    largest = max(abs(low), abs(high), LEAST)
    sizes = np.exp(generator.uniform(math.log(LEAST), math.log(largest), count // 2)) * generator.choice([-1, 1], count // 2)
    even = low + (high - low) * generator.random(count - len(ends) - count // 2)
    return np.concatenate([ends, np.clip(sizes, low, high), even])


def float_of(value: fmpq) -> float:
    return int(value.p) / int(value.q)


def witness(search: Search, found: Found) -> dict[str, str]:
    """A violation in words: the point, what was computed and what is true."""
    point = {name: repr(x) for name, x in found.point.items()}
    return {**point, "computed": repr(found.computed), "true": decimal(found.true, 20), "allowed": search.allowed.words}
