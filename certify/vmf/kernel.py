"""The floating-point programs of the von Mises–Fisher primitives: pure tensor functions of x, ν and the order n of the ladder.

Every function takes x ≥ 0 of any shape, ν as a tensor without dimensions of the same dtype, float64 or float32, and n ≥ 0. They are
straight-line: no step depends on the data. *The order of the operations below is part of the interface*: the rounding theorems are about
exactly these, traced, and each line is written for its rounding. Products and sums associate as the parentheses and Python's precedence
say; a polynomial is Horner's rule from its highest coefficient; `reciprocal` is one division.

    x′ = min(x, X_MAX)       s = modulus(x′, ν)      e = 1/s      t = ν e      y = x′ e      w = t t

and with S[c] = c_0(w) + e(c_1(w) + e(c_2(w) + … e c_n(w))) over the polynomials of ``vmf.coefficients``

    ratio        A_n  = x′/(ν+s) − (y e) S[Q]
    quotient     A_n/x′ = 1/(ν+s) − (e e) S[Q]
    complement   1 − A_n = (ν + ν(ν/(s+x′)))/(ν+s) + (y e) S[Q]
    slope        A_n′ = t/(ν+s) − (e e) S[P].

Beyond X_MAX every A_n and R_ν lie within 2^−30 (binary32) or 2^−100 (binary64) of their values at X_MAX, relatively to 1. With ν ≤ NU_MAX
nothing overflows and e is a normal number.

``modulus`` is √(x² + ν²): `torch.hypot`, one operation, or ``root_of_squares``, four. Eagerly the first is faster, and torch's square root
on CPUs is not correctly rounded; compiled, the second is three times as fast, and its relative error is at most 2u as for a `hypot` of
one ulp. Differences of the potential always use `torch.hypot`, as their arguments reach a quarter of the largest float.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from certify.vmf.coefficients import table

X_MAX = {torch.float64: 2.0**500, torch.float32: 2.0**60}
NU_MAX = {torch.float64: 2.0**400, torch.float32: 2.0**30}

Modulus = Callable[[Tensor, Tensor], Tensor]


def root_of_squares(x: Tensor, nu: Tensor) -> Tensor:
    """√(x x + ν ν), at most ~2u in error relatively where √ is correctly rounded; x and ν at most X_MAX."""
    return torch.sqrt(x * x + nu * nu)


def ratio(x: Tensor, nu: Tensor, order: int, modulus: Modulus = torch.hypot) -> Tensor:
    """A_n(x) ≈ I_{ν+1}(x)/I_ν(x)."""
    x = torch.clamp_max(x, X_MAX[x.dtype])
    s = modulus(x, nu)
    e = torch.reciprocal(s)
    t = nu * e
    y = x * e
    return x / (nu + s) - (y * e) * _double_horner("ratio", order, t * t, e)


def quotient(x: Tensor, nu: Tensor, order: int, modulus: Modulus = torch.hypot) -> Tensor:
    """A_n(x)/x, also at x = 0."""
    x = torch.clamp_max(x, X_MAX[x.dtype])
    s = modulus(x, nu)
    e = torch.reciprocal(s)
    t = nu * e
    return torch.reciprocal(nu + s) - (e * e) * _double_horner("ratio", order, t * t, e)


def complement(x: Tensor, nu: Tensor, order: int, modulus: Modulus = torch.hypot) -> Tensor:
    """1 − A_n(x), accurate relatively to itself where A_n is near 1."""
    x = torch.clamp_max(x, X_MAX[x.dtype])
    s = modulus(x, nu)
    e = torch.reciprocal(s)
    t = nu * e
    y = x * e
    return (nu + nu * (nu / (s + x))) / (nu + s) + (y * e) * _double_horner("ratio", order, t * t, e)


def slope(x: Tensor, nu: Tensor, order: int, modulus: Modulus = torch.hypot) -> Tensor:
    """A_n′(x)."""
    x = torch.clamp_max(x, X_MAX[x.dtype])
    s = modulus(x, nu)
    e = torch.reciprocal(s)
    t = nu * e
    return t / (nu + s) - (e * e) * _double_horner("slope", order, t * t, e)


def difference(a: Tensor, b: Tensor, nu: Tensor, order: int) -> Tensor:
    """F_n(b) − F_n(a) for 0 ≤ a, b ≤ max/4: from the smaller end upward, then the sign.

    Δ = (hi − lo)((hi + lo)/(s0 + s1)), lo = min(a, b), hi = max(a, b), s0 = hypot(lo, ν), s1 = hypot(hi, ν).
    """
    low, high = torch.minimum(a, b), torch.maximum(a, b)
    s0, s1 = torch.hypot(low, nu), torch.hypot(high, nu)
    step = (high - low) * ((high + low) / (s0 + s1))
    size = _increase(step, s0, s1, nu, order)
    return torch.where(a > b, -size, size)


def difference_of_squares(gap: Tensor, a: Tensor, b: Tensor, nu: Tensor, order: int) -> Tensor:
    """F_n(b) − F_n(a) where b² − a² is known directly, more accurately than from a and b: Δ = |gap|/(s0 + s1), the sign is gap's."""
    s0, s1 = torch.hypot(torch.minimum(a, b), nu), torch.hypot(torch.maximum(a, b), nu)
    size = _increase(torch.abs(gap) / (s0 + s1), s0, s1, nu, order)
    return torch.where(gap < 0, -size, size)


