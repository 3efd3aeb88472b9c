r"""Theorem 1: the sign of the finite-start error is that of (−1)^{M−ν+1}, for every x > 0.

Statement (paper, Section 3.2, Appendix D.4).  For real ν ≥ 0, M − ν a whole number ≥ 0 and x > 0,

    sign(R̃_{ν,M}(x) − R_ν(x)) = (−1)^{M−ν+1}.

Proof.  Write R̃_{ν,M} = x ũ_ν and R_ν = x u_ν. Both ũ and u obey u_{j−1} = T_j(u_j), T_j(u) = 1/(2j + x²u): ũ starts at ũ_M = 0, u at
u_M = I_{M+1}/(x I_M) > 0 (the recurrence is DLMF 10.29.1). So ũ_M < u_M, and

    T_j(ũ) − T_j(u) = −x² (ũ − u) / ((2j + x²ũ)(2j + x²u))

turns the inequality round at every step down. The certificate holds for *every* u_M > 0; the sequence is u = ũ, v = u_j of the text.
"""

from __future__ import annotations

from fractions import Fraction

from certify.claims.claim import claim
from certify.claims.conclude import conclude_induction
from certify.claims.verdict import Verdict
from certify.exact.induction import starts
from certify.exact.theorem import Chart, Induction, Map, Recursion, Theorem

CHART = Chart(symbols={name: Map(map="itself", variable=f"{name}_") for name in ("x", "M", "tail")})
U, V = "(2*j + x**2*u)", "(2*j + x**2*v)"


def theorem(start: Fraction) -> Theorem:
    induction = Induction(
        state={"j": ("M", "j - 1"), "u": (f"{start}", f"1/{U}"), "v": ("tail", f"1/{V}")},
        goes_on=("j",),
        phases=(("u >= 0", "v > 0", "v - u > 0"), ("u >= 0", "v > 0", "u - v > 0")),
    )
    return Theorem(domain={"x": "(0, oo)", "M": "[0, oo)", "tail": "(0, oo)"}, statements=(induction,))


STEP = (((f"1/{U}", -1),), ((f"1/{V}", -1),), ((f"x**2/({U}*{V})", 2),))
EVIDENCE = Recursion(first=((), (("tail", -1),), (("tail", -1),)), next=(STEP, STEP))


@claim(
    "recurrence.parity",
    statement=r"\operatorname{sign}\bigl(\tilde R_{\nu,M}(x) - R_\nu(x)\bigr) = (-1)^{M-\nu+1}",
    domain=r"\nu \ge 0,\ M - \nu \in \mathbb N_0,\ x > 0",
    source="Theorem 1, Section 3.2, Appendix D.4",
    in_words="R~ = x u~ and R = x u, and the recurrence of u (DLMF 10.29.1)",
    theorem=theorem,
    constants={"start": 0},
)
def parity(start: Fraction) -> Verdict:
    tried = starts(x=[Fraction(1, 3), 1, 10], M=range(6), tail=[Fraction(1, 100), Fraction(1, 4)])
    summary = "the error changes sign at every step of the recurrence, for every x > 0, real nu >= 0 and M - nu = 0, 1, 2, …"
    return conclude_induction("recurrence.parity", theorem(start), CHART, EVIDENCE, tried, summary)
