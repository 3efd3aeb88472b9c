r"""What ``certify.special`` computes for the polynomials of erfcx and its derivatives: for every float z ≥ 0 in binary64

    |fl(p_j(t)) − p_j(t)| ≤ k_j u,    t = (z − 3)/(z + 3),    j = 0, 1, 2.

C = p_0(t)/(1 + 2z) is (√π/2) erfcx(z) up to 10⁻¹⁶/(1 + 2z) (claim riccati.erfcx), C′ = −p_1(t)/(1 + 2z)² and C″ = p_2(t)/(1 + 2z)³
(certify/exact/riccati_erfcx.py). As p_0 > 0.88, p_1 > 0.99 and p_2 > 1.75, C is computed to (k_0/0.88 + 2)u of itself, C′ to
(k_1/0.99 + 4)u, C″ to (k_2/1.75 + 6)u, up to O(u²): of each power of 1 + 2z a sum and a quotient.

On x ≥ 0 normal_hazard(x) is 1/(√2 C(z)), z = x/√2: as |z C′/C| ≤ 1, z, the constant and the quotient add 4u to that of C.

Proof.  As in proofs/rounding/ratio.py, with ν = 3 and x for z. The coefficients fall quickly, so that hardly any error but that of t
and of the last operations counts; the largest one is at z = 0. That p_1 and p_2 belong to the derivatives the checker finds by
differentiating p_0/(1 + 2z) and −p_1/(1 + 2z)².
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from flint import fmpq_poly

from certify.claims.claim import Claim, claim
from certify.claims.conclude import conclude_rounding
from certify.claims.verdict import Verdict
from certify.exact.ladder_program import fractions
from certify.exact.program import Builder, Program
from certify.exact.riccati_erfcx import CENTRE, polynomial
from certify.exact.rounding.ladder import PROFILES
from certify.exact.rounding.theorem import RANGES, Rounding, assumed, order_range

BOUNDS = (
    ("rounding.erfcx", Fraction(49, 10)),
    ("rounding.erfcx.derivative", Fraction(189, 10)),
    ("rounding.erfcx.curvature", Fraction(76)),
)
"""The ids for p_0, p_1 and p_2, and k."""
FORMATS = {"binary64": RANGES["binary64"]}


def program(derivative: int) -> Program:
    """p_k(t) by Horner's rule."""
    builder = Builder()
    x, nu, x_max = builder.inputs("x", "nu", "x_max")
    x = builder.call("min", x, x_max)
    t = (x - nu) / (x + nu)
    last, *others = reversed(fractions(polynomial(derivative)))
    total = t * last + others[0]
    for c in others[1:]:
        total = total * t + c
    return builder.program(total)


def definitions(derivative: int) -> dict[str, str]:
    """p_k as the derivative of p_{k−1}/(1 + 2z)^k makes it; p_0 is what claim riccati.erfcx is about."""
    start = {"s": "sqrt(x**2 + nu**2)", "r": "(x - nu)/(x + nu)", "p": horner(polynomial(max(derivative - 1, 0)))}
    if derivative == 0:
        return start
    return start | {"C": f"p/(1 + 2*x)**{derivative}", "q": f"0 - (1 + 2*x)**{derivative + 1}*diff(C, x)"}


def horner(coefficients: fmpq_poly) -> str:
    """In r."""
    last, *others = reversed(coefficients.numer().coeffs())
    text = f"({last})"
    for c in others:
        text = f"({text}*r + ({c}))"
    return f"{text}/{coefficients.denom()}"


def theorem(derivative: int, k: Fraction) -> Rounding:
    _, profiles = PROFILES[""]
    own, centre = program(derivative), Fraction(CENTRE)
    return Rounding(
        program=own,
        where=definitions(derivative),
        nu=order_range(centre, centre),
        formats=FORMATS,
        profile=assumed(own, profiles, FORMATS),
        k=str(k),
    )


def rounding(derivative: int, id: str, k: Fraction) -> Claim:
    """The claim of that id."""

    @claim(
        id,
        statement=rf"|\mathrm{{fl}}(p_{derivative}(t)) - p_{derivative}(t)| \le k\,u,\quad t = \frac{{z-3}}{{z+3}},\ u = 2^{{-53}}",
        domain=r"\text{every float}\ z \ge 0",
        source="beyond the paper: the closed form of erfcx, its derivative and its curvature as they are computed",
        theorem=partial(theorem, derivative),
        constants={"k": k},
    )
    def bound(k: Fraction) -> Verdict:
        statement = theorem(derivative, k)
        degree = polynomial(derivative).degree()
        summary = f"|fl(p_{derivative}) - p_{derivative}| <= {k} u for every float z >= 0, p_{derivative} of degree {degree}"
        return conclude_rounding(id, statement, summary)

    return bound


globals().update({id.replace(".", "_"): rounding(derivative, id, k) for derivative, (id, k) in enumerate(BOUNDS)})
