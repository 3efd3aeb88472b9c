"""The hazard of the gamma distribution, h(x) = x^{a−1}e^{−x}/Γ(a, x), in PyTorch.

With α = a − 1 and w of ``gamma_tail``, from an edge on, and h′ = h e by the equation,

    h = (x − α + αw)/x,    e = h + (α − x)/x = αw/x,

in which nothing cancels; below, 1/h = Γ(a) e^x x^{−α} − (x/a) Σ x^k/((a+1) … (a+k)), in which at most two thirds do. The first term is
C (2^j e^{x/m} y^{−α/m})^m, y = x/2^k with 2^k about α/e and m a power of 2, so that exp and pow are taken at numbers without
error, and C, about 1, is Arb's: nothing of it grows with |log h|. The edge is a; 1 for a < 2, ¼ for a < 1, where h′ has its form from w
already from ``NEAR`` on. Bounds of h are claims ``riccati.gamma``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import torch
from flint import arb, fmpq
from torch import Tensor

from certify.exact.ball import working_precision
from certify.exact.number import Number, brief, exact
from certify.special.gamma_tail import NEAR, by_polynomial, continued_fraction, interpolated, steps
from certify.special.horner import nested
from certify.special.primitive import Chain, realize

LEAST, MOST = fmpq(1, 2), 10_000
ACCURACY = 53 * math.log(2)
BITS = 200
ROOM = 350.0
"""α/m is no more: e to it, squared, is in the range of float64."""
TINY, FAR = 1e-300, 2.0**100
"""What x = 0 counts as for the derivative, and where x − α is x to the last bit."""
Function = Callable[[Tensor], Tensor]


def gamma_hazard(x: Tensor, *, a: Number) -> Tensor:
    """Density over survival function of the gamma distribution of shape a, at x > 0; it tends to 1 as x → ∞.

    Any shape; float64, float32, bfloat16 or float16, computed in float64, with one derivative. a is taken as float64 has it. NaN for x < 0.
    Raises ValueError for a outside ½ … 10⁴.
    """
    return realize("gamma_hazard", _chain(_accepted(a)), x)


def _accepted(a: Number) -> float:
    number = exact(a)
    if not LEAST <= number <= MOST:
        raise ValueError(f"a = {brief(number)}: 1/2 ≤ a ≤ {MOST} is accepted")
    return float(number)


@cache
def _chain(a: float) -> Chain:
    parts = _parts(a) if a != 1 else _exponential

    def hazard(x: Tensor) -> Tensor:
        return torch.where(x >= 0, parts(x)[0], torch.nan)

    def slope(x: Tensor) -> Tensor:
        value, excess = parts(torch.clamp_min(x, TINY))
        return torch.where(x >= 0, value * excess, torch.nan)

    return hazard, slope


def _exponential(x: Tensor) -> tuple[Tensor, Tensor]:
    """a = 1."""
    return torch.ones_like(x), torch.zeros_like(x)


def _parts(a: float) -> Callable[[Tensor], tuple[Tensor, Tensor]]:
    """h and e."""
    alpha, edge = a - 1, a if a >= 2 else 1.0 if a > 1 else 0.25
    start = NEAR if a < 2 else edge
    tail, inverse = _tail(a), _inverse(a, edge)

    def parts(x: Tensor) -> tuple[Tensor, Tensor]:
        far = torch.clamp_min(x, start)
        beyond, finite = tail(far).mul_(alpha).div_(far), torch.clamp_max(far, FAR)
        value = torch.where(x > edge, (finite - alpha) / finite + beyond, torch.reciprocal(inverse(torch.clamp(x, 0, edge))))
        return value, torch.where(x > start, beyond, value + (alpha - x) / x)

    return parts


def _tail(a: float) -> Function:
    """w, from ``NEAR`` on for a < 2, from a on else."""
    if a >= 2:
        n = steps(a, a)
        return lambda x: continued_fraction(x, a, n)
    coefficients, n = interpolated(a), steps(1 / NEAR, a)

    def tail(x: Tensor) -> Tensor:
        middle, far = torch.clamp_max(x, 1 / NEAR), torch.clamp_min(x, 1 / NEAR)
        return torch.where(x > 1 / NEAR, continued_fraction(far, a, n), by_polynomial(middle, coefficients))

    return tail


def _inverse(a: float, edge: float) -> Function:
    """1/h for x ≤ edge."""
    first, factors = _first(a), [1 / (a + k) for k in range(1, _terms(a, edge))]
    return lambda x: first(x) - nested(factors, x).mul_(x).div_(a)


def _terms(a: float, edge: float) -> int:
    """n so that x^n/((a+1) … (a+n)) and what follows it are small enough."""
    gain, n = 0.0, 1
    while gain + math.log1p(-edge / (a + n)) < ACCURACY:
        gain += math.log((a + n) / edge)
        n += 1
    return n


def _first(a: float) -> Function:
    """Γ(a) e^x x^{−α}."""
    alpha = a - 1
    k, squarings = round(math.log2(max(alpha / math.e, 1))), math.ceil(math.log2(max(alpha / ROOM, 2)))
    scale, m = 2.0**-k, 2**squarings
    constant, weight = _constant(a, k, m)

    def first(x: Tensor) -> Tensor:
        power = torch.exp(x / m).mul_(weight).mul_(torch.pow(x * scale, -alpha / m))
        for _ in range(squarings - 1):
            power = power.mul_(power)
        return (constant * power).mul_(power)

    return first


def _constant(a: float, k: int, m: int) -> tuple[float, float]:
    """C and 2^j, with C 2^{jm} = Γ(a) 2^{−kα}."""
    with working_precision(BITS):
        logarithm = arb(a).lgamma() / arb(2).log() - k * (arb(a) - 1)
        j = round(float(logarithm.mid()) / m)
        return float((arb(2) ** (logarithm - j * m)).mid()), 2.0**j
