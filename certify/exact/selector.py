"""What is proved about the ladder's errors, as numbers: which bound of |R_ν − A_n| each claim gives, at which orders.

A certificate bounds |R_ν(x) − A_n(x)|, n = 0 … 8, by

    uniform:    C ν^{−(n+2)}                       (claims ladder.n, for every ν > 0),
    pointwise:  C (ν² + x²)^{−(n+2)/2}             (claims ladder.pointwise.n, for orders from some ν on),
    relative:   C x (ν² + x²)^{−(n+3)/2}           (claim ratio.relative, n = 1).

Squares of these bounds are rational for rational ν and x, so that bounds are compared exactly. ``choose`` takes the smallest n.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from flint import arb, fmpq

from certify.exact.ball import decimal, decimal_above, working_precision
from certify.exact.domain import nonnegative, order, positive
from certify.exact.errors import NotAccepted
from certify.exact.ladder_constants import POINTWISE, RELATIVE
from certify.exact.number import Number, brief, exact
from certify.exact.peak import enclosure

ORDERS = range(9)
DIGITS = 5
"""Significant digits of the uniform constants, rounded up from the best possible."""

_DISPLAY_BITS = 256


@dataclass(frozen=True)
class Certificate:
    """A proved bound of |R_ν − A_n| for every order ν ≥ ``least`` (ν > 0 where that is zero)."""

    claim: str
    n: int
    form: Literal["uniform", "pointwise", "relative"]
    constant: fmpq
    least: fmpq

    @property
    def formula(self) -> str:
        """The bound in ν and x."""
        m = self.n + 2
        forms = {"uniform": f"ν^(−{m})", "pointwise": f"(ν²+x²)^(−{fmpq(m, 2)})", "relative": f"x(ν²+x²)^(−{fmpq(m + 1, 2)})"}
        return f"{decimal(arb(self.constant), DIGITS)}·{forms[self.form]}"

    def square(self, nu: fmpq, low: fmpq, high: fmpq | None) -> fmpq:
        """The square of the bound's largest value for low ≤ x ≤ high, or for x ≥ low. Raises ValueError for ν below the range."""
        if nu < self.least:
            raise NotAccepted(f"nu = {brief(nu)}: {self.claim} holds for nu >= {brief(self.least)}")
        c, m = self.constant**2, self.n + 2
        match self.form:
            case "uniform":
                return c / nu ** (2 * m)
            case "pointwise":
                return c / (nu * nu + low * low) ** m
        peak = nu * nu / m  # y/(ν² + y)^{m+1} increases up to here
        y = max(low * low, peak if high is None else min(high * high, peak))
        return c * y / (nu * nu + y) ** (m + 1)


@dataclass(frozen=True)
class Choice:
    """The smallest order n whose certificate suffices, the certificate, and its bound at the question's ν and x."""

    n: int
    certificate: Certificate
    square: fmpq

    @property
    def bound(self) -> arb:
        """The bound, at the working precision."""
        return arb(self.square).sqrt()


@lru_cache(maxsize=None, typed=True)
def uniform(n: int) -> Certificate:
    """The certificate of claim ladder.n. Raises ValueError unless n is one of the integers 0 to 8."""
    if type(n) is not int or n not in ORDERS:
        raise NotAccepted(f"n = {n}: certificates exist for n = {ORDERS[0]} to {ORDERS[-1]}")
    C = enclosure(n + 2, DIGITS)[1]
    return Certificate(f"ladder.{n}", n, "uniform", fmpq(C.numerator, C.denominator), fmpq(0))


@lru_cache(maxsize=None, typed=True)
def certificates(n: int) -> tuple[Certificate, ...]:
    """All that bound the error of A_n. Raises ValueError unless n is one of the integers 0 to 8."""
    relative = (Certificate("ratio.relative", 1, "relative", exact(RELATIVE), fmpq(1, 2)),) if n == 1 else ()
    return (uniform(n), *pointwise(n), *relative)


def pointwise(n: int) -> Iterator[Certificate]:
    """Those of claims ladder.pointwise.n: by the widest range of orders, and by each narrower one that has a smaller constant."""
    smallest = None
    for least, constants in sorted(POINTWISE.items()):
        if n < len(constants) and (smallest is None or exact(constants[n]) < smallest):
            name = f"ladder.pointwise.{n}" + ("" if smallest is None else f".{least}")
            smallest = exact(constants[n])
            yield Certificate(name, n, "pointwise", smallest, exact(least))


def best(n: int, *, nu: Number | None = None, p: Number | None = None, low: Number = 0, high: Number | None = None) -> Choice:
    """The sharpest certificate of A_n at ν (or p = 2ν + 2) for low ≤ x ≤ high, or for x ≥ low.

    Raises ValueError for n outside 0 … 8, ν ≤ 0, and an empty range.
    """
    at, start = positive("nu", order(nu, p)), nonnegative("low", low)
    end = None if high is None else nonnegative("high", high)
    if end is not None and end < start:
        raise NotAccepted(f"the range of x from {brief(start)} to {brief(end)} is empty")
    found = [(c.square(at, start, end), c) for c in certificates(n) if at >= c.least]
    square, certificate = min(found, key=lambda pair: pair[0])
    return Choice(n, certificate, square)


def choose(tolerance: Number, *, nu: Number | None = None, p: Number | None = None, low: Number = 0, high: Number | None = None) -> Choice:
    """The smallest n with |R_ν − A_n| ≤ tolerance proved for low ≤ x ≤ high, or for x ≥ low; ν is given, or p = 2ν + 2.

    A bound of 1 or more says nothing beyond 0 < R < 1 and does not count. Raises ValueError for a tolerance ≤ 0 and
    for one that no certificate reaches, naming the smallest that one does.

    >>> choose("1e-15", p=512).n
    4
    """
    wanted = positive("tolerance", tolerance)
    choices = [best(n, nu=nu, p=p, low=low, high=high) for n in ORDERS]
    for choice in choices:
        if choice.square <= wanted**2 and choice.square < 1:
            return choice
    raise NotAccepted(_refusal(order(nu, p), wanted, min(choices, key=lambda choice: choice.square)))


def _refusal(nu: fmpq, wanted: fmpq, sharpest: Choice) -> str:
    asked = f"tolerance {brief(wanted)} at nu = {brief(nu)}"
    if sharpest.square >= 1:
        return f"{asked}: no certificate n = 0 to 8 says more than 0 < R < 1 there"
    with working_precision(_DISPLAY_BITS):
        least = decimal_above(sharpest.bound, 4)
    return f"{asked} is not attainable: the smallest bound of n = 0 to 8 is {least} (n = {sharpest.n}, {sharpest.certificate.claim})"
