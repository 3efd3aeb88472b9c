"""The floating-point programs of the von Mises–Fisher primitives: pure tensor functions of x, ν and the order n of the ladder.

Every function takes x ≥ 0 of any shape, ν as a tensor without dimensions of the same dtype, float64 or float32, and n ≥ 0. They are
straight-line: no step depends on the data. *The order of the operations below is part of the interface*: the rounding theorems are about
exactly these, traced, and each line is written for its rounding. Products and sums associate as the parentheses and Python's precedence
say; a polynomial is Horner's rule from its highest coefficient; `reciprocal` is one division.

    x′ = min(x, X_MAX)       s = modulus(x′, ν)      e = 1/s      y = x′ e      v = y y

and with S[c] = c_0(v) + e(c_1(v) + e(c_2(v) + … e c_n(v))) over the polynomials of ``vmf.coefficients``

    ratio        A_n  = x′/(ν+s) − (y e) S[Q]
    quotient     A_n/x = 1/(ν+s) − (e e) S[Q]
    complement   1 − A_n = (ν + ν(ν/(s+x′)))/(ν+s) + (y e) S[Q]
    slope        A_n′ = (ν e)/(ν+s) − (e e) S[P]
    curvature    A_n″ = −y ((t (2+t)) (g g) + (e (e e)) S[C]),   t = ν e,  g = 1/(ν+s)
    quotient_slope   (A_n/x)′ = −y (g g + (e (e e)) S[B]);

the quotient and its slope do not clamp. Beyond X_MAX every A_n and R_ν lie within 2^−30 (binary32) or 2^−100 (binary64) of their
values at X_MAX. With ν ≤ NU_MAX nothing overflows and e is a normal number.

``modulus`` is √(x² + ν²): `torch.hypot`, one operation, or ``root_of_squares``, four. Eagerly the first is faster, and torch's square root
on CPUs is not correctly rounded; compiled, the second is three times as fast, and its relative error is at most 2u as for a `hypot` of
one ulp. Differences of the potential always use `torch.hypot`, as their arguments reach a quarter of the largest float.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from certify.vmf.coefficients import Table, table

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
    y = x * e
    return x / (nu + s) - (y * e) * _double_horner("ratio", order, y * y, e)


def quotient(x: Tensor, nu: Tensor, order: int, modulus: Modulus = torch.hypot) -> Tensor:
    """A_n(x)/x, also at x = 0, for x ≤ max/4 (X_MAX with ``root_of_squares``)."""
    s = modulus(x, nu)
    e = torch.reciprocal(s)
    y = x * e
    return torch.reciprocal(nu + s) - (e * e) * _double_horner("ratio", order, y * y, e)


def complement(x: Tensor, nu: Tensor, order: int, modulus: Modulus = torch.hypot) -> Tensor:
    """1 − A_n(x), accurate relatively to itself where A_n is near 1."""
    x = torch.clamp_max(x, X_MAX[x.dtype])
    s = modulus(x, nu)
    e = torch.reciprocal(s)
    y = x * e
    return (nu + nu * (nu / (s + x))) / (nu + s) + (y * e) * _double_horner("ratio", order, y * y, e)


def slope(x: Tensor, nu: Tensor, order: int, modulus: Modulus = torch.hypot) -> Tensor:
    """A_n′(x)."""
    x = torch.clamp_max(x, X_MAX[x.dtype])
    s = modulus(x, nu)
    e = torch.reciprocal(s)
    y = x * e
    return (nu * e) / (nu + s) - (e * e) * _double_horner("slope", order, y * y, e)


def curvature(x: Tensor, nu: Tensor, order: int, modulus: Modulus = torch.hypot) -> Tensor:
    """A_n″(x)."""
    x = torch.clamp_max(x, X_MAX[x.dtype])
    s = modulus(x, nu)
    e = torch.reciprocal(s)
    t, y, base = nu * e, x * e, torch.reciprocal(nu + s)
    return -y * ((t * (2 + t)) * (base * base) + (e * (e * e)) * _double_horner("curvature", order, y * y, e))


def quotient_slope(x: Tensor, nu: Tensor, order: int, modulus: Modulus = torch.hypot) -> Tensor:
    """(A_n(x)/x)′, for x ≤ max/4 (X_MAX with ``root_of_squares``)."""
    s = modulus(x, nu)
    e = torch.reciprocal(s)
    y, base = x * e, torch.reciprocal(nu + s)
    return -y * (base * base + (e * (e * e)) * _double_horner("quotient_slope", order, y * y, e))


def potential(x: Tensor, nu: Tensor, order: int) -> Tensor:
    """F_n(x) − F_n(0) for 0 ≤ x ≤ max/4, accurate relatively: ``difference`` from 0, where s0 = ν and Δ = x(x/(ν + s))."""
    s = torch.hypot(x, nu)
    return _increase(x * (x / (nu + s)), (torch.zeros_like(nu), nu), (x, s), nu, order)


def deficit(x: Tensor, nu: Tensor, order: int) -> Tensor:
    """x − (F_n(x) − F_n(0)) for 0 ≤ x ≤ max/4, accurate relatively: with Δ of ``potential``, x − Δ = ν((Δ + x)/(s + x))."""
    s = torch.hypot(x, nu)
    step = x * (x / (nu + s))
    return nu * ((step + x) / (s + x)) + _decrease(step, (torch.zeros_like(nu), nu), (x, s), nu, order)


def difference(a: Tensor, b: Tensor, nu: Tensor, order: int) -> Tensor:
    """F_n(b) − F_n(a) for 0 ≤ a, b ≤ max/4: from the smaller end upward, then the sign.

    Δ = (hi − lo)((hi + lo)/(s0 + s1)), lo = min(a, b), hi = max(a, b), s0 = hypot(lo, ν), s1 = hypot(hi, ν).
    """
    low, high = torch.minimum(a, b), torch.maximum(a, b)
    s0, s1 = torch.hypot(low, nu), torch.hypot(high, nu)
    step = (high - low) * ((high + low) / (s0 + s1))
    size = _increase(step, (low, s0), (high, s1), nu, order)
    return torch.where(a > b, -size, size)


def difference_of_squares(gap: Tensor, a: Tensor, b: Tensor, nu: Tensor, order: int) -> Tensor:
    """F_n(b) − F_n(a) where b² − a² is known directly, more accurately than from a and b: Δ = |gap|/(s0 + s1), the sign is gap's."""
    low, high = torch.minimum(a, b), torch.maximum(a, b)
    s0, s1 = torch.hypot(low, nu), torch.hypot(high, nu)
    size = _increase(torch.abs(gap) / (s0 + s1), (low, s0), (high, s1), nu, order)
    return torch.where(gap < 0, -size, size)


