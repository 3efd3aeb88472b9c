"""The prover's sweeps: bounds of the rounding errors on many boxes at once, in floats, in units of u.

On a box of m = x/(ν+s) and ε = 1/ν the forward sweep encloses value/s^d of every node and bounds its error, the reverse sweep adds up
sup|∂out/∂vᵢ|·|εᵢ|. Floats here only *propose* a bisection and its bound: the checker establishes what a certificate claims, in integers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from certify.exact.rounding.scaling import HALF, Scaled, Scaling

Array = NDArray[np.float64]


class Interval(NamedTuple):
    """Intervals, elementwise."""

    low: Array
    high: Array

    def __mul__(self, other: Interval) -> Interval:  # pyright: ignore[reportIncompatibleMethodOverride]
        products = [a * b for a in self for b in other]
        return Interval(np.minimum.reduce(products), np.maximum.reduce(products))

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low)

    @property
    def size(self) -> Array:
        return np.maximum(np.abs(self.low), np.abs(self.high))

    def plus(self, other: Interval) -> Interval:
        return Interval(self.low + other.low, self.high + other.high)

    def reciprocal(self) -> Interval:
        """Where the interval is not positive, everything."""
        positive = self.low > 0
        safe = np.where(positive, self.low, 1.0)
        return Interval(np.where(positive, 1 / np.maximum(self.high, safe), -np.inf), np.where(positive, 1 / safe, np.inf))


class Boxes(NamedTuple):
    """Where the sweeps go: enclosures of x/s, ν/s and 1/s."""

    x: Interval
    t: Interval
    f: Interval


def boxes(m: Interval, eps: Interval) -> Boxes:
    """x/s = 2m/(1+m²), ν/s = (1−m²)/(1+m²) and 1/s = ε ν/s for m ∈ [0, 1] and ε = 1/ν."""
    a, b = m
    t = Interval((1 - b * b) / (1 + b * b), (1 - a * a) / (1 + a * a))
    return Boxes(Interval(2 * a / (1 + a * a), 2 * b / (1 + b * b)), t, t * eps)


@dataclass
class Swept:
    """A node on the boxes: the enclosure of its computed values, its error in units of u, a cap, and its partial derivatives."""

    value: Interval
    error: Array
    cap: Array | None
    partials: tuple[Interval, ...]


class Sweep:
    """Bounds for the output of a program; those of the exact program for u = 0."""

    def __init__(self, scaling: Scaling, u: float) -> None:
        self.scaling, self.u = scaling, u

    def output(self, boxes: Boxes) -> Interval:
        """Enclosures of the output's value/s^d."""
        with np.errstate(all="ignore"):
            return self._forward(boxes)[self.scaling.output].value

    def bound(self, boxes: Boxes) -> tuple[Array, Array]:
        """Bounds of |computed − exact|/(u·s^d) and of |computed|/s^d on each box, d the output's degree; infinite where there is none."""
        with np.errstate(all="ignore"):
            swept = self._forward(boxes)
            total = self._backward(swept)
            out = swept[self.scaling.output]
            high = out.value.high if out.cap is None else np.minimum(out.value.high, out.cap)
            largest = np.maximum(high, -out.value.low)
        return np.where(np.isfinite(total), total, np.inf), largest

    def overflowing(self, boxes: Boxes) -> int | None:
        """The first node that may overflow on one of the boxes."""
        with np.errstate(all="ignore"):
            return next((place for place, each in enumerate(self._forward(boxes)) if np.isinf(each.error).any()), None)

    def _forward(self, boxes: Boxes) -> list[Swept]:
        x, t, f = boxes
        one = Interval(np.ones_like(x.low), np.ones_like(x.low))
        rules = Rules({"x'": x, "nu": t}, f, one, self.u, float(self.scaling.ulps.get("mul", HALF)))
        swept: list[Swept] = []
        for node in self.scaling.nodes:
            swept.append(self._swept(node, rules, [swept[a] for a in node.args]))
        return swept

    def _swept(self, node: Scaled, rules: Rules, parts: list[Swept]) -> Swept:
        value, partials = rules.apply(node, [part.value for part in parts])
        cap = _cap(node, parts, rules.one)
        size = value.size if cap is None else np.maximum(-value.low, np.minimum(value.high, cap))
        error = np.zeros_like(size) if node.ulps is None else _error(node.ulps, size, node.degree, rules.f)
        if self.u and node.degree >= 2:
            error = np.where(_fits(size, node.degree, rules.f), error, np.inf)
        low, high = value.low - error * self.u, value.high + error * self.u
        if node.ulps in (None, HALF):  # rounding does not change signs
            low = np.where(value.low >= 0, np.maximum(low, 0), low)
            high = np.where(value.high <= 0, np.minimum(high, 0), high)
        return Swept(Interval(low, high), error, cap, partials)

    def _backward(self, swept: list[Swept]) -> Array:
        output, total = self.scaling.output, 0.0 * swept[0].error
        adjoints: dict[int, Interval] = {output: Interval(total + 1, total + 1)}
        for place in range(output, -1, -1):
            if place not in adjoints:
                continue
            total = total + adjoints[place].size * swept[place].error
            for a, partial in zip(self.scaling.nodes[place].args, swept[place].partials, strict=True):
                passed = adjoints[place] * partial
                adjoints[a] = adjoints[a].plus(passed) if a in adjoints else passed
        return total


