r"""Probabilities: softmax under scores that move by at most δ, for every number of classes.

Statement (paper, Appendix D.8).  Let P = softmax(s), P̂ = softmax(s + e), |e_j| ≤ δ, t = e^δ. For a set of classes of mass m = P(A),

    P̂(A) − P(A) ≤ h(m) = m(1−m)(t²−1)/(1 + m(t²−1)) ≤ tanh(δ/2) = (t−1)/(t+1),

h increases up to m = 1/(1+t) and decreases from there on. So TV(P, P̂) = max_A (P̂(A) − P(A)) ≤ tanh(δ/2), and if one class has
mass M > ½, so that no set has a mass between 1 − M and M, TV ≤ max(h(min(1−M, 1/(1+t))), h(M)).

Proof.  The factors e^{e_j} ∈ [1/t, t] of the classes of A are merged into one, their mean weighted by P, and so are the others: two
classes merge into one whose factor is a mean of theirs, again in [1/t, t]. That leaves two classes with weights u and w, whose
factors have the ratio ρ ≤ t²; written as t²/(1+k), k ≥ 0, all follows from identities. Equality in the last step is at u t = w, m =
1/(1+t).
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
    "rho": "t**2/(1 + k)",
    "gain": "u*rho/(u*rho + w) - u/(u + w)",
    "most": "u*w*h*(2 + h)/((u + w)*(u*t**2 + w))",
}


def change(m: str) -> str:
    """h(m), h(2+h) being t² − 1."""
    return f"{m}*(1 - {m})*h*(2 + h)/(1 + {m}*h*(2 + h))"


def merged() -> tuple[Step, ...]:
    """Two classes of weights u, w and factors f = t/(1+k), g = t/(1+l) as one; likewise at the lower end."""
    sums = "(u + w)*({end}) - (u*{f} + w*{g})"
    upper = sums.format(end="t", f="t/(1 + k)", g="t/(1 + l)")
    lower = "u*((1 + k)/t) + w*((1 + l)/t) - (u + w)/t"
    return nonnegative(upper, "u*t*k/(1 + k) + w*t*l/(1 + l)"), nonnegative(lower, "(u*k + w*l)/t")


def monotone() -> tuple[Step, ...]:
    """h(b) − h(m) for m ≤ b ≤ 1/(1+t), then for m ≥ b ≥ 1/(1+t)."""
    divided = "h*(2 + h)*{gap}*({root} + {gap}*(1 + {b}*h*(2 + h)))/((1 + {b}*h*(2 + h))*(1 + {m}*h*(2 + h)))"
    b, c = "(1/(1 + t + k))", "((1 + k)/(1 + t + k))"
    m, n = f"({b}/(1 + l))", f"({c} + t/(1 + t + k)*l/(1 + l))"
    rising = divided.format(gap=f"({b}*l/(1 + l))", root=f"k*{b}*(k*{b} + 2*t*{b})", b=b, m=m)
    falling = divided.format(gap="(t/(1 + t + k)*l/(1 + l))", root="t**2*(2*k + k**2)/(1 + t + k)**2", b=c, m=n)
    return nonnegative(f"{change(b)} - {change(m)}", rising), nonnegative(f"{change(c)} - {change(n)}", falling)


def steps(scale: Fraction) -> tuple[Step, ...]:
    return (
        *merged(),
        nonnegative("most - gain", "u*w*t**2*k/(1 + k)/((u*t**2 + w)*(u*rho + w))"),
        nonnegative(f"{scale}*h/(2 + h) - most", "h*(u*t - w)**2/((2 + h)*(u + w)*(u*t**2 + w))"),
        identity("most", change("(u/(u + w))")),
        *monotone(),
    )


def theorem(scale: Fraction) -> Theorem:
    return algebra.theorem(steps(scale), positive="u w", nonnegative="h k l", where=WHERE)


@claim(
    "learning.total_variation",
    statement=r"\mathrm{TV}(P,\hat P) \le c\tanh(\delta/2),\ c = 1;\quad"
    r" \hat P(A) - P(A) \le \frac{m(1-m)(t^2-1)}{1+m(t^2-1)},\ m = P(A),\ t = e^\delta,"
    r"\ \text{increasing for}\ m \le \tfrac1{1+t},\ \text{decreasing for}\ m \ge \tfrac1{1+t}",
    domain=r"P = \mathrm{softmax}(s),\ \hat P = \mathrm{softmax}(s+e),\ |e_j| \le \delta,\ \text{any number of classes}",
    source="Appendix D.8; the bounds by mass beyond the paper",
    in_words="classes merge two at a time; tanh(delta/2) = (t - 1)/(t + 1), and exp increases",
    theorem=theorem,
    constants={"scale": 1},
)
def total_variation(scale: Fraction) -> Verdict:
    summary = "probabilities move by at most tanh(delta/2) in total variation, whatever the number of classes and the priors"
    return algebra.conclude_algebra("learning.total_variation", theorem(scale), steps(scale), summary)
