r"""The signed change of a loss over all pairings of given score errors with given classes.

Statement.  L̂ − L = log(P_y + Σ_{j≠y} P_j e^{e_j−e_y}). With the target's error e_y fixed and the other errors distributed over the
other classes, it is largest where masses and errors are sorted alike and smallest where they are sorted oppositely. Where the
target's error is one of those distributed, it is largest with the smallest error at the target and smallest with the largest one
there, the rest as before.

Proof.  Exchange of two errors, X = e^e. Two others of masses b + k ≥ b and factors X + l ≥ X: sorted alike their sum is larger by
kl. The target, of mass u and factor X + l, and another one of mass a and factor X, all else adding S ≥ 0: the exchange makes
(u(X+l) + aX + S)/(X+l) larger by a((X+l)/X − X/(X+l)) + S(1/X − 1/(X+l)) ≥ 0. Finitely many exchanges sort.
"""

from __future__ import annotations

from fractions import Fraction

from certify.claims import algebra
from certify.claims.claim import claim
from certify.claims.verdict import Verdict
from certify.exact.by_form import identity, nonnegative
from certify.exact.theorem import Step, Theorem


def steps(gain: Fraction) -> tuple[Step, ...]:
    after, before = "(u*X + a*(X + l) + S)/X", "(u*(X + l) + a*X + S)/(X + l)"
    return (
        identity("((b + k)*(X + l) + b*X) - ((b + k)*X + b*(X + l))", f"{gain}*k*l"),
        nonnegative(f"{after} - {before}", "a*l*(2*X + l)/(X*(X + l)) + S*l/(X*(X + l))"),
    )


def theorem(gain: Fraction) -> Theorem:
    return algebra.theorem(steps(gain), positive="X u", nonnegative="a b k l S")


@claim(
    "learning.pairing",
    statement=r"\max_\sigma\log\bigl(P_y+\textstyle\sum_{j\ne y}P_je^{E_{\sigma(j)}-e_y}\bigr)"
    r"\ \text{where}\ P\ \text{and}\ E\ \text{are sorted alike,}"
    r"\ \min\ \text{where oppositely};\ \text{with}\ e_y\ \text{among the}\ E\text{: the smallest (largest) of them at}\ y",
    domain=r"P_j > 0,\ E_i \in \mathbb R,\ \text{any number of classes}",
    source="beyond the paper: the exact extrema behind Appendix D.8",
    in_words="finitely many exchanges sort",
    theorem=theorem,
    constants={"gain": 1},
)
def pairing(gain: Fraction) -> Verdict:
    summary = "exchanging two errors towards the sorted pairing never lowers the loss"
    return algebra.conclude_algebra("learning.pairing", theorem(gain), steps(gain), summary)
