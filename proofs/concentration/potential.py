r"""High concentration of the finite forward: Φ̃′ = R_0 − c/x + Θ/x³ in all four parity cases, for every x > 0.

Statement (paper, Appendix D.5, corrected and sharpened).  Let ν and M ≥ ν be whole numbers. For every x > 0

    Φ̃′_{ν,M}(x) = R_0(x) + (1/x) Σ_{i<ν} l_i,    l_i = x u_i′/u_i,

    M − i even:  0 ≤ 2 + l_i ≤ 2γ_i/x²,        M − i odd:  0 ≤ −l_i ≤ 2δ_i/x²,

with δ, γ of certify/exact/finite_start.py. Hence Φ̃′ = R_0 − c/x + Θ/x³, where c is twice the number of i < ν with M − i even,
c = ν + [M−ν odd] − [M odd], and −Σ 2δ_i ≤ Θ ≤ Σ 2γ_i over the indices of the respective parity. As R_0 = 1 − 1/(2x) + O(x⁻²) (claim
ratio.zero), xΦ̃′ = x − (c + ½) + O(1/x):

    ν odd, M even: c + ½ = ν + 3/2 · ν even, M even: ν + ½ · ν odd, M odd: ν − ½ · ν even, M odd: ν + ½.

The paper's ν + 3/2 is the case of odd ν and even M, such as M = 2ν; there Φ̃ = x − (ν+3/2) log x + C + O(1/x) by integration.

Proof.  Φ̃ = log I_0 + log(b_ν/b_0) − ν log x and b_{i+1} = x u_i b_i, so Φ̃ = log I_0 + Σ_{i<ν} log u_i. The recursion of l is the derivative
of that of u (the identity in the certificate, u an opaque function with u′ = u l/x); its bounds are part of the induction.
"""

from __future__ import annotations

from fractions import Fraction

from certify.claims.claim import claim
from certify.claims.conclude import conclude_induction
from certify.claims.verdict import Verdict
from certify.exact import finite_start
from certify.exact.expression import replace
from certify.exact.identity import steps
from certify.exact.induction import starts
from certify.exact.theorem import Chart, Identity, Map, Theorem

CHART = Chart(symbols={name: Map(map="itself", variable=f"{name}_") for name in ("x", "M", "i")})


def log_derivative() -> Identity:
    """x u′/u of the next member, in terms of this one's u (here w) and l (here q)."""
    step, slope = (replace(text, j="i", u="w", l="q") for text in (finite_start.NEXT_U, finite_start.NEXT_L))
    return Identity(left=f"x*diff({step}, x)/({step})", right=slope)


def theorem(odd: Fraction, even: Fraction) -> Theorem:
    return Theorem(
        domain={**finite_start.DOMAIN, "i": "(0, oo)"},
        derivatives={"w": {"x": "w*q/x"}, "q": {}},
        statements=(
            finite_start.induction(odd, even),
            log_derivative(),
        ),
    )


@claim(
    "concentration.potential",
    statement=r"\tilde\Phi_{\nu,M}'(x) = R_0(x) - \tfrac{c}{x} + \tfrac{\Theta}{x^3},\quad"
    r" c = \nu + [M-\nu\ \text{odd}] - [M\ \text{odd}],\quad -\sum 2\delta_i \le \Theta \le \sum 2\gamma_i",
    domain=r"\nu, M \in \mathbb N_0,\ M \ge \nu,\ x > 0,\ N = M+1;\ \text{sums over}\ i < \nu:"
    r"\ \delta_i = \tfrac{(N^2-(i+2)^2)(N^2-i^2-2i+2)}{12}\ (M-i\ \text{odd}),"
    r"\ \gamma_i = \tfrac{(N^2-(i-1)^2)(N^2-i^2+3)}{12}\ (M-i\ \text{even})",
    source="Appendix D.5, last two displays: the printed nu + 3/2 holds for odd nu and M = 2 nu only",
    in_words="Phi~' = R_0 + sum of l_i/x over i < nu, by b_nu/b_0 = product of x u_i, and the sums of the bounds",
    theorem=theorem,
    constants={"odd": 2, "even": "1/2"},
)
def potential(odd: Fraction, even: Fraction) -> Verdict:
    return conclude_induction(
        "concentration.potential",
        theorem(odd, even),
        CHART,
        finite_start.evidence(),
        starts(x=[Fraction(1, 3), 1, 7, 100], M=range(1, 9)),
        "every term of the finite forward's derivative, bounded for every x > 0 in each parity case",
        steps([log_derivative()]),
    )
