r"""Feature gradients of the cross-entropy under an approximation of the ratio.

Statement (paper, Appendix D.8).  ∇q_j = R_ν(r_j) ρ_j/(τ r_j), ρ_j = κ_jμ_j + f/τ, r_j = ‖ρ_j‖; G = Σ_j (P_j − 1[j=y]) ∇q_j, and Ĝ,
q̂_j, P̂ the same with F_n and A_n, |R_ν − A_n| ≤ ε. Then ‖∇q̂_j − ∇q_j‖ ≤ ε/τ and, with |q̂_j − q_j| ≤ δ and R the largest
R_ν(r_j),

    ‖Ĝ − G‖ ≤ (2 TV(P, P̂) R + 2(1 − P̂_y) ε)/τ ≤ (2/τ)(tanh(δ/2) + ε).

Proof.  c_j = P_j − 1[j=y]: ĉ v̂ − c v = (ĉ − c)v + ĉ(v̂ − v) in each component, ‖v_j‖ = R_ν(r_j)/τ, ‖v̂_j − v_j‖ ≤ ε/τ, Σ|ĉ_j −
c_j| = 2 TV, and Σ|ĉ_j| = (1 − P̂_y) + Σ_{j≠y} P̂_j = 2(1 − P̂_y). Last, TV ≤ tanh(δ/2) = h/(2+h), e^δ = 1 + h, R < 1 and 1 − P̂_y =
w/(u+w) < 1.
"""

from __future__ import annotations

from fractions import Fraction

from certify.claims import algebra
from certify.claims.claim import claim
from certify.claims.verdict import Verdict
from certify.exact.by_form import identity, nonnegative
from certify.exact.theorem import Step, Theorem


def steps(factor: Fraction) -> tuple[Step, ...]:
    TV, R, bound = "(h/(2 + h)/(1 + k))", "(1/(1 + l))", "h/(2 + h)"
    slack = f"2*{bound}*(k + l + k*l)/((1 + k)*(1 + l)) + 2*u/(u + w)*eps"
    return (
        identity("(c + d)*(v + g) - c*v", "d*v + (c + d)*g"),
        identity("(1 - u/(u + w)) + w/(u + w)", f"{factor}*w/(u + w)"),
        nonnegative(f"({factor}*({bound} + eps) - (2*{TV}*{R} + 2*w/(u + w)*eps))/tau", f"({slack})/tau"),
    )


def theorem(factor: Fraction) -> Theorem:
    return algebra.theorem(steps(factor), positive="u w tau", nonnegative="h k l eps", real="c d v g")


@claim(
    "learning.gradient",
    statement=r"\|\nabla\hat q_j-\nabla q_j\| \le \frac\varepsilon\tau;\quad"
    r" \|\hat G-G\| \le \frac{2\,\mathrm{TV}(P,\hat P)\max_jR_\nu(r_j)+2(1-\hat P_y)\varepsilon}\tau"
    r" \le \frac c\tau\bigl(\tanh\tfrac\delta2+\varepsilon\bigr),\ c = 2",
    domain=r"|R_\nu-A_n| \le \varepsilon,\ |\hat q_j-q_j| \le \delta,\ \text{any number of classes}",
    source="Appendices D.1 and D.8; the constants beyond the paper",
    in_words="the triangle inequality over the classes; claims learning.total_variation and ladder.n (ratio.cubic for n = 1)",
    theorem=theorem,
    constants={"factor": 2},
)
def gradient(factor: Fraction) -> Verdict:
    summary = "the feature gradient moves by at most (2/tau)(tanh(delta/2) + epsilon), whatever the number of classes"
    return algebra.conclude_algebra("learning.gradient", theorem(factor), steps(factor), summary)
