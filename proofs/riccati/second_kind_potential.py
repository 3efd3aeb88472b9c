r"""log K_ν itself, uniformly in the order: the potential of the ladder of K_{ν+1}/K_ν.

Statement.  With s = √(x² + ν²), t = ν/s and the polynomials D_k of certify/exact/debye_polynomials.py, for every ν ≥ 2 and x > 0

    |log K_ν(x) − G_n(x)| ≤ C/((n+1) s^{n+1}),    G_n = ½ log(π/2) + ν log((ν+s)/x) − s − ½ log s + Σ_{k=1}^{n} (−1)^k D_k(t)/ν^k.

Proof.  G_n′ = ν/x − S_n, while (log K_ν)′ = ν/x − K_{ν+1}/K_ν (DLMF 10.29.2), and the difference of log K_ν and G_n tends to 0 as x → ∞
(DLMF 10.40.2). So it is at most the integral from x to ∞ of |K_{ν+1}/K_ν − S_n| < C x/s^{n+3}, an antiderivative of which is
−C/((n+1) s^{n+1}). The bound of the ratio is proved as in proofs/riccati/second_kind.py; its barriers start at ξ = 1/x = 0 as the ratio
does. For n ≥ 5 the C are within 0.1 % of the limit that ν → ∞ allows (claims ladder.pointwise.n).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial

from msgspec import structs

from certify.claims.claim import Claim, claim
from certify.claims.conclude import conclude
from certify.claims.verdict import Verdict
from certify.exact.debye_polynomials import potential_polynomial
from certify.exact.derivation import Derivation, derive
from certify.exact.ladder import alternating, series
from certify.exact.positivity import Gap
from certify.exact.riccati_equation import Problem, establish
from certify.exact.riccati_equation import theorem as formal
from certify.exact.riccati_witness import counterexample
from certify.exact.theorem import Bound, Chart, Identity, Map, Proof, Theorem
from proofs.riccati.second_kind import problem as every_order
from proofs.riccati.second_kind import reference

CONSTANTS = ("1.001", "1.001", "1.001", "1.001", "1.057", "3.22", "11.47", "46.48", "211.3", "1067", "5913", "35690")
SLOPE = Identity(left="0 - xi**2*diff(G, xi)", right="nu*xi - S_n")


def problem(n: int) -> Problem:
    """That of proofs/riccati/second_kind.py, for ν ≥ 2."""
    found = every_order(n)
    symbols = {**found.chart.symbols, "nu": Map(map="reciprocal", variable="u", scale="2")}
    return replace(found, parameters={"nu": "[2, oo)"}, chart=Chart(symbols=symbols, roots=found.chart.roots))


def potential(n: int) -> dict[str, str]:
    """G_n without its first term, over ν and ξ, s = q/ξ."""
    signed = alternating("D", potential_polynomial, n)
    return {**signed, "G": "nu*log(nu*xi + q) - q/xi - log(q/xi)/2" + (f" + {series(list(signed))}" if signed else "")}


def bound(n: int, C: Fraction) -> Bound:
    return Bound(solution="S", candidate="S_n", radius=f"{C}*xi**{n + 2}/q**{n + 3}")


def majorant(n: int, C: Fraction) -> Identity:
    return Identity(left=f"0 - xi**2*diff(0 - {C}/{n + 1}*xi**{n + 1}/q**{n + 1}, xi)", right=bound(n, C).radius)


def theorem(n: int, C: Fraction) -> Theorem:
    found = formal(problem(n), bound(n, C))
    return structs.replace(found, where={**found.where, **potential(n)}, statements=(*found.statements, SLOPE, majorant(n, C)))


def prove(n: int, C: Fraction) -> Proof | Gap:
    def build(derivation: Derivation) -> None:
        establish(problem(n), derivation, bound(n, C))
        derivation.identity(SLOPE)
        derivation.identity(majorant(n, C))

    return derive(theorem(n, C), problem(n).chart, build)


def ladder(n: int) -> Claim:
    """The claim ``riccati.second.potential.n``."""

    @claim(
        f"riccati.second.potential.{n}",
        statement=rf"|\log K_\nu(x) - G_{n}(x)| \le \frac{{C}}{{{n + 1}\,(x^2+\nu^2)^{{{n + 1}/2}}}},\quad"
        rf" |K_{{\nu+1}}/K_\nu - S_{n}| < \frac{{C\,x}}{{(x^2+\nu^2)^{{{n + 3}/2}}}}",
        domain=r"\nu \ge 2\ \text{real},\ x > 0",
        source="beyond the paper: Section 4.3 for the functions of the second kind",
        theorem=partial(theorem, n),
        long=n > 8,
        constants={"C": CONSTANTS[n]},
        in_words="log K_nu - G tends to 0 as x -> oo, so that it is at most the integral of the bound of its derivative",
    )
    def rung(C: Fraction) -> Verdict:
        return conclude(
            f"riccati.second.potential.{n}",
            theorem(n, C),
            prove(n, C),
            counterexample(problem(n), reference, bound(n, C)),
            f"|log K_nu - G_{n}| <= {C}/({n + 1} s^{n + 1}), s = sqrt(nu^2 + x^2), for every nu >= 2, x > 0",
        )

    return rung


globals().update({f"potential_{n}": ladder(n) for n in range(len(CONSTANTS))})
