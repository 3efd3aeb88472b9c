r"""Theorem 1: the sign of the finite-start error is that of (−1)^{M−ν+1}, for every x > 0.

Statement (paper, Section 3.2, Appendix D.4).  For real ν ≥ 0, M − ν a whole number ≥ 0 and x > 0,

    sign(R̃_{ν,M}(x) − R_ν(x)) = (−1)^{M−ν+1}.

Proof.  R̃_{ν,M} = b_{ν+1}/b_ν and R_ν = I_{ν+1}/I_ν, where b and I obey the same recurrence b_{j−1} = (2j/x) b_j + b_{j+1} (for I it is
DLMF 10.29.1); b starts with b_M = 1, b_{M+1} = 0 and I with any I_M, I_{M+1} > 0. So R̃_M = 0 < R_M, and

    R_{j−1} − R̃_{j−1} = −I_j b_j (R_j − R̃_j)/(I_{j−1} b_{j−1})

turns the inequality round at every step down. The certificate holds for *every* A = I_M > 0 and B = I_{M+1} > 0; b, c, I, J are b_j,
b_{j+1}, I_j, I_{j+1}.
"""

from __future__ import annotations

from fractions import Fraction

from certify.claims.claim import claim
from certify.claims.conclude import conclude_induction
from certify.claims.verdict import Verdict
from certify.exact.induction import starts
from certify.exact.theorem import Chart, Induction, Map, Recursion, Theorem

DOMAIN = {"x": "(0, oo)", "M": "[0, oo)", "A": "(0, oo)", "B": "(0, oo)"}
CHART = Chart(symbols={name: Map(map="itself", variable=f"{name}_") for name in DOMAIN})
NEXT_B, NEXT_I = "(c + 2*j/x*b)", "(J + 2*j/x*I)"


def theorem(start: Fraction) -> Theorem:
    state = {"j": ("M", "j - 1"), "b": ("1", NEXT_B), "c": (f"{start}", "b"), "I": ("A", NEXT_I), "J": ("B", "I")}
    members = ("b > 0", "c >= 0", "I > 0", "J > 0")
    phases = (*members, "J/I - c/b > 0"), (*members, "c/b - J/I > 0")
    return Theorem(domain=DOMAIN, statements=(Induction(state=state, goes_on=("j",), phases=phases),))


MEMBERS = (("1", 1), ("2*j/x", 0)), (("1", 0),), (("1", 3), ("2*j/x", 2)), (("1", 2),)
STEP = (*MEMBERS, ((f"I*b/({NEXT_I}*{NEXT_B})", 4),))
EVIDENCE = Recursion(first=((("1", -1),), (), (("A", -1),), (("B", -1),), (("B/A", -1),)), next=(STEP, STEP))
TRIED = tuple(starts(x=[Fraction(1, 3), 1, 10], M=range(6), A=[2, 10], B=[Fraction(1, 100), 1]))
"""Starts at which a violation is looked for."""


@claim(
    "recurrence.parity",
    statement=r"\operatorname{sign}\bigl(\tilde R_{\nu,M}(x) - R_\nu(x)\bigr) = (-1)^{M-\nu+1}",
    domain=r"\nu \ge 0,\ M - \nu \in \mathbb N_0,\ x > 0",
    source="Theorem 1, Section 3.2, Appendix D.4",
    in_words="that I_j > 0 obeys the recurrence (DLMF 10.25.2, 10.29.1)",
    theorem=theorem,
    constants={"start": 0},
)
def parity(start: Fraction) -> Verdict:
    summary = "the error changes sign at every step of the recurrence, for every x > 0, real nu >= 0 and M - nu = 0, 1, 2, …"
    return conclude_induction("recurrence.parity", theorem(start), CHART, EVIDENCE, TRIED, summary)
