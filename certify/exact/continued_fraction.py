"""y = x/R_ν(x) by continued fractions whose tails are enclosed, R_ν = I_{ν+1}/I_ν.

R′ = 1 − (2ν+1)/x·R − R² (DLMF 10.29) becomes x·y′ = x² + (2ν+2)y − y², y(0) = 2ν + 2, and the recurrence of the
Bessel functions becomes Gauss's fraction y_ν = 2(ν+1) + x²/y_{ν+1}. All functions take exact ν ≥ 0 and x ≥ 0 and
compute at the working precision. Depths are estimated in floats: a poor one makes a wide ball, never a wrong one.
"""

from __future__ import annotations

from math import hypot, log2, sqrt

from flint import arb, fmpq

_FLOAT_CAP = 2.0**500


def quotient(nu: fmpq, x: fmpq, bits: int) -> arb:
    """Encloses y = x/R_ν(x), about ``bits`` bits of it: Gauss's fraction for x ≤ ν+1, Perron's beyond."""
    if x <= nu + 1:
        return gauss(nu, x, gauss_depth(nu, x, bits))
    return perron(nu, x, perron_depth(nu, x, bits))


def lower_quotient(order: arb, x: arb) -> arb:
    """α + √(α² + x²) < y for α = ν + ½.

    Let Y = α + σ, σ = √(β² + x²). Then v = y − Y satisfies x·v′ = (2ν + 2 − y − Y)v + Q with
    Q = x² + (2ν+2)Y − Y² − x·Y′. The integrating factor behaves at 0 like a power x^c, c ≥ 2ν+1, so v has the sign of Q.
    For β = α = ν+½: Q = α + α²/σ > 0.
    """
    alpha = order + _HALF
    return alpha + (alpha * alpha + x * x).sqrt()


def upper_quotient(order: arb, x: arb) -> arb:
    """α + √((α+1)² + x²) ≥ y for α = ν + ½: with β = α + 1, Q = (α+1)·((α+1)/σ − 1) ≤ 0 (see ``lower_quotient``)."""
    alpha = order + _HALF
    beta = alpha + 1
    return alpha + (beta * beta + x * x).sqrt()


def gauss(nu: fmpq, x: fmpq, depth: int) -> arb:
    """y_ν from y_{ν+depth} by y_m = 2(m+1) + x²/y_{m+1}: each step maps an enclosure to an enclosure."""
    order, argument = arb(nu), arb(x)
    y = gauss_tail(order + depth, argument)
    square, term = argument * argument, 2 * (order + depth)
    for _ in range(depth):
        y = term + square / y
        term = term - _TWO
    return y


def gauss_tail(order: arb, x: arb) -> arb:
    """Everything between the two bounds of y at this order."""
    return lower_quotient(order, x).union(upper_quotient(order, x))


def perron(nu: fmpq, x: fmpq, depth: int) -> arb:
    """y = x + 2v − t₁, t_k = (2v+2k−1)x/(2(v+x) + k − t_{k+1}), v = ν + 1 (Gautschi & Slavik 1978)."""
    v, argument = arb(nu + 1), arb(x)
    double, tail = 2 * argument, perron_tail(v, argument, depth + 1)
    numerator, denominator = argument * (2 * v + (2 * depth - 1)), 2 * v + double + depth
    for _ in range(depth):
        tail = numerator / (denominator - tail)
        numerator = numerator - double
        denominator = denominator - _ONE
    return argument + 2 * v - tail


def perron_tail(v: arb, x: arb, k: int) -> arb:
    """[0, x(2v+2k−1)/(2v+k)], which contains t_k.

    With Kummer's M_k = M(v+½; 2v+k; 2x), t_k = x(2v+2k−1)/(2v+k)·M_{k+1}/M_k: then the contiguous relation DLMF 13.3.2,
    b(b−1)M(b−1) + b(1−b−z)M(b) + z(b−a)M(b+1) = 0, is the recurrence of ``perron``. The series of M_{k+1} has the terms
    of M_k over greater denominators, so 0 < M_{k+1} < M_k. No limit is taken.
    """
    return arb(0).union(x * (2 * v + (2 * k - 1)) / (2 * v + k))


def gauss_depth(nu: fmpq, x: fmpq, bits: int) -> int:
    """Steps after which Gauss's fraction has about ``bits`` bits: the step at order m contracts by R_m²."""
    scale = min(float(min(nu, _CAP)), _FLOAT_CAP) + 1
    order, argument = scale, scale * max(float(x / (nu + 1)), 1 / _FLOAT_CAP)
    missing, depth = float(bits), 0
    while missing > 0:
        missing -= 2 * log2((order + hypot(order, argument)) / argument)
        order += 1
        depth += 1
    return depth


def perron_depth(nu: fmpq, x: fmpq, bits: int) -> int:
    """Steps after which Perron's fraction has about ``bits`` bits: step k contracts by t_k/(2(v+x) + k − t_k)."""
    argument = min(float(min(x, _CAP)), _FLOAT_CAP)
    v = argument * float((nu + 1) / x)
    missing, depth = bits + 10.0, 0
    while missing > 0:
        depth += 1
        middle = v + argument + depth / 2
        root = sqrt((argument - depth / 2) ** 2 + v * v + depth * v + argument)
        tail = (2 * v + 2 * depth - 1) * argument / (middle + root)
        missing -= log2((2 * middle - tail) / tail)
    return depth


_HALF, _ONE, _TWO = arb(0.5), arb(1), arb(2)
_CAP = fmpq(2) ** 500
