r"""The score bound: |[Φ_ν(r) − Φ_ν(κ)] − [F_R(r) − F_R(κ)]| ≤ C ν⁻³ |r − κ|, and ν⁻³ = 8/(p−2)³ for p = 2ν + 2.

Statement (paper, Sections 4.2 and 4.3).  For every ν ≥ 10/9 and all r, κ ≥ 0. Φ_ν(x) = log I_ν(x) − ν log x is the potential of R_ν.

Proof.  Φ_ν′ = R_ν (in the certificate, with I and J for I_ν and I_{ν+1}) and F_R′ = A_R, so the left side is |∫_κ^r (R_ν − A_R)|, at
most |r − κ| sup |R_ν − A_R|, and Theorem 2 (proofs/ratio/cubic.py) bounds the supremum. Potentials enter through
differences only, so that no constant of integration is needed.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb, fmpq

from certify.claims.claim import claim
from certify.claims.conclude import conclude
from certify.claims.verdict import Verdict
from certify.exact.ball import decimal, working_precision
from certify.exact.bessel import potential_difference
from certify.exact.debye import ladder_potential_difference
from certify.exact.derivation import Derivation, derive
from certify.exact.riccati import integrate
from certify.exact.theorem import Bound, DifferenceBound, Identity, Theorem
from certify.exact.uniform import A_R, F_R, POTENTIAL, chart, orders, score_theorem
from certify.exact.witness import violation

DIGITS = 40


def statements(C: Fraction) -> tuple[DifferenceBound, Identity]:
    difference = DifferenceBound(solution="R", potential="F", majorant=f"{C}/nu**3*x")
    return difference, Identity(left=f"{C}/nu**3", right=f"8*{C}/(p - 2)**3")


def theorem(C: Fraction, nu_min: Fraction) -> Theorem:
    return score_theorem(nu_min, {"a": A_R, "F": F_R, "p": "2*nu + 2"}, *statements(C))


@claim(
    "score.cubic",
    statement=r"|[\Phi_\nu(r)-\Phi_\nu(\kappa)] - [F_R(r)-F_R(\kappa)]| \le C\nu^{-3}|r-\kappa| = \frac{8C}{(p-2)^3}|r-\kappa|",
    domain=r"\nu \ge \nu_{\min},\ r, \kappa \ge 0,\ p = 2\nu+2",
    source="Section 4.3, first display",
    theorem=theorem,
    constants={"C": 1, "nu_min": "10/9"},
)
def cubic(C: Fraction, nu_min: Fraction) -> Verdict:
    statement = theorem(C, nu_min)
    difference, dimension = statements(C)
    ratio_bound = Bound(solution="R", candidate="a", radius=f"{C}/nu**3")

    def build(derivation: Derivation) -> None:
        integrate(derivation, difference, ratio_bound)
        derivation.identity(dimension)
        derivation.identity(POTENTIAL)

    proof = derive(statement, chart(nu_min), build)
    summary = f"potential differences agree within {C}/nu^3 * |r - kappa|, for every {orders(nu_min)}"
    return conclude("score.cubic", statement, proof, lambda _: counterexample(C, nu_min), summary)


def counterexample(C: Fraction, nu_min: Fraction) -> dict[str, str] | None:
    """Order, κ = x and r = 1.1x at which balls confirm that the difference exceeds C ν⁻³ |r − κ|: found as for Theorem 2, then checked."""

    def excess(nu: fmpq, x: fmpq) -> arb:
        return error(nu, x) * nu**3 / x - radius

    def error(nu: fmpq, x: fmpq) -> arb:
        exact, closed = potential_difference(nu, x, 11 * x / 10, DIGITS), ladder_potential_difference(1, nu, x, 11 * x / 10, DIGITS)
        return 10 * abs(exact - closed)

    with working_precision(4 * DIGITS):
        radius = fmpq(C.numerator, C.denominator)
        point = violation(excess, nu_min)
        if point is None:
            return None
        nu, x = point
        return {"nu": str(nu), "kappa": str(x), "r": str(11 * x / 10), "difference/|r - kappa|": decimal(error(nu, x) / x, 15)}
