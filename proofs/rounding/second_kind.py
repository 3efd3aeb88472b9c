r"""What ``certify.special.bessel_k_ratio`` computes: |fl(x S_n(x)/s) − x S_n(x)/s| ≤ k u for every float x ≥ 0 and every float ν ≥ ν_min.

S_n, n = 0 … 11, is the ladder of K_{ν+1}/K_ν of claims riccati.second.n, s = √(x² + ν²), and the program is that of
certify/exact/ladder_program.py, s being a hypot. As x S_n/s > 1, the quotient S_n = (x S_n/s)·(s/x), whose s is that of the program and
off by at most 2u, is computed to (k + 4)u + O(u²) of itself. From ν_min on is wherever n is the order that is used unless another one
is asked for.

Proof.  As in proofs/rounding/ratio.py. The bound is largest at x = 0, where x S_n/s = 2: there 1 + ν/s is one sum of a hypot, two quotients
and a product.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from certify.claims.claim import Claim, claim
from certify.claims.conclude import conclude_rounding
from certify.claims.verdict import Verdict
from certify.exact.ladder import alternating_definitions
from certify.exact.ladder_program import second_kind as program
from certify.exact.rounding.ladder import DOMAIN, FLOATS, PROFILES, ladder_theorem
from certify.exact.rounding.theorem import Rounding

K = Fraction(81, 10)
LEAST = tuple(map(Fraction, ("1", "1", "1", "1", "7/5", "39/20", "19/8", "27/10", "27/10", "9/2", "5", "11/2")))


def definitions(n: int) -> dict[str, str]:
    """x S_n/s over t, w and ε."""
    return alternating_definitions(n) | {"T": "1 + t + w*C"}


def theorem(n: int, k: Fraction, nu_min: Fraction) -> Rounding:
    _, profiles = PROFILES[""]
    return ladder_theorem(program(n), definitions(n), profiles, nu_min, k)


def rounding(n: int) -> Claim:
    """The claim ``rounding.second.n``."""

    @claim(
        f"rounding.second.{n}",
        statement=rf"|\mathrm{{fl}}(T_{n}(x)) - T_{n}(x)| \le k\,u,\quad T_{n} = x\,S_{n}(x)/\sqrt{{x^2+\nu^2}}",
        domain=DOMAIN,
        source="beyond the paper: the ladder of the functions of the second kind as it is computed",
        theorem=partial(theorem, n),
        long=n > 8,
        constants={"k": K, "nu_min": LEAST[n]},
    )
    def rung(k: Fraction, nu_min: Fraction) -> Verdict:
        statement = theorem(n, k, nu_min)
        summary = f"|fl(T_{n}) - T_{n}| <= {k} u for {FLOATS.format(nu=statement.nu)}, T_{n} = x S_{n}/s"
        return conclude_rounding(f"rounding.second.{n}", statement, summary)

    return rung


globals().update({f"second_{n}": rounding(n) for n in range(len(LEAST))})
