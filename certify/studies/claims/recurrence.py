r"""Theorem 1 and its product formula at points: the finite start in exact rationals, the Bessel ratio in balls.

The proofs (``proofs/recurrence``) hold for every order; here nothing of them is used. R̃_{ν,M} is the rational number that the
recurrence gives, R_ν a ball from its continued fractions, raised in precision until the sign of the difference shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from certify.claims.claim import claim
from certify.claims.verdict import Verdict
from certify.exact import bessel
from certify.exact.ball import bits_for, working_precision
from certify.exact.number import exact, show
from certify.exact.truth import Truth, sign
from certify.studies.points import Point, at_most, everywhere

ARGUMENTS = ("1e-9", "1/3", "1", "17/2", "1e3", "1e9", "1e300")
ORDERS = [fmpq(k, 2) for k in range(65)] + [fmpq(1, 3), fmpq(10, 9), fmpq(1001, 1000)]
STEPS = range(17)
DEEP = [(fmpq(nu), fmpq(2 * nu), str(k * nu)) for nu in (63, 64, 127, 128, 255, 256) for k in (1, 4, 64, 1024)]
DEEPER = 5
"""A start that is deeper by so much stands for the exact tail where everything is to stay rational."""
DIGITS = (40, 200, 1000)
GUARD_BITS = 64


@claim(
    "recurrence.parity.exact",
    statement=r"\operatorname{sign}\bigl(\tilde R_{\nu,M}(x) - R_\nu(x)\bigr) = (-1)^{M-\nu+k},\quad k = 1",
    domain=r"2\nu \in \{0,\dots,64\}\ \text{or}\ \nu \in \{\tfrac13, \tfrac{10}9, \tfrac{1001}{1000}\},\ 0 \le M-\nu \le 16,"
    r"\ 10^{-9} \le x \le 10^{300};\quad \nu \in \{63, 64, 127, 128, 255, 256\},\ M = 2\nu,\ \nu \le x \le 1024\nu",
    source="Theorem 1, Section 3.2, Appendix D.4; at points",
    grade="enclosed",
    constants={"k": 1},
)
def parity(k: Fraction) -> Verdict:
    return everywhere(_parity(k), "the sign of the error is that of (-1)^(M - nu + 1)")


def _parity(k: Fraction) -> Iterator[Point]:
    """Against R_ν in balls; and against a deeper start, whose tail is positive too, in rationals alone."""
    from certify.exact import recurrence

    shallow = [(nu, nu + steps, x) for nu in ORDERS for steps in STEPS for x in ARGUMENTS]
    for nu, start, x in [*shallow, *DEEP]:
        at, expected = _place(nu, start, x), 1 if (int(start - nu) + k) % 2 == 0 else -1
        raw = recurrence.ratio(nu, start, x)
        rational = raw - recurrence.ratio(nu, start + DEEPER, x)
        yield Point(at, f"sign(R~_M - R~_(M+{DEEPER}))", _is(sign(rational), expected), {"difference": rational})
        difference = _difference(raw, nu, exact(x))
        yield Point(at, "sign(R~_M - R)", _is(sign(difference), expected), {"difference": difference})


def _difference(raw: fmpq, nu: fmpq, x: fmpq) -> arb:
    """R̃ − R_ν, with its sign if 1000 digits of R_ν show it."""
    difference = arb.nan()
    for digits in DIGITS:
        with working_precision(bits_for(digits) + GUARD_BITS):
            difference = raw - bessel.ratio(nu, x, digits)
        if sign(difference) is not None:
            break
    return difference


def _is(found: int | None, expected: int) -> Truth:
    if found is None:
        return Truth.UNKNOWN
    return Truth.YES if found == expected else Truth.NO


@claim(
    "recurrence.product.exact",
    statement=r"\tilde u_\nu - u_\nu = \sigma^{M-\nu}(\tilde u_M - u_M)\prod_{i=\nu+1}^{M}\frac{x^2}{(2i+x^2\tilde u_i)(2i+x^2u_i)},"
    r"\quad \sigma = -1",
    domain=r"\nu \in \{0, \tfrac12, \tfrac{10}9, 3, 8, 31\},\ M-\nu \in \{0, 1, 2, 5, 12\},\ 10^{-9} \le x \le 10^{300}",
    source="Theorem 1, Appendix D.3.4, eq. (24); at points",
    grade="enclosed",
    constants={"sigma": -1},
)
def product(sigma: Fraction) -> Verdict:
    return everywhere(_product(exact(sigma)), "the error is the signed product")


def _product(sigma: fmpq) -> Iterator[Point]:
    """With a deeper start as the tail, exactly; with the Bessel ratio in balls, to 30 digits of the error."""
    for nu in map(exact, ("0", "1/2", "10/9", "3", "8", "31")):
        for start in (nu + steps for steps in (0, 1, 2, 5, 12)):
            for x in ARGUMENTS:
                at = _place(nu, start, x)
                rational = _quotient(sigma, nu, exact(x), _finite(nu, start, start, x), _finite(nu, start, start + DEEPER, x))
                yield Point(at, "product/error = 1", at_most(abs(rational - 1), fmpq(0)), {"product/error": rational})
                with working_precision(bits_for(max(DIGITS)) + GUARD_BITS):
                    quotient = _quotient(sigma, nu, exact(x), _finite(nu, start, start, x), _tail(nu, start, exact(x)))
                    close = at_most(abs(quotient - 1), fmpq(1, 10**30))
                yield Point(at, "|product/error - 1| <= 1e-30", close, {"product/error": quotient})


def _finite(nu: fmpq, last: fmpq, start: fmpq, x: str) -> list[fmpq]:
    """ũ_ν, …, ũ_last of the recurrence that starts at ``start``."""
    from certify.exact import recurrence

    return [recurrence.ratio(nu + i, start, x) / exact(x) for i in range(int(last - nu) + 1)]


def _tail(nu: fmpq, last: fmpq, x: fmpq) -> list[arb]:
    """u_ν, …, u_last of the Bessel functions."""
    return [bessel.ratio(nu + i, x, max(DIGITS)) / x for i in range(int(last - nu) + 1)]


def _quotient(sigma: fmpq, nu: fmpq, x: fmpq, finite: Sequence[fmpq], tail: Sequence[Any]) -> Any:
    """The right-hand side divided by ũ_ν − u_ν."""
    product = -tail[-1]
    for i, (u, v) in enumerate(zip(finite[1:], tail[1:], strict=True), start=1):
        product = product * sigma * x * x / ((2 * (nu + i) + x * x * u) * (2 * (nu + i) + x * x * v))
    return product / (finite[0] - tail[0])


def _place(nu: fmpq, start: fmpq, x: str) -> dict[str, str]:
    return {"nu": show(nu), "M": show(start), "x": x}
