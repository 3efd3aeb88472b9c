"""The best constant of a rung of the ladder: C_n* = sup w|b_m|, m = n + 2, works, and no smaller number does.

*It works.* With e = R − A_n, U = C ν^{−m} and the residual inequality ρ > 0 of ``exact.riccati`` for the barriers A_n ± U,

    ρ = (2 ε^m/w)·(C ∓ w b_m) + terms with a further factor ε,

the first of which is ≥ 0 for C = C_n* by the definition of the supremum, and vanishes where w|b_m| peaks. The part (ν/(1+ν))² of it is
therefore left out, what remains has a factor ε, and the rest of that is > 0, or the escape holds. C is not a rational number: it
enters the polynomials as a variable between two rational bounds, which are shown to be bounds by Bernstein positivity and by the
value at one rational point.

*No smaller one does.* A_{n+1} = A_n + ε^m w b_m, so that a one-sided bound R > A_{n+1} − c ν^{−(m+1)} says

    ν^m (R − A_n) > w b_m − c/ν        (the other side where b_m < 0 at the peak),

and so C_n* − c/ν ≤ ν^m sup |R − A_n| ≤ C_n*.

*Which number it is.* The derivative of w b_m contains a polynomial q in τ = t² with integer coefficients. In an interval around the peak
q is monotone, and everywhere else w|b_m| stays below the lower bound of C_n*: so the peak is at the only zero of q in there.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, fmpq_poly

from certify.exact.ball import decimal, working_precision
from certify.exact.coordinates import Coordinates
from certify.exact.debye_polynomials import ratio_polynomial
from certify.exact.derivation import Derivation, derive
from certify.exact.inequality import positive
from certify.exact.ladder import SYMBOLS, ladder_chart, polynomial
from certify.exact.number import exact
from certify.exact.peak import critical, enclosure, equation, peak, point, term, value_squared
from certify.exact.positivity import UNIT, Gap
from certify.exact.refutation import fails
from certify.exact.riccati import Side, establish, residual_and_escape, walls
from certify.exact.theorem import (
    Attained,
    Barrier,
    Bound,
    Cases,
    Enclosure,
    Identity,
    OneSided,
    Positive,
    Proof,
    Step,
    Supremum,
    Theorem,
)
from certify.exact.uniform import RATIO
from certify.exact.uniform import theorem as uniform_theorem

EVERY = Fraction(0)  # every order ν > 0
DIGITS = 30
WIDTH = Fraction(1, 1000)  # half the length of the interval of τ around the peak
VARIABLE = "q"  # C runs from its lower to its upper bound as q from 0 to 1


@dataclass(frozen=True)
class Optimal:
    """|R_ν − a| < factor·C/ν^m with C = sup w|b_m| between ``low`` and ``high``, and the opposite bound up to ``rate``/ν.

    ``ratio`` defines a = A_n, and whatever it needs, over ε, r, t, w, x, ν and s.
    """

    n: int
    ratio: Mapping[str, str]
    low: Fraction
    high: Fraction
    rate: Fraction
    factor: Fraction

    @property
    def term(self) -> str:
        return f"w*b{self.n + 2}"

    @property
    def side(self) -> Side:
        """On which side of A_n the ratio lies at the peak: above where b_m > 0."""
        return "above" if peak(self.n + 2).sign > 0 else "below"

    @property
    def bound(self) -> Bound:
        scale = "" if self.factor == 1 else f"{self.factor}*"
        return Bound(solution="R", candidate="a", radius=f"{scale}C/nu**{self.n + 2}")

    @property
    def supremum(self) -> Supremum:
        unit = math.lcm(self.low.denominator, self.high.denominator)
        return Supremum(symbol="C", low=f"{self.low * unit}/{unit}", high=f"{self.high * unit}/{unit}")

    @property
    def opposite(self) -> OneSided:
        sign = "-" if self.side == "above" else "+"
        return OneSided(solution="R", side=self.side, function=f"a + ({self.term} {sign} {self.rate}/nu)/nu**{self.n + 2}")

    @property
    def critical_points(self) -> Identity:
        """d(w b_m)/dx = ε t² c(t), c = t b_m − (1 − t²) b_m′ = scale·t^j q(t²)."""
        c, q = critical(self.n + 2), equation(self.n + 2)
        j = c.degree() - 2 * q.degree()
        scale = c.leading_coefficient() / q.leading_coefficient()
        return Identity(left=f"diff({self.term}, x)", right=f"({scale})*eps*t**{j + 2}*{polynomial(fmpq_poly(q), 'tau')}")

    @property
    def identification(self) -> tuple[Positive, Positive, Positive]:
        """Outside an interval of τ, and for the other sign of b_m everywhere, w|b_m| is below the lower bound; inside, q is monotone."""
        k = self.n + 2
        low, high = interval(k)
        inside = f"(tau - {low})*({high} - tau)"
        toward, away = (self.term, f"-{self.term}") if peak(k).sign > 0 else (f"-{self.term}", self.term)
        slope = fmpq_poly(equation(k).derivative())
        rising = slope if slope(exact(low)) > 0 else -slope
        return (
            Positive(any_of=(f"{self.supremum.low} - ({toward})", inside)),
            Positive(any_of=(f"{self.supremum.low} - ({away})",)),
            Positive(any_of=(polynomial(rising, "tau"), f"-{inside}")),
        )

    def theorem(self) -> Theorem:
        m = self.n + 2
        term = {f"b{m}": polynomial(ratio_polynomial(m)), "C": f"sup({self.term}, -{self.term})", "tau": "t**2"}
        statements = (self.supremum, self.bound, self.opposite, self.critical_points, *self.identification)
        return uniform_theorem(EVERY, {**SYMBOLS, **self.ratio, **term}, *statements)

    def prove(self) -> Proof | Gap:
        """The opposite bound, the range of C, then both barriers with the exact C."""
        if self.low**2 > value_squared(self.n + 2, point(self.n + 2, DIGITS)):
            return Gap((UNIT,), false=True)
        return derive(self.theorem(), ladder_chart(EVERY), self._build)

    def _build(self, derivation: Derivation) -> None:
        for statement in (self.critical_points, *self.identification, self.opposite):
            establish(derivation, statement)
        self._range(derivation)
        derivation.know({VARIABLE: self.supremum})
        below, above = (self._wall(derivation, side) for side in walls(self.bound))
        derivation.step(self.bound, Enclosure(below=below, above=above))

    def counterexample(self) -> Mapping[str, str] | None:
        """What contradicts the range of C, exactly, or a point at which balls confirm that one of the two bounds fails."""
        n, m, sign = self.n, self.n + 2, peak(self.n + 2).sign
        return self._range_fails() or (
            fails(n, lambda nu, x, error: abs(error) * nu**m - exact(self.factor * self.high))
            or fails(n, lambda nu, x, error: sign * (term(m, nu, x) - error * nu**m) - exact(self.rate) / nu)
        )

    def _range_fails(self) -> Mapping[str, str] | None:
        k, m = self.n + 2, point(self.n + 2, DIGITS)
        value = _decimal(value_squared(k, m), arb.sqrt)
        if self.high**2 < value_squared(k, m):
            return {"m = x/(nu + s)": str(m), f"w*|b{k}|": value, "high": str(self.high)}
        coordinates = Coordinates(self.theorem(), ladder_chart(EVERY))
        if all(isinstance(positive(coordinates, f"{self.low} - ({t})"), Step) for t in (self.term, f"-{self.term}")):
            return {f"w*|b{k}|": f"below {self.low} everywhere, by Bernstein positivity", "low": str(self.low)}
        return None

    @property
    def summary(self) -> str:
        n, m = self.n, self.n + 2
        known = f"C* = sup w|b_{m}| = {_decimal(self.low)}…, approached to within {_decimal(self.rate)}/nu"
        return f"sup nu^{m}*|R - A_{n}| = {known}" if self.factor == 1 else f"|R - A_{n}| < {self.factor}*C*/nu^{m}, {known}"

    def _range(self, derivation: Derivation) -> None:
        above = tuple(derivation.positive(f"{self.supremum.high} - ({value})") for value in (self.term, f"-{self.term}"))
        m = point(self.n + 2, DIGITS)
        derivation.step(self.supremum, Attained(variable=VARIABLE, inequalities=above, point={"u": "1/2", "m": str(m)}))

    def _wall(self, derivation: Derivation, side: Side) -> int:
        """The barrier on one side: residual or escape, by the residual without most of what the supremum makes ≥ 0.

        :func:`certify.exact.riccati.wall` would have to show the residual itself, which is > 0 only by that definition.
        """
        wall = OneSided(solution="R", side=side, function=walls(self.bound)[side])
        residual, escape = residual_and_escape(RATIO, "R", side, wall.function)
        value, fact = (self.term, 1) if side == "below" else (f"-{self.term}", 2)
        part = f"2*eps**{self.n + 2}/w*(nu/(1 + nu))**2"
        shown = derivation.positive(f"{residual} - ({part})*(C - ({value}))", escape)
        cases = Cases(inequality=shown, cases=((0, (("1", 0), (part, fact))), (1, (("1", 0),))))
        needed = derivation.step(Positive(any_of=(residual, escape)), cases)
        return derivation.step(wall, Barrier(inequality=needed, factors=("1", "1"), start=self.bound.radius))


def constants(n: int) -> dict[str, Fraction]:
    """The defaults: C_n* to 30 digits, and C_{n+1}* rounded up to five digits as the rate."""
    low, high = enclosure(n + 2, DIGITS)
    return {"factor": Fraction(1), "low": low, "high": high, "rate": enclosure(n + 3, 5)[1]}


def interval(k: int) -> tuple[Fraction, Fraction]:
    """An interval of τ around the peak of w|b_k|."""
    tau = Fraction(f"{float(peak(k).t ** 2):.4f}")
    return tau - WIDTH, tau + WIDTH


def statement(n: int) -> str:
    """The claim in LaTeX."""
    m, sign = n + 2, "" if peak(n + 2).sign > 0 else "-"
    zero = re.sub(r"\*\*(\d+)", r"^{\1}", polynomial(fmpq_poly(equation(m)), r"\tau")).replace("*", "").strip("()")
    ends = ", ".join(f"{float(end):.4f}" for end in interval(m))
    return (
        rf"|R_\nu(x) - A_{n}(x)| < \text{{factor}}\cdot C^*\nu^{{-{m}}},\quad {sign}\nu^{{{m}}}(R_\nu(x) - A_{n}(x)) > "
        rf"{sign}w\,b_{{{m}}}(t) - \frac{{\text{{rate}}}}{{\nu}},\quad \text{{low}} \le C^* = \max_t w|b_{{{m}}}(t)| \le \text{{high}},"
        rf"\quad \text{{at the only zero}}\ \tau = t^2 \in ({ends})\ \text{{of}}\ {zero}"
    )


def _decimal(number: Fraction, function: Callable[[arb], arb] = arb) -> str:
    with working_precision(256):
        return decimal(function(arb(exact(number))), DIGITS + 10).rstrip("0")
