"""Two-sided bounds of the finite start's coherence defect for every x > 0, and the point where clipping starts.

d = g − Φ̃′_{ν,M} with g = R̃_{ν,M}, or g = min(R̃_{ν,M}, 1) when clipped; whole orders ν ≥ 1, starts M ≥ ν. With N = M + 1,
σ_i = (−1)^{M−i}, ρ_i = (I_N/K_N)(K_i/I_i) = exp(−λ_i) and h_i = 1/(I_i K_i), exactly (claims recurrence.closed, defect.law)

    R̃ − Φ̃′ = −σ_ν h_N/(x(e^{λ_ν} + σ_ν)) + σ_0 (h_N − h_0)/(x(e^{λ_0} + σ_0)),
    1 − Φ̃′ = 1 − R_ν + (h_N − h_ν)/(x(e^{λ_ν} − 1)) + σ_0 (h_N − h_0)/(x(e^{λ_0} + σ_0))       (M − ν odd).

Every quantity is bounded by closed forms. For orders i ≥ 1, with s = √(x² + i²) and V_i = K_{i−1}/K_i:

    |R_i − A_R| ≤ c x/s⁴,    |log I_i − i log x − F_R + ½ log 2π| ≤ c/(2s²),    V_i by claim ratio.second,
    h_i = 2i + x(R_i + V_i),    λ_i = 2 log(I_i/I_N) + log(h_i/h_N),

and order 0 by I_0 = I_1(2/x + R_1), K_0 = V_1 K_1. So λ_ν is known within about c(1/s_ν² + 1/s_N²), and the width of the bounds
relative to d is of this size times 1 + 1/λ_ν. Functions raise ValueError, one line, for ν < 1, M < ν, and x not positive.
"""

from __future__ import annotations

from typing import NamedTuple

from flint import arb, fmpq

from certify.exact import recurrence
from certify.exact.ball import demand, hypotenuse, working_precision
from certify.exact.domain import decimal_digits, positive
from certify.exact.errors import NotAccepted
from certify.exact.ladder_constants import RELATIVE
from certify.exact.number import Number, brief, exact, magnitude
from certify.exact.truth import Truth, less

ERROR = exact(RELATIVE)
"""c: |R_ν − A_R| ≤ c x/s⁴ for ν ≥ 1/2 (claim ratio.relative), and by integration from x to ∞ half of it (claim score.uniform)."""

SECOND = fmpq(81, 1000), fmpq(2501, 10000)
"""The constants c₁ and c₂ of claim ratio.second."""

GUARD_BITS = 128


class Bounds(NamedTuple):
    """A number that lies between ``low`` and ``high``, whose own radii are negligible."""

    low: arb
    high: arb


def defect(nu: Number, start: Number, x: Number, *, clipped: bool = True) -> Bounds:
    """The coherence defect d = g − Φ̃′ at x > 0.

    >>> low, high = defect(255, 510, "1e5")
    >>> round(float(low), 7), round(float(high), 7)
    (0.0025567, 0.0025567)
    """
    order, first = _whole(nu, start)
    argument = positive("x", x)
    with working_precision(GUARD_BITS + 4 * abs(magnitude(argument)) + 4 * first.bit_length()):
        return _defect(order, first, argument, clipped)


def clip_start(nu: Number, start: Number, digits: int = 30) -> arb:
    """The x at which R̃_{ν,M} = 1, for M − ν odd: below it R̃ < 1, above it R̃ > 1 and the clipped rule supplies 1.

    R̃ strictly increases (claim defect.crossing), so that signs of R̃ − 1 enclose the crossing.
    """
    order, first = _whole(nu, start)
    if (first - order) % 2 == 0:
        raise NotAccepted(f"M - nu = {first - order}: R̃ reaches 1 for odd M - nu only")
    ends = fmpq(2 * (order + 1)), fmpq((first + 1) ** 2 - order**2, 2)  # claim concentration.crossing
    return demand(
        lambda bits: _bisect(order, first, *ends, bits),
        decimal_digits(digits),
        lambda: f"the crossing of 1 at nu = {order}, M = {first}",
    )


def _whole(nu: Number, start: Number) -> tuple[int, int]:
    order, first = exact(nu), exact(start)
    if order.q != 1 or order < 1:
        raise NotAccepted(f"nu = {brief(order)}: whole nu >= 1 is accepted")
    if first.q != 1 or first < order:
        raise NotAccepted(f"M = {brief(first)}: whole M >= nu is accepted (nu = {brief(order)})")
    return int(order), int(first)


