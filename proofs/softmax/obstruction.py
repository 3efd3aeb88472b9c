r"""The softmax integrability obstruction: how far a supplied field is from being a gradient, for every number of classes.

Statement (paper, Section 3.3 and Appendix D.2).  Let p = softmax(l), v_j = ∇l_j the derivative of the realized forward, w_j =
g(r_j)∇r_j the supplied one, and G = Σ_j (p_j − 1[j=y]) w_j. With v̄ = Σ p_j v_j and w̄ = Σ p_j w_j, the Jacobian J of G has

    J − Jᵀ = Σ_j p_j (w_j v_jᵀ − v_j w_jᵀ) − w̄ v̄ᵀ + v̄ w̄ᵀ,

which vanishes where w_j = v_j, and is multiplied by λ where w_j = v_j + λ(u_j − v_j). With two classes of equal probability and
orthonormal directions J₁₂ − J₂₁ = (F′(κ₁)g(κ₂) − g(κ₁)F′(κ₂))/(4τ²).

Proof.  Everything enters through sums over the classes: with E_j = e^{l_j}, Z = ΣE_j, V = ΣE_jv_j, N = ΣE_jw_j, M = ΣE_jw_jv_jᵀ and
S = ΣE_j∂w_j the slopes are ∂_bZ = V_b and ∂_bN_a = M_ab + S_ab, and one class more adds a term to each: by induction this holds for
every number of classes. S, and the Jacobian T of w_y, are symmetric, since a radial field g(r)∇r is: its components are h(r)ρ_a, ρ
= κμ + f/τ, ∂_bρ_a = [a=b]/τ, and ∂_bh = kρ_b. Then G = N/Z − w_y, and the difference of its cross derivatives is an identity. x and
y are any two coordinates of f.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy

from certify.claims.algebra import chart
from certify.claims.certificate import certify_theorem
from certify.claims.claim import claim
from certify.claims.verdict import Verdict
from certify.exact.by_form import identity
from certify.exact.theorem import Proof, Step, Theorem

TOTALS = {
    "Z": {"x": "V1", "y": "V2"},
    "N1": {"x": "M11 + S11", "y": "M12 + S12"},
    "N2": {"x": "M21 + S12", "y": "M22 + S22"},
}
"""The sums over the classes; S is symmetric."""

TARGET = {"W1": {"x": "T11", "y": "T12"}, "W2": {"x": "T12", "y": "T22"}}

CLASS = {
    "E": {"x": "E*v1", "y": "E*v2"},
    "w1": {"x": "s11", "y": "s12"},
    "w2": {"x": "s12", "y": "s22"},
}
"""A class more: e^l, and its supplied field."""

RADIAL = {
    "hr": {"x": "k*rho1", "y": "k*rho2"},
    "rho1": {"x": "tau1", "y": "0"},
    "rho2": {"x": "0", "y": "tau1"},
}
"""h(r), and ρ with ∂_bρ_a = [a=b]/τ."""

VALUES = (
    *("V1", "V2", "M11", "M12", "M21", "M22", "S11", "S12", "S22", "T11", "T12", "T22"),
    *("v1", "v2", "s11", "s12", "s22", "k", "tau1", "U1", "U2", "P12", "P21", "Q12", "lam"),
    *("F1", "F2", "g1", "g2"),
)


def antisymmetry(N: str, M: str, mean: Fraction) -> str:
    """Entry 1, 2 of the right side, from the sums N = (N₁, N₂) and M = (M₁₂, M₂₁), separated by spaces."""
    (N1, N2), (M12, M21) = N.split(), M.split()
    return f"({M12} - {M21})/Z - {mean}*({N1}*V2 - V1*{N2})/Z**2"


def formula(mean: Fraction) -> Step:
    return identity("diff(N1/Z - W1, y) - diff(N2/Z - W2, x)", antisymmetry("N1 N2", "M12 M21", mean))


def class_more() -> tuple[Step, ...]:
    """The slopes of the sums keep their form."""
    return (
        identity("diff(Z + E, x)", "V1 + E*v1"),
        identity("diff(N1 + E*w1, x)", "(M11 + E*w1*v1) + (S11 + E*s11)"),
        identity("diff(N1 + E*w1, y)", "(M12 + E*w1*v2) + (S12 + E*s12)"),
        identity("diff(N2 + E*w2, x)", "(M21 + E*w2*v1) + (S12 + E*s12)"),
        identity("diff(hr*rho1, y)", "diff(hr*rho2, x)"),
    )


def consequences(mean: Fraction) -> tuple[Step, ...]:
    """Where w = v, N = V and M is symmetric; with another field u, of sums U and P, the mixture; two classes of probability ½."""
    N = "(V1 + lam*(U1 - V1)) (V2 + lam*(U2 - V2))".replace(" + ", "+").replace(" - ", "-")
    M = "(Q12+lam*(P12-Q12)) (Q12+lam*(P21-Q12))"
    pair = antisymmetry("(E*g1) (E*g2)", "0 0", mean).replace("V1", "(E*F1)").replace("V2", "(E*F2)").replace("Z", "(2*E)")
    return (
        identity(antisymmetry("V1 V2", "Q12 Q12", mean), "0"),
        identity(antisymmetry(N, M, mean), f"lam*({antisymmetry('U1 U2', 'P12 P21', mean)})"),
        identity(pair, "(F1*g2 - g1*F2)/4"),
    )


def steps(mean: Fraction) -> tuple[Step, ...]:
    return (formula(mean), *class_more(), *consequences(mean))


def theorem(mean: Fraction) -> Theorem:
    slopes = {**TOTALS, **TARGET, **CLASS, **RADIAL, **{name: {} for name in VALUES}}
    statements = tuple(step.statement for step in steps(mean))
    return Theorem(domain={"x": "(0, oo)", "y": "(0, oo)"}, derivatives=slopes, statements=statements)


def remainder(mean: Fraction) -> sympy.Expr:
    """Left minus right of the formula, by SymPy's own derivatives of functions Z, N, W of x and y."""
    x, y = sympy.symbols("x y")
    Z, N1, N2, W1, W2 = (sympy.Function(name)(x, y) for name in ("Z", "N1", "N2", "W1", "W2"))
    V1, V2, M12, M21, S12, T12 = sympy.symbols("V1 V2 M12 M21 S12 T12")
    left = (N1 / Z - W1).diff(y) - (N2 / Z - W2).diff(x)
    slopes: dict[Any, Any] = {Z.diff(x): V1, Z.diff(y): V2, N1.diff(y): M12 + S12, N2.diff(x): M21 + S12, W1.diff(y): T12, W2.diff(x): T12}
    weight = sympy.Rational(mean.numerator, mean.denominator)
    return sympy.simplify(left.subs(slopes) - (M12 - M21) / Z + weight * (N1 * V2 - V1 * N2) / Z**2)


