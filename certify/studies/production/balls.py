"""Arrays of balls: midpoints that are sums of two doubles, about 106 bits, and radii that bound every error.

Sums and products are those of Joldes, Muller and Popescu, *Tight and rigorous error bounds for basic building blocks of double-word
arithmetic* (ACM TOMS 44, 2017): algorithm 6, relative error at most 3u² + 13u³; 10 (with Dekker's product), 7u²; 17, 15u² + 56u³;
u = 2⁻⁵³. The square root is SQRTDWtoDW of Lefèvre et al. (2023), 25u²/8. All are below ``RELATIVE``. These bounds suppose that NumPy's +,
−, ×, ÷ and √ on doubles are correctly rounded (claim profile.numpy), and that nothing overflows: what does has an infinite or undefined
radius, and ``known`` is False there. What underflow adds is below ``TINY``, where divisors are at least 2⁻²⁰.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
from flint import arb, fmpq
from numpy.typing import NDArray

from certify.exact.ball import working_precision
from certify.exact.number import centre

Array = NDArray[np.float64]
Pair = tuple[Array, Array]

RELATIVE = 2.0**-101
TINY = 2.0**-1040
UP = 1 + 2.0**-48
"""More than what the rounding of a radius loses."""

SPLITTER = 2.0**27 + 1
CELLS = 256
"""Logarithms are taken from those of j/CELLS."""
ATANH_TERMS = 6
ATANH_REST = 2.0**-112
"""Relatively; the argument is at most 1/724: (1/724)^12/13."""


@dataclass(frozen=True)
class Balls:
    """Each |value − (high + low)| ≤ radius. All three have one shape, or broadcast."""

    high: Array
    low: Array
    radius: Array

    __array_ufunc__ = None
    """So that arrays leave the arithmetic to this class."""

    def __add__(self, other: Balls | Array | float) -> Balls:
        b = balls(other)
        s, e = _sum(self.high, b.high)
        t, f = _sum(self.low, b.low)
        s, e = _fast_sum(s, e + t)
        s, e = _fast_sum(s, e + f)
        return Balls(s, e, (self.radius + b.radius + RELATIVE * np.abs(s)) * UP)

    def __neg__(self) -> Balls:
        return Balls(-self.high, -self.low, self.radius)

    def __sub__(self, other: Balls | Array | float) -> Balls:
        return self + -balls(other)

    def __mul__(self, other: Balls | Array | float) -> Balls:
        b = balls(other)
        p, e = _product(self.high, b.high)
        p, e = _fast_sum(p, e + (self.high * b.low + self.low * b.high))
        radius = np.abs(self.high) * b.radius + (np.abs(b.high) + b.radius) * self.radius
        return Balls(p, e, (radius + RELATIVE * np.abs(p)) * UP + TINY)

    def __truediv__(self, other: Balls | Array | float) -> Balls:
        b = balls(other)
        q = self.high / b.high
        p, e = _product(b.high, q)
        p, e = _fast_sum(p, e + b.low * q)
        q, e = _fast_sum(q, ((self.high - p) + (self.low - e)) / b.high)
        size = np.abs(b.high) / UP - b.radius
        radius = (self.radius + np.abs(q) * b.radius) / np.where(size > 0, size, np.nan) + RELATIVE * np.abs(q)
        return Balls(q, e, radius * UP + TINY)

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other: Array | float) -> Balls:
        return -self + other

    def __rtruediv__(self, other: Array | float) -> Balls:
        return balls(other) / self

    def __getitem__(self, where: object) -> Balls:
        return Balls(*(part[where] for part in (self.high, self.low, self.radius)))  # type: ignore[index]

    def sqrt(self) -> Balls:
        """Of balls above zero."""
        root = np.sqrt(self.high)
        p, e = _product(root, root)
        s, rest = _fast_sum(root, ((self.high - p) - e + self.low) / (2 * root))
        radius = self.radius / np.sqrt(np.maximum(self.high - self.radius, 0)) + RELATIVE * s
        return Balls(s, rest, radius * UP + TINY)

    def log(self) -> Balls:
        """Of balls above zero, accurately relatively also near one."""
        cell, exponent = _cell(self.high)
        mantissa = self.scaled(-exponent)
        return _logarithm(mantissa - cell, mantissa + cell, cell, exponent)

    def log1p(self) -> Balls:
        """log(1 + z) for z > −1/2, accurately relatively also near zero."""
        cell, exponent = _cell(1 + self.high)
        near = balls(np.ldexp(cell, exponent))
        return _logarithm(self + (1 - near), self + (1 + near), cell, exponent)

    def scaled(self, exponent: NDArray[np.int32]) -> Balls:
        """Times 2^exponent."""
        return Balls(*(np.ldexp(part, exponent) for part in (self.high, self.low, self.radius)))

    def widened(self, by: Array | float) -> Balls:
        return Balls(self.high, self.low, (self.radius + by) * UP)

    def where(self, condition: NDArray[np.bool_], other: Balls) -> Balls:
        """This one where the condition holds, the other one elsewhere."""
        pairs = zip((self.high, self.low, self.radius), (other.high, other.low, other.radius), strict=True)
        return Balls(*(np.where(condition, a, b) for a, b in pairs))

    @property
    def known(self) -> NDArray[np.bool_]:
        return np.isfinite(self.high) & np.isfinite(self.low) & np.isfinite(self.radius)

    def size(self) -> Pair:
        """Bounds of the absolute value, from below and from above."""
        middle = np.abs(self.high + self.low)
        return np.maximum(middle / UP - self.radius * UP, 0), (middle + self.radius) * UP

    def ball(self, place: int) -> arb:
        """One of them."""
        with working_precision(256):
            return arb(float(self.high[place])) + arb(float(self.low[place])) + arb(0, float(self.radius[place]))


def balls(value: Balls | Array | float) -> Balls:
    """Doubles as balls without radius; balls as they are."""
    if isinstance(value, Balls):
        return value
    high = np.asarray(value, dtype=np.float64)
    return Balls(high, np.zeros_like(high), np.zeros_like(high))


@cache
def rational(value: fmpq | Fraction) -> Balls:
    """The ball of a rational number."""
    exact = Fraction(int(value.p), int(value.q)) if isinstance(value, fmpq) else value
    high = float(exact)
    low = float(exact - Fraction(high))
    rest = float(abs(exact - Fraction(high) - Fraction(low))) * UP
    return Balls(np.float64(high), np.float64(low), np.float64(rest))  # type: ignore[arg-type]


def enclosing(value: arb) -> Balls:
    """The ball of a ball of Arb."""
    return rational(centre(value)).widened(float(value.rad()))


def _sum(a: Array, b: Array) -> Pair:
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


def _fast_sum(a: Array, b: Array) -> Pair:
    s = a + b
    return s, b - (s - a)


def _product(a: Array, b: Array) -> Pair:
    """Dekker's exact product."""
    p = a * b
    c, d = SPLITTER * a, SPLITTER * b
    a1, b1 = c - (c - a), d - (d - b)
    a2, b2 = a - a1, b - b1
    return p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2


