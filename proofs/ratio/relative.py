r"""A bound that is small for small x as well: |R_ν(x) − A_R(x)| < C x (ν² + x²)^{−2}, C = 0.5001, for every ν ≥ 1/2 and x > 0.

½ is the best constant that any range of ν allows: at x → 0 the quotient of the two sides tends to ½ as ν → ∞.

Proof.  The barriers A_R ± C x/s⁴ start at 0 with R and have slopes above and below its own; the residual inequality contains the factor
w = x/s once and, divided by it, is strict up to x = 0. The upper barrier is positive, as the comparison lemma demands of a barrier
that starts at 0.
"""

from __future__ import annotations

from fractions import Fraction

from certify.claims.claim import claim
from certify.claims.conclude import conclude
from certify.claims.verdict import Verdict
from certify.exact import riccati
from certify.exact.ball import hypotenuse
from certify.exact.number import exact
from certify.exact.refutation import fails
from certify.exact.theorem import Bound, Theorem
from certify.exact.uniform import A_R, chart, orders
from certify.exact.uniform import theorem as uniform_theorem


def bound(C: Fraction) -> Bound:
    return Bound(solution="R", candidate="a", radius=f"{C}*x/s**4")


def theorem(C: Fraction, nu_min: Fraction) -> Theorem:
    return uniform_theorem(nu_min, {"a": A_R}, bound(C))


@claim(
    "ratio.relative",
    statement=r"|R_\nu(x) - A_R(x)| < C\,x\,(\nu^2+x^2)^{-2}",
    domain=r"\nu \ge \nu_{\min},\ x > 0",
    source="beyond the paper",
    theorem=theorem,
    constants={"C": "0.5001", "nu_min": "1/2"},
)
def relative(C: Fraction, nu_min: Fraction) -> Verdict:
    return conclude(
        "ratio.relative",
        theorem(C, nu_min),
        riccati.prove(theorem(C, nu_min), chart(nu_min)),
        lambda _: fails(1, lambda nu, x, error: abs(error) * hypotenuse(nu, x) ** 4 / x - exact(C), nu_min),
        f"|R - A_R| < {C}*x/s^4, s = sqrt(nu^2 + x^2), for every {orders(nu_min)}, x > 0",
    )
