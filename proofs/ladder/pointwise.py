r"""Bounds that decay with x as well: |R_ν(x) − A_n(x)| < C (ν² + x²)^{−(n+2)/2} for every ν ≥ ν_min and every x ≥ 0.

Proof.  The barriers A_n ± C s^{−(n+2)}, s = √(ν² + x²), by the residual inequality of certify/exact/riccati.py. Their constants exceed
the limit max_t |w b_{n+2}(t)| t^{−(n+2)} that ν → ∞ allows the less, the larger ν_min is: certify/exact/ladder_constants.py.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from certify.claims.claim import Claim, claim
from certify.claims.conclude import conclude
from certify.claims.verdict import Verdict
from certify.exact import riccati, selector
from certify.exact.ball import hypotenuse
from certify.exact.ladder import SYMBOLS, ladder_chart, ratio_definitions
from certify.exact.ladder_constants import POINTWISE
from certify.exact.number import exact
from certify.exact.refutation import fails
from certify.exact.theorem import Bound, Theorem
from certify.exact.uniform import orders
from certify.exact.uniform import theorem as uniform_theorem


def bound(n: int, C: Fraction) -> Bound:
    return Bound(solution="R", candidate="a", radius=f"{C}/s**{n + 2}")


def theorem(n: int, C: Fraction, nu_min: Fraction) -> Theorem:
    return uniform_theorem(nu_min, {**SYMBOLS, **ratio_definitions(n)}, bound(n, C))


def prove(n: int, id: str, C: Fraction, nu_min: Fraction) -> Verdict:
    return conclude(
        id,
        theorem(n, C, nu_min),
        riccati.prove(theorem(n, C, nu_min), ladder_chart(nu_min)),
        lambda _: fails(n, lambda nu, x, error: abs(error) * hypotenuse(nu, x) ** (n + 2) - exact(C), nu_min),
        f"|R - A_{n}| < {C}/s^{n + 2}, s = sqrt(nu^2 + x^2), for every {orders(nu_min)}, x > 0",
    )


def ladder(n: int, nu_min: Fraction, id: str) -> Claim:
    """The claim about A_n on ν ≥ ν_min."""

    @claim(
        id,
        statement=rf"|R_\nu(x) - A_{n}(x)| < C\,(\nu^2+x^2)^{{-{n + 2}/2}}",
        domain=r"\nu \ge \nu_{\min},\ x \ge 0",
        source="beyond the paper",
        theorem=partial(theorem, n),
        constants={"C": POINTWISE[nu_min][n], "nu_min": nu_min},
    )
    def rung(C: Fraction, nu_min: Fraction) -> Verdict:
        return prove(n, id, C, nu_min)

    return rung


CLAIMS = [ladder(n, Fraction(str(each.least)), each.claim) for n in selector.ORDERS for each in selector.pointwise(n)]
"""For each n: ladder.pointwise.n on the widest range, ladder.pointwise.n.ν_min where a narrower one has a smaller constant."""

globals().update({one.id.replace(".", "_"): one for one in CLAIMS})
