"""Three enclosures of Φ_ν(b) − Φ_ν(a), Φ_ν(x) = log I_ν(x) − ν log x, for exact ν ≥ 0 and 0 ≤ a < b.

``nearby`` sums a series of positive terms, ``by_arb`` asks Arb for the Bessel functions, ``by_debye`` uses the uniform
expansion with its error bound. Each is valid everywhere; they differ in where they are fast and sharp.
"""

from __future__ import annotations

from math import log2

from flint import arb, arb_poly, fmpq

from certify.exact.ball import hypotenuse, working_precision
from certify.exact.continued_fraction import lower_quotient, quotient
from certify.exact.debye_polynomials import debye_polynomial, variation_bound
from certify.exact.truth import Truth, less

_NEARBY = 200
_ARB_ORDER = 1000
_ORDER_PER_BIT = 16


def difference(nu: fmpq, a: fmpq, b: fmpq, bits: int) -> arb:
    """Φ_ν(b) − Φ_ν(a) with about ``bits`` bits of relative accuracy, by the route that is fast there."""
    if _is_near(nu, a, b):
        return nearby(nu, a, b, bits)
    if nu <= _ARB_ORDER:
        return by_arb(nu, a, b)
    return by_debye(nu, a, b, bits)


def nearby(nu: fmpq, a: fmpq, b: fmpq, bits: int) -> arb:
    """log Σ_k Π_{i<k} h/((i+1)·y_i), h = (b²−a²)/2, y_i = a/R_{ν+i}(a), from the multiplication theorem DLMF 10.44.1.

    All terms are positive, so nothing cancels, however close a and b are, and a = 0 is the power series of I_ν.
    y_i exceeds ``lower_quotient``, which increases with i: after ``count`` terms the next ratio q bounds all later
    ones, and the rest is in [0, q/(1−q)] times the last term.
    """
    half, argument = arb((b * b - a * a) / 2), arb(a)
    count = _terms(nu, argument, half, bits)
    order = arb(nu)
    last = half / ((count + 1) * lower_quotient(order + count, argument))
    if less(last, 1) is not Truth.YES:
        return arb.nan()
    total = arb(0).union(last / (1 - last))
    y, square = quotient(nu + count, a, bits), argument * argument
    for k in range(count, 0, -1):
        y = 2 * (order + k) + square / y
        total = half / (k * y) * (1 + total)
    return total.log1p()


def by_arb(nu: fmpq, a: fmpq, b: fmpq) -> arb:
    """(b − a) + log of the quotient of Arb's scaled Bessel functions − ν log(b/a)."""
    upper = _scaled(nu, b)
    if a == 0:
        order = arb(nu)
        return arb(b) + upper.log() - order * (arb(b) / 2).log() + (order + 1).lgamma()
    return arb(b - a) + (upper / _scaled(nu, a)).log() - arb(nu) * arb(b / a).log()


def by_debye(nu: fmpq, a: fmpq, b: fmpq, bits: int) -> arb:
    """The uniform expansion at order N = ν + m, brought down by Φ_ν = Φ_N + Σ_{i<m} log y_i + const, y_i = x/R_{ν+i}.

    Φ_N = s − N log(N+s) − ½ log s + log S + const (``debye_sum``). With Δ = s(b) − s(a) the leading terms are
    Δ − N·log1p(Δ/(N+s(a))) − ½ log1p(Δ/s(a)), in which at most a factor of two cancels, as s(a) ≥ N.
    """
    shift = max(0, int((_ORDER_PER_BIT * bits - nu).ceil()))
    order = nu + shift
    big, low, high = arb(order), hypotenuse(order, a), hypotenuse(order, b)
    step = arb(b * b - a * a) / (low + high)
    leading = step - big * (step / (big + low)).log1p() - (step / low).log1p() / 2
    corrections = debye_sum(order, high, bits) / debye_sum(order, low, bits)
    return leading + (corrections * _descent(nu, b, shift, bits) / _descent(nu, a, shift, bits)).log()


def debye_sum(nu: fmpq, s: arb, bits: int) -> arb:
    """S in I_ν(x) = const(ν)·e^{νξ} s^{−½} S, s = √(ν²+x²): Σ_{k<n} U_k(ν/s)/ν^k and a bound of the rest.

    With dξ = √(1+z²)/z dz, z = x/ν, the function w = (1+z²)^¼ I_ν(νz) solves w″ = (ν²+ψ)w (Olver 1997, ch. 10 §7).
    Put w = e^{νξ}(Σ_{k<n} U_k/ν^k + ε) with U_{k+1}′ = −½U_k″ + ½ψU_k. Then ε″ + 2νε′ = ψε + 2U_n′/ν^(n−1), and
    ε(−∞) = 0 for the solution that is recessive at z = 0, so |ε| ≤ ∫|ψε|/(2ν) + V(U_n)/ν^n, where V is the total
    variation over t ∈ [0, 1], and |ε| ≤ e^{V(U_1)/ν} V(U_n)/ν^n by Gronwall's lemma, as ∫|ψ| = 2V(U_1).
    """
    count = 1
    while _log2(variation_bound(count)) - count * _log2(nu) > -bits:
        count += 1
    rest = arb(variation_bound(count) / nu**count) * (arb(variation_bound(1) / nu)).exp()
    t, total = arb(nu) / s, arb(0)
    for k in range(count - 1, -1, -1):
        polynomial = debye_polynomial(k)
        total = total / nu + arb_poly(polynomial.numer())(t) / polynomial.denom()
    return total + rest.union(-rest)


def _is_near(nu: fmpq, a: fmpq, b: fmpq) -> bool:
    """Whether the greatest term of ``nearby`` is among the first 200: its index k has k·y_k ≤ h and y_k ≥ y_0, 2k."""
    with working_precision(30):
        half = arb((b * b - a * a) / 2)
        index = (half / lower_quotient(arb(nu), arb(a))).min((half / 2).sqrt())
        return less(index, _NEARBY) is Truth.YES


def _terms(nu: fmpq, a: arb, half: arb, bits: int) -> int:
    """How many terms of ``nearby`` until one is below 2^−bits times the first and the next ratios are below ½."""
    with working_precision(30):
        small, term, order, count = arb(2) ** -bits, arb(1), arb(nu), 1
        while True:
            ratio = half / ((count + 1) * lower_quotient(order + count, a))
            if less(term, small) is Truth.YES and less(ratio, fmpq(1, 2)) is Truth.YES:
                return count
            term = term * ratio
            count += 1


def _log2(value: fmpq) -> float:
    return log2(int(value.p)) - log2(int(value.q))


def _scaled(nu: fmpq, x: fmpq) -> arb:
    return arb(x).bessel_i(arb(nu), scaled=True)


def _descent(nu: fmpq, x: fmpq, steps: int, bits: int) -> arb:
    """Π_{i<steps} y_i, y_i = x/R_{ν+i}(x)."""
    y, square, order = quotient(nu + steps, x, bits), arb(x * x), arb(nu)
    product = arb(1)
    for i in range(steps, 0, -1):
        y = 2 * (order + i) + square / y
        product = product * y
    return product
