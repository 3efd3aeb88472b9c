"""Where to look: points over the whole axis of a format, denser where functions tend to change their mind."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.audit.precision import Floats, Precision

PER_OCTAVE = ((8, 10.0), (64, 2.0), (1100, 0.125))  # octaves from one, points an octave and a sign
SPREAD = 250  # points spread over the domain linearly, and as many logarithmically a sign
TENS = 30


@dataclass(frozen=True)
class Domain:
    """An interval [low, high] of numbers of a format. Raises ValueError where it is empty."""

    low: float
    high: float

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise ValueError(f"domain ({self.low:g}, {self.high:g}) is empty: its ends must be numbers, the lower one first")

    def holds(self, x: Floats) -> np.ndarray:
        return (x >= self.low) & (x <= self.high)

    @property
    def length(self) -> float:
        return min(self.high, 1e300) - max(self.low, -1e300)


def domain_of(ends: tuple[float, float] | None, format: Precision) -> Domain:
    """The part of the given interval that the format reaches, the ends rounded inward."""
    low, high = ends or (-format.largest, format.largest)
    low, high = max(low, -format.largest), min(high, format.largest)
    inward = format.round(np.array([low, high]))
    if inward[0] < low:
        inward[0] += format.ulp(inward[:1])[0]
    if inward[1] > high:
        inward[1] -= format.ulp(inward[1:])[0]
    return Domain(float(inward[0]), float(inward[1]))


def samples(domain: Domain, format: Precision, seed: int = 0) -> Floats:
    """Sorted distinct points of the domain: special ones, logarithmic and linear spreads, the neighbourhoods of ends."""
    generator = np.random.default_rng(seed)
    parts = [special(domain, format), _octaves(format, generator), _spread(domain, format, generator)]
    anchors = [domain.low, domain.high, *(p for p in (-1.0, 0.0, 1.0) if domain.low < p < domain.high)]
    parts += [around(np.array([anchor]), format, domain.length, 3) for anchor in anchors]
    x = format.round(np.concatenate(parts))
    return np.unique(x[domain.holds(x)] + 0.0)


def special(domain: Domain, format: Precision) -> Floats:
    """The points at which a person would look first: 0, small integers, powers of two and ten, the ends of the format."""
    tens = 10.0 ** np.arange(-TENS, TENS + 1)
    twos = 2.0 ** np.arange(-format.bits - 2, format.bits + 3)
    edges = np.array([format.eps, format.smallest, format.least, format.largest, 1 - format.eps / 2, 1 + format.eps])
    magnitudes = np.concatenate([np.arange(0, 11), tens, twos, edges, np.arange(0.5, 10, 0.5)])
    x = format.round(np.concatenate([magnitudes, -magnitudes, [domain.low, domain.high]]))
    return np.unique(x[domain.holds(x)] + 0.0)


def around(anchors: Floats, format: Precision, length: float, step: int = 2) -> Floats:
    """Points at distances from the anchors that halve ``step`` times from one to the next, down to their neighbours."""
    distance = min(1.0, length) * 0.75 * 2.0 ** -np.arange(0, format.bits + 4, step, dtype=np.float64)
    near = format.ulp(anchors)
    offsets = [sign * d for d in distance for sign in (1.0, -1.0)]
    return np.concatenate([anchors, anchors + near, anchors - near, *(anchors + o * np.maximum(1.0, np.abs(anchors)) for o in offsets)])


def _octaves(format: Precision, generator: np.random.Generator) -> Floats:
    lowest, highest = np.log2(format.least), np.log2(format.largest)
    exponents, inner = [], 0
    for reach, density in PER_OCTAVE:
        for a, b in ((inner, reach), (-reach, -inner)):
            a, b = max(a, lowest), min(b, highest)
            if a < b:
                n = int(np.ceil((b - a) * density))
                exponents.append(a + (b - a) * (np.arange(n) + generator.random(n)) / n)
        inner = reach
    magnitudes = np.exp2(np.concatenate(exponents))
    return np.concatenate([magnitudes, -magnitudes])


def _spread(domain: Domain, format: Precision, generator: np.random.Generator) -> Floats:
    n = SPREAD
    places = (np.arange(n) + generator.random(n)) / n
    parts = [np.interp(places, [0, 1], [max(domain.low, -10.0), min(domain.high, 10.0)])]
    if domain.high - domain.low < format.largest:
        parts.append(domain.low + places * (domain.high - domain.low))
    for sign in (1.0, -1.0):
        top = domain.high if sign > 0 else -domain.low
        bottom = max(format.least, domain.low if sign > 0 else -domain.high)
        if bottom < top:
            parts.append(sign * np.exp2(np.log2(bottom) + places * (np.log2(top) - np.log2(bottom))))
    return np.concatenate(parts)