def growth(low: Tensor, high: Tensor, nu: Tensor, order: int) -> Tensor:
    """(Y(high) − Y(low))/(high² − low²) for Y = x/A_n(x) and 0 ≤ low ≤ high ≤ max/4, also where low = high:

    ((Y0/(ν+s0)) (Y1/(ν+s1)) − ((Y0 e0) (Y1 e1)) S)/(s0 + s1), as 1/Y = 1/(ν+s) − Σ_{k=0}^{n} e^{k+2} Q_k(v).
    """
    s0, s1 = torch.hypot(low, nu), torch.hypot(high, nu)
    e0, e1 = torch.reciprocal(s0), torch.reciprocal(s1)
    y0, y1 = torch.reciprocal(quotient(low, nu, order)), torch.reciprocal(quotient(high, nu, order))
    rows = ((0.0,), *table("ratio", order, low.dtype))
    bend = ((y0 * e0) * (y1 * e1)) * _divided_difference(rows, low * e0, high * e1, e0, e1, nu)
    return ((y0 / (nu + s0)) * (y1 / (nu + s1)) - bend) / (s0 + s1)


End = tuple[Tensor, Tensor]
"""x and s."""


def _increase(step: Tensor, low: End, high: End, nu: Tensor, order: int) -> Tensor:
    """F_n at (x1, s1) minus F_n at (x0, s0), x0 ≤ x1, step = s1 − s0 =: Δ, is Δ − ``_decrease``."""
    return step - _decrease(step, low, high, nu, order)


def _decrease(step: Tensor, low: End, high: End, nu: Tensor, order: int) -> Tensor:
    """ν log1p(Δ/(ν+s0)) + (½ log1p(Δ/s0) + ((Δ e1) e0) S), with e0 = 1/s0, e1 = 1/s1 and S of ``_divided_difference``: the smallest
    terms first, and Δ e1 ≤ 1 before e0, so that nothing underflows that counts.
    """
    s0, s1 = low[1], high[1]
    main, rest = nu * torch.log1p(step / (nu + s0)), 0.5 * torch.log1p(step / s0)
    if order > 0:
        e0, e1 = torch.reciprocal(s0), torch.reciprocal(s1)
        rows = table("potential", order, step.dtype)
        rest = rest + ((step * e1) * e0) * _divided_difference(rows, low[0] * e0, high[0] * e1, e0, e1, nu)
    return main + rest


def _divided_difference(rows: Table, y0: Tensor, y1: Tensor, e0: Tensor, e1: Tensor, nu: Tensor) -> Tensor:
    """S with Σ_{k=1}^{n} (e1^k c_k(v1) − e0^k c_k(v0)) = −Δ e0 e1 S, v = y y, so that it is proportional to Δ = s1 − s0:

    S = Σ_{k=1}^{n} (h_{k−1}(e0, e1) c_k(v0) − e1^{k−1} r c_k[v0, v1]), r = t1(t0 + t1), t0 = ν e0, t1 = ν e1; h_k is the sum of all
    monomials of degree k and c[·,·] the divided difference. For k = n down to 1: P ← P e0 + c_k(v0), S ← S e1 + (P − r c_k[v0, v1]).
    """
    t0, t1 = nu * e0, nu * e1
    v0, v1, r = y0 * y0, y1 * y1, t1 * (t0 + t1)
    (low, slope), *others = [_value_and_difference(row, v0, v1) for row in reversed(rows)]
    total = low - r * slope
    for value, slope in others:
        low = low * e0 + value
        total = total * e1 + (low - r * slope)
    return total


def _value_and_difference(coefficients: Sequence[float], v0: Tensor, v1: Tensor) -> tuple[Tensor | float, Tensor | float]:
    """c(v0) and c[v0, v1] for a polynomial c, highest coefficient first: Q ← Q v1 + P, P ← P v0 + c."""
    highest, *others = coefficients
    if not others:
        return highest, 0.0
    value, slope = v0 * highest + others[0], highest
    for c in others[1:]:
        value, slope = value * v0 + c, slope * v1 + value
    return value, slope


def _double_horner(family: str, order: int, v: Tensor, e: Tensor) -> Tensor | float:
    """S[c], c the polynomials of the family: each by Horner's rule in v, their sum by Horner's rule in e."""
    rows = table(family, order, v.dtype)
    total = _horner(rows[-1], v)
    for row in reversed(rows[:-1]):
        total = e * total + _horner(row, v)
    return total


def _horner(coefficients: Sequence[float], v: Tensor) -> Tensor | float:
    highest, *others = coefficients
    total = highest
    for c in others:
        total = v * total + c
    return total
