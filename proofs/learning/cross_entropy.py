r"""Cross-entropy under scores that move by at most δ: independent of the number of classes and of the priors.

Statement (paper, Appendix D.8).  Let L = log Σ_j e^{s_j} − s_y, L̂ the same of s + e, |e_j| ≤ δ, Q = 1 − P_y the mass of the other
classes, t = e^δ. Then

    log(1 − Q(1 − t⁻²)) ≤ L̂ − L ≤ log(1 + Q(t² − 1)),    so that |L̂ − L| ≤ 2δ,
    min_j e_j ≤ log Σ e^{s_j+e_j} − log Σ e^{s_j} ≤ max_j e_j.

Both ends are attained. |L̂ − L| ≤ η for every such e exactly if δ ≤ ½ log(1 + (e^η − 1)/Q). The mean of the losses of two views
moves by at most δ⁽²⁾ + δ⁽³⁾. Priors are factors of the weights e^{s_j}, of which nothing is assumed.

Proof.  Two classes of weights u, w with factors f, g between two ends merge into one whose factor (uf + wg)/(u + w) lies between
them; merging all classes is the statement on log Σ, and merging all but y leaves weights u of y and w, with factors of ratio ρ ∈
[t⁻², t²]: e^{L̂−L} = (u + wρ)/(u + w). The rest are identities. The bound below is the smaller one in size: (1 + Q(t²−1))(1 −
Q(1−t⁻²)) ≥ 1.
"""

from __future__ import annotations

from fractions import Fraction

from certify.claims import algebra
from certify.claims.claim import claim
from certify.claims.verdict import Verdict
from certify.exact.by_form import identity, nonnegative
from certify.exact.theorem import Step, Theorem

WHERE = {
    "t": "1 + h",
    "Q": "w/(u + w)",
    "upper": "(u + w*t**2)/(u + w)",
    "lower": "(u + w/t**2)/(u + w)",
}


def merged() -> tuple[Step, ...]:
    """(uf + wg)/(u + w) between the ends a and a + b + c of f = a + b/(1+k), g = a + b + c/(1+l)."""
    f, g = "(a + b/(1 + k))", "(a + b + c/(1 + l))"
    mean = f"(u*{f} + w*{g})/(u + w)"
    return (
        nonnegative(f"{mean} - a", "(u*b/(1 + k) + w*(b + c/(1 + l)))/(u + w)"),
        nonnegative(f"a + b + c - {mean}", "(u*(b*k/(1 + k) + c) + w*c*l/(1 + l))/(u + w)"),
    )


def steps(factor: Fraction) -> tuple[Step, ...]:
    if factor.denominator != 1 or factor < 1:
        raise ValueError(f"factor = {factor}: whole numbers from 1 on are accepted")
    above, below = "(u + w*(t**2/(1 + k)))/(u + w)", "(u + w*((1 + k)/t**2))/(u + w)"
    return (
        *merged(),
        nonnegative(f"upper - {above}", "w*t**2*k/(1 + k)/(u + w)"),
        nonnegative(f"{below} - lower", "w*k/t**2/(u + w)"),
        identity("upper", "1 + Q*h*(2 + h)"),
        identity("lower", "1 - Q*(1 - 1/t**2)"),
        nonnegative(f"t**{factor} - upper", "u*h*(2 + h)/(u + w)"),
        nonnegative("upper*lower - 1", "u*w*h**2*(2 + h)**2/(t**2*(u + w)**2)"),
        identity("1 + (upper - 1)/Q", "t**2"),
        identity("(2*d + 2*e)/2", "d + e"),
    )


def theorem(factor: Fraction) -> Theorem:
    return algebra.theorem(steps(factor), positive="u w", nonnegative="h k l a b c", real="d e", where=WHERE)


@claim(
    "learning.cross_entropy",
    statement=r"|\hat L - L| \le c\,\delta,\ c = 2;\quad \log(1-Q(1-e^{-2\delta})) \le \hat L - L \le \log(1+Q(e^{2\delta}-1)),"
    r"\ Q = 1-P_y;\quad \min_j e_j \le \log\textstyle\sum e^{s_j+e_j} - \log\sum e^{s_j} \le \max_j e_j;"
    r"\quad \text{mean of two views:}\ \le \delta^{(2)}+\delta^{(3)}",
    domain=r"|e_j| \le \delta,\ \text{any number of classes, any priors}",
    source="Appendices D.1 and D.8; the ends and the inverse beyond the paper",
    in_words="classes merge two at a time; t = exp(delta), and log increases",
    theorem=theorem,
    constants={"factor": 2},
)
def cross_entropy(factor: Fraction) -> Verdict:
    summary = "the loss moves by at most 2 delta, whatever the number of classes and the priors, and between ends that Q gives"
    return algebra.conclude_algebra("learning.cross_entropy", theorem(factor), steps(factor), summary)