class Rules:
    """Exact values and partial derivatives of the operations on enclosures, both divided by the powers of s that belong to them."""

    def __init__(self, inputs: dict[str, Interval], f: Interval, one: Interval, u: float, product: float) -> None:
        self.inputs, self.f, self.one = inputs, f, one
        self.square = 2 * u * product

    def apply(self, node: Scaled, parts: list[Interval]) -> tuple[Interval, tuple[Interval, ...]]:
        if node.op in ("x", "x_max"):
            return self.one, ()
        if node.op in self.inputs:
            return self.inputs[node.op], ()
        rule: Callable[..., tuple[Interval, tuple[Interval, ...]]] = getattr(self, node.op)
        return rule(node, *parts)

    def constant(self, node: Scaled) -> tuple[Interval, tuple[Interval, ...]]:
        value = float(node.value) * self.one.low
        return Interval(value, value), ()

    def hypot(self, node: Scaled, a: Interval, b: Interval) -> tuple[Interval, tuple[Interval, ...]]:
        share = Interval(0 * self.one.low, self.one.high)
        return self.one, (share, share)

    def squares(self, node: Scaled, a: Interval, b: Interval) -> tuple[Interval, tuple[Interval, ...]]:
        return Interval(self.one.low - self.square, self.one.high + self.square), (self.one, self.one)

    def sqrt(self, node: Scaled, a: Interval) -> tuple[Interval, tuple[Interval, ...]]:
        value = Interval(np.sqrt(a.low), np.sqrt(a.high))
        return value, (Interval(2 * value.low, 2 * value.high).reciprocal(),)

    def neg(self, node: Scaled, a: Interval) -> tuple[Interval, tuple[Interval, ...]]:
        return -a, (-self.one,)

    def add(self, node: Scaled, a: Interval, b: Interval) -> tuple[Interval, tuple[Interval, ...]]:
        factors = tuple(self.f if power else self.one for power in node.lift)
        return (a * factors[0]).plus(b * factors[1]), factors

    def sub(self, node: Scaled, a: Interval, b: Interval) -> tuple[Interval, tuple[Interval, ...]]:
        value, (one, other) = self.add(node, a, -b)
        return value, (one, -other)

    def mul(self, node: Scaled, a: Interval, b: Interval) -> tuple[Interval, tuple[Interval, ...]]:
        return self._lifted(node, a * b, (b, a))

    def div(self, node: Scaled, a: Interval, b: Interval) -> tuple[Interval, tuple[Interval, ...]]:
        inverse = b.reciprocal()
        value = a * inverse
        return self._lifted(node, value, (inverse, -(value * inverse)))

    def _lifted(self, node: Scaled, value: Interval, partials: tuple[Interval, ...]) -> tuple[Interval, tuple[Interval, ...]]:
        for _ in range(node.lift[0]):
            value, partials = value * self.f, tuple(partial * self.f for partial in partials)
        return value, partials


def _cap(node: Scaled, parts: list[Swept], one: Interval) -> Array | None:
    """A bound of the exact result on computed arguments, where the enclosure is too wide to show it."""
    if node.capped:
        return one.high
    if node.op != "sub" or node.degree != 0 or node.ulps != HALF or parts[0].cap is None:
        return None
    return np.where(parts[1].value.low >= 0, parts[0].cap, np.inf)


def _fits(size: Array, degree: int, f: Interval) -> NDArray[np.bool_]:
    """Whether s^degree times a number of this size is in the range of all formats; 1/s ≥ 2^−61 in binary32, see ROUNDING.md."""
    return size < (8.0 if degree == 2 else 2.0**126 * f.low**degree)


def _error(ulps: Fraction, size: Array, degree: int, f: Interval) -> Array:
    """In units of u: relatively 2·ulps; by the binade of numbers, and of what scales like s or 1/s where f = 1/s > 0 is known."""
    relative = 2 * float(ulps)
    if degree == 0:
        return relative * _binade(size, ulps)
    if degree >= 2:
        return relative * size
    scale = f.high if degree > 0 else 1 / f.low
    largest = size / f.low if degree > 0 else size * f.high
    known = _binade(largest, ulps) * scale
    return relative * np.where(f.low > 0, np.minimum(size, known), size)


def _binade(size: Array, ulps: Fraction) -> Array:
    """The power of two such that the ulp of rounded numbers up to this size is 2u times it at most."""
    mantissa, exponent = np.frexp(size)
    power = np.where((ulps == HALF) & (mantissa == 0.5), exponent - 2, exponent - 1)
    return np.where(size > 0, np.ldexp(1.0, np.clip(power, -1000, 1000)), 0.0)
