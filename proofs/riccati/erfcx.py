r"""The scaled complementary error function on z > 0: a closed form that is exact to 10⁻¹⁶, and the one that production evaluates.

Statement.  M(z) = e^{z²} ∫_z^∞ e^{−s²} ds = (√π/2) erfcx(z), and p is the polynomial of certify/exact/riccati_erfcx.py, whose coefficients
are doubles:  |M(z) − p(t)/(1 + 2z)| < U/(1 + 2z),  t = (z − 3)/(z + 3),  for every z > 0.

Proof.  M′ = 2zM − 1 (DLMF 7.2, 7.10) and M → 0 at ∞. In ξ = 1/z the right side, (1 − (2/ξ)M)/ξ², decreases in M, and the barriers
start at ξ = 0 as M does; neither can be met: two polynomials in one variable of degree 31, positive on (0, 1).
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from certify.claims.claim import claim
from certify.claims.conclude import conclude_riccati
from certify.claims.verdict import Verdict
from certify.exact.riccati_equation import Equation, Problem
from certify.exact.riccati_equation import theorem as formal
from certify.exact.riccati_erfcx import CENTRE, NUMERATORS, UNIT
from certify.exact.riccati_witness import Point
from certify.exact.theorem import Bound, Chart, Map, Theorem

POLYNOMIAL = " + ".join(f"({c})*t**{k}" if k else f"({c})" for k, c in enumerate(NUMERATORS))
PROBLEM = Problem(
    equation=Equation(variable="z", quadratic="0", linear="2*z", constant="-1"),
    variable="xi",
    substitution="1/xi",
    below="1",
    chart=Chart(symbols={"xi": Map(map="odds", variable="v", scale=f"1/{CENTRE}")}),
    where={"t": f"(1 - {CENTRE}*xi)/(1 + {CENTRE}*xi)", "p": f"({POLYNOMIAL})/{UNIT}", "C": "p*xi/(2 + xi)"},
    is_="exp(z**2)*(integral of exp(-s**2) over s > z), z = 1/xi",
    source="equation: DLMF 7.10.1, 7.2.1; 0 < M < sqrt(pi)/2 < 1 and M -> 0 at oo: DLMF 7.8.2",
    name="M",
)


def bound(U: Fraction) -> Bound:
    return Bound(solution="M", candidate="C", radius=f"{U}*xi/(2 + xi)")


def theorem(U: Fraction) -> Theorem:
    return formal(PROBLEM, bound(U))


def reference(point: Point) -> arb:
    """M(z) = Γ(½, z²) e^{z²}/2 in balls."""
    z = arb(point["z"])
    return arb.gamma_upper(z * z, arb(1) / 2) * (z * z).exp() / 2


@claim(
    "riccati.erfcx",
    statement=r"\Bigl|\tfrac{\sqrt\pi}2\operatorname{erfcx}(z) - \frac{p(t)}{1+2z}\Bigr| < \frac{U}{1+2z},\quad t = \frac{z-3}{z+3}",
    domain=r"z > 0",
    source="beyond the paper: the method of Section 4 for another Riccati equation",
    theorem=theorem,
    constants={"U": "1e-16"},
)
def erfcx(U: Fraction) -> Verdict:
    summary = f"(1 + 2z)*(sqrt(pi)/2)*erfcx(z) is within {U} of a polynomial with coefficients in float64, for every z > 0"
    return conclude_riccati("riccati.erfcx", PROBLEM, reference, [bound(U)], summary)
