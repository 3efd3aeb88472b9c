"""A_n and F_n on arrays of balls, from the polynomials of ``exact.debye_polynomials`` as they stand.

With s = √(ν² + x²), e = 1/s, t = ν e, w = x e, T = t² and q_k(T) = b_k(t)/t^k, d_k(T) = D_k(t)/t^k,

    A_n = x/(ν+s) + w Σ_{k=1}^{n+1} e^k q_k(T),        1 − A_n = (ν + ν²/(s+x))/(ν+s) − w Σ,
    A_n′ = (T S − w² t ∂S/∂t)/s,                       S = 1/(1+t) + Σ,  t ∂S/∂t = −t/(1+t)² + Σ e^k r_k(T),  r_k(T) = t b_k′(t)/t^k,
    F_n(b) − F_n(a) = Δ − ν log1p(Δ/(ν+s(a))) − ½ log1p(Δ/s(a)) + Σ_{k=1}^{n} [e^k d_k(T)]_a^b,      Δ = (b² − a²)/(s(a) + s(b)).

The last sum is formed from divided differences, so that it keeps its accuracy where a and b are close.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property

from flint import fmpq_poly

from certify.exact.debye_polynomials import potential_polynomial, ratio_polynomial
from certify.studies.production.balls import Array, Balls, balls, rational

Coefficients = tuple[Balls, ...]
"""From the highest power of T down to the constant."""


ALL = 1000
DOUBLES = 2.0**-46
"""More than what rounding does to a term in doubles, relatively to the sum of the sizes of its parts."""


class ClosedForm:
    """The functions of x at one order n; ``nu`` > 0, ``x`` ≥ 0, of one shape. Nothing is computed before it is asked for.

    Terms of the sums beyond the first ``fine`` are computed in doubles, with a radius: at large orders they are small.
    """

    def __init__(self, n: int, nu: Balls, x: Balls, fine: int = ALL) -> None:
        self.n, self.nu, self.x, self.fine = n, nu, x, fine
        self.s = (nu * nu + x * x).sqrt()
        self.e = 1 / self.s
        self.t, self.w = nu * self.e, x * self.e
        self.T = self.t * self.t

    @cached_property
    def ratio(self) -> Balls:
        return self.x / (self.nu + self.s) + self.w * self._sum

    @cached_property
    def complement(self) -> Balls:
        """1 − A_n."""
        leading = (self.nu + self.nu * (self.nu / (self.s + self.x))) / (self.nu + self.s)
        return leading - self.w * self._sum

    @cached_property
    def slope(self) -> Balls:
        """A_n′."""
        base = 1 / (1 + self.t)
        bend = series(_slopes(self.n + 1), self.T, self.e, self.fine) - self.t * base * base
        return (self.T * (base + self._sum) - self.w * self.w * bend) * self.e

    @cached_property
    def correction(self) -> Balls:
        """Σ_{k=1}^{n} e^k d_k(T), what F_n has beyond its logarithms."""
        return series(_potentials(self.n), self.T, self.e, self.fine)

    @cached_property
    def _sum(self) -> Balls:
        return series(_ratios(self.n + 1), self.T, self.e, self.fine)


def series(rows: tuple[Coefficients, ...], T: Balls, e: Balls, fine: int = ALL) -> Balls:
    """Σ_k e^k c_k(T), k = 1, 2, …"""
    total = _in_doubles(rows[fine:], T.high, e.high)
    for row in reversed(rows[:fine]):
        total = e * (horner(row, T) + total)
    return total


def _in_doubles(rows: tuple[Coefficients, ...], T: Array, e: Array) -> Balls:
    total, size = 0.0 * e, 0.0 * e
    for row in reversed(rows):
        value, most = 0.0 * T, 0.0 * T
        for c in row:
            value, most = value * T + c.high, most * T + abs(c.high)
        total, size = e * (value + total), e * (most + size)
    return balls(total).widened(size * DOUBLES)


def horner(row: Coefficients, T: Balls) -> Balls:
    total = row[0]
    for c in row[1:]:
        total = total * T + c
    return total


def increase(a: ClosedForm, b: ClosedForm, step: Balls) -> tuple[Balls, Balls]:
    """Δ and Δ − (F_n(b) − F_n(a)), from ``step`` = b² − a² ≥ 0."""
    delta = step / (a.s + b.s)
    low = a.nu * (delta / (a.nu + a.s)).log1p() + (delta / a.s).log1p() * 0.5
    return delta, low - _increase(a, b, delta) if a.n else low


def _increase(a: ClosedForm, b: ClosedForm, delta: Balls) -> Balls:
    """[Σ e^k d_k(T)]_a^b: each quantity is carried as its value at a and its increase."""
    in_e = -(delta * a.e * b.e)
    in_T = a.nu * a.nu * (a.e + b.e) * in_e
    total, grown = balls(0.0), balls(0.0)
    for row in reversed(_potentials(a.n)):
        value, rise = row[0], balls(0.0)
        for c in row[1:]:
            value, rise = value * a.T + c, rise * b.T + value * in_T
        value, rise = value + total, rise + grown
        total, grown = a.e * value, b.e * rise + in_e * value
    return grown


@cache
def _ratios(last: int) -> tuple[Coefficients, ...]:
    return _rows(ratio_polynomial, last)


@cache
def _potentials(last: int) -> tuple[Coefficients, ...]:
    return _rows(potential_polynomial, last)


@cache
def _slopes(last: int) -> tuple[Coefficients, ...]:
    return _rows(lambda k: fmpq_poly([0, 1]) * ratio_polynomial(k).derivative(), last)


def _rows(polynomial: Callable[[int], fmpq_poly], last: int) -> tuple[Coefficients, ...]:
    """The coefficients of polynomial_k(t)/t^k in powers of t², k = 1 … last."""
    return tuple(tuple(rational(c) for c in reversed(polynomial(k).coeffs()[k::2])) for k in range(1, last + 1))
