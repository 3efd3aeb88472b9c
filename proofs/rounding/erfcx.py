r"""What ``certify.special`` computes for the polynomial of erfcx: |fl(p(t)) − p(t)| ≤ k u for every float z ≥ 0 in binary64.

(√π/2) erfcx(z) = p(t)/(1 + 2z), t = (z − 3)/(z + 3), up to 10⁻¹⁶/(1 + 2z) (claim riccati.erfcx), and so p ≥ 0.88. With 1 + 2z and the
quotient, the value for z ≥ 0 is computed to (k/0.88 + 1)u + 10⁻¹⁶/0.88 of itself, up to O(u²).

Proof.  As in proofs/rounding/ratio.py, with ν = 3 and x for z. The coefficients of p fall quickly, so that hardly any error but that of t
and of the last operations counts; the largest one is at z = 0.
"""

from __future__ import annotations

from fractions import Fraction

from certify.claims.claim import claim
from certify.claims.conclude import conclude_rounding
from certify.claims.verdict import Verdict
from certify.exact.program import Builder, Program
from certify.exact.riccati_erfcx import CENTRE, NUMERATORS, UNIT
from certify.exact.rounding.ladder import PROFILES
from certify.exact.rounding.theorem import RANGES, Rounding, assumed, order_range

FORMATS = {"binary64": RANGES["binary64"]}


def program() -> Program:
    """p(t) by Horner's rule."""
    builder = Builder()
    x, nu, x_max = builder.inputs("x", "nu", "x_max")
    x = builder.call("min", x, x_max)
    t = (x - nu) / (x + nu)
    last, *others = (Fraction(c, UNIT) for c in reversed(NUMERATORS))
    total = last * t + others[0]
    for c in others[1:]:
        total = total * t + c
    return builder.program(total)


def definitions() -> dict[str, str]:
    horner = f"({NUMERATORS[-1]})"
    for c in reversed(NUMERATORS[:-1]):
        horner = f"({horner}*r + ({c}))"
    return {"s": "sqrt(x**2 + nu**2)", "r": "(x - nu)/(x + nu)", "p": f"{horner}/{UNIT}"}


def theorem(k: Fraction) -> Rounding:
    _, profiles = PROFILES[""]
    own, centre = program(), Fraction(CENTRE)
    return Rounding(
        program=own,
        where=definitions(),
        nu=order_range(centre, centre),
        formats=FORMATS,
        profile=assumed(own, profiles, FORMATS),
        k=str(k),
    )


@claim(
    "rounding.erfcx",
    statement=r"|\mathrm{fl}(p(t)) - p(t)| \le k\,u,\quad t = \frac{z-3}{z+3},\ u = 2^{-53}",
    domain=r"\text{every float}\ z \ge 0",
    source="beyond the paper: the closed form of erfcx as it is computed",
    theorem=theorem,
    constants={"k": "49/10"},
)
def erfcx(k: Fraction) -> Verdict:
    from certify.exact.rounding.search import Problem
    from certify.exact.rounding.violation import violation

    statement = theorem(k)
    summary = f"|fl(p) - p| <= {k} u for every float z >= 0, p the polynomial of erfcx of degree {len(NUMERATORS) - 1}"
    return conclude_rounding("rounding.erfcx", statement, Problem(statement).prove(), lambda: violation(statement), summary)