def _increase(step: Tensor, s0: Tensor, s1: Tensor, nu: Tensor, order: int) -> Tensor:
    """F_n at s1 minus F_n at s0 ≤ s1, step = s1 − s0 =: Δ:

    ((Δ − ν log1p(Δ/(ν+s0))) − ½ log1p(Δ/s0)) − (Δ (e0 e1)) S, with e0 = 1/s0, e1 = 1/s1,

    S = Σ_{k=1}^{n} (h_{k−1}(e0, e1) d_k(w0) + e1^{k−1} (t1 (t0 + t1)) d_k[w0, w1]): h_k is the sum of all monomials of degree k and d[·,·]
    the divided difference. The correction is −Δ e0 e1 S = Σ (e1^k d_k(w1) − e0^k d_k(w0)), proportional to Δ.
    """
    logarithms = (step - nu * torch.log1p(step / (nu + s0))) - 0.5 * torch.log1p(step / s0)
    if order == 0:
        return logarithms
    e0, e1 = torch.reciprocal(s0), torch.reciprocal(s1)
    return logarithms - (step * (e0 * e1)) * _divided_difference(nu * e0, nu * e1, e0, e1, order)


def _divided_difference(t0: Tensor, t1: Tensor, e0: Tensor, e1: Tensor, order: int) -> Tensor:
    """S of ``_increase``: with p_k = d_k(w0), q_k = d_k[w0, w1], r = t1(t0 + t1), from k = n down: P ← P e0 + p_k, Q ← Q e1 + (P + r q_k)."""
    w0, w1, r = t0 * t0, t1 * t1, t1 * (t0 + t1)
    values = [_value_and_difference(c, w0, w1) for c in reversed(table("potential", order, t0.dtype))]
    (low, both), *rest = values
    total = low + r * both
    for p, q in rest:
        low = low * e0 + p
        total = total * e1 + (low + r * q)
    return total


def _value_and_difference(coefficients: Sequence[float], w0: Tensor, w1: Tensor) -> tuple[Tensor, Tensor]:
    """c(w0) and c[w0, w1] for a polynomial of degree 1 at least, highest coefficient first: q ← q w1 + p, p ← p w0 + c."""
    highest, second, *others = coefficients
    q = torch.full_like(w0, highest)
    p = w0 * highest + second
    for c in others:
        q = q * w1 + p
        p = p * w0 + c
    return p, q


def _double_horner(family: str, order: int, w: Tensor, e: Tensor) -> Tensor:
    """S[c], c the polynomials of the family: each by Horner's rule in w, their sum by Horner's rule in e."""
    rows = table(family, order, w.dtype)
    total = _horner(rows[-1], w)
    for row in reversed(rows[:-1]):
        total = e * total + _horner(row, w)
    return total


def _horner(coefficients: Sequence[float], w: Tensor) -> Tensor | float:
    highest, *others = coefficients
    total = highest
    for c in others:
        total = w * total + c
    return total
