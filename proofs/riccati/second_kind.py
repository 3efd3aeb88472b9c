r"""K_{ν+1}/K_ν at every order of the ladder, for every ν ≥ 1 on the whole axis: the ladder of the ratio with alternating signs.

Statement.  With t = ν/s, s = √(x² + ν²), and the polynomials b_k of certify/exact/debye_polynomials.py,

    |K_{ν+1}(x)/K_ν(x) − S_n(x)| < C ν^{−(n+2)},    S_n = (s + ν)/x + (x/s) Σ_{k=1}^{n+1} (−1)^k b_k(t)/ν^k.

As ν → ∞ no C below that of claim ladder.n is possible; the C here are for every ν ≥ 1.

Proof.  S = K_{ν+1}/K_ν has S′ = S² − (2ν+1)/x·S − 1, that is −S solves the equation of I_{ν+1}/I_ν, and S_n is −A_n with −s for s.
y = S − 1 − (ν + ½)/x lies in (0, ν/x) and tends to 0 at ∞. In ξ = 1/x the barriers S_n ± C ν^{−(n+2)} start away from y; no solution
meets them: residual or escape is positive, polynomials in u = 1/ν and m, νξ = 2m/(1 − m²).
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from flint import arb

from certify.claims.claim import Claim, claim
from certify.claims.conclude import conclude_riccati
from certify.claims.verdict import Verdict
from certify.exact.debye_polynomials import ratio_polynomial
from certify.exact.ladder import alternating, series
from certify.exact.riccati_equation import Equation, Problem
from certify.exact.riccati_equation import theorem as formal
from certify.exact.riccati_witness import Point
from certify.exact.theorem import Bound, Chart, Map, Theorem

CONSTANTS = ("0.209", "0.141", "0.0975", "0.145", "0.192", "0.376", "0.9", "2.6", "6.8", "17.6", "70.5", "292")


def definitions(n: int) -> dict[str, str]:
    """S_n over ν and ξ = 1/x, q = s/x."""
    signed = alternating("b", ratio_polynomial, n + 1)
    root = {"q": "sqrt(1 + (nu*xi)**2)", "t": "nu*xi/q", "eps": "1/nu"}
    return {**root, **signed, "S_n": f"q + nu*xi + ({series(list(signed))})/q"}


def problem(n: int) -> Problem:
    return Problem(
        equation=Equation(variable="x", quadratic="1", linear="0 - (2*nu + 1)/x", constant="0 - 1"),
        variable="xi",
        substitution="1/xi",
        shift="1 + (nu + 1/2)*xi",
        below="nu*xi",
        parameters={"nu": "[1, oo)"},
        where=definitions(n),
        chart=Chart(
            symbols={
                "nu": Map(map="reciprocal", variable="u"),
                "xi": Map(map="stereographic", variable="m", scale="1/nu"),
            },
            roots={"q": "(1 + m**2)/(1 - m**2)"},
        ),
        is_="S - 1 - (nu + 1/2)*xi, S = K_{nu+1}(x)/K_nu(x), modified Bessel functions of the second kind, x = 1/xi",
        source="equation: DLMF 10.29.2; sqrt(x)*exp(x)*K_nu decreases: 10.32.8; K_{nu+1} = 2*nu/x*K_nu + K_{nu-1} < (2*nu/x + 1)*K_nu: "
        "10.29.1, 10.37; S -> 1: 10.40.2",
        name="S",
    )


def bound(n: int, C: Fraction) -> Bound:
    return Bound(solution="S", candidate="S_n", radius=f"{C}/nu**{n + 2}")


def theorem(n: int, C: Fraction) -> Theorem:
    return formal(problem(n), bound(n, C))


def reference(point: Point) -> arb:
    x, order = arb(point["x"]), arb(point["nu"])
    return x.bessel_k(order + 1, scaled=True) / x.bessel_k(order, scaled=True)


def ladder(n: int) -> Claim:
    """The claim ``riccati.second.n``."""

    @claim(
        f"riccati.second.{n}",
        statement=rf"\Bigl|\frac{{K_{{\nu+1}}(x)}}{{K_\nu(x)}} - S_{n}(x)\Bigr| < C\,\nu^{{-{n + 2}}}",
        domain=r"\nu \ge 1\ \text{real},\ x > 0",
        source="beyond the paper: Section 4.1 for the functions of the second kind",
        theorem=partial(theorem, n),
        long=n > 8,
        constants={"C": CONSTANTS[n]},
    )
    def rung(C: Fraction) -> Verdict:
        summary = f"|K_(nu+1)/K_nu - S_{n}| < {C}/nu^{n + 2} for every nu >= 1, x > 0"
        return conclude_riccati(f"riccati.second.{n}", problem(n), reference, [bound(n, C)], summary)

    return rung


globals().update({f"second_{n}": ladder(n) for n in range(len(CONSTANTS))})
