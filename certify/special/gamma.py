"""The hazard of the gamma distribution, h(x) = x^{a−1}e^{−x}/Γ(a, x), in PyTorch.

With α = a − 1 and w of ``gamma_tail``, from an edge on, and h′ = h e by the equation,

    h = (x − α + αw)/x,    e = h + (α − x)/x = αw/x,

in which nothing cancels; below, 1/h = Γ(a) e^x x^{−α} − (x/a) Σ x^k/((a+1) … (a+k)), in which at most two thirds do. The first term is
C (2^j e^{x/2} y^{−α/2})², y = x/2^k with 2^k about α/e, so that exp and pow are taken at numbers without error, and C, about 1, is Arb's:
nothing of it grows with |log h|. The edge is α; 1 for a < 2, ¼ for a < 1, where h′ has its form from w already from ``NEAR`` on. For
a ≥ 256 see ``gamma_large``. Bounds of h are claims ``riccati.gamma``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import torch
from flint import arb, fmpq
from torch import Tensor

from certify.exact.ball import working_precision
from certify.exact.number import Number, brief, centre, exact
from certify.special import gamma_large
from certify.special.gamma_tail import (
    ACCURACY,
    FAR,
    NEAR,
    TINY,
    by_polynomial,
    continued_fraction,
    interpolated,
    interpolation_error,
    quotient,
    steps,
)
from certify.special.gamma_truncation import truncation
from certify.special.horner import nested
from certify.special.primitive import realize
from certify.vmf.resolved import resolved

LEAST, MOST = fmpq(1, 2), 10_000
BITS = 200


def gamma_hazard(x: Tensor, *, a: Number) -> Tensor:
    """Density over survival function of the gamma distribution of shape a, at x > 0; it tends to 1 as x → ∞.

    Any shape; float64, float32, bfloat16 or float16, computed in float64, with one derivative, which below x = 10⁻³⁰⁰ is that at 10⁻³⁰⁰.
    a is taken as float64 has it. NaN for x < 0. The relative error is ``gamma_hazard_error``, besides rounding. Raises ValueError for a
    outside ½ … 10⁴.
    """
    form = _form(a)
    chain = (_hazard, _slope) if form.a < gamma_large.LEAST else (gamma_large.hazard, gamma_large.slope)
    return realize("gamma_hazard", chain, x, form)


def gamma_hazard_error(*, a: Number) -> Fraction:
    """The proven bound of the relative error of the formulas for h for every x > 0, by Arb; a is taken as float64 has it.

    Raises ValueError for a outside ½ … 10⁴.
    """
    shape = _accepted(a)
    with working_precision(BITS):
        bound = _error(_form_of(shape)) if shape < gamma_large.LEAST else gamma_large.error(shape)
        upper = centre(bound.upper())
    return Fraction(int(upper.p), int(upper.q))


def _error(form: _Form) -> arb:
    """From w, by ∂ log h/∂ log w = αw/(xh), which decreases in size with x, and from the end of the sum.

    Without its end, which times h increases with x, 1/h is greater.
    """
    a, x, n = arb(form.a), arb(form.edge), len(form.factors) + 1
    w = quotient(x, a)
    h = (x + 1 - a + (a - 1) * w) / x
    rest = x ** (n + 1) / a.rising(n + 1) / (1 - x / (a + n + 1)) * h
    return (abs(a - 1) * w / (x * h) * _tail_error(form)).max(rest)


def _tail_error(form: _Form) -> arb:
    """Of w, relatively."""
    a = arb(form.a)
    if not form.coefficients:
        return truncation(arb(form.edge), a, form.steps)
    return truncation(arb(1 / NEAR), a, form.steps).max(interpolation_error() / quotient(arb(1 / NEAR), a))


def _accepted(a: Number) -> float:
    number = exact(a)
    if not LEAST <= number <= MOST:
        raise ValueError(f"a = {brief(number)}: 1/2 ≤ a ≤ {MOST} is accepted")
    return float(number)


@dataclass(frozen=True)
class _Form:
    """The numbers of the formulas."""

    a: float
    edge: float
    start: float
    """Where the slope is taken from w."""
    steps: int
    """Of the continued fraction."""
    coefficients: tuple[float, ...]
    """Of w's polynomial, for a < 2."""
    factors: tuple[float, ...]
    """Of the sum."""
    power: _Power


