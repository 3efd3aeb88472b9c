r"""The Kummer quotient of the Watson distribution on axial data in p dimensions, g(κ) = M′(½, p/2, κ)/M(½, p/2, κ), uniformly in p.

Statement.  With r = √p and κ = r³θ(1 + θ/r)/(2(1 + rθ)), which increases from 0 to ∞ with θ > 0, and G = (1 + rθ)/(r² + rθ),

    G − (c₁θ²/(1 + θ²) + c₂)/√p < g < G + c₃/√p.

Proof.  g′ = 1/(2κ) − (p/(2κ) − 1)g − g² (Kummer's equation, DLMF 13.2.1), g(0) = 1/p, and G is the positive zero of the right side, which
the substitution makes rational. y = g − 1/p starts at 0, lies in (0, 1), and does not meet the barriers, which start at another value:
polynomials in θ and r. S. Sra and D. Karp, J. Multivariate Anal. 114 (2013), have other bounds.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb, fmpq

from certify.claims.claim import claim
from certify.claims.conclude import conclude
from certify.claims.verdict import Verdict
from certify.exact.riccati_equation import Equation, Problem, prove
from certify.exact.riccati_equation import theorem as formal
from certify.exact.riccati_witness import Point, counterexample
from certify.exact.theorem import Chart, Map, OneSided, Theorem

G = "(1 + r*theta)/(r**2 + r*theta)"
PROBLEM = Problem(
    equation=Equation(variable="kappa", quadratic="0 - 1", linear="1 - r**2/(2*kappa)", constant="1/(2*kappa)"),
    variable="theta",
    substitution="r**2*theta*(r + theta)/(2*(1 + r*theta))",
    shift="1/r**2",
    below="1",
    parameters={"r": "[7/5, oo)"},
    chart=Chart(symbols={"r": Map(map="reciprocal", variable="u", scale="7/5"), "theta": Map(map="odds", variable="v")}),
    is_="g - 1/p, g = M'(1/2, p/2, kappa)/M(1/2, p/2, kappa), p = r**2, kappa as the substitution says",
    source="equation: DLMF 13.2.1; start: 13.2.2; 1/p < g < 1, as g is a mean and increases: 13.4.1",
    name="g",
)


def walls(lower: Fraction, offset: Fraction, upper: Fraction) -> tuple[OneSided, OneSided]:
    return (
        OneSided(solution="g", side="above", function=f"{G} - ({lower}*theta**2/(1 + theta**2) + {offset})/r"),
        OneSided(solution="g", side="below", function=f"{G} + {upper}/r"),
    )


def theorem(lower: Fraction, offset: Fraction, upper: Fraction) -> Theorem:
    return formal(PROBLEM, *walls(lower, offset, upper))


def reference(point: Point) -> arb:
    """M(3/2, p/2 + 1, κ)/(p M(½, p/2, κ)) from Arb."""
    p, kappa = arb(point["r"]) ** 2, arb(point["kappa"])
    return kappa.hypgeom_1f1(arb(fmpq(3, 2)), p / 2 + 1) / kappa.hypgeom_1f1(arb(fmpq(1, 2)), p / 2) / p


@claim(
    "riccati.watson",
    statement=r"G - \frac1{\sqrt p}\Bigl(\frac{c_1\theta^2}{1+\theta^2} + c_2\Bigr)"
    r" < \frac{M'(\frac12,\frac p2,\kappa)}{M(\frac12,\frac p2,\kappa)}"
    r" < G + \frac{c_3}{\sqrt p},\quad G = \frac{1+r\theta}{r^2+r\theta},\ \kappa = \frac{r^2\theta(r+\theta)}{2(1+r\theta)},\ r = \sqrt p",
    domain=r"p \ge 2,\ \kappa > 0",
    source="beyond the paper: the method of Section 4 for another Riccati equation",
    theorem=theorem,
    constants={"lower": 1, "offset": "0.025", "upper": "0.001"},
)
def watson(lower: Fraction, offset: Fraction, upper: Fraction) -> Verdict:
    wanted = walls(lower, offset, upper)
    return conclude(
        "riccati.watson",
        theorem(lower, offset, upper),
        prove(PROBLEM, *wanted),
        counterexample(PROBLEM, reference, *wanted),
        "the Kummer quotient of the Watson distribution between rational functions, for every p >= 2 and kappa > 0",
    )
