"""The ladder's floating-point programs: which operations the kernels of ``certify.vmf`` do, and in which order, for every order n.

With x′ = min(x, x_max), s = √(x′² + ν²), e = 1/s, t = ν e, y = x′ e, v = y y and D_k(t) = t^k d_k(v), v = 1 − t², of
``exact.debye_polynomials``,

    ratio   A_n  = x′/(ν+s) − (y e)·S[Q],     Q_0 = ½,  Q_k = k d_k − 2(1−v) d_k′,
    slope   A_n′ = t/(ν+s) − (e e)·S[P],      P_k = Q_k − v((k+2) Q_k − 2(1−v) Q_k′),
    second_kind         x S_n/s = 1 + t + (v e)·S[±Q],  ± = (−1)^k,
    second_kind_slope   x² S_n′ + ν + ν t = v·S[±P],  v = (x′/s)², which is closer than y y,

where S[c] = c_0(v) + e(c_1(v) + e(c_2(v) + … + e c_n(v))), each polynomial by Horner's rule from its highest coefficient. For de/dx = −y e²
and dv/dx = 2(1−v) y e, so that the second is the derivative of the first; S_n is −A_n with −s for s. The constants are exact rationals;
x_max, a power of two that depends on the format, is an input.

Powers of v = (x/s)² and not of t² = 1 − v: near x = 0, where the terms are largest, little cancels. With t² the bounds of the rounding
errors are larger: 9.3u against 6.2u for n = 1 from ν = ½ on, 8u against 4u for n = 8 from ν = 4 on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import msgspec
from flint import fmpq, fmpq_poly

from certify.exact.debye_polynomials import potential_polynomial
from certify.exact.domain import ladder_order
from certify.exact.program import Builder, Node, Program, Value, nearest

INPUTS = ("x", "nu", "x_max")
_V = fmpq_poly([0, 1])


def potential_coefficients(k: int) -> fmpq_poly:
    """d_k, k ≥ 1, a polynomial in v."""
    return fmpq_poly(potential_polynomial(k).coeffs()[k::2])(1 - _V)


def ratio_coefficients(k: int) -> fmpq_poly:
    """Q_k, k ≥ 0, a polynomial in v."""
    if k == 0:
        return fmpq_poly([fmpq(1, 2)])
    return k * potential_coefficients(k) - 2 * (1 - _V) * potential_coefficients(k).derivative()


def slope_coefficients(k: int) -> fmpq_poly:
    """P_k, k ≥ 0, a polynomial in v."""
    Q = ratio_coefficients(k)
    return Q - _V * ((k + 2) * Q - 2 * (1 - _V) * Q.derivative())


def alternating(coefficients: Callable[[int], fmpq_poly]) -> Callable[[int], fmpq_poly]:
    """(−1)^k times the k-th polynomial."""
    return lambda k: (-1) ** k * coefficients(k)


def ratio(n: int, squares: bool = False) -> Program:
    """A_n(x); s is one hypot, or the square root of a sum of ``squares``. Raises ValueError unless 0 ≤ n ≤ 100."""
    builder = Builder()
    x, nu, s, e = _begin(builder, squares)
    y = x * e
    leading, factor = x / (nu + s), y * e
    return builder.program(leading - factor * double_horner(ratio_coefficients, n, y * y, e))


def second_kind(n: int) -> Program:
    """x S_n(x)/s for the ladder S_n of K_{ν+1}/K_ν: 1 + t + (v e) Σ_k (−e)^k Q_k. Raises ValueError unless 0 ≤ n ≤ 100."""
    builder = Builder()
    x, nu, _, e = _begin(builder, squares=False)
    y = x * e
    v = y * y
    return builder.program((1 + nu * e) + (v * e) * double_horner(alternating(ratio_coefficients), n, v, e))


def second_kind_slope(n: int) -> Program:
    """x² S_n′(x) + ν(1 + t) = v Σ_k (−e)^k P_k. Raises ValueError unless 0 ≤ n ≤ 100."""
    builder = Builder()
    x, _, s, e = _begin(builder, squares=False)
    y = x / s
    v = y * y
    return builder.program(v * double_horner(alternating(slope_coefficients), n, v, e))


def slope(n: int, squares: bool = False) -> Program:
    """A_n′(x); s as in ``ratio``."""
    builder = Builder()
    x, nu, s, e = _begin(builder, squares)
    y = x * e
    leading, factor = (nu * e) / (nu + s), e * e
    return builder.program(leading - factor * double_horner(slope_coefficients, n, y * y, e))


def in_format(program: Program, x_max: Fraction | int, bits: int) -> Program:
    """The program as it is shipped: x_max a constant, and every constant rounded to so many significant bits."""

    def shipped(node: Node) -> Node:
        if node.op == "input" and node.value == "x_max":
            return Node("constant", value=str(Fraction(x_max)))
        if node.op == "constant":
            return Node("constant", value=str(nearest(Fraction(node.value), bits)))
        return node

    return msgspec.structs.replace(program, nodes=tuple(map(shipped, program.nodes)))


def _begin(builder: Builder, squares: bool) -> tuple[Value, Value, Value, Value]:
    """x′, ν, s and e."""
    x, nu, x_max = builder.inputs(*INPUTS)
    x, s, e = lengths(builder, x, nu, x_max, squares)
    return x, nu, s, e


def lengths(builder: Builder, x: Value, nu: Value, x_max: Value, squares: bool) -> tuple[Value, Value, Value]:
    """x′, s and e."""
    x = builder.call("min", x, x_max)
    s = builder.call("sqrt", x * x + nu * nu) if squares else builder.call("hypot", x, nu)
    return x, s, 1 / s


def double_horner(coefficients: Callable[[int], fmpq_poly], n: int, v: Value, e: Value) -> Value | Fraction:
    """S, by Horner's rule in e of polynomials by Horner's rule in v."""
    rows = [fractions(coefficients(k)) for k in range(ladder_order(n) + 1)]
    total = _horner(rows[-1], v)
    for row in reversed(rows[:-1]):
        total = e * total + _horner(row, v)
    return total


def _horner(coefficients: Sequence[Fraction], v: Value) -> Value | Fraction:
    total: Value | Fraction = coefficients[-1]
    for c in reversed(coefficients[:-1]):
        total = v * total + c
    return total


def fractions(polynomial: fmpq_poly) -> list[Fraction]:
    """The coefficients, lowest first."""
    return [Fraction(int(c.p), int(c.q)) for c in polynomial.coeffs()]
