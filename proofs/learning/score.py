r"""Scores: the error of a class's score is bounded by the feature's length alone.

Statement (paper, Section 4.3 and Appendix D.1).  Let r_j = ‖κ_jμ_j + f/τ‖, q_j = Φ_ν(r_j) − Φ_ν(κ_j) and q̂_j the same of F_R. For
every class, ν ≥ 10/9,

    |q_j − q̂_j| ≤ ν⁻³ |r_j − κ_j| ≤ δ = ‖f‖/(τν³).

Proof.  The first inequality is that of claim score.cubic, proved here again. For the second let g = ‖f‖/τ and c = ⟨κ_jμ_j, f/τ⟩ =
(r² − κ² − g²)/2. Were r = κ + g + h with h > 0, then c − κg = h(κ + g) + h²/2 > 0; were κ = r + g + h, then −c − κg = h r + h²/2 >
0: both against Cauchy and Schwarz. The certificate has lengths > 0; where one of them is 0, both sides are continuous.
"""

from __future__ import annotations

from fractions import Fraction

from certify.claims.claim import claim
from certify.claims.conclude import conclude
from certify.claims.verdict import Verdict
from certify.exact.by_form import identity, positive
from certify.exact.derivation import Derivation, derive
from certify.exact.riccati import integrate
from certify.exact.theorem import Bound, Chart, DifferenceBound, Map, Step, Theorem
from certify.exact.uniform import A_R, F_R, orders
from certify.exact.uniform import chart as axis_chart
from certify.exact.uniform import theorem as uniform_theorem
from proofs.score.cubic import counterexample

LENGTHS = ("kappa", "f", "tau", "d")


def difference(C: Fraction) -> DifferenceBound:
    return DifferenceBound(solution="R", potential="F", majorant=f"{C}/nu**3*x")


def triangle(C: Fraction) -> tuple[Step, ...]:
    """c − κg > 0 at r = κ + g + d, −c − κg > 0 at κ = r + g + d, r being called kappa; and the value of δ."""
    beyond = "((kappa + g + d)**2 - kappa**2 - g**2)/2 - kappa*g"
    short = "0 - (kappa**2 - (kappa + g + d)**2 - g**2)/2 - (kappa + g + d)*g"
    return (
        positive(beyond, "d*(kappa + g) + d**2/2"),
        positive(short, "d*kappa + d**2/2"),
        identity(f"{C}/nu**3*g", f"{C}*f/(tau*nu**3)"),
    )


def theorem(C: Fraction, nu_min: Fraction) -> Theorem:
    statements = (difference(C), *(step.statement for step in triangle(C)))
    base = uniform_theorem(nu_min, {"a": A_R, "F": F_R, "g": "f/tau"}, *statements)
    nu, x = base.domain["nu"], base.domain["x"]
    return Theorem(
        domain={"nu": nu, **dict.fromkeys(LENGTHS, "(0, oo)"), "x": x},
        where=base.where,
        solutions=base.solutions,
        statements=statements,
    )


def chart(nu_min: Fraction) -> Chart:
    axis = axis_chart(nu_min)
    lengths = {name: Map(map="odds", variable=f"{name}_") for name in LENGTHS}
    return Chart(symbols={"nu": axis.symbols["nu"], **lengths, "x": axis.symbols["x"]}, roots=axis.roots)


@claim(
    "learning.score",
    statement=r"|q_j-\hat q_j| \le C\nu^{-3}|r_j-\kappa_j| \le \frac{C\|f\|}{\tau\nu^3}\ \text{for every class}\ j,\quad"
    r" r_j = \|\kappa_j\mu_j+f/\tau\|,\ q_j = \Phi_\nu(r_j)-\Phi_\nu(\kappa_j),\ \hat q_j = F_R(r_j)-F_R(\kappa_j)",
    domain=r"\nu \ge \nu_{\min},\ \kappa_j \ge 0,\ \tau > 0,\ f \in \mathbb R^p",
    source="Section 4.3; Appendices D.1 and D.8",
    in_words="Phi' = R, and the continuity of Phi at 0; the inequality of Cauchy and Schwarz",
    theorem=theorem,
    constants={"C": 1, "nu_min": "10/9"},
)
def score(C: Fraction, nu_min: Fraction) -> Verdict:
    statement, bound = theorem(C, nu_min), Bound(solution="R", candidate="a", radius=f"{C}/nu**3")

    def build(derivation: Derivation) -> None:
        integrate(derivation, difference(C), bound)
        derivation.steps += triangle(C)

    proof = derive(statement, chart(nu_min), build)
    summary = f"every class's score is within {C}*|f|/(tau*nu^3), for every {orders(nu_min)}"
    return conclude("learning.score", statement, proof, lambda _: counterexample(C, nu_min), summary)
