r"""The finite-start error as a product.

Statement (paper, Appendix D.4, eq. 24).  For real ν ≥ 0, M − ν a whole number ≥ 0 and x > 0, the sequences of recurrence.parity,

    ũ_ν − u_ν = (−1)^{M−ν} (ũ_M − u_M) ∏_{i=ν+1}^{M} x² / ((2i + x²ũ_i)(2i + x²u_i)).

Proof.  Induction on the number of steps: with σ = (−1)^{M−j} and π the product so far, ũ_j − u_j − σ(ũ_M − u_M)π is zero at j = M, and
each step multiplies it by −x²/((2j + x²ũ_j)(2j + x²u_j)).
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


def theorem(sign: Fraction) -> Theorem:
    induction = Induction(
        state={
            "j": ("M", "j - 1"),
            "u": ("0", f"1/{U}"),
            "v": ("tail", f"1/{V}"),
            "sigma": ("1", f"{sign}*sigma"),
            "pi": ("1", f"pi*x**2/({U}*{V})"),
        },
        goes_on=("j",),
        phases=(("u >= 0", "v > 0", "u - v - sigma*(0 - tail)*pi = 0"),),
    )
    return Theorem(domain={"x": "(0, oo)", "M": "[0, oo)", "tail": "(0, oo)"}, statements=(induction,))


STEP = (((f"1/{U}", -1),), ((f"1/{V}", -1),), ((f"0 - x**2/({U}*{V})", 2),))
EVIDENCE = Recursion(first=((), (("tail", -1),), ()), next=(STEP,))


@claim(
    "recurrence.product",
    statement=r"\tilde u_\nu - u_\nu = (-1)^{M-\nu}(\tilde u_M - u_M)\prod_{i=\nu+1}^{M}\frac{x^2}{(2i+x^2\tilde u_i)(2i+x^2u_i)}",
    domain=r"\nu \ge 0,\ M - \nu \in \mathbb N_0,\ x > 0",
    source="Theorem 1, Appendix D.4, eq. (24)",
    in_words="the recurrence of the exact tail (DLMF 10.29.1)",
    theorem=theorem,
    constants={"sign": -1},
)
def product(sign: Fraction) -> Verdict:
    tried = starts(x=[Fraction(1, 3), 1, 10], M=range(6), tail=[Fraction(1, 100), Fraction(1, 4)])
    summary = "the exact product formula of the error, for every x > 0, real nu >= 0 and M - nu = 0, 1, 2, …"
    return conclude_induction("recurrence.product", theorem(sign), CHART, EVIDENCE, tried, summary)
