"""Which order n of the ladder of K_{ν+1}/K_ν serves a ν, and how accurate its values are: from the constants of claims alone."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf, nextafter

import torch

from certify.exact.number import Number, brief, exact
from certify.exact.rounding.theorem import RANGES
from certify.special.primitive import ACCEPTED
from proofs.riccati.second_kind import CONSTANTS
from proofs.riccati.second_kind_derivative import CONSTANTS as DERIVATIVE
from proofs.rounding.second_kind import K as RATIO_ROUNDING
from proofs.rounding.second_kind_derivative import LEAST
from proofs.rounding.second_kind_derivative import SHARP as DERIVATIVE_ROUNDING

HIGHEST = len(CONSTANTS) - 1
RANGE = RANGES["binary64"]
UNIT = Fraction(1, 2**53)
SHARE = Fraction(1, 8)
"""A formula in error by at most this share of u is as good as exact."""


@dataclass(frozen=True)
class Accuracy:
    """Bounds of relative errors for every float x ≤ 2⁵⁰⁰, rounding included up to O(u²), where the right value is a normal number.

    ``ratio`` and ``derivative`` are those of ``bessel_k_ratio``, ``curvature`` that of the second derivative of ``log_bessel_k``.
    """

    order: int
    ratio: float
    derivative: float
    curvature: float


def bessel_k_accuracy(dtype: torch.dtype = torch.float64, *, nu: Number, order: int | None = None) -> Accuracy:
    """How accurate the closed form of order n is at ν ≥ 1, a number of float64: by claims ``riccati.second.n``,
    ``riccati.second.derivative.n``, ``rounding.second.n`` and ``rounding.second.derivative.n``.

    With k = 8.1 and k = 10.6 of the latter two, rounding has a share of (k + 4) u in ``ratio``, of (3 + (7ν/2 + k)/(ν − 3/16)) u in
    ``derivative`` and of (3 + max(2k, (5ν + k)/(ν − 3/8))) u in ``curvature``; a dtype other than float64 adds one u of its own. Raises
    ValueError for another ν, and for an order whose rounding is not bounded at ν.

    >>> bessel_k_accuracy(nu=32)
    Accuracy(order=11, ratio=1.3512845356555838e-15, derivative=7.828762741768621e-16, curvature=2.730896317163198e-15)
    """
    if dtype not in ACCEPTED:
        raise ValueError(f"{dtype} is no dtype of bessel_k_ratio")
    at = accepted(nu, least=1)
    if float(at) != at:
        raise ValueError(f"nu = {brief(exact(at))}: a number of float64 is accepted, not one that has to be rounded")
    n = chosen(order, at)
    if at < LEAST[n]:
        raise ValueError(f"order = {n}: its rounding errors are bounded for nu ≥ {LEAST[n]}, not for nu = {brief(exact(at))}")
    own = Fraction(0) if dtype == torch.float64 else Fraction(torch.finfo(dtype).eps) / 2
    parts = zip(_formulas(n, at), _roundings(at), strict=True)
    return Accuracy(n, *(_above(formula + (rounding * UNIT + own) * (1 + formula)) for formula, rounding in parts))


def accepted(nu: Number, least: int) -> Fraction:
    """ν exactly. Raises ValueError unless it is at least that, and at most what rounding errors are bounded for."""
    number = exact(nu)
    if number < least:
        raise ValueError(f"nu = {brief(number)}: nu ≥ {least} is accepted")
    if number > 2**RANGE.nu_max:
        raise ValueError(f"nu = {brief(number)}: nu ≤ 2^{RANGE.nu_max} is accepted")
    return Fraction(int(number.p), int(number.q))


def chosen(order: int | None, nu: Fraction) -> int:
    """The order asked for; or the first with all errors below ``SHARE`` u; or, of those that round well at ν, that with the least errors.

    The largest error is that of (log K_ν)″.
    """
    if order is not None:
        if type(order) is not int or not 0 <= order <= HIGHEST:
            raise ValueError(f"order = {order!r}: an integer from 0 to {HIGHEST} is accepted")
        return order
    errors = {n: max(_formulas(n, nu)) for n in range(HIGHEST + 1) if LEAST[n] <= nu}
    return next((n for n, error in errors.items() if error <= SHARE * UNIT), min(errors, key=lambda n: errors[n]))


def _formulas(n: int, nu: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """Bounds of the relative errors of S_n > 1, S_n′ and G_n″."""
    derivative = Fraction(DERIVATIVE[n]) / nu ** (n + 1)
    return (
        Fraction(CONSTANTS[n]) / nu ** (n + 2),
        _of_right(derivative / 2 / (nu - Fraction(3, 16))),
        _of_right(derivative / (nu - Fraction(3, 8))),
    )


def _of_right(error: Fraction) -> Fraction:
    """An error relative to the closed form, relative to the right value."""
    return error / (1 - error)


def _roundings(nu: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """Units u."""
    k = DERIVATIVE_ROUNDING
    slope = 3 + (Fraction(7, 2) * nu + k) / (nu - Fraction(3, 16))
    return RATIO_ROUNDING + 4, slope, 3 + max(2 * k, (5 * nu + k) / (nu - Fraction(3, 8)))


def _above(value: Fraction) -> float:
    return nextafter(float(value), inf)
