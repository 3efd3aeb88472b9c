"""The ratio K_{ν−1}/K_ν of modified Bessel functions of the second kind, enclosed.

Orders ν ≥ 1/2 and arguments x > 0 are exact numbers. Functions raise ValueError, one line, for arguments outside their
domain, and its subclass PrecisionError should an accuracy stay out of reach.
"""

from __future__ import annotations

from flint import arb, fmpq

from certify.exact.ball import PrecisionError, demand
from certify.exact.domain import decimal_digits, positive
from certify.exact.errors import NotAccepted
from certify.exact.number import Number, brief

__all__ = ["PrecisionError", "difference_ratio", "ratio"]


def ratio(nu: Number, x: Number, digits: int = 30) -> arb:
    """V_ν(x) = K_{ν−1}(x)/K_ν(x), in (0, 1] for ν ≥ 1/2.

    >>> from certify.exact.ball import decimal
    >>> decimal(ratio("3/2", 2), 30)  # K_{1/2}/K_{3/2} = x/(x + 1)
    '0.666666666666666666666666666667'
    """
    order, argument = _accepted(nu, x)
    return demand(
        lambda bits: _scaled(order - 1, argument) / _scaled(order, argument),
        decimal_digits(digits),
        lambda: f"K_(nu-1)/K_nu at nu = {brief(order)}, x = {brief(argument)}",
    )


def difference_ratio(nu: Number, x: Number, digits: int = 30) -> arb:
    """Q_ν(x) = (K_ν − K_{ν−1})/(K_ν + K_{ν−1}) = (1 − V)/(1 + V), in [0, 1); zero for ν = 1/2."""
    order, argument = _accepted(nu, x)
    if order == fmpq(1, 2):
        return arb(0)
    return demand(
        lambda bits: _difference(_scaled(order - 1, argument), _scaled(order, argument)),
        decimal_digits(digits),
        lambda: f"(K_nu - K_(nu-1))/(K_nu + K_(nu-1)) at nu = {brief(order)}, x = {brief(argument)}",
    )


def _accepted(nu: Number, x: Number) -> tuple[fmpq, fmpq]:
    order, argument = positive("nu", nu), positive("x", x)
    if order < fmpq(1, 2):
        raise NotAccepted(f"nu = {brief(order)}: nu ≥ 1/2 is accepted")
    return order, argument


def _scaled(order: fmpq, x: fmpq) -> arb:
    """e^x K_order(x)."""
    return arb(x).bessel_k(arb(order), scaled=True)


def _difference(below: arb, above: arb) -> arb:
    return (above - below) / (above + below)