def _bisect(nu: int, start: int, low: fmpq, high: fmpq, bits: int) -> arb:
    """An interval, 2^−bits wide relatively, at whose ends R̃ − 1 has opposite signs or is zero."""
    while (high - low) * fmpq(2) ** bits > low:
        middle = (low + high) / 2
        match less(recurrence.ratio(nu, start, arb(middle)), 1):
            case Truth.YES:
                low = middle
            case Truth.NO:
                high = middle
            case Truth.UNKNOWN:
                return arb.nan()
    return arb(low).union(arb(high))


def _defect(nu: int, start: int, x: fmpq, clipped: bool) -> Bounds:
    top, here, small = Order(start + 1, x), Order(nu, x), _normalisation(start, x)
    odd, exponent = (start - nu) % 2, _exponent(here, top)
    if not odd:
        return _sum(_negative(_over(top.product, exponent, x, 1)), small)
    raw = _sum(_over(top.product, exponent, x, -1), small)
    if not clipped:
        return raw
    gap, loss = _difference(top.product, here.product), Bounds(1 - here.ratio.high, 1 - here.ratio.low)
    one = _sum(loss, _over(gap, exponent, x, -1), small)
    return Bounds(raw.low.min(one.low), raw.high.min(one.high))


def _normalisation(start: int, x: fmpq) -> Bounds:
    """σ_0(h_N − h_0)/(x(e^{λ_0} + σ_0)), the part of d that the normalisation at order 0 brings in."""
    top, first, sign = Order(start + 1, x), Order(1, x), 1 if start % 2 == 0 else -1
    step = Bounds(2 / arb(x) + first.ratio.low, 2 / arb(x) + first.ratio.high)
    product = Bounds(first.product.low / (first.second.high * step.high), first.product.high / (first.second.low * step.low))
    exponent = _sum(
        _exponent(first, top),
        Bounds((step.low / first.second.high).log(), (step.high / first.second.low).log()),
    )
    part = _over(_difference(top.product, product), exponent, x, sign)
    return part if sign > 0 else _negative(part)


class Order:
    """Bounds at an order i ≥ 1: of the ratio R_i, of the second ratio V_i and of the product h_i = 1/(I_i K_i)."""

    def __init__(self, i: int, x: fmpq) -> None:
        self.i, self.x, self.s = i, x, hypotenuse(fmpq(i), x)
        self.ratio = self._ratio()
        self.second = self._second()
        self.product = Bounds(*(2 * i + x * (R + V) for R, V in zip(self.ratio, self.second, strict=True)))

    def _ratio(self) -> Bounds:
        i, x, s = self.i, self.x, self.s
        closed = x / (i + s) - x / (2 * s**2) + x * (4 * i * i - x * x) / (8 * s**5)
        error = ERROR * x / s**4
        return Bounds(closed - error, closed + error)

    def _second(self) -> Bounds:
        alpha = self.i - fmpq(1, 2)
        square = self.x * self.x + alpha * alpha
        mu, bend = alpha / (self.x + arb(square).sqrt()), self.x / (2 * square)
        low, high = mu / (1 + bend + SECOND[0] / square), (mu * (1 + SECOND[1] / square) / (1 + bend)).min(mu)
        return Bounds((1 - high) / (1 + high), (1 - low) / (1 + low))

    def potential(self) -> arb:
        """F_R + i log x − s: log I_i + ½ log 2π − s, within ERROR/(2s²)."""
        i, x, s = self.i, self.x, self.s
        return -i * (i / arb(x)).asinh() - s.log() / 2 + (3 * x * x - 2 * i * i) / (24 * s**3)


def _exponent(here: Order, top: Order) -> Bounds:
    """λ_i = 2 log(I_i/I_N) + log(h_i/h_N)."""
    steps = fmpq(here.i**2 - top.i**2) / (here.s + top.s) + here.potential() - top.potential()
    error = ERROR * (1 / here.s**2 + 1 / top.s**2)
    low, high = (here.product.low / top.product.high).log(), (here.product.high / top.product.low).log()
    return Bounds(2 * steps - error + low, 2 * steps + error + high)


def _over(numerator: Bounds, exponent: Bounds, x: fmpq, sign: int) -> Bounds:
    """numerator/(x(e^λ + sign)) for a numerator ≥ 0; without an upper bound where e^λ + sign might vanish."""
    least, most = (value.exp() + 1 if sign > 0 else value.expm1() for value in exponent)
    high = numerator.high / (x * least) if less(0, least) is Truth.YES else arb.pos_inf()
    return Bounds(numerator.low / (x * most), high)


def _difference(a: Bounds, b: Bounds) -> Bounds:
    """a − b, known to be ≥ 0."""
    return Bounds((a.low - b.high).max(0), a.high - b.low)


def _sum(*terms: Bounds) -> Bounds:
    return Bounds(sum((t.low for t in terms), arb(0)), sum((t.high for t in terms), arb(0)))


def _negative(a: Bounds) -> Bounds:
    return Bounds(-a.high, -a.low)
