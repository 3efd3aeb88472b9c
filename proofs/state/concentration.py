r"""The estimate κ̂ = pR/(1 − R²) of a concentration exceeds the maximum-likelihood one, by less than one part in p − 1.

Statement.  Let κ be the concentration with R_ν(κ) = R ∈ (0, 1), ν = p/2 − 1 ≥ 0. Then

    (p−1)R/(1 − R²) < κ < pR/(1 − R²) = κ̂,        κ < κ̂ < κ p/(p−1).

Proof.  B = x/(β + √(x² + β²)) solves 2βB/(1 − B²) = x. With β = ν + 1 = p/2 = α + ½ it starts at 0 as R_ν does, and
(1 − 2αB/x − B²) − B′ = (1 − B²)B²/(β(1 + B²)) > 0, so that R_ν(x) > B(x) for every x > 0; as R/(1 − R²) increases, pR/(1 − R²) > x at
R = R_ν(x). The other side is claim ratio.increasing, R_ν < B with β = ν + ½ = (p−1)/2. Both bounds of R_ν are Amos's.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from flint import arb, fmpq

from certify.claims.claim import claim
from certify.claims.conclude import conclude
from certify.claims.verdict import Verdict
from certify.exact import riccati
from certify.exact.ball import decimal, hypotenuse, working_precision
from certify.exact.bessel import ratio
from certify.exact.theorem import Chart, Identity, Map, OneSided, Theorem
from certify.exact.uniform import RATIO_IN_ALPHA
from certify.exact.witness import violation

DIGITS = 40
CHART = Chart(
    symbols={
        "alpha": Map(map="reciprocal", variable="u", scale="1/2"),
        "x": Map(map="stereographic", variable="m", scale="alpha + 1/2"),
    },
    roots={"sigma": "(alpha + 1/2)*(1 + m**2)/(1 - m**2)"},
)
INVERSE = Identity(left="2*beta*(x/(beta + sigma))/(1 - (x/(beta + sigma))**2)", right="x")


def wall(factor: Fraction) -> OneSided:
    return OneSided(solution="R", side="above", function=f"{factor}*x/(beta + sigma)")


def theorem(factor: Fraction) -> Theorem:
    return Theorem(
        domain={"alpha": "[1/2, oo)", "x": "(0, oo)"},
        where={"beta": "alpha + 1/2", "sigma": "sqrt(x**2 + beta**2)"},
        solutions={"R": RATIO_IN_ALPHA},
        statements=(wall(factor), INVERSE),
    )


@claim(
    "state.concentration",
    statement=r"\frac{(p-1)R}{1-R^2} < \kappa < \hat\kappa = \frac{pR}{1-R^2}\ \text{where}\ R_\nu(\kappa) = R;\quad"
    r" R_\nu(x) > \frac{cx}{\beta+\sqrt{x^2+\beta^2}},\ c = 1,\ \beta = \tfrac p2",
    domain=r"p \ge 2,\ \nu = p/2-1,\ 0 < R < 1,\ x > 0",
    source="beyond the paper: the error of the estimate of Appendix D.3.2; bounds of the ratio by Amos (1974)",
    in_words="R/(1 - R^2) increases; claim ratio.increasing for the lower bound, where x = (p-1)B/(1 - B^2)",
    theorem=theorem,
    constants={"factor": 1},
)
def concentration(factor: Fraction) -> Verdict:
    proof = riccati.prove(theorem(factor), CHART)
    summary = "pR/(1 - R^2) exceeds the concentration whose mean resultant length is R, for every p >= 2"
    return conclude("state.concentration", theorem(factor), proof, lambda _: counterexample(factor), summary)


def counterexample(factor: Fraction) -> Mapping[str, str] | None:
    """A point (ν, x) at which balls confirm that R_ν is below the bound."""

    def excess(nu: fmpq, x: fmpq) -> arb:
        beta = nu + 1
        return fmpq(factor.numerator, factor.denominator) * x / (beta + hypotenuse(x, beta)) - ratio(nu, x, DIGITS)

    with working_precision(4 * DIGITS):
        point = violation(excess, Fraction(1), doublings=8)
        return point and {"nu": str(point[0]), "x": str(point[1]), "excess": decimal(excess(*point), 10)}
