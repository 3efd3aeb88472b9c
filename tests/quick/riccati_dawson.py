"""A user's claim file: two-sided bounds of Dawson's integral D(x) = e^{−x²} ∫_0^x e^{s²} ds by the Riccati prover.

    certify run riccati_dawson.py            # proved
    certify run riccati_dawson.py --set c=1  # refuted, with a witness

D′ = 1 − 2xD, D(0) = 0 and 0 < D < 1 (DLMF 7.2.5). The substitution x = z is trivial; the right side decreases in D, so that the barriers
x/(1 + cx²) may start at 0 as D does. The constants 2 (x → ∞) and 2/3 (x → 0) are the best of this form.
"""

from fractions import Fraction

from flint import arb

from certify.claims.claim import claim
from certify.claims.conclude import conclude
from certify.claims.verdict import Verdict
from certify.exact.riccati_equation import Equation, Problem, prove
from certify.exact.riccati_equation import theorem as formal
from certify.exact.riccati_witness import Point, counterexample
from certify.exact.theorem import Chart, Map, OneSided, Theorem

PROBLEM = Problem(
    equation=Equation(variable="x", quadratic="0", linear="0 - 2*x", constant="1"),
    variable="z",
    substitution="z",
    below="1",
    chart=Chart(symbols={"z": Map(map="odds", variable="v")}),
    is_="Dawson's integral",
    source="DLMF 7.2.5",
    name="D",
)


def walls(c: Fraction, d: Fraction) -> tuple[OneSided, OneSided]:
    return (
        OneSided(solution="D", side="above", function=f"z/(1 + {c}*z**2)"),
        OneSided(solution="D", side="below", function=f"z/(1 + {d}*z**2)"),
    )


def theorem(c: Fraction, d: Fraction) -> Theorem:
    return formal(PROBLEM, *walls(c, d))


def reference(point: Point) -> arb:
    x = arb(point["x"])
    return arb.pi().sqrt() / 2 * (-x * x).exp() * x.erfi()


@claim(
    "example.dawson",
    statement=r"\frac{x}{1+cx^2} < D(x) < \frac{x}{1+dx^2}",
    domain=r"x > 0",
    source="a worked example",
    theorem=theorem,
    constants={"c": 2, "d": "2/3"},
)
def dawson(c: Fraction, d: Fraction) -> Verdict:
    wanted = walls(c, d)
    summary = "Dawson's integral between rational functions of degree 2, for every x > 0"
    return conclude("example.dawson", theorem(c, d), prove(PROBLEM, *wanted), counterexample(PROBLEM, reference, *wanted), summary)
