r"""The derivative of K_{ν+1}/K_ν at every order of the ladder, and with it (log K_ν)″: both relative to themselves, on the whole axis.

Statement.  With S_n of proofs/riccati/second_kind.py, s = √(x² + ν²) and t = ν/s, for every ν ≥ ν_min and x > 0

    |(K_{ν+1}/K_ν)′(x) − S_n′(x)| < D ν^{−n}/(x² s),    x² S_n′ + ν + νt < 7t/8 − 1/2.

So −S_n′ > (ν − 3/16)(1 + t)/x² and −ν/x² − S_n′ > (1/2 + (ν − 7/8)t)/x² ≥ (ν − 3/8)t/x²: the derivative is within D/2·ν^{−(n+1)}/(ν − 3/16)
and (log K_ν)″ = −ν/x² − (K_{ν+1}/K_ν)′ within D ν^{−(n+1)}/(ν − 3/8) of its closed form, relative to that, t being at most (1 + t)/2.

Proof.  S = K_{ν+1}/K_ν has S′ = f(x, S), f increasing in S where 2S > (2ν+1)/x, and |S − S_{n+1}| < c ν^{−n}/(x s²), barriers that start
at x = ∞ with S. So f(x, S_{n+1} ± c ν^{−n}/(x s²)) are bounds of S′; both are within D ν^{−n}/(x² s) of S_n′: polynomial inequalities in
u = ν_min/ν and m, νξ = 2m/(1 − m²). As ν → ∞ no D is possible below max_t |c_{n+2}(t)| (1−t²)/t³, c_k = t³ b_k − t²(1−t²) b_k′. There is
no bound that is uniform in x down to ν = 1: x² S′ has there a term x² log x.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from flint import arb, fmpq_poly
from msgspec import structs

from certify.claims.claim import Claim, claim
from certify.claims.conclude import conclude
from certify.claims.verdict import Verdict
from certify.exact.debye_polynomials import ratio_polynomial
from certify.exact.derivation import Derivation, derive
from certify.exact.errors import NotAccepted
from certify.exact.ladder import alternating, series
from certify.exact.positivity import Gap
from certify.exact.riccati import wall as barrier
from certify.exact.riccati import walls
from certify.exact.riccati_equation import Problem
from certify.exact.riccati_equation import theorem as formal
from certify.exact.riccati_witness import Point, counterexample
from certify.exact.theorem import Bound, Chart, Enclosure, Identity, Map, OneSided, Positive, Proof, Theorem
from proofs.riccati.second_kind import definitions
from proofs.riccati.second_kind import problem as every_order
from proofs.riccati.second_kind import reference as ratio

CONSTANTS = ("0.32", "0.21", "0.25", "0.33", "0.68", "1.31", "3.6", "9.6", "32", "103", "415", "1610")
WALLS = ("0.126", "0.084", "0.104", "0.141", "0.296", "0.584", "1.63", "4.27", "14.7", "47.5", "193", "752")
"""c."""
LEAST = tuple(map(Fraction, ("1", "1", "1", "1", "1", "11/10", "6/5", "3/2", "7/4", "7/4", "2", "5/2")))
"""ν_min: below, a barrier of S_{n+1} or the size of S_n′ fails for n ≥ 5."""
SLOPE = Identity(left="0 - xi**2*diff(S_n, xi)", right="dS")
SIZE = Positive(any_of=("xi**2*(7*t/8 - 1/2) - (dS + nu*xi**2*(1 + t))",))
T = fmpq_poly([0, 1])


def slopes(n: int) -> dict[str, str]:
    """S_n′ under the name dS."""
    signed = alternating("c", slope_polynomial, n + 1)
    return {**signed, "dS": f"eps*({series(list(signed))}) - nu*xi**2*(1 + t)"}


def slope_polynomial(k: int) -> fmpq_poly:
    """c_k."""
    b = ratio_polynomial(k)
    return T**3 * b - T**2 * (1 - T**2) * b.derivative()


@dataclass(frozen=True)
class Derivative:
    """|S′ − S_n′| < D ν^{−n}/(x² s) by way of S_{n+1}."""

    n: int
    D: Fraction
    nu_min: Fraction

    def __post_init__(self) -> None:
        """K_{ν−1} < K_ν, on which the facts rest, holds for ν > ½."""
        if self.nu_min <= Fraction(1, 2):
            raise NotAccepted(f"nu_min = {self.nu_min}: orders > 1/2 are accepted")

    @property
    def problem(self) -> Problem:
        """That of proofs/riccati/second_kind.py for ν ≥ ν_min, S_{n+1} being W."""
        found = every_order(self.n)
        symbols = {**found.chart.symbols, "nu": Map(map="reciprocal", variable="u", scale=str(self.nu_min))}
        next_one = definitions(self.n + 1)
        where = {**next_one, **found.where, "W": next_one["S_n"], **slopes(self.n)}
        return replace(found, parameters={"nu": f"[{self.nu_min}, oo)"}, where=where, chart=Chart(symbols=symbols, roots=found.chart.roots))

    @property
    def bound(self) -> Bound:
        whole = f"0 - xi**2*diff({self.problem.whole}, xi)"
        return Bound(solution=whole, candidate="dS", radius=f"{self.D}*eps**{self.n + 3}*(nu*xi)**3/q")

    @property
    def theorem(self) -> Theorem:
        return structs.replace(formal(self.problem), statements=(SLOPE, SIZE, self.bound))

    def prove(self) -> Proof | Gap:
        """The walls, that f increases up to them, and the distances of f on them from S_n′."""
        return derive(self.theorem, self.problem.chart, self.build)

    def build(self, derivation: Derivation) -> None:
        derivation.identity(SLOPE)
        derivation.shown(SIZE)
        below, above = [self.end(derivation, wall) for wall in self.walls()]
        derivation.step(self.bound, Enclosure(below=below, above=above))

    def walls(self) -> Iterator[OneSided]:
        """Of y = S − 1 − (ν + ½)/x."""
        margin = f"{Fraction(WALLS[self.n])}*eps**{self.n + 3}*(nu*xi)**3/q**2"
        for side, function in walls(Bound(solution="S", candidate="W", radius=margin)).items():
            yield OneSided(solution=self.problem.remainder, side=side, function=f"{function} - ({self.problem.shift})")

    def end(self, derivation: Derivation, wall: OneSided) -> int:
        """S′ within the radius on the wall's side: f(B) − f(y) = (B − y)(2 + B + y) for the wall B and f(y) = 2y + y² − (ν + ½)²/x²."""
        B, sign = f"({wall.function})", "-" if wall.side == "below" else "+"
        distance = f"{self.bound.radius} {sign} ({{}} - dS)"
        known = barrier(derivation, wall)
        near = derivation.positive(distance.format(f"2*{B} + {B}**2 - (nu + 1/2)**2*xi**2"))
        derivation.positive(f"2 + {B}")
        return derivation.combined(distance.format(f"({self.bound.solution})"), (f"2 + {B} + {wall.solution}", known), ("1", near))


