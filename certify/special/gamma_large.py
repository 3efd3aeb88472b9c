"""The hazard of the gamma distribution for a large shape a, in time that does not depend on a.

With α = a − 1, y = |x − a|/s, s = √a, and the density f = x^α e^{−x}/Γ(a),

    T_k(x) = ∫_0^∞ e^{−xt} t^k (1+t)^{α−k} dt/k!,    h = 1/(xT_0),       h′ = αT_1/(xT_0)²       from a on,
    S(x) = ∫_0^1 e^{xt} (1−t)^α dt,                  h = f/(1 − xSf),    h′ = h(h + (α−x)/x)    below.

For y ≤ 9, sT_0(y+9), s²T_1(y+9)² and sS(y+9) are polynomials in σ = (y−3)/(y+9), |σ| ≤ 1/3. Farther on the right, h and h′ are made of
w = T_1/T_0 by Legendre's continued fraction (``gamma_tail``); on the left, xSf is nothing, and S may be that of y = 9. f is f(x_j), by Arb,
times e^{α log(1 + r/x_j) − r}, r = x − x_j, for the nearest x_j of many: nothing of it grows with log f.

Error.  σ maps Re y > −3 to the unit disc. There |T_k(x)| ≤ T_k(Re x) ≤ T_k(a − 3s) and |S(x)| ≤ S(a + 3s), and |y + 9| = 12/|1 − σ|. On the
real axis T_k and S decrease from y = 0 to 9 (``interpolation``). Farther on the left, xSf with the S of y = 9 increases with x.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, reduce

import torch
from flint import arb, fmpq
from torch import Tensor

from certify.exact.ball import working_precision
from certify.special.gamma_tail import FAR, TINY, continued_fraction
from certify.special.gamma_truncation import of_reciprocal, truncation
from certify.special.horner import polynomial
from certify.special.interpolation import BITS, distance, interpolant, semiaxes
from certify.vmf.resolved import resolved

LEAST = 256
"""The a from which on this is the faster way."""
SHIFT, END = 3, 9
"""The 3 of Re y > −3, and the greatest y."""
WIDTH, RADIUS = fmpq(1, 3), fmpq(11, 2)
"""Of σ's interval, and ρ."""
DEGREES = {"T_0": 31, "T_1": 35, "S": 31}
STEPS = 20
SPACING = 64
"""At least so many x_j in s."""
LOWEST = -745
"""log f below which f is 0."""


def _upper(x: arb, a: arb) -> arb:
    return x.gamma_upper(a) * x.exp() / x**a


FUNCTIONS: dict[str, Callable[[arb, arb], arb]] = {
    "T_0": _upper,
    "T_1": lambda x, a: _upper(x, a) - _upper(x, a - 1),
    "S": lambda x, a: a.gamma() * x.exp() / x**a - _upper(x, a),
}
SIDES = {"T_0": 1, "T_1": 1, "S": -1}
POWERS = {"T_0": 1, "T_1": 2, "S": 1}
"""Of s(y + 9)."""


@dataclass(frozen=True)
class Form:
    """The numbers of the formulas: a, and the polynomials of T_0, T_1 and S in σ."""

    a: float
    first: tuple[float, ...]
    second: tuple[float, ...]
    lower: tuple[float, ...]


@cache
def form(a: float) -> Form:
    return Form(a, *(_coefficients(name, a) for name in DEGREES))


def hazard(x: Tensor, form: Form) -> Tensor:
    """h for x ≥ 0, else NaN."""
    at = _place(x, form.a)
    above = at.length / polynomial(form.first, at.sigma).mul_(at.middle)
    value, excess = _beyond(x, form.a)
    return _chosen(x, form.a, _below(at, form), above, value.add_(excess))


def slope(x: Tensor, form: Form) -> Tensor:
    """h′ for x ≥ 0, else NaN."""
    at, alpha = _place(x, form.a), form.a - 1
    value = _below(at, form)
    below = ((alpha - at.near) / at.near).add_(value).mul_(value)
    root = polynomial(form.first, at.sigma).mul_(at.middle)
    above = polynomial(form.second, at.sigma).mul_(alpha).div_(root).div_(root)
    limit, excess = _beyond(x, form.a)
    return _chosen(x, form.a, below, above, limit.add_(excess).mul_(excess))


def _chosen(x: Tensor, a: float, below: Tensor, above: Tensor, beyond: Tensor) -> Tensor:
    return torch.where(x >= 0, torch.where(x > _end(a), beyond, torch.where(x >= a, above, below)), torch.nan)