@claim(
    "softmax.obstruction",
    statement=r"J-J^\top = \sum_jp_j(w_jv_j^\top-v_jw_j^\top) - m(\bar w\bar v^\top-\bar v\bar w^\top),\ m = 1,"
    r"\ \text{zero if}\ w = v,\ \text{linear in}\ \lambda\ \text{if}\ w = v+\lambda(u-v);\quad"
    r" K = 2,\ p_1 = p_2:\ J_{12}-J_{21} = \frac{F'(\kappa_1)g(\kappa_2)-g(\kappa_1)F'(\kappa_2)}{4\tau^2}",
    domain=r"\text{any number of classes},"
    r"\ G = \sum_j(p_j-1[j=y])w_j,\ p = \mathrm{softmax}(l),\ v_j = \nabla l_j,\ w_j = g(r_j)\nabla r_j",
    source="Section 3.3; Appendix D.2",
    in_words="the chain rule; induction on the number of classes, one class more a step",
    theorem=theorem,
    constants={"mean": 1},
)
def obstruction(mean: Fraction) -> Verdict:
    statement, rest = theorem(mean), remainder(mean)
    if rest != 0:
        return Verdict.refuted({"mean": str(mean), "left - right": str(rest)}, f"left minus right = {rest}")
    proof = Proof(chart=chart(statement), steps=steps(mean))
    summary = "SymPy reduces the formula to an identity in the sums over the classes; the checker differentiates them by itself"
    return Verdict.proved(certify_theorem("softmax.obstruction", statement, proof), summary)
