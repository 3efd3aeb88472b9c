r"""The hazard of the gamma distribution, h = x^{a−1}e^{−x}/Γ(a, x), on the whole axis and uniformly in the shape a ≥ 2.

Statement.  With α = a − 1 and x = (1 + αω)/(ω(1 + ω)), which decreases from ∞ to 0 as ω > 0 grows, and B = (1 + ω)/(1 + αω),

    B − c₁D < h < B − c₂D,        D = (Bω − B′)/(B + ω), B′ = dB/dx.

Proof.  h′ = h(h − e), e = 1 − α/x. B and −ω are the zeros of Y(Y − e) − 1/x, and σ = B − 2Bω/(B + ω), by the harmonic mean of B and ω,
is at most max(e, 0) < h, as for the normal hazard (proofs/riccati/hazard.py). So y = h − σ > 0 has a right side that decreases in y > 0,
and y → 0 as ω → 0 (x → ∞, h → 1). With α = r² and ω = η/r the residuals are quotients of polynomials in r and η, split by powers of r and
η. As a → ∞ the constants are those of the normal hazard, 1.24 and 0.746 (claim riccati.hazard).
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from certify.claims.claim import claim
from certify.claims.conclude import conclude_riccati
from certify.claims.verdict import Verdict
from certify.exact.riccati_equation import Equation, Problem
from certify.exact.riccati_equation import theorem as formal
from certify.exact.riccati_witness import Point
from certify.exact.theorem import Chart, Map, OneSided, Theorem

OMEGA, B = "eta/r", "(1 + eta/r)/(1 + r*eta)"
ARGUMENT = "r*(1 + r*eta)/(eta*(1 + eta/r))"
D = "eta*(r + eta)*(r**2 + 3*r*eta + eta**2 + 2*r**2*eta**2 + r**3*eta**3)/(r**2*(1 + r*eta)*(r + 2*eta + r*eta**2)**2)"
PROBLEM = Problem(
    equation=Equation(variable="x", quadratic="1", linear="r**2/x - 1", constant="0"),
    variable="eta",
    substitution=ARGUMENT,
    shift=f"{B} - 2*{B}*{OMEGA}/({B} + {OMEGA})",
    below="2",
    parameters={"r": "[1, oo)"},
    chart=Chart(
        symbols={"r": Map(map="reciprocal", variable="u"), "eta": Map(map="odds", variable="v")},
    ),
    is_="h - shift, h = x**(a-1)*exp(-x)/Gamma(a, x), a = 1 + r**2, x as the substitution says",
    source="equation: DLMF 8.8.13; 0 < h < 1: 8.10.1; h > 1 - r**2/x, so h -> 1 as x -> oo: 1/h is the integral of "
    "exp(-u)*(1 + u/x)**(r**2) over u > 0, and 1 + t < exp(t); -1 <= -(1 + eta/r)/(1 + r*eta) < shift <= max(0, 1 - r**2/x)",
    name="h",
)


def walls(lower: Fraction, upper: Fraction) -> tuple[OneSided, OneSided]:
    return (
        OneSided(solution="h", side="above", function=f"{B} - {lower}*({D})"),
        OneSided(solution="h", side="below", function=f"{B} - {upper}*({D})"),
    )


def theorem(lower: Fraction, upper: Fraction) -> Theorem:
    return formal(PROBLEM, *walls(lower, upper))


def reference(point: Point) -> arb:
    """Γ(a, x) from Arb."""
    x, shape = arb(point["x"]), 1 + arb(point["r"]) ** 2
    return x ** (shape - 1) * (-x).exp() / arb.gamma_upper(x, shape)


@claim(
    "riccati.gamma",
    statement=r"B - c_1 D < \frac{x^{a-1}e^{-x}}{\Gamma(a,x)} < B - c_2 D,\quad B = \frac{1+\omega}{1+\alpha\omega},"
    r"\ x = \frac{1+\alpha\omega}{\omega(1+\omega)},\ \alpha = a-1,\ D = \frac{B\omega-B'}{B+\omega}",
    domain=r"a \ge 2,\ x > 0",
    source="beyond the paper: the method of Section 4 for another Riccati equation",
    theorem=theorem,
    constants={"lower": "1.24", "upper": "0.745"},
    in_words="B, D and x written out in r = sqrt(alpha) and eta = r*omega",
)
def gamma(lower: Fraction, upper: Fraction) -> Verdict:
    summary = "the hazard of the gamma distribution between rational functions, for every shape a >= 2 and x > 0"
    return conclude_riccati("riccati.gamma", PROBLEM, reference, walls(lower, upper), summary)
