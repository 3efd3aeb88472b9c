r"""The best constants: sup over ν > 0 of ν^{n+2} sup_x |R_ν − A_n| is C_n* = max_t w|b_{n+2}(t)|, attained at no (ν, x).

Statement.  For every real ν > 0, with the sign that b_{n+2} has at the peak, σ,

    |R_ν(x) − A_n(x)| < C_n* ν^{−(n+2)}                         for every x,
    σ ν^{n+2} (R_ν(x) − A_n(x)) > σ w b_{n+2}(t) − c/ν            for every x, so that at the peak's x it exceeds C_n* − c/ν;

C_n* is given to 30 digits, and the only zero near the peak of a polynomial in t² with integer coefficients, a factor of the derivative of
w b_{n+2}, is located. c is C_{n+1}*, rounded up: that is the rate at which the supremum is approached.

Proof.  certify/exact/optimal.py: the supremum enters the certificate as an exact number.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from certify.claims.claim import Claim, claim
from certify.claims.conclude import conclude
from certify.claims.verdict import Verdict
from certify.exact import optimal
from certify.exact.ladder import ratio_definitions
from certify.exact.optimal import Optimal
from certify.exact.theorem import Theorem

ORDERS = range(9)


def best(n: int, **constants: Fraction) -> Optimal:
    return Optimal(n, ratio_definitions(n), **constants)


def theorem(n: int, **constants: Fraction) -> Theorem:
    return best(n, **constants).theorem()


def prove(n: int, **constants: Fraction) -> Verdict:
    claimed = best(n, **constants)
    return conclude(f"ladder.optimal.{n}", claimed.theorem(), claimed.prove(), lambda _: claimed.counterexample(), claimed.summary)


def ladder(n: int) -> Claim:
    """The claim ``ladder.optimal.n``."""

    @claim(
        f"ladder.optimal.{n}",
        statement=optimal.statement(n),
        domain=r"\nu > 0\ \text{real},\ x \ge 0",
        source="beyond the paper",
        long=n > 4,
        theorem=partial(theorem, n),
        in_words="that a maximum inside is at a zero of the derivative",
        constants=optimal.constants(n),
    )
    def rung(**constants: Fraction) -> Verdict:
        return prove(n, **constants)

    return rung


globals().update({f"optimal_{n}": ladder(n) for n in ORDERS})
