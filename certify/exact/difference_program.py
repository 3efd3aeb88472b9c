"""The floating-point program of differences of the potential: the operations of ``certify.vmf``'s kernel, and their order, for every n.

With lo = min(a, b), hi = max(a, b), s₀ = √(lo² + ν²), s₁ = √(hi² + ν²), e = 1/s, t = ν e, y = x e, v = y y and Δ = s₁ − s₀,

    Δ = (hi − lo)·((hi + lo)/(s₀ + s₁)),
    F_n(hi) − F_n(lo) = Δ − (ν log1p(Δ/(ν+s₀)) + (½ log1p(Δ/s₀) + ((Δ e₁) e₀) S)),

and F_n(b) − F_n(a) is that, or its negative where b < a. Everything is proportional to Δ, so that the error is too: S is the divided
difference Σ_k (e₀^k d_k(v₀) − e₁^k d_k(v₁))/(Δ e₀ e₁), made of sums and products of e₀, e₁, t₀, t₁, v₀ and v₁. With the d_k of
``exact.ladder_program``,

    S = Σ_{k=1}^{n} (h_{k−1}(e₀, e₁) d_k(v₀) − e₁^{k−1} r d_k[v₀, v₁]),        r = t₁(t₀ + t₁),

h_k the sum of all monomials of degree k, d[·,·] the divided difference, by Horner's rule for k = n down to 1: P ← P e₀ + d_k(v₀), then
S ← S e₁ + (P − r d_k[v₀, v₁]).

From the larger s as base, as published, Δ/(ν+s) rounds to −1 where the smaller x is far below the larger one, and the logarithm is −∞.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from certify.exact.domain import ladder_order
from certify.exact.ladder_program import fractions, potential_coefficients
from certify.exact.program import Builder, Program, Value

INPUTS = ("a", "b", "nu")


def difference(n: int) -> Program:
    """F_n(b) − F_n(a). Raises ValueError unless 0 ≤ n ≤ 100."""
    builder = Builder()
    a, b, nu = builder.inputs(*INPUTS)
    low, high = builder.call("min", a, b), builder.call("max", a, b)
    s0, s1 = builder.call("hypot", low, nu), builder.call("hypot", high, nu)
    step = (high - low) * ((high + low) / (s0 + s1))
    main = nu * builder.call("log1p", step / (nu + s0))
    rest = Fraction(1, 2) * builder.call("log1p", step / s0)
    if ladder_order(n) > 0:
        e0, e1 = 1 / s0, 1 / s1
        rest = rest + ((step * e1) * e0) * _divided_difference(n, low * e0, high * e1, e0, e1, nu)
    size = step - (main + rest)
    return builder.program(builder.call("select", builder.call("less", b, a), -size, size))


def _divided_difference(n: int, y0: Value, y1: Value, e0: Value, e1: Value, nu: Value) -> Value:
    """S."""
    t0, t1 = nu * e0, nu * e1
    v0, v1, r = y0 * y0, y1 * y1, t1 * (t0 + t1)
    rows = [fractions(potential_coefficients(k))[::-1] for k in range(n, 0, -1)]
    (low, slope), *others = [_value_and_difference(row, v0, v1) for row in rows]
    total = low - r * slope
    for value, slope in others:
        low = low * e0 + value
        total = total * e1 + (low - r * slope)
    return total


def _value_and_difference(coefficients: Sequence[Fraction], v0: Value, v1: Value) -> tuple[Value, Value | Fraction]:
    """d(v₀) and d[v₀, v₁] for a polynomial of degree 1 at least, highest coefficient first: Q ← Q v₁ + P, P ← P v₀ + c."""
    highest, second, *others = coefficients
    value, slope = v0 * highest + second, highest
    for c in others:
        value, slope = value * v0 + c, slope * v1 + value
    return value, slope
