"""The logarithm of the normalizer of the Watson distribution, log M(½, p/2, κ), in PyTorch; its derivatives are the Kummer quotient's.

With b = p/2 and β = b − ½, up to an edge κ* by Kummer's series (DLMF 13.2.2), above by Laplace's method at t = 1,

    M = Σ (½)_k κ^k/((b)_k k!),    M ≈ Γ(b)/Γ(½) e^κ κ^{−β} Σ_{k<n} (½)_k (β)_k/(k! κ^k),

in which all terms are positive; log(Γ(b)/Γ(½) e^κ κ^{−β}) = K + βφ(κ/β) with φ(λ) = λ − 1 − log λ, so that nothing cancels.

Errors.  Of the series, the terms from the n-th on are at most T_n/(1 − ρ), ρ = κ/(b + n), and M log M ≥ M − 1 ≥ T_k for k ≥ 1; for k < n,
T_n/T_k and ρ increase with κ. The integral ∫₀¹ e^{−κs} s^{β−1} (1 − s)^{−½} ds (DLMF 13.4.1, t = 1 − s), with P the first n terms of
(1 − s)^{−½}, misses ∫₀¹ e^{−κs} s^{β−1} ((1 − s)^{−½} − P) ds and has ∫₁^∞ e^{−κs} s^{β−1} P ds too much. Coefficients of (1 − s)^{−½}
decrease from 1: the brackets are at most sⁿ(1 − s)^{−½}, and P at most n s^{n−1} where s ≥ 1. As e^{−κs} s^m ≤ e^{−m} (m/κ)^m, and
s^{m−1} ≤ e^{(m−1)(s−1)}, for m = β + n − 1 < κ the two are at most 2 e^{−m} (m/κ)^m and n e^{−κ}/(κ − m + 1). Divided by Γ(β) κ^{−β}, both
decrease with κ. So κ = κ* decides; there Arb evaluates them. κ* is about the least for which some n will do, and the n are the least.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import torch
from flint import arb
from torch import Tensor

from certify.exact.ball import working_precision
from certify.exact.number import Number, centre
from certify.exact.truth import Truth, less
from certify.special import watson
from certify.special.horner import nested, polynomial
from certify.special.primitive import realize
from certify.special.watson import accepted_half, steps_to
from certify.vmf.resolved import resolved

HALF = arb(0.5)
BITS = 200
WANTED = arb(2) ** -57
"""Bound of the errors."""
DECAY, DECAYS = 38.0, 1.5
"""βφ(κ*/β) is DECAY + DECAYS·log(1 + β)."""
LAST = 57
"""The series stops where T_n/(1 − ρ) is below 2^−LAST of the largest term."""
PHI_TERMS = 17
"""Of φ by its series where |λ − 1| < ½."""
FAR = 2.0**1000
"""Beyond it log M is κ to the last bit."""


def log_kummer(kappa: Tensor, *, p: Number) -> Tensor:
    """log M(½, p/2, κ) for κ ≥ 0, log of the mean of e^{κ⟨μ, x⟩²} over the sphere in p dimensions: 0 at κ = 0, convex, about κ for large κ.

    Any shape; float64, float32, bfloat16 or float16, computed in float64. The derivative is ``watson_quotient``, and there is a second one.
    The relative error is ``log_kummer_error``, besides rounding. NaN for κ < 0. Raises ValueError for p outside 2 … 10⁴.
    """
    return realize("log_kummer", (_logarithm, _quotient, _slope), kappa, _form(p))


def log_kummer_error(*, p: Number) -> Fraction:
    """The proven bound of the relative error of the formulas for every κ > 0, by Arb; p is taken as float64 has it.

    Raises ValueError for p outside 2 … 10⁴.
    """
    b = accepted_half(p)
    with working_precision(BITS):
        bound = series_error(b, _edge(b), *_terms(b)).max(laplace_error(b, _edge(b), _laplace_terms(b)))
        upper = centre(bound.upper())
    return Fraction(int(upper.p), int(upper.q))


def series_error(b: float, edge: int, n: int, k: int) -> arb:
    """Of the logarithm of the first n terms for 0 < κ ≤ ``edge``, by the k-th; 1 ≤ k < n and b + n > ``edge``."""
    kappa = arb(edge)
    quotient = kappa ** (n - k) * (HALF + k).rising(n - k) / (arb(b) + k).rising(n - k) / arb(k + 1).rising(n - k)
    return _of_logarithm(quotient / (1 - kappa / (arb(b) + n)))


def laplace_error(b: float, edge: int, n: int) -> arb:
    """Of the logarithm of the other form with n terms for κ ≥ ``edge``; n ≤ ``edge`` − β."""
    beta, kappa = arb(b) - HALF, arb(edge)
    m = beta + n - 1
    missed = 2 * ((m / kappa).log() * m - m).exp() + n * (-kappa).exp() / (kappa - m + 1)
    error = _of_logarithm(missed * kappa**beta / beta.gamma())
    least = arb(b).lgamma() - arb.pi().log() / 2 + kappa - beta * kappa.log()
    return error / (least - error) if less(error, least) is Truth.YES else arb.pos_inf()


def _of_logarithm(delta: arb) -> arb:
    """|log(1 ± δ)| ≤ δ/(1 − δ) for δ < 1; nothing is known else."""
    return delta / (1 - delta) if less(delta, 1) is Truth.YES else arb.pos_inf()


@cache
def _edge(b: float) -> int:
    """κ*, by Newton's method for βφ(κ/β), which is convex, from above."""
    beta = b - 0.5
    decay = DECAY + DECAYS * math.log1p(beta)
    kappa = b + 2 * decay + 2 * math.sqrt(decay * b)
    for _ in range(8):
        kappa -= (kappa - beta - beta * math.log(kappa / beta) - decay) / (1 - beta / kappa)
    return math.ceil(kappa)


