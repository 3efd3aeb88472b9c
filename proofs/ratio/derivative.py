r"""The derivative of every rung: |R_ν′(x) − A_n′(x)| < D ν^{−(n+3)} for every ν ≥ 10 and x > 0, n = 0 … 8 (Newton steps, double backward).

Proof.  R′ = f(x, R) with f decreasing in R > 0. With L = n + 4 and |R − A_L| < c w ν^{−(L+2)}, barriers that start at 0 with R,

    f(x, A_L + c w ν^{−(L+2)}) < R′ < f(x, A_L − c w ν^{−(L+2)}),

and both ends are within D ν^{−(n+3)} of A_n′: polynomial inequalities. The damping (2ν+1)/x + 2R is of order ν^0·(1/w), so that the
factor w keeps the ends finite at x = 0, and two orders are lost, which L > n + 2 makes up for. D exceeds the limit
max_t |t³ b_{n+2} − t²(1−t²) b_{n+2}′| by at most 3·10⁻⁵ of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from certify.claims.claim import Claim, claim
from certify.claims.conclude import conclude
from certify.claims.verdict import Verdict
from certify.exact.derivation import Derivation, derive
from certify.exact.expression import replace
from certify.exact.ladder import SYMBOLS, ladder_chart, ratio_definitions
from certify.exact.ladder_constants import DERIVATIVE, UNIFORMLY_WEIGHTED
from certify.exact.number import exact
from certify.exact.positivity import Gap
from certify.exact.refutation import fails
from certify.exact.riccati import Side
from certify.exact.riccati import wall as barrier
from certify.exact.theorem import Bound, Enclosure, OneSided, Proof, Theorem
from certify.exact.uniform import RICCATI, orders
from certify.exact.uniform import theorem as uniform_theorem

LEAST = Fraction(10)
SIGNS: dict[Side, str] = {"below": "+", "above": "-"}


@dataclass(frozen=True)
class Derivative:
    """|R′ − A_n′| < D ν^{−(n+3)} by way of A_L, L = n + 4."""

    n: int
    D: Fraction
    nu_min: Fraction

    @property
    def last(self) -> int:
        return self.n + 4

    @property
    def bound(self) -> Bound:
        return Bound(solution="diff(R, x)", candidate="diff(a, x)", radius=f"{self.D}/nu**{self.n + 3}")

    def wall(self, side: Side) -> OneSided:
        margin = f"{Fraction(UNIFORMLY_WEIGHTED[self.last])}*eps**{self.last + 2}*w"
        return OneSided(solution="R", side=side, function=f"A {SIGNS[side]} {margin}")

    def theorem(self) -> Theorem:
        where = {**SYMBOLS, **ratio_definitions(self.last, "A"), **ratio_definitions(self.n)}
        return uniform_theorem(self.nu_min, where, self.bound)

    def prove(self) -> Proof | Gap:
        """The walls, that the lower one is positive, and the distances of f on them from A_n′."""
        return derive(self.theorem(), ladder_chart(self.nu_min), self.build)

    def build(self, derivation: Derivation) -> None:
        walls = {side: barrier(derivation, self.wall(side)) for side in SIGNS}
        derivation.positive(self.wall("above").function)
        near = {side: derivation.positive(f"{self.bound.radius} {SIGNS[side]} ({self.field(side)})") for side in reversed(SIGNS)}
        ends = {side: self.end(derivation, side, walls[side], near[side]) for side in reversed(SIGNS)}
        derivation.step(self.bound, Enclosure(below=ends["above"], above=ends["below"]))

    def field(self, side: Side) -> str:
        """f on the wall, less A_n′."""
        return f"({replace(RICCATI, R=self.wall(side).function)}) - diff(a, x)"

    def end(self, derivation: Derivation, side: Side, wall: int, near: int) -> int:
        """R′ within the radius: f(B) − f(R) = (R − B)(K + R + B) for the wall B and f(R) = 1 − KR − R²."""
        slope = f"(2*nu + 1)/x + R + ({self.wall(side).function})"
        return derivation.combined(f"{self.bound.radius} {SIGNS[side]} (diff(R, x) - diff(a, x))", (slope, wall), ("1", near))


def theorem(n: int, D: Fraction, nu_min: Fraction) -> Theorem:
    return Derivative(n, D, nu_min).theorem()


def prove(n: int, D: Fraction, nu_min: Fraction) -> Verdict:
    return conclude(
        f"ratio.derivative.{n}",
        theorem(n, D, nu_min),
        Derivative(n, D, nu_min).prove(),
        lambda _: fails(n, lambda nu, x, error: abs(error) * nu ** (n + 3) - exact(D), nu_min, derivative=True),
        f"|R' - A_{n}'| < {D}/nu^{n + 3} for every {orders(nu_min)}, x > 0",
    )


def derivative(n: int) -> Claim:
    """The claim ``ratio.derivative.n``."""

    @claim(
        f"ratio.derivative.{n}",
        statement=rf"|R_\nu'(x) - A_{n}'(x)| < D\,\nu^{{-{n + 3}}}",
        domain=r"\nu \ge \nu_{\min},\ x > 0",
        source="beyond the paper",
        long=n > 4,
        theorem=partial(theorem, n),
        constants={"D": DERIVATIVE[n], "nu_min": LEAST},
    )
    def rung(D: Fraction, nu_min: Fraction) -> Verdict:
        return prove(n, D, nu_min)

    return rung


globals().update({f"derivative_{n}": derivative(n) for n in range(len(DERIVATIVE))})