@dataclass(frozen=True)
class _Power:
    """Γ(a) e^x x^{−α} is constant·(weight·e^{x/2} (x·scale)^{−α/2})²."""

    scale: float
    constant: float
    weight: float


@resolved
def _form(a: Number) -> _Form | gamma_large.Form:
    shape = _accepted(a)
    return _form_of(shape) if shape < gamma_large.LEAST else gamma_large.form(shape)


@cache
def _form_of(a: float) -> _Form:
    edge = a - 1 if a >= 2 else 1.0 if a > 1 else 0.25
    coefficients, count = ((), steps(edge, a)) if a >= 2 else (interpolated(a), steps(1 / NEAR, a))
    factors = tuple(float(1 / (Fraction(a) + k)) for k in range(1, _terms(a, edge)))
    return _Form(a, edge, NEAR if a < 2 else edge, count, tuple(coefficients), factors, _power(a))


def _hazard(x: Tensor, form: _Form) -> Tensor:
    return torch.where(x >= 0, _parts(x, form)[0], torch.nan)


def _slope(x: Tensor, form: _Form) -> Tensor:
    value, excess = _parts(torch.clamp_min(x, TINY), form)
    return torch.where(x >= 0, value * excess, torch.nan)


def _parts(x: Tensor, form: _Form) -> tuple[Tensor, Tensor]:
    """h and e."""
    if form.a == 1:
        return torch.ones_like(x), torch.zeros_like(x)
    far, alpha = torch.clamp_min(x, form.start), form.a - 1
    beyond, finite = (_tail(far, form) * alpha).div_(far), torch.clamp_max(far, FAR)
    near = torch.reciprocal(_inverse(torch.clamp(x, 0, form.edge), form))
    value = torch.where(x > form.edge, (finite - alpha) / finite + beyond, near)
    return value, torch.where(x > form.start, beyond, value + (alpha - x) / x)


def _tail(x: Tensor, form: _Form) -> Tensor:
    """w, from ``NEAR`` on for a < 2, from a on else."""
    if not form.coefficients:
        return continued_fraction(x, form.a, form.steps)
    middle, far = torch.clamp_max(x, 1 / NEAR), torch.clamp_min(x, 1 / NEAR)
    return torch.where(x > 1 / NEAR, continued_fraction(far, form.a, form.steps), by_polynomial(middle, form.coefficients))


def _inverse(x: Tensor, form: _Form) -> Tensor:
    """1/h for x ≤ edge."""
    return _first(x, form.a - 1, form.power) - nested(form.factors, x).mul_(x).div_(form.a)


def _first(x: Tensor, alpha: float, form: _Power) -> Tensor:
    """Γ(a) e^x x^{−α}."""
    power = (torch.exp(x / 2) * form.weight).mul_(torch.pow(x * form.scale, -alpha / 2))
    return (form.constant * power).mul_(power)


def _terms(a: float, edge: float) -> int:
    """n so that x^n/((a+1) … (a+n)) and what follows it are small enough."""
    gain, n = 0.0, 1
    while gain + math.log1p(-edge / (a + n)) < ACCURACY:
        gain += math.log((a + n) / edge)
        n += 1
    return n


def _power(a: float) -> _Power:
    """C 2^{2j} = Γ(a) 2^{−kα}."""
    k = round(math.log2(max((a - 1) / math.e, 1)))
    with working_precision(BITS):
        logarithm = arb(a).lgamma() / arb(2).log() - k * (arb(a) - 1)
        j = round(float(logarithm.mid()) / 2)
        return _Power(2.0**-k, float((arb(2) ** (logarithm - 2 * j)).mid()), 2.0**j)
