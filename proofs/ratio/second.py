r"""Bounds of the ratio of modified Bessel functions of the second kind, for every order ν ≥ 1 on the whole axis.

Statement.  Let V = K_{ν−1}/K_ν and Q = (1 − V)/(1 + V) = (K_ν − K_{ν−1})/(K_ν + K_{ν−1}); with α = ν − ½, σ = √(x² + α²),
μ = α/(x + σ), for every ν ≥ 1 and x > 0

    μ/(1 + x/(2σ²) + c₁/σ²) < Q < μ(1 + c₂/σ²)/(1 + x/(2σ²)),        Q < μ,   which says V′ > 0.

As ν → ∞ and x → ∞, c₁ cannot be below 0.08096 and c₂ not below 1/4.

Proof.  K_{ν−1}′ = −K_ν + (ν−1)/x·K_{ν−1} and K_ν′ = −K_{ν−1} − ν/x·K_ν (DLMF 10.29.2), so that in ξ = 1/x, d/dξ = −x² d/dx,
dQ/dξ = (αξ(1 − Q²) − 2Q)/ξ², whose right side decreases in Q > 0; Q → 0 as ξ → 0 (x → ∞), as V → 1. The three functions of ξ start
at 0 too and are positive by their form; where one met Q, its derivative would have to be on the wrong side of the equation's: rational
inequalities in u = 1/(2α) and m, αξ = 2m/(1−m²). μ is the zero of the right side: dQ/dξ = (μ − Q)(αξ(μ + Q) + 2)/ξ² > 0, that is V′ > 0.
In the certificate k and l stand for K_ν and K_{ν−1}, functions of ξ.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from flint import arb, fmpq

from certify.claims.claim import claim
from certify.claims.conclude import conclude
from certify.claims.verdict import Verdict
from certify.exact.ball import decimal, working_precision
from certify.exact.derivation import Derivation, derive
from certify.exact.expression import replace
from certify.exact.riccati import wall as barrier
from certify.exact.second_kind import difference_ratio
from certify.exact.theorem import Chart, Identity, Map, OneSided, Positive, Solution, Theorem
from certify.exact.witness import violation

DIGITS = 40
CHART = Chart(
    symbols={
        "alpha": Map(map="reciprocal", variable="u", scale="1/2"),
        "xi": Map(map="stereographic", variable="m", scale="1/alpha"),
    },
    roots={"q": "(1 + m**2)/(1 - m**2)"},
)
QUOTIENT = Solution(
    variable="xi",
    equation="(alpha*xi*(1 - Q**2) - 2*Q)/xi**2",
    below="1",
    damping="(2*alpha*xi*Q + 2)/xi**2",
    is_="(K_nu(x) - K_{nu-1}(x))/(K_nu(x) + K_{nu-1}(x)) at x = 1/xi, nu = alpha + 1/2, modified Bessel functions of the second kind",
    source="equation: DLMF 10.29.2; start: DLMF 10.25.3; 0 < Q < 1: DLMF 10.37",
)
FUNCTIONS = {
    "k": {"xi": "(l + (alpha + 1/2)*xi*k)/xi**2"},
    "l": {"xi": "(k - (alpha - 1/2)*xi*l)/xi**2"},
}
EQUATION = Identity(left="diff((k - l)/(k + l), xi)", right=replace(QUOTIENT.equation, Q="(k - l)/(k + l)"))
INVERSE = Identity(left="(1 - (k - l)/(k + l))/(1 + (k - l)/(k + l))", right="l/k")
SLOPE = "(alpha*xi*(mu + Q) + 2)/xi**2"  # dQ/dξ over μ − Q
GROWTH = {"diff(Q, xi)": SLOPE, "0 - xi**2*diff((1 - Q)/(1 + Q), xi)": f"2*xi**2/(1 + Q)**2*{SLOPE}"}
"""dQ/dξ, and dV/dx, as multiples of μ − Q."""


def walls(lower: Fraction, upper: Fraction) -> tuple[OneSided, OneSided, OneSided]:
    """Below μ; above and below the two closed forms, written in ξ: q = σ/x, x/(2σ²) = ξ/(2q²), 1/σ² = ξ²/q²."""
    low = f"mu/(1 + xi/(2*q**2) + {lower}*xi**2/q**2)"
    high = f"mu*(1 + {upper}*xi**2/q**2)/(1 + xi/(2*q**2))"
    return (
        OneSided(solution="Q", side="below", function="mu"),
        OneSided(solution="Q", side="above", function=low),
        OneSided(solution="Q", side="below", function=high),
    )


def theorem(lower: Fraction, upper: Fraction) -> Theorem:
    return Theorem(
        domain={"alpha": "[1/2, oo)", "xi": "(0, oo)"},
        where={"q": "sqrt(1 + alpha**2*xi**2)", "mu": "alpha*xi/(1 + q)"},
        derivatives=FUNCTIONS,
        solutions={"Q": QUOTIENT},
        statements=(*walls(lower, upper), *(Positive(any_of=(text,)) for text in GROWTH), EQUATION, INVERSE),
    )


@claim(
    "ratio.second",
    statement=r"\frac{\mu}{1+\frac{x}{2\sigma^2}+\frac{c_1}{\sigma^2}} < \frac{K_\nu-K_{\nu-1}}{K_\nu+K_{\nu-1}}"
    r" < \min\Bigl\{\mu,\ \mu\,\frac{1+c_2/\sigma^2}{1+\frac{x}{2\sigma^2}}\Bigr\},\quad"
    r" \mu = \frac{\alpha}{x+\sigma},\ \sigma = \sqrt{x^2+\alpha^2},\ \alpha = \nu-\tfrac12;\quad (K_{\nu-1}/K_\nu)' > 0",
    domain=r"\nu \ge 1,\ x > 0",
    source="used by the coherence defect of Section 3.2; beyond the paper",
    theorem=theorem,
    constants={"lower": "81/1000", "upper": "2501/10000"},
)
def second(lower: Fraction, upper: Fraction) -> Verdict:
    def build(derivation: Derivation) -> None:
        zero, *_ = [barrier(derivation, wall) for wall in walls(lower, upper)]
        for text, c in GROWTH.items():
            derivation.combined(text, (c, zero))
        derivation.identity(EQUATION)
        derivation.identity(INVERSE)

    proof = derive(theorem(lower, upper), CHART, build)
    summary = "K_{nu-1}/K_nu between closed forms that differ by O(1/sigma^2), and increasing, for every nu >= 1, x > 0"
    return conclude("ratio.second", theorem(lower, upper), proof, lambda _: counterexample(lower, upper), summary)


def counterexample(lower: Fraction, upper: Fraction) -> Mapping[str, str] | None:
    """A point (ν, x) at which balls confirm that a bound fails."""

    def parts(nu: fmpq, x: fmpq) -> tuple[arb, arb, arb]:
        alpha = nu - fmpq(1, 2)
        square = x * x + alpha * alpha
        return difference_ratio(nu, x, DIGITS), alpha / (x + arb(square).sqrt()), arb(square)

    def below(nu: fmpq, x: fmpq) -> arb:
        Q, mu, square = parts(nu, x)
        return (mu / (1 + (x / 2 + c1) / square) - Q) * square

    def above(nu: fmpq, x: fmpq) -> arb:
        Q, mu, square = parts(nu, x)
        return (Q - mu * (1 + c2 / square) / (1 + x / (2 * square))) * square

    with working_precision(4 * DIGITS):
        c1, c2 = (fmpq(c.numerator, c.denominator) for c in (lower, upper))
        for name, excess in (("lower", below), ("upper", above)):
            point = violation(excess, Fraction(1), doublings=8)
            if point is not None:
                nu, x = point
                return {"nu": str(nu), "x": str(x), f"excess over the {name} bound, times sigma^2": decimal(excess(nu, x), 10)}
    return None
