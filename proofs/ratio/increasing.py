r"""The Bessel ratio increases: R_ν′ > 0 for every order ν ≥ 0 and x > 0.

Statement.  With α = ν + ½,  R_ν(x) < x/(α + √(x² + α²)), the zero of 1 − 2αB/x − B², and so R_ν′ > 0.

Proof.  R′ = 1 − (2α/x)R − R² decreases in R > 0 (DLMF 10.29.2). B = x/(α + √(x² + α²)) starts at 0 as R does, is positive, and has B′ > 0,
while the right side vanishes on it; so R cannot meet it, and R′ = (B − R)(2α/x + R + B) > 0. Known: D. E. Amos, Math. Comp. 28 (1974).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from flint import arb, fmpq

from certify.claims.claim import claim
from certify.claims.conclude import conclude
from certify.claims.verdict import Verdict
from certify.exact.ball import decimal, hypotenuse, working_precision
from certify.exact.bessel import ratio
from certify.exact.derivation import Derivation, derive
from certify.exact.riccati import wall as barrier
from certify.exact.theorem import Chart, Map, OneSided, Positive, Theorem
from certify.exact.uniform import RATIO_IN_ALPHA
from certify.exact.witness import violation

DIGITS = 40
CHART = Chart(
    symbols={
        "alpha": Map(map="reciprocal", variable="u", scale="1/2"),
        "x": Map(map="stereographic", variable="m", scale="alpha"),
    },
    roots={"sigma": "alpha*(1 + m**2)/(1 - m**2)"},
)
GROWTH = Positive(any_of=("diff(R, x)",))


def wall(factor: Fraction) -> OneSided:
    return OneSided(solution="R", side="below", function=f"{factor}*x/(alpha + sigma)")


def theorem(factor: Fraction) -> Theorem:
    return Theorem(
        domain={"alpha": "[1/2, oo)", "x": "(0, oo)"},
        where={"sigma": "sqrt(x**2 + alpha**2)"},
        solutions={"R": RATIO_IN_ALPHA},
        statements=(wall(factor), GROWTH),
    )


@claim(
    "ratio.increasing",
    statement=r"R_\nu(x) < \frac{cx}{\alpha+\sqrt{x^2+\alpha^2}},\ c = 1,\ \alpha = \nu+\tfrac12; \qquad R_\nu'(x) > 0",
    domain=r"\nu \ge 0,\ x > 0",
    source="Amos (1974); used by the crossing of Appendix D.5",
    theorem=theorem,
    constants={"factor": 1},
)
def increasing(factor: Fraction) -> Verdict:
    def build(derivation: Derivation) -> None:
        zero, *_ = [barrier(derivation, each) for each in dict.fromkeys((wall(Fraction(1)), wall(factor)))]
        derivation.combined(GROWTH, ("2*alpha/x + R + x/(alpha + sigma)", zero))

    proof = derive(theorem(factor), CHART, build)
    return conclude("ratio.increasing", theorem(factor), proof, lambda _: counterexample(factor), "R' > 0 for every nu >= 0, x > 0")


def counterexample(factor: Fraction) -> Mapping[str, str] | None:
    """A point (ν, x) at which balls confirm that R_ν exceeds the bound."""

    def excess(nu: fmpq, x: fmpq) -> arb:
        alpha = nu + fmpq(1, 2)
        return ratio(nu, x, DIGITS) - fmpq(factor.numerator, factor.denominator) * x / (alpha + hypotenuse(x, alpha))

    with working_precision(4 * DIGITS):
        point = violation(excess, Fraction(1), doublings=8)
        return point and {"nu": str(point[0]), "x": str(point[1]), "excess": decimal(excess(*point), 10)}
