r"""Rational bounds of R_0 = I_1/I_0 on the whole axis, sharp to first order at infinity.

Statement.  For every x > 0

    x(2x + 4)/(2x² + 5x + 8) < R_0(x) < x(4x + 1)/(4x² + 3x + 2),        |x(1 − R_0(x)) − ½| < 3/x.

Proof.  R_0′ = 1 − R_0/x − R_0², and the right-hand side decreases in R_0 > 0. Both functions vanish at 0 as R_0 does; the upper one has a
derivative larger, the lower one a derivative smaller than the equation demands (rational inequalities in x, by Bernstein positivity in
m, x = 2m/(1−m²)), so R_0 cannot meet them. The second statement is the first inserted in x(1 − R_0) − ½.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb, fmpq

from certify.claims.claim import claim
from certify.claims.conclude import conclude
from certify.claims.verdict import Verdict
from certify.exact.ball import decimal, working_precision
from certify.exact.bessel import ratio
from certify.exact.derivation import Derivation, derive
from certify.exact.order_zero import RATIO_ZERO, WALLS, prove
from certify.exact.theorem import Chart, Map, Positive, Theorem
from certify.exact.truth import Truth
from certify.exact.truth import positive as is_positive

CHART = Chart(symbols={"x": Map(map="stereographic", variable="m", scale="1")})


def theorem(c: Fraction) -> Theorem:
    return Theorem(
        domain={"x": "(0, oo)"},
        solutions={"R0": RATIO_ZERO},
        statements=(*WALLS, *(Positive(any_of=(text,)) for text in errors(c))),
    )


def errors(c: Fraction) -> dict[str, tuple[tuple[str, str], ...]]:
    """c/x ∓ (x(1 − R_0) − ½), with the terms that make it positive."""
    error = "(x*(1 - R0) - 1/2)"
    return {f"{c}/x - {error}": (("x", "low"), ("1", "low tail")), f"{c}/x + {error}": (("x", "high"), ("1", "high tail"))}


@claim(
    "ratio.zero",
    statement=r"\frac{x(2x+4)}{2x^2+5x+8} < R_0(x) < \frac{x(4x+1)}{4x^2+3x+2},\qquad |x(1-R_0(x)) - \tfrac12| < \frac{c}{x}",
    domain=r"x > 0",
    source="used by the asymptotics of Appendix D.5",
    theorem=theorem,
    constants={"c": 3},
)
def zero(c: Fraction) -> Verdict:
    def build(derivation: Derivation) -> None:
        facts = prove(derivation, c)
        for text, terms in errors(c).items():
            derivation.combined(text, *((coefficient, facts[name]) for coefficient, name in terms))

    summary = f"rational bounds of R_0 on the whole axis, and |x(1 - R_0) - 1/2| < {c}/x"
    return conclude("ratio.zero", theorem(c), derive(theorem(c), CHART, build), lambda _: counterexample(c), summary)


def counterexample(c: Fraction) -> dict[str, str] | None:
    """A point at which balls confirm |x(1 − R_0) − ½| ≥ c/x, or None: the bounds may be too weak for a true c."""
    with working_precision(200):
        for k in range(-4, 40):
            x = fmpq(2) ** k if k >= 0 else 1 / fmpq(2) ** -k
            scaled = arb(x) * abs(arb(x) * (1 - ratio(0, x, 40)) - fmpq(1, 2))
            if is_positive(scaled - fmpq(c.numerator, c.denominator)) is Truth.YES:
                return {"x": str(x), "x*|x(1 - R_0) - 1/2|": decimal(scaled, 15)}
    return None