def theorem(n: int, D: Fraction, nu_min: Fraction) -> Theorem:
    return Derivative(n, D, nu_min).theorem


def reference(point: Point) -> arb:
    """S′."""
    value = ratio(point)
    return value * value - (2 * point["nu"] + 1) / point["x"] * value - 1


def ladder(n: int) -> Claim:
    """The claim ``riccati.second.derivative.n``."""

    @claim(
        f"riccati.second.derivative.{n}",
        statement=rf"\Bigl|\Bigl(\frac{{K_{{\nu+1}}}}{{K_\nu}}\Bigr)'(x) - S_{n}'(x)\Bigr|"
        rf" < \frac{{D\,\nu^{{-{n}}}}}{{x^2 s}},"
        rf"\quad x^2 S_{n}' + \nu + \frac{{\nu^2}}s < \frac{{7\nu}}{{8s}} - \frac12,\quad s = \sqrt{{x^2+\nu^2}}",
        domain=r"\nu \ge \nu_{\min}\ \text{real},\ x > 0",
        source="beyond the paper: the derivative of the ladder of the functions of the second kind",
        theorem=partial(theorem, n),
        long=n > 8,
        constants={"D": CONSTANTS[n], "nu_min": LEAST[n]},
    )
    def rung(D: Fraction, nu_min: Fraction) -> Verdict:
        wanted = Derivative(n, D, nu_min)
        return conclude(
            f"riccati.second.derivative.{n}",
            wanted.theorem,
            wanted.prove(),
            counterexample(wanted.problem, reference, wanted.bound),
            f"|(K_(nu+1)/K_nu)' - S_{n}'| < {D}/(nu^{n} x^2 s), s = sqrt(nu^2 + x^2), for every nu >= {nu_min}, x > 0",
        )

    return rung


globals().update({f"derivative_{n}": ladder(n) for n in range(len(CONSTANTS))})
