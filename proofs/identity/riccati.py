r"""The Riccati equation of the Bessel ratio.

Statement (paper, Appendix D.7).  R = I_{ν+1}/I_ν satisfies R′ = 1 − (2ν+1)/x·R − R² for x > 0; with z = x/ν, ε = 1/ν and
H(z) = R(νz) this reads ε H′ = 1 − (2+ε)/z·H − H².

Proof.  I_ν′ = I_{ν+1} + (ν/x) I_ν and I_{ν+1}′ = I_ν − ((ν+1)/x) I_{ν+1} (DLMF 10.29.2). SymPy obtains both from its own derivative
of I_ν, I_ν′ = (I_{ν−1} + I_{ν+1})/2, and the recurrence I_{ν−1} − I_{ν+1} = (2ν/x) I_ν (DLMF 10.29.1), and reduces the equation to zero.
In the certificate I and J = I_{ν+1} are opaque functions with these two derivatives, and the checker does the rest.
"""

from __future__ import annotations

from fractions import Fraction

import sympy
from flint import arb

from certify.claims.certificate import certify_theorem
from certify.claims.claim import claim
from certify.claims.verdict import Reason, Verdict
from certify.exact.ball import decimal, working_precision
from certify.exact.number import exact
from certify.exact.theorem import Chart, Evaluation, Identity, Map, Proof, Step, Theorem
from certify.exact.truth import sign

CHART = Chart(symbols={"nu": Map(map="itself", variable="v"), "x": Map(map="itself", variable="w")})


def theorem(shift: Fraction) -> Theorem:
    return Theorem(
        domain={"nu": "(0, oo)", "x": "(0, oo)"},
        derivatives={"I": {"x": "J + nu/x*I"}, "J": {"x": "I - (nu + 1)/x*J"}},
        where={"R": "J/I", "z": "x/nu", "eps": "1/nu"},
        statements=(
            Identity(left="diff(R, x)", right=f"1 - (2*nu + {shift})/x*R - R**2"),
            Identity(left="eps*(nu*diff(R, x))", right=f"1 - (2 + {shift}*eps)/z*R - R**2"),
        ),
    )


NU, X = sympy.symbols("nu x", positive=True)


def remainder(shift: Fraction) -> sympy.Expr:
    """R′ − (1 − (2ν + shift)/x·R − R²), reduced with the recurrence to I_ν and I_{ν+1}."""
    lower, upper, above = (sympy.besseli(NU + k, X) for k in (0, 1, 2))
    recurrence = {sympy.besseli(NU - 1, X): upper + 2 * NU / X * lower, above: lower - 2 * (NU + 1) / X * upper}
    ratio = upper / lower
    field = 1 - (2 * NU + sympy.Rational(shift.numerator, shift.denominator)) / X * ratio - ratio**2
    return sympy.simplify((ratio.diff(X) - field).subs(recurrence))


@claim(
    "identity.riccati",
    statement=r"R_\nu' = 1 - \frac{2\nu+1}{x} R_\nu - R_\nu^2",
    domain=r"\nu > 0,\ x > 0",
    source="Appendix D.7; DLMF 10.29",
    theorem=theorem,
    constants={"shift": 1},
)
def riccati(shift: Fraction) -> Verdict:
    rest = remainder(shift)
    if rest != 0:
        return _differs(shift)
    steps = tuple(Step(statement=s, evidence=Evaluation()) for s in theorem(shift).statements)
    return Verdict.proved(
        certify_theorem("identity.riccati", theorem(shift), Proof(chart=CHART, steps=steps)),
        "SymPy reduces the equation to 0 from the recurrences; the checker re-derives it from the two derivatives",
    )


def _differs(shift: Fraction) -> Verdict:
    """The two sides at ν = x = 1 in balls, the derivatives by I_n′ = (I_{n−1} + I_{n+1})/2."""
    with working_precision(256):
        before, lower, upper, after = (arb(1).bessel_i(n) for n in range(4))
        R = upper / lower
        slope = ((lower + after) * lower - upper * (before + upper)) / (2 * lower * lower)
        difference = slope - (1 - (2 + exact(shift)) * R - R * R)
        if sign(difference) in (None, 0):
            return Verdict.undecided(Reason.PRECISION, "SymPy leaves a remainder that balls do not separate from 0 at nu = 1, x = 1")
        value = decimal(difference, 20)
    return Verdict.refuted({"nu": "1", "x": "1"}, f"left minus right = {value} at nu = 1, x = 1")
