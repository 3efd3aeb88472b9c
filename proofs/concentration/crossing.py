r"""For M − ν odd the raw ratio is below one near 0, above one at high concentration, and so crosses one.

Statement (paper, Appendix D.5: "crosses one at least once").  Let M − ν be odd, N = M + 1, real ν ≥ 0. Then

    2x/(N² − ν²) ≤ R̃_{ν,M} ≤ x/(2(ν+1)),  so that
    R̃_{ν,M}(x) < 1 for 0 < x < 2(ν+1),        R̃_{ν,M}(x) ≥ 1 for x ≥ (N² − ν²)/2.

R̃ is a rational function without poles for x > 0. For M = 2ν and odd ν the crossing lies in [2(ν+1), (ν+1)(3ν+1)/2].

Proof.  One induction: 0 ≤ u_j ≤ 1/(2(j+1)) at every index, and u_j ≥ a_j = 2/(N² − j²) where M − j is odd, since there
x²u_{j+1} ≤ b_{j+1}, the even limit; and R̃ = x u_ν, where u_j = b_{j+1}/(x b_j).
"""

from __future__ import annotations

from fractions import Fraction

from certify.claims.claim import claim
from certify.claims.conclude import conclude_induction
from certify.claims.verdict import Verdict
from certify.exact import finite_start
from certify.exact.finite_start import CHART, DOMAIN
from certify.exact.induction import starts
from certify.exact.theorem import Recursion, Theorem

S = "(2*j + x**2*u)"


def theorem(odd: Fraction, even: Fraction) -> Theorem:
    _, b = finite_start.limits(odd, even)
    everywhere = ("d >= 0", "u >= 0", "1 - 2*(j + 1)*u >= 0")
    members = ("b0 > 0", "b1 >= 0")
    induction = finite_start.in_members(
        state={"j": ("M", "j - 1"), "d": ("0", "d + 1"), "b0": ("1", finite_start.NEXT_B), "b1": ("0", "b0")},
        goes_on=("j",),
        phases=((*everywhere, f"{b} - x**2*u >= 0", *members), (*everywhere, f"u*{finite_start.OVER_A} - {odd} >= 0", *members)),
    )
    return Theorem(domain=DOMAIN, statements=(induction,))


def evidence() -> Recursion:
    everywhere = ((("1", 0), ("1", -1)), ((f"1/{S}", -1),), ((f"x**2*u/{S}", -1),))
    return Recursion(
        first=((), (), (("1", -1),), (), (("1", -1),), ()),
        next=tuple(
            finite_start.terms_in_members((*everywhere, last, *finite_start.members(4)))
            for last in (((f"2/{S}", 3),), ((f"x**2/(2*{S})", 3), (f"j*{finite_start.OVER_A}/{S}", -1)))
        ),
    )


@claim(
    "concentration.crossing",
    statement=r"\tfrac{2x}{N^2-\nu^2} \le \tilde R_{\nu,M}(x) \le \tfrac{x}{2(\nu+1)},\ \text{so that}\quad"
    r" \tilde R_{\nu,M}(x) < 1\ (0 < x < 2(\nu+1)),\quad \tilde R_{\nu,M}(x) \ge 1\ (x \ge \tfrac12(N^2-\nu^2))",
    domain=r"\nu \ge 0,\ M - \nu\ \text{odd},\ N = M+1",
    source="Appendix D.5: the raw ratio crosses one for odd nu",
    theorem=theorem,
    constants={"odd": 2, "even": "1/2"},
)
def crossing(odd: Fraction, even: Fraction) -> Verdict:
    return conclude_induction(
        "concentration.crossing",
        theorem(odd, even),
        CHART,
        evidence(),
        starts(x=[Fraction(1, 3), 1, 7, 100], M=range(9)),
        "the raw ratio lies below 1 up to 2(nu+1) and above 1 from (N^2 - nu^2)/2 on, for M - nu odd",
    )
