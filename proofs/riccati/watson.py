r"""The Kummer quotient of the Watson distribution on axial data in p dimensions, g(κ) = M′(½, p/2, κ)/M(½, p/2, κ), uniformly in p.

Statement.  With r = √p and κ = r³θ(1 + θ/r)/(2(1 + rθ)), which increases from 0 to ∞ with θ > 0, and G = (1 + rθ)/(r² + rθ),

    G − (c₀ + 80θ²/(θ⁴ + 40θ² + 320)) D ≤ g ≤ G − c₁D,        D = G′/(G + 1/(rθ)), G′ = dG/dκ.

G − g is between ½D and 1.78D: of D, p/(p + 2) for κ → 0 and 1 for κ → ∞; c₁ cannot exceed ½.

Proof.  g′ = 1/(2κ) − (p/(2κ) − 1)g − g² (Kummer's equation, DLMF 13.2.1), g(0) = 1/p, and the right side is −(g − G)(g + 1/(rθ)), which the
substitution makes rational. y = g − 1/p starts at 0 and lies in (0, 1). The bounds start there as well, but nothing is known of the sign of
the damping; so ±ηG is added, after which they start elsewhere, for every η > 0 (times 1 + η and 1 − η/(100(1+η))). y does not meet them:
polynomials in θ, r and η, split by the powers of η. η → 0 gives the statement. S. Sra and D. Karp, J. Multivariate Anal. 114 (2013), have
other bounds.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb, fmpq

from certify.claims.claim import claim
from certify.claims.conclude import conclude_riccati
from certify.claims.verdict import Verdict
from certify.exact.riccati_equation import Equation, Problem
from certify.exact.riccati_equation import theorem as formal
from certify.exact.riccati_witness import Point
from certify.exact.theorem import Chart, Map, OneSided, Theorem

G = "(1 + r*theta)/(r**2 + r*theta)"
D = "2*(r**2 - 1)*theta*(1 + r*theta)**2/(r**2*(r + theta)*(r + 2*theta + r*theta**2)**2)"
BUMP = "80*theta**2/(theta**4 + 40*theta**2 + 320)"
PROBLEM = Problem(
    equation=Equation(variable="kappa", quadratic="0 - 1", linear="1 - r**2/(2*kappa)", constant="1/(2*kappa)"),
    variable="theta",
    substitution="r**2*theta*(r + theta)/(2*(1 + r*theta))",
    shift="1/r**2",
    below="1",
    parameters={"eta": "(0, oo)", "r": "[7/5, oo)"},
    vanishing="eta",
    chart=Chart(
        symbols={
            "eta": Map(map="odds", variable="e"),
            "r": Map(map="reciprocal", variable="u", scale="7/5"),
            "theta": Map(map="odds", variable="v"),
        }
    ),
    is_="g - 1/p, g = M'(1/2, p/2, kappa)/M(1/2, p/2, kappa), p = r**2, kappa as the substitution says",
    source="equation: DLMF 13.2.1; start: 13.2.2; 1/p < g < 1, as g is a mean and increases: 13.4.1",
    name="g",
)


def walls(lower: Fraction, upper: Fraction) -> tuple[OneSided, OneSided]:
    return (
        OneSided(solution="g", side="above", function=f"{G}*(1 - eta/(100*(1 + eta))) - ({lower} + {BUMP})*{D}"),
        OneSided(solution="g", side="below", function=f"{G}*(1 + eta) - {upper}*{D}"),
    )


def theorem(lower: Fraction, upper: Fraction) -> Theorem:
    return formal(PROBLEM, *walls(lower, upper))


def reference(point: Point) -> arb:
    """M(3/2, p/2 + 1, κ)/(p M(½, p/2, κ)) from Arb."""
    p, kappa = arb(point["r"]) ** 2, arb(point["kappa"])
    return kappa.hypgeom_1f1(arb(fmpq(3, 2)), p / 2 + 1) / kappa.hypgeom_1f1(arb(fmpq(1, 2)), p / 2) / p


@claim(
    "riccati.watson",
    statement=r"G - \Bigl(c_0 + \frac{80\,\theta^2}{\theta^4+40\,\theta^2+320}\Bigr)D"
    r" \le \frac{M'(\frac12,\frac p2,\kappa)}{M(\frac12,\frac p2,\kappa)} \le G - c_1 D,\quad G = \frac{1+r\theta}{r^2+r\theta},"
    r"\ D = \frac{G'(\kappa)}{G + 1/(r\theta)},\ \kappa = \frac{r^2\theta(r+\theta)}{2(1+r\theta)},\ r = \sqrt p",
    domain=r"p \ge 2,\ \kappa > 0",
    source="beyond the paper: the method of Section 4 for another Riccati equation",
    theorem=theorem,
    constants={"lower": "21/20", "upper": "0.49"},
    in_words="eta -> 0; D written out in r and theta",
)
def watson(lower: Fraction, upper: Fraction) -> Verdict:
    summary = "the Kummer quotient of the Watson distribution between rational functions, for every p >= 2 and kappa > 0"
    return conclude_riccati("riccati.watson", PROBLEM, reference, walls(lower, upper), summary)
