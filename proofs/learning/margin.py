r"""Predictions: a margin moves by at most 2δ.

Statement (paper, Appendix D.8).  Let |e_j| ≤ δ. If s_a − s_b > 2δ for every b ≠ a, then s_a + e_a > s_b + e_b: the prediction stays a.

Proof.  With e_a = −δ + f, e_b = δ − g, f, g ≥ 0, and s_a − s_b = 2δ + m, m > 0, the new margin is m + f + g.
"""

from __future__ import annotations

from fractions import Fraction

from certify.claims import algebra
from certify.claims.claim import claim
from certify.claims.verdict import Verdict
from certify.exact.by_form import positive
from certify.exact.theorem import Step, Theorem


def steps(factor: Fraction) -> tuple[Step, ...]:
    return (positive(f"({factor}*delta + m) + (f - delta) - (delta - g)", "m + f + g"),)


def theorem(factor: Fraction) -> Theorem:
    return algebra.theorem(steps(factor), positive="m", nonnegative="delta f g")


@claim(
    "learning.margin",
    statement=r"s_a - s_b > c\,\delta\ (b \ne a),\ c = 2 \ \Rightarrow\ \arg\max_j(s_j+e_j) = a",
    domain=r"|e_j| \le \delta,\ \text{any number of classes}",
    source="Appendix D.8",
    theorem=theorem,
    constants={"factor": 2},
)
def margin(factor: Fraction) -> Verdict:
    summary = "a prediction with a margin of more than 2 delta is kept"
    return algebra.conclude_algebra("learning.margin", theorem(factor), steps(factor), summary)
