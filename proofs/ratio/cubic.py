r"""Theorem 2: |R_ν(x) − A_R(x)| ≤ ν⁻³ for every real ν ≥ 10/9 and every x ≥ 0, proved three times.

The error e = R − A_R obeys the Riccati equation with residual E and damping K of claim identity.residual. The constant barriers
±U, U = Cν⁻³, cannot be reached if, at every point, with derivatives in x,

    upper:  (a + U)′ − f(x, a + U) = −E + K U + U² > 0,        lower:  f(x, a − U) − (a − U)′ = E + K U − U² > 0,

where f is the right-hand side of the Riccati equation (here E and K are those of the equation in x, the paper's divided by nothing:
ε d/dz = d/dx). At x = 0 both R and A_R vanish, strictly between the barriers. With u = ν₀/ν ∈ (0, 1] and m = x/(ν+s) ∈ (0, 1) both
inequalities, times a positive factor, are polynomials on the unit square, and the square covers the whole axis, x → ∞ included.

ratio.cubic          both polynomials have positive Bernstein coefficients on the square itself: one box a side
ratio.cubic.paper    the paper's route: |E| ≤ (49/40)ε³, K ≥ 3919/2000, ε⁶ ≤ (729/1000)ε³, margin (11/2000)ε³
ratio.cubic.interval the same barriers by ball arithmetic and bisection of the same square, from another form of the inequalities

The last two show the residuals in their own ways, by lemmas and by intervals, and so only their barriers are those of the prover.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from certify.claims.claim import claim
from certify.claims.conclude import conclude, exactly
from certify.claims.verdict import Verdict
from certify.exact import riccati, subdivision
from certify.exact.coordinates import Coordinates
from certify.exact.derivation import Derivation, Open, derive
from certify.exact.expression import replace
from certify.exact.number import exact
from certify.exact.positivity import Gap
from certify.exact.refutation import fails
from certify.exact.riccati import conclusion, residuals
from certify.exact.theorem import (
    Bound,
    Identity,
    Intervals,
    Nonnegative,
    Positive,
    Proof,
    Theorem,
)
from certify.exact.uniform import A_R, RATIO, chart, orders
from certify.exact.uniform import theorem as uniform_theorem


def bound(C: Fraction) -> Bound:
    return Bound(solution="R", candidate="a", radius=f"{C}/nu**3")


def theorem(C: Fraction, nu_min: Fraction) -> Theorem:
    return uniform_theorem(nu_min, {"a": A_R}, bound(C))


def counterexample(C: Fraction, nu_min: Fraction) -> Mapping[str, str] | None:
    """A point (ν, x) at which balls confirm |R_ν − A_R| > C ν⁻³."""
    return fails(1, lambda nu, x, error: abs(error) * nu**3 - exact(C), nu_min)


@claim(
    "ratio.cubic",
    statement=r"|R_\nu(x) - A_R(x)| \le C\,\nu^{-3}",
    domain=r"\nu \ge \nu_{\min},\ x \ge 0",
    source="Theorem 2, Appendix D.7",
    theorem=theorem,
    constants={"C": 1, "nu_min": "10/9"},
)
def cubic(C: Fraction, nu_min: Fraction) -> Verdict:
    return conclude(
        "ratio.cubic",
        theorem(C, nu_min),
        riccati.prove(theorem(C, nu_min), chart(nu_min)),
        lambda _: counterexample(C, nu_min),
        f"|R - A_R| < {C}/nu^3 for every {orders(nu_min)}, x > 0, by Bernstein positivity of both barriers on the whole axis",
    )


# The paper's route ---------------------------------------------------------------------------------------------------


def lemmas(residual: Fraction, damping: Fraction, quadratic: Fraction) -> tuple[Positive | Nonnegative, ...]:
    return (
        Positive(any_of=(f"{residual}*eps**3 - E",)),
        Positive(any_of=(f"{residual}*eps**3 + E",)),
        Positive(any_of=(f"K - {damping}",)),
        Nonnegative(any_of=(f"{quadratic}*eps**3 - eps**6",)),
    )


def balance(residual: Fraction, damping: Fraction, quadratic: Fraction, margin: Fraction) -> Identity:
    return Identity(left=f"{damping} - {residual} - {quadratic}", right=f"{margin}")


def paper_theorem(residual: Fraction, damping: Fraction, quadratic: Fraction, margin: Fraction, nu_min: Fraction) -> Theorem:
    """The four lemmas of Appendix D.7 and the bound with C = 1; E and K are defined from a, so that nothing is assumed of them."""
    where = {"eps": "1/nu", "z": "x/nu", "a": A_R, "E": "1 - (2 + eps)/z*a - a**2 - diff(a, x)", "K": "(2 + eps)/z + 2*a"}
    constants = lemmas(residual, damping, quadratic), balance(residual, damping, quadratic, margin)
    return uniform_theorem(nu_min, where, *constants[0], constants[1], bound(Fraction(1)))


@claim(
    "ratio.cubic.paper",
    statement=r"|\mathcal E| < \tfrac{49}{40}\varepsilon^3,\ K > \tfrac{3919}{2000},\ \varepsilon^6 \le \tfrac{729}{1000}\varepsilon^3,"
    r"\ \tfrac{3919}{2000}-\tfrac{49}{40}-\tfrac{729}{1000} = \tfrac{11}{2000} > 0 \ \Rightarrow\ |R_\nu - A_R| < \nu^{-3}",
    domain=r"\nu \ge \nu_{\min},\ x \ge 0",
    source="Theorem 2, Appendix D.7, the constants of the printed proof",
    theorem=paper_theorem,
    constants={"residual": "49/40", "damping": "3919/2000", "quadratic": "729/1000", "margin": "11/2000", "nu_min": "10/9"},
)
def paper(residual: Fraction, damping: Fraction, quadratic: Fraction, margin: Fraction, nu_min: Fraction) -> Verdict:
    statement, stated = paper_theorem(residual, damping, quadratic, margin, nu_min), lemmas(residual, damping, quadratic)

    def build(derivation: Derivation) -> None:
        for lemma in stated:
            derivation.shown(lemma)
        derivation.identity(balance(residual, damping, quadratic, margin))
        cube = derivation.positive("eps**3")
        upper, lower = residuals(RATIO, bound(Fraction(1)))
        # −E + Kε³ + ε⁶ = (49/40 ε³ − E) + ε³(K − 3919/2000) + (3919/2000 − 49/40) ε³ + ε⁶
        below = derivation.combined(upper, ("1", 0), ("eps**3", 2), (f"{damping - residual} + eps**3", cube))
        # E + Kε³ − ε⁶ = (49/40 ε³ + E) + ε³(K − 3919/2000) + (729/1000 ε³ − ε⁶) + 11/2000 ε³
        above = derivation.combined(lower, ("1", 1), ("eps**3", 2), ("1", 3), (f"{margin}", cube))
        conclusion(derivation, bound(Fraction(1)), below, above)

    def counterexample(gap: Gap) -> Mapping[str, str] | None:
        coordinates = Coordinates(statement, chart(nu_min))
        searches = (exactly(coordinates, lemma.any_of[0], strict=isinstance(lemma, Positive)) for lemma in stated)
        return next((found for search in searches if (found := search(gap))), None)

    proof = derive(statement, chart(nu_min), build)
    if isinstance(proof, Proof) and not 0 < margin == damping - residual - quadratic:
        return Verdict.refuted({"margin": str(damping - residual - quadratic)}, f"the margin is not {margin} > 0")
    summary = f"the lemmas with {residual}, {damping}, {quadratic} and margin {margin}, each proved, and the bound from them"
    return conclude("ratio.cubic.paper", statement, proof, counterexample, summary)


# The independent route -----------------------------------------------------------------------------------------------


def margins(C: Fraction, nu_min: Fraction) -> tuple[str, str]:
    """4w ν³ times the two inequalities, written with the closed forms of E and K in t, w and ε: natural to evaluate on a box."""
    damping = "8 + 4*eps*t**3 - eps**2*t**2*w**2*(1 - 5*t**2)"
    minus_E = "t**3*(15*t**4 - 12*t**2 + 1)/4 + eps*t**4*w**2*(5*t**2 - 1)**2/64"
    box = {"t": "(1 - m**2)/(1 + m**2)", "w": "2*m/(1 + m**2)", "eps": f"u/({nu_min})"}
    upper = f"({C})*({damping}) + 4*w*({minus_E} + ({C})**2*eps**3)"
    lower = f"({C})*({damping}) - 4*w*({minus_E} + ({C})**2*eps**3)"
    return replace(upper, **box), replace(lower, **box)


@claim(
    "ratio.cubic.interval",
    statement=r"|R_\nu(x) - A_R(x)| \le C\,\nu^{-3}",
    domain=r"\nu \ge \nu_{\min},\ x \ge 0",
    source="Theorem 2, Appendix D.7; second proof by interval subdivision",
    theorem=theorem,
    constants={"C": 1, "nu_min": "10/9"},
)
def interval(C: Fraction, nu_min: Fraction) -> Verdict:
    def build(derivation: Derivation) -> None:
        shown = (tiled(derivation, *pair) for pair in zip(residuals(RATIO, bound(C)), margins(C, nu_min), strict=True))
        conclusion(derivation, bound(C), *shown)

    proof = derive(theorem(C, nu_min), chart(nu_min), build)
    summary = f"|R - A_R| < {C}/nu^3 for every {orders(nu_min)}, x > 0, by ball arithmetic on {boxes(proof)} boxes"
    return conclude("ratio.cubic.interval", theorem(C, nu_min), proof, lambda _: counterexample(C, nu_min), summary)


def tiled(derivation: Derivation, expression: str, form: str) -> int:
    """The number of the step that shows an expression, times 4w ν³ the form, to be > 0 by ball arithmetic."""
    tiling = subdivision.prove(form, ("u", "m"))
    if isinstance(tiling, Gap):
        raise Open(tiling)
    evidence = Intervals(multipliers=("4*(x/s)*nu**3",), forms=(form,), tree=tiling.tree)
    return derivation.step(Positive(any_of=(expression,)), evidence)


def boxes(proof: Proof | Gap) -> int:
    """On how many a proof by ball arithmetic looks."""
    trees = [] if isinstance(proof, Gap) else [step.evidence.tree for step in proof.steps if isinstance(step.evidence, Intervals)]
    return sum(label >= 0 for tree in trees for label in tree)
