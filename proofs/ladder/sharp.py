r"""Every rung of the ladder, for every order: |R_ν(x) − A_n(x)| < C_n ν^{−(n+2)} for every real ν > 0 and every x ≥ 0.

A_n = F_n′, and F_n is the uniform expansion of log I_ν cut after ν^{−n} (certify/exact/ladder.py). C_n is the peak of w|b_{n+2}(t)|,
rounded up to five digits, so at most 0.01 % above the best constant possible (proofs/ladder/optimal.py).

Proof.  The constant barriers A_n ± U, U = C_n ν^{−(n+2)}: at a first contact of R with the upper one either the residual inequality
of certify/exact/riccati.py fails or R = A_n + U ≥ 1, which is impossible; likewise below, where R > 0. So at every point one
of the two is enough, residual or escape, and no order has to be excluded: as ν → 0 the escape A_n + U > 1 holds. With ν = u/(1−u) and
m = x/(ν+s) all are polynomials on the unit square. Coherence, F_n′ = A_n, is an identity of the same certificate.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from certify.claims.claim import Claim, claim
from certify.claims.conclude import conclude
from certify.claims.verdict import Verdict
from certify.exact import riccati
from certify.exact.ladder import SYMBOLS, ladder_chart, potential_definitions, ratio_definitions
from certify.exact.number import exact
from certify.exact.peak import enclosure
from certify.exact.refutation import fails
from certify.exact.theorem import Bound, Identity, Theorem
from certify.exact.uniform import theorem as uniform_theorem

ORDERS = range(9)
EVERY = Fraction(0)  # every order ν > 0
COHERENCE = Identity(left="diff(F, x)", right="a")


def bound(n: int, C: Fraction) -> Bound:
    return Bound(solution="R", candidate="a", radius=f"{C}/nu**{n + 2}")


def theorem(n: int, C: Fraction) -> Theorem:
    where = {**SYMBOLS, **ratio_definitions(n), **potential_definitions(n)}
    return uniform_theorem(EVERY, where, bound(n, C), COHERENCE)


def prove(n: int, C: Fraction) -> Verdict:
    return conclude(
        f"ladder.{n}",
        theorem(n, C),
        riccati.prove(theorem(n, C), ladder_chart(EVERY)),
        lambda _: fails(n, lambda nu, x, error: abs(error) * nu ** (n + 2) - exact(C)),
        f"|R - A_{n}| < {C}/nu^{n + 2} for every nu > 0, x > 0, and F_{n}' = A_{n}",
    )


def ladder(n: int) -> Claim:
    """The claim ``ladder.n``."""

    @claim(
        f"ladder.{n}",
        statement=rf"|R_\nu(x) - A_{n}(x)| < C\,\nu^{{-{n + 2}}},\quad A_{n} = F_{n}'",
        domain=r"\nu > 0\ \text{real},\ x \ge 0",
        source="beyond the paper: Section 4.1 and Theorem 2 at every order of the expansion, for every nu",
        theorem=partial(theorem, n),
        constants={"C": enclosure(n + 2, 5)[1]},
    )
    def rung(C: Fraction) -> Verdict:
        return prove(n, C)

    return rung


globals().update({f"ladder_{n}": ladder(n) for n in ORDERS})