def _end(a: float) -> float:
    return a + END * math.sqrt(a)


@dataclass(frozen=True)
class _Place:
    """x below a, x where the polynomials are for, s(y+9), and σ."""

    near: Tensor
    middle: Tensor
    length: Tensor
    sigma: Tensor


def _place(x: Tensor, a: float) -> _Place:
    scale = math.sqrt(a)
    y = torch.clamp(torch.abs(x - a).div_(scale), max=END)
    length = y + END
    return _Place(torch.clamp(x, TINY, a), torch.clamp(x, max=_end(a)), length * scale, (y - SHIFT).div_(length))


def _beyond(x: Tensor, a: float) -> tuple[Tensor, Tensor]:
    """(x − α)/x and αw/x, whose sum is h, for y > 9 above."""
    far, alpha = torch.clamp_min(x, _end(a)), a - 1
    finite = torch.clamp_max(far, FAR)
    return (finite - alpha) / finite, (continued_fraction(far, a, STEPS) * alpha).div_(far)


def _below(at: _Place, form: Form) -> Tensor:
    """h below a."""
    density = _density(at.near, form.a)
    return density / (1 - polynomial(form.lower, at.sigma).div_(at.length).mul_(at.near).mul_(density))


def _density(x: Tensor, a: float) -> Tensor:
    """f for x ≤ a."""
    table, start, spacing = _densities(a).to(x.device), _start(a), _spacing(a)
    place = torch.clamp(torch.round(x / spacing).long().sub_(start), 0, len(table) - 1)
    at = (place + start) * spacing
    r = x - at
    return torch.exp(torch.log1p(r / at).mul_(a - 1).sub_(r)) * table.index_select(0, place.reshape(-1)).reshape(x.shape)


@resolved
def _densities(a: float) -> Tensor:
    """f(x_j)."""
    return _densities_of(a)


@cache
def _densities_of(a: float) -> Tensor:
    with working_precision(BITS):
        logarithm, alpha, spacing = arb(a).lgamma(), arb(a) - 1, _spacing(a)
        points = (arb(spacing) * j for j in range(_start(a), math.ceil(a / spacing) + 1))
        return torch.tensor([float((alpha * x.log() - x - logarithm).exp().mid()) for x in points], dtype=torch.float64)


def _spacing(a: float) -> float:
    """x_j = j times a power of two."""
    return 2.0 ** math.floor(math.log2(math.sqrt(a) / SPACING))


def _start(a: float) -> int:
    """The first j."""
    return math.floor(_least(a - 1) / _spacing(a))


def _least(alpha: float) -> float:
    """About the x < α below which f is 0, log(x/α) = x/α − 1 + ``LOWEST``/α, by fixed-point iteration from above."""
    ratio = 1.0
    for _ in range(60):
        ratio = math.exp(ratio - 1 + LOWEST / alpha)
    return alpha * ratio


def _scaled(name: str, y: arb, a: arb) -> arb:
    """What the polynomial is for."""
    s = a.sqrt()
    return FUNCTIONS[name](a + SIDES[name] * y * s, a) * (s * (y + END)) ** POWERS[name]


def _coefficients(name: str, a: float) -> tuple[float, ...]:
    return tuple(interpolant(lambda t: _scaled(name, (END * t + SHIFT) / (1 - t), arb(a)), WIDTH, DEGREES[name]))


def error(a: float) -> arb:
    """The bound of the relative error of h, besides rounding; that of h′ is at most four times as large."""
    with working_precision(BITS):
        shape = arb(a)
        above = [_interpolation("T_0", shape), _interpolation("T_1", shape), truncation(arb(_end(a)), shape, STEPS)]
        below = [_interpolation("S", shape), 1 - (shape - END * shape.sqrt()).gamma_upper(shape, regularized=1)]
        least = shape.gamma_upper(shape, regularized=1)
        return of_reciprocal(reduce(arb.max, [*above, *(bound / least for bound in below)]))


def _interpolation(name: str, a: arb) -> arb:
    """On the ellipse T_k and S are at most what they are at y = −3, on the interval at least what they are at y = 9."""
    reach = arb(SHIFT + END) / (1 - semiaxes(WIDTH, RADIUS)[0])
    most = _scaled(name, arb(-SHIFT), a) * (reach / (END - SHIFT)) ** POWERS[name]
    least = _scaled(name, arb(END), a) / arb(2) ** POWERS[name]
    return distance(most, RADIUS, DEGREES[name]) / least