def _terms(b: float) -> tuple[int, int]:
    """n for the series, and the k of its largest term at κ* besides the first."""
    edge, size, largest, k, at = _edge(b), 0.0, -math.inf, 0, 0
    while k <= edge - b or size - math.log2(1 - edge / (b + k)) > largest - LAST:
        size += math.log2((k + 0.5) * edge / ((b + k) * (k + 1)))
        k += 1
        if size > largest:
            largest, at = size, k
    return k, at


@cache
def _laplace_terms(b: float) -> int:
    """The least n with an error below ``WANTED``, or as many as are allowed."""
    most = math.floor(_edge(b) - (b - 0.5))
    with working_precision(BITS):
        return next((n for n in range(1, most) if less(laplace_error(b, _edge(b), n), WANTED) is Truth.YES), most)


@dataclass(frozen=True)
class _Form:
    """The numbers of the formulas: κ*, β, K, the factors of the two sums, and the steps of the quotient."""

    b: float
    edge: float
    constant: float
    series: tuple[float, ...]
    laplace: tuple[float, ...]
    steps: int


@resolved
def _form(p: Number) -> _Form:
    return _form_of(accepted_half(p))


@cache
def _form_of(b: float) -> _Form:
    series = tuple((k + 0.5) / ((b + k) * (k + 1)) for k in range(_terms(b)[0] - 1))
    laplace = tuple((k + 0.5) * (b - 0.5 + k) / (k + 1) for k in range(_laplace_terms(b) - 1))
    return _Form(b, float(_edge(b)), _constant(b), series, laplace, steps_to(b))


def _logarithm(kappa: Tensor, form: _Form) -> Tensor:
    near, far, beta = torch.clamp(kappa, 0, form.edge), torch.clamp(kappa, form.edge, FAR), form.b - 0.5
    below = torch.log1p(nested(form.series[1:], near).mul_(near * form.series[0]))
    above = form.constant + beta * _over_logarithm(far / beta, (far - beta) / beta) + torch.log(nested(form.laplace, 1 / far))
    return torch.where(kappa >= 0, torch.where(kappa > form.edge, above + (kappa - far), below), torch.nan)


def _quotient(kappa: Tensor, form: _Form) -> Tensor:
    return watson.quotient(kappa, form.b, form.steps)


def _slope(kappa: Tensor, form: _Form) -> Tensor:
    return watson.slope(kappa, form.b, form.steps)


def _constant(b: float) -> float:
    """K = log Γ(b) − log Γ(½) + β − β log β."""
    with working_precision(BITS):
        beta = arb(b) - HALF
        return float((arb(b).lgamma() - arb.pi().log() / 2 + beta - beta * beta.log()).mid())


def _over_logarithm(ratio: Tensor, m: Tensor) -> Tensor:
    """m − log(1 + m), 1 + m = ratio > 0: m s − 2(s³/3 + s⁵/5 + …), s = m/(2 + m), near 0."""
    near = torch.clamp(m, -0.5, 0.5)
    s = near / (2 + near)
    square = s * s
    total = polynomial([0.0, *(1 / (2 * k + 1) for k in range(1, PHI_TERMS))], square)
    return torch.where(torch.abs(m) < 0.5, s * (near - 2 * total), m - torch.log(ratio))
