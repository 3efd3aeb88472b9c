r"""The Riccati residual of A_R, and the damping of the error equation, as polynomials in t = ν/s.

Statement (paper, Appendix D.7).  Let ε = 1/ν, z = x/ν, t = ν/s, w = x/s = √(1 − t²) and a(z) = A_R(νz). The error e = R − a satisfies
ε e′ = E − K e − e², where

    E = 1 − (2+ε)/z·a − a² − ε a′ = −ε³ t³ (15t⁴ − 12t² + 1)/4 − ε⁴ t⁴ (1−t²)(5t² − 1)²/64,
    K = (2+ε)/z + 2a = (8 + 4εt³ − ε² t² (1−t²)(1 − 5t²)) / (4w).

So E is of order ε³ uniformly in z, although each of its terms is of order 1.

Proof.  In the coordinates ε and m = x/(ν + s), t = (1−m²)/(1+m²) and w = 2m/(1+m²), both sides are rational; SymPy's
arithmetic in the field Q(ε, m) gives zero for their difference. The checker differentiates a by itself and evaluates at rational points.
"""

from __future__ import annotations

from fractions import Fraction

from sympy import QQ
from sympy.polys.fields import FracElement, field

from certify.claims.certificate import certify_theorem
from certify.claims.claim import claim
from certify.claims.verdict import Verdict
from certify.exact.expression import evaluate
from certify.exact.theorem import Chart, Evaluation, Identity, Map, Proof, Step, Theorem
from certify.exact.uniform import A_R

CHART = Chart(
    symbols={"nu": Map(map="itself", variable="v"), "x": Map(map="stereographic", variable="m", scale="nu")},
    roots={"s": "nu*(1 + m**2)/(1 - m**2)"},
)


def closed_forms(cubic: Fraction, quartic: Fraction) -> tuple[str, str]:
    E = f"0 - {cubic}*eps**3*t**3*(15*t**4 - 12*t**2 + 1) - {quartic}*eps**4*t**4*(1 - t**2)*(5*t**2 - 1)**2"
    return E, "(8 + 4*eps*t**3 - eps**2*t**2*(1 - t**2)*(1 - 5*t**2))/(4*w)"


def theorem(cubic: Fraction, quartic: Fraction) -> Theorem:
    E, K = closed_forms(cubic, quartic)
    return Theorem(
        domain={"nu": "(0, oo)", "x": "(0, oo)"},
        where={"s": "sqrt(x**2 + nu**2)", "eps": "1/nu", "z": "x/nu", "t": "nu/s", "w": "x/s", "a": A_R},
        statements=(
            Identity(left="1 - (2 + eps)/z*a - a**2 - eps*(nu*diff(a, x))", right=E),
            Identity(left="(2 + eps)/z + 2*a", right=K),
            Identity(left="w**2", right="1 - t**2"),
        ),
    )


def differences(cubic: Fraction, quartic: Fraction) -> list[FracElement]:
    """Left minus right of the first two statements, as elements of SymPy's field Q(ε, m)."""
    _field, eps, m = field("eps, m", QQ)
    z, t, w = 2 * m / (1 - m**2), (1 - m**2) / (1 + m**2), 2 * m / (1 + m**2)
    a = evaluate(A_R, {"nu": 1 / eps, "x": z / eps, "s": 1 / (eps * t)}, QQ)
    E, K = (evaluate(text, {"eps": eps, "t": t, "w": w}, QQ) for text in closed_forms(cubic, quartic))
    slope = a.diff(m) / z.diff(m)
    return [1 - (2 + eps) / z * a - a**2 - eps * slope - E, (2 + eps) / z + 2 * a - K]


@claim(
    "identity.residual",
    statement=r"\mathcal E = -\tfrac14\varepsilon^3 t^3(15t^4-12t^2+1) - \tfrac1{64}\varepsilon^4 t^4(1-t^2)(5t^2-1)^2,\quad"
    r" K = \frac{8+4\varepsilon t^3-\varepsilon^2t^2(1-t^2)(1-5t^2)}{4\sqrt{1-t^2}}",
    domain=r"\nu > 0,\ x > 0;\ \varepsilon = 1/\nu,\ t = \nu/s",
    source="Appendix D.7, Riccati residual",
    theorem=theorem,
    constants={"cubic": "1/4", "quartic": "1/64"},
)
def residual(cubic: Fraction, quartic: Fraction) -> Verdict:
    rest = differences(cubic, quartic)
    if any(rest):
        values = [str(QQ(difference.numer(1, QQ(1, 2))) / difference.denom(1, QQ(1, 2))) for difference in rest]
        return Verdict.refuted({"nu": "1", "x": "4/3"}, f"left minus right = {', '.join(values)} at nu = 1, x = 4/3, where s = 5/3")
    steps = tuple(Step(statement=s, evidence=Evaluation()) for s in theorem(cubic, quartic).statements)
    return Verdict.proved(
        certify_theorem("identity.residual", theorem(cubic, quartic), Proof(chart=CHART, steps=steps)),
        "SymPy cancels both differences to 0; the checker re-derives them at rational points",
    )
