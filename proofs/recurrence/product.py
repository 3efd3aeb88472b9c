r"""The finite-start error as a product.

Statement (paper, Appendix D.4, eq. 24).  For real ν ≥ 0, M − ν a whole number ≥ 0 and x > 0, the sequences of recurrence.parity,

    ũ_ν − u_ν = (−1)^{M−ν} (ũ_M − u_M) ∏_{i=ν+1}^{M} x² / ((2i + x²ũ_i)(2i + x²u_i)).

Proof.  xũ_j = b_{j+1}/b_j and xu_j = I_{j+1}/I_j as in recurrence.parity. Induction on the number of steps: with σ = (−1)^{M−j} and π the
product so far, xũ_j − xu_j − σ(0 − I_{M+1}/I_M)π is zero at j = M, and each step multiplies it by −I_j b_j/(I_{j−1} b_{j−1}).
"""

from __future__ import annotations

from fractions import Fraction

from certify.claims.claim import claim
from certify.claims.conclude import conclude_induction
from certify.claims.verdict import Verdict
from certify.exact.theorem import Induction, Recursion, Theorem
from proofs.recurrence.parity import CHART, DOMAIN, MEMBERS, NEXT_B, NEXT_I, TRIED


def theorem(sign: Fraction) -> Theorem:
    induction = Induction(
        state={
            "j": ("M", "j - 1"),
            "b": ("1", NEXT_B),
            "c": ("0", "b"),
            "I": ("A", NEXT_I),
            "J": ("B", "I"),
            "sigma": ("1", f"{sign}*sigma"),
            "pi": ("1", "pi*x**2/((2*j + x*c/b)*(2*j + x*J/I))"),
        },
        goes_on=("j",),
        phases=(("b > 0", "c >= 0", "I > 0", "J > 0", "c/b - J/I - sigma*(0 - B/A)*pi = 0"),),
    )
    return Theorem(domain=DOMAIN, statements=(induction,))


STEP = (*MEMBERS, ((f"0 - I*b/({NEXT_I}*{NEXT_B})", 4),))
EVIDENCE = Recursion(first=((("1", -1),), (), (("A", -1),), (("B", -1),), ()), next=(STEP,))


@claim(
    "recurrence.product",
    statement=r"\tilde u_\nu - u_\nu = (-1)^{M-\nu}(\tilde u_M - u_M)\prod_{i=\nu+1}^{M}\frac{x^2}{(2i+x^2\tilde u_i)(2i+x^2u_i)}",
    domain=r"\nu \ge 0,\ M - \nu \in \mathbb N_0,\ x > 0",
    source="Theorem 1, Appendix D.4, eq. (24)",
    in_words="that I_j > 0 obeys the recurrence (DLMF 10.25.2, 10.29.1)",
    theorem=theorem,
    constants={"sign": -1},
)
def product(sign: Fraction) -> Verdict:
    summary = "the exact product formula of the error, for every x > 0, real nu >= 0 and M - nu = 0, 1, 2, …"
    return conclude_induction("recurrence.product", theorem(sign), CHART, EVIDENCE, TRIED, summary)