def _cell(value: Array) -> tuple[Array, NDArray[np.int32]]:
    """j/CELLS nearest to value/2^e, which lies between √½ and √2, and e."""
    mantissa, exponent = np.frexp(value)
    low = mantissa < np.sqrt(0.5)
    mantissa, exponent = np.where(low, 2 * mantissa, mantissa), np.where(low, exponent - 1, exponent)
    return np.round(np.where(np.isfinite(mantissa), mantissa, 1) * CELLS) / CELLS, exponent


def _logarithm(difference: Balls, total: Balls, cell: Array, exponent: NDArray[np.int32]) -> Balls:
    """log(X) = e log 2 + log c + 2 artanh((X − C)/(X + C)), C = c 2^e."""
    z = difference / total
    square = z * z
    series = rational(Fraction(1, 2 * ATANH_TERMS - 1))
    for k in range(ATANH_TERMS - 2, -1, -1):
        series = series * square + rational(Fraction(1, 2 * k + 1))
    rest = 2 * z * series
    places = np.round(cell * CELLS).astype(int)
    return rest.widened(np.abs(rest.high) * ATANH_REST) + _logarithms()[places] + balls(exponent.astype(float)) * _logarithms()[2 * CELLS]


@cache
def _logarithms() -> Balls:
    """log(j/CELLS) for j = 1 … 2 CELLS; the last one is log 2. Place 0 is not used."""
    found = []
    with working_precision(256):
        for j in range(2 * CELLS + 1):
            value = centre((arb(max(j, 1)) / CELLS).log())
            found.append(rational(value))
    parts = ([float(getattr(each, name)) for each in found] for name in ("high", "low", "radius"))
    high, low, radius = map(np.array, parts)
    return Balls(high, low, radius + 2.0**-240)
