"""Certified R_ν = I_{ν+1}/I_ν, its derivative and its inverse, and differences of Φ_ν(x) = log I_ν(x) − ν log x.

Orders ν ≥ 0 and arguments x ≥ 0 are exact numbers (see ``exact.number``: a float stands for its exact value). Each
result is an Arb ball that contains the true value and has at least ``digits`` (15 to 1000) correct digits, relatively:
this is checked on the ball itself, and precision is raised until it holds. Functions raise ValueError, one line, for
arguments outside their domain, and its subclass PrecisionError should an accuracy stay out of reach.
"""

from __future__ import annotations

from flint import arb, fmpq

from certify.exact.ball import PrecisionError, demand
from certify.exact.continued_fraction import quotient
from certify.exact.domain import decimal_digits, mean_resultant, nonnegative
from certify.exact.number import Number, brief, centre, magnitude
from certify.exact.potential import difference
from certify.exact.truth import Truth, less

_NEWTON_STEPS = 100

__all__ = ["PrecisionError", "concentration", "potential_difference", "ratio", "ratio_derivative"]


def ratio(nu: Number, x: Number, digits: int = 30) -> arb:
    """R_ν(x) = I_{ν+1}(x)/I_ν(x), by the continued fractions of Gauss and Perron with enclosed tails.

    >>> from certify.exact.ball import decimal
    >>> decimal(ratio(255, "1e5", 30), 30)
    '0.997448251264727395821352091013'
    """
    order, argument, wanted = nonnegative("nu", nu), nonnegative("x", x), decimal_digits(digits)
    if argument == 0:
        return arb(0)
    return demand(
        lambda bits: arb(argument) / quotient(order, argument, bits),
        wanted,
        lambda: f"R at nu = {brief(order)}, x = {brief(argument)}",
    )


def ratio_derivative(nu: Number, x: Number, digits: int = 30) -> arb:
    """R_ν′(x) = 1 − (2ν+1)/x·R − R² (from DLMF 10.29.2), and its limit 1/(2(ν+1)) at x = 0.

    R′ ≈ n/(s(n+s)), n = ν+½, s = √(n²+x²): the working precision makes up for what cancels.
    """
    order, argument, wanted = nonnegative("nu", nu), nonnegative("x", x), decimal_digits(digits)
    largest = max(order + 1, argument)
    loss = max(0, 2 * magnitude(largest) - magnitude(order + 1)) + 4
    return demand(
        lambda bits: _slope(order, argument, bits + loss),
        wanted,
        lambda: f"R′ at nu = {brief(order)}, x = {brief(argument)}",
        loss,
    )


def potential_difference(nu: Number, a: Number, b: Number, digits: int = 30) -> arb:
    """Φ_ν(b) − Φ_ν(a) with Φ_ν(x) = log I_ν(x) − ν log x, Φ_ν(0) = −ν log 2 − log Γ(ν+1).

    Exactly 0 when a = b; ``exact.potential`` gives the three routes and their proofs.
    """
    order, wanted = nonnegative("nu", nu), decimal_digits(digits)
    start, end = nonnegative("a", a), nonnegative("b", b)
    if start == end:
        return arb(0)
    low, high, sign = min(start, end), max(start, end), 1 if start < end else -1
    return demand(
        lambda bits: sign * difference(order, low, high, bits),
        wanted,
        lambda: f"Φ(b) − Φ(a) at nu = {brief(order)}, a = {brief(start)}, b = {brief(end)}",
    )


def concentration(nu: Number, resultant: Number, digits: int = 30) -> arb:
    """The κ with R_ν(κ) = resultant, for 0 ≤ resultant < 1.

    R_ν increases strictly from 0 to 1 (R′ > 0 says y > α + √(α² + x²): ``continued_fraction.lower_quotient``), so opposite signs
    of R_ν − resultant at the ends of an interval prove that κ lies in it. Newton's iteration proposes the interval.
    """
    order, target, wanted = nonnegative("nu", nu), mean_resultant(resultant), decimal_digits(digits)
    if target == 0:
        return arb(0)
    loss = 3 * (3 - magnitude(1 - target))
    return demand(
        lambda bits: _bracket(order, target, bits, loss),
        wanted,
        lambda: f"κ at nu = {brief(order)}, resultant = {brief(target)}",
        loss,
    )


def _slope(nu: fmpq, x: fmpq, bits: int) -> arb:
    y = quotient(nu, x, bits)
    return 1 - (2 * nu + 1) / y - (arb(x) / y) ** 2


def _bracket(nu: fmpq, target: fmpq, bits: int, loss: int) -> arb:
    """An interval around Newton's κ, 2^−bits wide relatively, if the signs at its ends prove that it contains κ."""
    guess = _newton(nu, target, bits, loss)
    width = guess / fmpq(2) ** (bits + 1)
    low, high = guess - width, guess + width
    below = arb(low) / quotient(nu, low, bits + loss)
    above = arb(high) / quotient(nu, high, bits + loss)
    if less(below, target) is Truth.YES and less(target, above) is Truth.YES:
        return arb(low).union(arb(high))
    return arb.nan()


def _newton(nu: fmpq, target: fmpq, bits: int, loss: int) -> fmpq:
    """Newton's iteration for R_ν(κ) = target from the left, where κ ≥ (2ν+1)·target/(1 − target²): R_ν is concave."""
    kappa = (2 * nu + 1) * target / (1 - target * target)
    for _ in range(_NEWTON_STEPS):
        y = quotient(nu, kappa, bits + loss)
        step = (target - kappa / y) / (1 - (2 * nu + 1) / y - (kappa / y) ** 2)
        if not step.is_finite():
            break
        kappa = centre(kappa + step)
        if magnitude(centre(step)) - magnitude(kappa) < -(bits // 2 + 8):
            break
    return kappa
