r"""F_R′ = A_R: the potential and the ratio that AR/FR supplies belong to each other.

Statement (paper, Section 4.1; claims of Theorem 2).  With s = √(x² + ν²),

    F_R(x) = s − ν log(ν + s) − ½ log s + c(3x² − 2ν²)/s³,      c = 1/24,
    A_R(x) = x/(ν + s) − x/(2s²) + x(4ν² − x²)/(8s⁵),

F_R′(x) = A_R(x) for every ν > 0 and x > 0.

Proof.  SymPy differentiates F_R and reduces the difference to zero; the certificate states the identity, and the checker
differentiates F_R once more by itself (only the derivatives of the logarithms enter) and evaluates the difference at more
rational points than its degrees allow zeros.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from certify.claims.certificate import certify_theorem
from certify.claims.claim import claim
from certify.claims.verdict import Verdict
from certify.exact.theorem import Chart, Evaluation, Identity, Map, Proof, Step, Theorem
from certify.exact.uniform import A_R

CHART = Chart(
    symbols={"nu": Map(map="itself", variable="v"), "x": Map(map="stereographic", variable="m", scale="nu")},
    roots={"s": "nu*(1 + m**2)/(1 - m**2)"},
)


def potential(correction: Fraction) -> str:
    return f"s - nu*log(nu + s) - log(s)/2 + {correction}*(3*x**2 - 2*nu**2)/s**3"


def theorem(correction: Fraction) -> Theorem:
    return Theorem(
        domain={"nu": "(0, oo)", "x": "(0, oo)"},
        where={"s": "sqrt(x**2 + nu**2)"},
        statements=(Identity(left=f"diff({potential(correction)}, x)", right=A_R),),
    )


NU, X = sympy.symbols("nu x", positive=True)


def difference(correction: Fraction) -> sympy.Expr:
    """F_R′ − A_R as SymPy simplifies it, for ν, x > 0."""
    names = {"nu": NU, "x": X, "s": sympy.sqrt(X**2 + NU**2)}
    F, A = (sympy.parse_expr(text, local_dict=names) for text in (potential(correction), A_R))
    return sympy.simplify(sympy.radsimp(sympy.together(F.diff(X) - A)))


@claim(
    "identity.derivative",
    statement=r"F_R'(x) = A_R(x)",
    domain=r"\nu > 0,\ x > 0",
    source="Section 4.1; equations of AR/FR",
    theorem=theorem,
    constants={"correction": "1/24"},
)
def derivative(correction: Fraction) -> Verdict:
    remainder = difference(correction)
    if remainder != 0:
        value = remainder.subs({NU: 3, X: 4})
        return Verdict.refuted({"nu": "3", "x": "4"}, f"F_R' - A_R = {value} at nu = 3, x = 4, where s = 5")
    step = Step(statement=theorem(correction).statements[0], evidence=Evaluation())
    return Verdict.proved(
        certify_theorem("identity.derivative", theorem(correction), Proof(chart=CHART, steps=(step,))),
        "SymPy reduces F_R' - A_R to 0; the checker re-derives the identity at rational points",
    )
