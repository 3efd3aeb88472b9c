r"""Means of losses over a group of samples.

Statement (paper, Appendix D.8).  If the loss of sample i moves by at most 2δ_i^{(v)} in view v, then for a group G

    |L_G^{(v)} − L̂_G^{(v)}| ≤ (2/|G|) Σ_{i∈G} δ_i^{(v)},
    of the mean of both views:    |L_G − L̂_G| ≤ (1/|G|) Σ_{i∈G} (δ_i^{(2)} + δ_i^{(3)}).

Proof.  Induction on the group: with S the sum of the changes and D that of the δ_i, 2D − S = b ≥ 0 and 2D + S = c ≥ 0 pass to one
sample more. The change of a sample is 2δ − f, and −2δ + g, with f, g ≥ 0.
"""

from __future__ import annotations

from fractions import Fraction

from certify.claims import algebra
from certify.claims.claim import claim
from certify.claims.verdict import Verdict
from certify.exact.by_form import identity, nonnegative
from certify.exact.theorem import Step, Theorem


def steps(factor: Fraction) -> tuple[Step, ...]:
    return (
        nonnegative(f"{factor}*(D + delta) - ((2*D - b) + (2*delta - f))", "b + f"),
        nonnegative(f"{factor}*(D + delta) + ((c - 2*D) + (g - 2*delta))", "c + g"),
        identity(f"({factor}/n*D + {factor}/n*E)/2", "(D + E)/n"),
    )


def theorem(factor: Fraction) -> Theorem:
    return algebra.theorem(steps(factor), positive="n", nonnegative="D E delta b c f g")


@claim(
    "learning.group",
    statement=r"|L_G^{(v)}-\hat L_G^{(v)}| \le \frac c{|G|}\sum_{i\in G}\delta_i^{(v)},\ c = 2;\quad"
    r" |L_G-\hat L_G| \le \frac1{|G|}\sum_{i\in G}(\delta_i^{(2)}+\delta_i^{(3)})",
    domain=r"|L_i^{(v)}-\hat L_i^{(v)}| \le 2\delta_i^{(v)}\ \text{(claim learning.cross\_entropy)},\ G\ \text{a finite group}",
    source="Appendix D.8",
    in_words="induction on the group",
    theorem=theorem,
    constants={"factor": 2},
)
def group(factor: Fraction) -> Verdict:
    summary = "the mean loss of a group moves by at most the mean of its samples' bounds"
    return algebra.conclude_algebra("learning.group", theorem(factor), steps(factor), summary)
