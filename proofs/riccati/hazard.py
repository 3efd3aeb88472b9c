r"""The hazard of the normal distribution, h = φ/Q, on the whole axis: between rational functions of one variable.

Statement.  With ξ = 2/(x + √(x² + 4)), that is x = 1/ξ − ξ, for every real x

    1/ξ − c₁ξ³/(1 + ξ²)² < h(x) < 1/ξ − c₂ξ³/(1 + ξ²)²,

in which the relative distance of the two sides from 1/ξ is O(x⁻⁴) as x → ∞. In particular h < 1/ξ, which says h′ = h(h − x) < 1. And
h > (3x + √(x² + 8))/4, which says h″ > 0 (riccati.hazard.convex).

Proof.  h′ = h² − xh. h lies above max(x, 0), so y = h − σ > 0 for σ = 1/ξ − 2ξ/(1 + ξ²): 1/ξ and −ξ are the zeros of B(B − x) − 1, and the
harmonic mean of 1/ξ and ξ is at least the smaller of the two. y → 0 as ξ → 0 (x → ∞); in ξ the right side of the equation of y
decreases in y > 0, since 2σ − x = (1 − ξ²)²/(ξ(1 + ξ²)) ≥ 0. So the barriers may start where y does, and y meets none
of them: polynomials in ξ/(1 + ξ). Known otherwise: R. D. Gordon (1941), Z. W. Birnbaum (1942), M. R. Sampford (1953),
Ann. Math. Statist. 12, 13, 24.
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

SHIFT = "1/xi - 2*xi/(1 + xi**2)"
CHART = Chart(symbols={"xi": Map(map="odds", variable="v")})
FACTS = (
    "h > max(x, 0) >= shift, h < x + 1/x for x > 0 and h - x -> 0 as x -> oo: DLMF 7.8.2; h increases, h(0) < 1, h(1) < 2: so h < 1 + 1/xi"
)
HAZARD = Problem(
    equation=Equation(variable="x", quadratic="1", linear="0 - x", constant="0"),
    variable="xi",
    substitution="1/xi - xi",
    shift=SHIFT,
    below="2",
    chart=CHART,
    is_=f"h(x) - ({SHIFT}), h = phi/Q the hazard of the normal distribution, x = 1/xi - xi",
    source=FACTS,
    name="h",
)
SCALED = Problem(
    equation=Equation(variable="z", quadratic="2", linear="0 - 2*z", constant="0"),
    variable="xi",
    substitution="1/xi - xi",
    shift=SHIFT,
    below="2",
    chart=CHART,
    is_=f"k(z) - ({SHIFT}), k(z) = h(sqrt(2)*z)/sqrt(2) = 1/(sqrt(pi)*erfcx(z)), z = 1/xi - xi",
    source=FACTS,
    name="k",
)


def hazard_ball(x: fmpq) -> arb:
    """φ/Q in balls."""
    argument = arb(x)
    return (arb(2) / arb.pi()).sqrt() * (-argument * argument / 2).exp() / (argument / arb(2).sqrt()).erfc()


def walls(lower: Fraction, upper: Fraction) -> tuple[OneSided, OneSided]:
    return (
        OneSided(solution="h", side="above", function=f"1/xi - {lower}*xi**3/(1 + xi**2)**2"),
        OneSided(solution="h", side="below", function=f"1/xi - {upper}*xi**3/(1 + xi**2)**2"),
    )


def theorem(lower: Fraction, upper: Fraction) -> Theorem:
    return formal(HAZARD, *walls(lower, upper))


def reference(point: Point) -> arb:
    return hazard_ball(point["x"])


@claim(
    "riccati.hazard",
    statement=r"\frac1\xi - \frac{c_1\,\xi^3}{(1+\xi^2)^2} < \frac{\varphi(x)}{Q(x)} < \frac1\xi - \frac{c_2\,\xi^3}{(1+\xi^2)^2},"
    r"\quad \xi = \frac2{x+\sqrt{x^2+4}}",
    domain=r"x \in \mathbb R",
    source="beyond the paper: the method of Section 4 for another Riccati equation",
    theorem=theorem,
    constants={"lower": "1.24", "upper": "0.746"},
)
def hazard(lower: Fraction, upper: Fraction) -> Verdict:
    summary = "phi/Q between rational functions of xi = 2/(x + sqrt(x^2 + 4)) for every real x; its derivative is below 1"
    return conclude_riccati("riccati.hazard", HAZARD, reference, walls(lower, upper), summary)


def convex_wall(c: Fraction) -> OneSided:
    """In z = x/√2 the bound (3x + √(x² + 8))/4 is √2(1/ξ − ξ/2), z = 1/ξ − ξ."""
    return OneSided(solution="k", side="above", function=f"1/xi - {c}*xi")


def convex_theorem(c: Fraction) -> Theorem:
    return formal(SCALED, convex_wall(c))


def scaled(point: Point) -> arb:
    z = arb(point["z"])
    return (-z * z).exp() / (arb.pi().sqrt() * z.erfc())


@claim(
    "riccati.hazard.convex",
    statement=r"\frac{\varphi(x)}{Q(x)} > \frac{3x+\sqrt{x^2+8}}4, \quad\text{so that}\ (\varphi/Q)'' > 0",
    domain=r"x \in \mathbb R",
    source="Sampford (1953)",
    theorem=convex_theorem,
    constants={"c": "1/2"},
    in_words="z = x/sqrt(2), sqrt(z**2 + 4) = 1/xi + xi; h'' = h*((2*h - x)*(h - x) - 1)",
)
def convex(c: Fraction) -> Verdict:
    summary = "phi/Q > (3x + sqrt(x^2 + 8))/4 for every real x"
    return conclude_riccati("riccati.hazard.convex", SCALED, scaled, [convex_wall(c)], summary)
