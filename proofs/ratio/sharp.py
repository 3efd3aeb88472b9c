r"""Theorem 2 with a constant twelve times smaller, for every order: |R_ν(x) − A_R(x)| < 0.08346 ν⁻³ for every real ν > 0 and x ≥ 0.

Proof.  Constant barriers as in proofs/ratio/cubic.py; at every point either the residual inequality holds or the barrier has left (0, 1),
where R lies, so that no order has to be excluded. The best possible constant is 0.083455… (proofs/ratio/optimal.py); the paper has 1
and ν ≥ 10/9. This is ladder.1 with the paper's formulas for A_R and F_R.
"""

from __future__ import annotations

from fractions import Fraction

from certify.claims.claim import claim
from certify.claims.conclude import conclude
from certify.claims.verdict import Verdict
from certify.exact import riccati
from certify.exact.number import exact
from certify.exact.refutation import fails
from certify.exact.theorem import Bound, Identity, Theorem
from certify.exact.uniform import A_R, F_R, chart, orders
from certify.exact.uniform import theorem as uniform_theorem

COHERENCE = Identity(left="diff(F, x)", right="a")


def bound(C: Fraction) -> Bound:
    return Bound(solution="R", candidate="a", radius=f"{C}/nu**3")


def theorem(C: Fraction, nu_min: Fraction) -> Theorem:
    return uniform_theorem(nu_min, {"a": A_R, "F": F_R}, bound(C), COHERENCE)


@claim(
    "ratio.sharp",
    statement=r"|R_\nu(x) - A_R(x)| < C\,\nu^{-3},\quad A_R = F_R'",
    domain=r"\nu \ge \nu_{\min}\ (\nu > 0\ \text{where that is}\ 0),\ x \ge 0",
    source="beyond the paper: Theorem 2 with the smallest four-digit constant, for every nu",
    theorem=theorem,
    constants={"C": "0.08346", "nu_min": 0},
)
def sharp(C: Fraction, nu_min: Fraction) -> Verdict:
    return conclude(
        "ratio.sharp",
        theorem(C, nu_min),
        riccati.prove(theorem(C, nu_min), chart(nu_min)),
        lambda _: fails(1, lambda nu, x, error: abs(error) * nu**3 - exact(C), nu_min),
        f"|R - A_R| < {C}/nu^3 for every {orders(nu_min)}, x > 0, and F_R' = A_R",
    )
