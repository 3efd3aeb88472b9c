r"""The squared length of a class mean, split into its own terms and the pairs; it is at most the mean square.

Statement (paper, Appendix F.1.1).  For vectors z_1, …, z_n with sum S and R_n = ‖S/n‖,

    R_n² = n⁻² Σ_a ‖z_a‖² + n⁻² Σ_{a≠b} ⟨z_a, z_b⟩,        R_n² ≤ n⁻¹ Σ_a ‖z_a‖².

So features of length ≤ 1 have R_n ≤ 1. Features that are not normalized need not, and a single one of length 1 has R_1 = 1: there
κ = pR/(1 − R²) is not defined.

Proof.  Induction on n in each component, D = Σ z_a², C = Σ_{a≠b} z_a z_b, starting from n = 1, C = 0: if S² = D + C, then one
vector z more gives (S + z)² = (D + z²) + (C + 2Sz). If nD = S² + E with E ≥ 0, then (n+1)(D + z²) − (S + z)² = (S − nz)²/n +
(n+1)E/n ≥ 0.
"""

from __future__ import annotations

from fractions import Fraction

from certify.claims import algebra
from certify.claims.claim import claim
from certify.claims.verdict import Verdict
from certify.exact.by_form import identity, nonnegative
from certify.exact.theorem import Step, Theorem


def steps(pairs: Fraction) -> tuple[Step, ...]:
    return (
        identity(f"(S + z)**2 - (D + z**2) - (C + {pairs}*S*z)", "S**2 - D - C"),
        nonnegative("(n + 1)*((S**2 + E)/n + z**2) - (S + z)**2", "(S - n*z)**2/n + (n + 1)*E/n"),
    )


def theorem(pairs: Fraction) -> Theorem:
    return algebra.theorem(steps(pairs), positive="n", nonnegative="E", real="S z D C")


@claim(
    "state.resultant",
    statement=r"R_n^2 = \frac1{n^2}\sum_a\|z_a\|^2 + \frac1{n^2}\sum_{a\ne b}\langle z_a,z_b\rangle,\quad R_n^2 \le \frac1n\sum_a\|z_a\|^2;"
    r"\quad (S+z)^2 = S^2 + cSz + z^2,\ c = 2",
    domain=r"n \ge 1,\ z_1,\dots,z_n \in \mathbb R^p",
    source="Appendix F.1.1; the inequality beyond the paper",
    in_words="induction on n, and the sum over the components",
    theorem=theorem,
    constants={"pairs": 2},
)
def resultant(pairs: Fraction) -> Verdict:
    summary = "the length of a mean in terms of its summands, and its bound, from n to n + 1 vectors"
    return algebra.conclude_algebra("state.resultant", theorem(pairs), steps(pairs), summary)
