r"""Score bounds that do not grow with |r − κ|.

score.uniform    |ΔΦ − ΔF_R| ≤ C |s(κ)⁻² − s(r)⁻²|, C = 0.25005, for every ν ≥ 1/2 and r, κ ≥ 0, where ΔΦ = Φ_ν(r) − Φ_ν(κ), s = √(ν² + x²).
score.uniform.n  |ΔΦ − ΔF_n| ≤ C ν^{−(n+1)} for every ν ≥ 31 and r, κ ≥ 0, n = 0 … 8; for n = 1 the paper's bound is ν⁻³|r − κ|.

Proof.  The first integrates |R_ν − A_R| < 2C x/s⁴ (proofs/ratio/relative.py): the antiderivative is −C s⁻². For the second, with L = n + 3,

    Φ − F_n = (Φ − F_L) + Σ_{k=n+1}^{L} D_k(t) ν^{−k},

the differences of the first term are at most those of G = −c/((L+1) s^{L+1}), by |R_ν − A_L| < c x/s^{L+3}, and those of the sum at most
the length of its range. Since |R_ν − A_L| is of higher order, C is close to the oscillation of D_{n+1} on [0, 1], below which no
constant can be as ν → ∞.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from flint import arb, fmpq

from certify.claims.claim import Claim, claim
from certify.claims.conclude import conclude
from certify.claims.verdict import Outcome, Verdict
from certify.exact.ball import decimal, decimal_above, working_precision
from certify.exact.bessel import potential_difference
from certify.exact.debye import ladder_potential_difference
from certify.exact.debye_polynomials import potential_polynomial
from certify.exact.derivation import Derivation, derive
from certify.exact.ladder import SYMBOLS, ladder_chart, polynomial, potential_definitions, ratio_definitions, series
from certify.exact.ladder_constants import OSCILLATION, WEIGHTED
from certify.exact.number import exact
from certify.exact.positivity import Gap
from certify.exact.riccati import integrate
from certify.exact.theorem import Bound, DifferenceBound, Oscillation, OscillationBound, Proof, Theorem
from certify.exact.truth import Truth
from certify.exact.truth import positive as is_positive
from certify.exact.uniform import A_R, F_R, POTENTIAL, chart, orders, score_theorem
from certify.exact.witness import violation

DIGITS = 60
LEAST = Fraction(31)
CAPTURED_P, CAPTURED = 512, (Fraction("392.35"), Fraction("393.11"))  # the captured queries of Figure 4

# By the relative bound of the ratio ------------------------------------------------------------------------------------


def difference(C: Fraction) -> DifferenceBound:
    return DifferenceBound(solution="R", potential="F", majorant=f"0 - {C}/s**2")


def theorem(C: Fraction, nu_min: Fraction) -> Theorem:
    return score_theorem(nu_min, {"a": A_R, "F": F_R}, difference(C))


@claim(
    "score.uniform",
    statement=r"|[\Phi_\nu(r)-\Phi_\nu(\kappa)] - [F_R(r)-F_R(\kappa)]| \le C\,\bigl|(\nu^2+\kappa^2)^{-1} - (\nu^2+r^2)^{-1}\bigr|",
    domain=r"\nu \ge \nu_{\min},\ r, \kappa \ge 0",
    source="beyond the paper: Section 4.3 without the factor |r - kappa|",
    theorem=theorem,
    constants={"C": "0.25005", "nu_min": "1/2"},
)
def uniform(C: Fraction, nu_min: Fraction) -> Verdict:
    statement, ratio_bound = theorem(C, nu_min), Bound(solution="R", candidate="a", radius=f"{2 * C}*x/s**4")

    def build(derivation: Derivation) -> None:
        integrate(derivation, difference(C), ratio_bound)
        derivation.identity(POTENTIAL)

    proof = derive(statement, chart(nu_min), build)
    summary = f"potential differences agree within {C}*|s(kappa)^-2 - s(r)^-2| for every {orders(nu_min)}"
    verdict = conclude("score.uniform", statement, proof, lambda _: counterexample(C, nu_min), summary)
    return replace(verdict, facts=captured(C)) if verdict.outcome is Outcome.PROVED else verdict


def captured(C: Fraction) -> dict[str, str]:
    """This bound, those of score.uniform.n and the paper's, for r and κ anywhere in the range of the captured queries, p = 512."""
    nu, low, high = Fraction(CAPTURED_P, 2) - 1, *CAPTURED
    bounds = {
        f"{C}*|s(kappa)^-2 - s(r)^-2|": C / nu**2 * (1 / (1 + low**2) - 1 / (1 + high**2)),
        **{f"{c}*nu^-{n + 1} (score.uniform.{n})": Fraction(c) / nu ** (n + 1) for n, c in enumerate(OSCILLATION)},
        "nu^-3*|r - kappa| (score.cubic)": (high - low) / nu**2,
    }
    at = f"p = {CAPTURED_P}, r/nu and kappa/nu in [{float(low)}, {float(high)}]"
    with working_precision(128):
        return {f"{at}: {name}": decimal_above(arb(exact(bound)), 4) for name, bound in bounds.items()}


def counterexample(C: Fraction, nu_min: Fraction) -> Mapping[str, str] | None:
    """ν, κ = x and r = 1.1x at which balls confirm that the bound fails."""

    def quotient(nu: fmpq, x: fmpq) -> arb:
        return abs(error(1, nu, x, 11 * x / 10) / (1 / (nu * nu + x * x) - 1 / (nu * nu + (11 * x / 10) ** 2)))

    with working_precision(4 * DIGITS):
        point = violation(lambda nu, x: quotient(nu, x) - exact(C), nu_min)
        if point is None:
            return None
        nu, x = point
        return {"nu": str(nu), "kappa": str(x), "r": str(11 * x / 10), "quotient of the two sides": decimal(quotient(nu, x), 15)}


# By the oscillation of the next terms -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rung:
    """|ΔΦ − ΔF_n| ≤ C ν^{−(n+1)}, by way of A_L with L = n + 3."""

    n: int
    C: Fraction
    nu_min: Fraction

    @property
    def last(self) -> int:
        return self.n + 3

    @property
    def weight(self) -> Fraction:
        return Fraction(WEIGHTED[self.last])

    @property
    def bound(self) -> Bound:
        return Bound(solution="R", candidate="a", radius=f"{self.weight}*x/s**{self.last + 3}")

    @property
    def difference(self) -> DifferenceBound:
        majorant = f"0 - {self.weight}/({self.last + 1}*s**{self.last + 1})"
        return DifferenceBound(solution="R", potential="(F) + (H)", majorant=majorant)

    @property
    def oscillation(self) -> OscillationBound:
        return OscillationBound(solution="R", potential="F", radius=self.scaled(self.C))

    def scaled(self, number: Fraction) -> str:
        return f"{number}/nu**{self.n + 1}"

    def theorem(self) -> Theorem:
        later = range(self.n + 1, self.last + 1)
        where = {
            **SYMBOLS,
            **ratio_definitions(self.last),
            **potential_definitions(self.n),
            **{f"D{k}": polynomial(potential_polynomial(k)) for k in later},
            "H": f"eps**{self.n}*{series([f'D{k}' for k in later])}".removeprefix("eps**0*"),
        }
        return score_theorem(self.nu_min, where, self.oscillation)

    def ranges(self) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        """Proposed ends, times ν^{n+1}, of the ranges of H and G, together as long as C: what C leaves is shared out."""
        later = [potential_polynomial(k) for k in range(self.n + 1, self.last + 1)]
        steps = [[fmpq(j, 4) / exact(self.nu_min) for j in range(5)], [fmpq(j, 400) for j in range(401)]]
        values = [sum((q(t) * e**k for k, q in enumerate(later)), fmpq(0)) for e in steps[0] for t in steps[1]]
        low, high = (Fraction(str(end(values))) for end in (min, max))
        depth = self.weight / (self.last + 1) / self.nu_min ** (self.last - self.n)
        share = (self.C - (high - low) - depth) / 3
        return low - share, high + share, -depth - share, Fraction(0)

    def prove(self) -> Proof | Gap:
        return derive(self.theorem(), ladder_chart(self.nu_min), self.build)

    def build(self, derivation: Derivation) -> None:
        difference, G = integrate(derivation, self.difference, self.bound), self.difference.majorant
        low, high, bottom, top = map(self.scaled, self.ranges())
        texts = (f"(H) - ({low})", f"({high}) - (H)", f"({G}) - ({bottom})", f"({top}) - ({G})")
        first, second, third, fourth = (derivation.positive(text, strict=False) for text in texts)
        derivation.step(self.oscillation, Oscillation(difference=difference, rest="H", inequalities=(first, second, third, fourth)))
        derivation.identity(POTENTIAL)

    def counterexample(self) -> Mapping[str, str] | None:
        """κ, r where D_{n+1} is smallest and largest, at an order at which balls confirm that the bound fails."""
        next_term = potential_polynomial(self.n + 1)
        places = sorted((fmpq(j, 400) for j in range(1, 401)), key=next_term)
        arguments = [sqrt_below(1 / t**2 - 1) for t in (places[0], places[-1])]
        for k in range(12):
            nu = exact(self.nu_min) * 2**k
            kappa, r = (nu * z for z in arguments)
            with working_precision(4 * DIGITS):
                scaled = abs(error(self.n, nu, kappa, r)) * nu ** (self.n + 1)
                if is_positive(scaled - exact(self.C)) is Truth.YES:
                    return {"nu": str(nu), "kappa": str(kappa), "r": str(r), f"difference*nu^{self.n + 1}": decimal(scaled, 15)}
        return None


def error(n: int, nu: fmpq, kappa: fmpq, r: fmpq) -> arb:
    """[Φ_ν(r) − Φ_ν(κ)] − [F_n(r) − F_n(κ)]."""
    return potential_difference(nu, kappa, r, DIGITS) - ladder_potential_difference(n, nu, kappa, r, DIGITS)


def sqrt_below(square: fmpq) -> fmpq:
    """A short rational near the root."""
    return exact(f"{float(square) ** 0.5:.4f}")


def prove(n: int, C: Fraction, nu_min: Fraction) -> Verdict:
    rung = Rung(n, C, nu_min)
    summary = f"differences of F_{n} and of the potential agree within {C}/nu^{n + 1} for every {orders(nu_min)}, r and kappa"
    return conclude(f"score.uniform.{n}", rung.theorem(), rung.prove(), lambda _: rung.counterexample(), summary)


def rung_theorem(n: int, C: Fraction, nu_min: Fraction) -> Theorem:
    return Rung(n, C, nu_min).theorem()


def score(n: int) -> Claim:
    """The claim ``score.uniform.n``."""

    @claim(
        f"score.uniform.{n}",
        statement=rf"|[\Phi_\nu(r)-\Phi_\nu(\kappa)] - [F_{n}(r)-F_{n}(\kappa)]| \le C\,\nu^{{-{n + 1}}}",
        domain=r"\nu \ge \nu_{\min},\ r, \kappa \ge 0",
        source="beyond the paper: Section 4.3 without the factor |r - kappa|",
        long=n > 4,
        theorem=partial(rung_theorem, n),
        constants={"C": OSCILLATION[n], "nu_min": LEAST},
    )
    def rung(C: Fraction, nu_min: Fraction) -> Verdict:
        return prove(n, C, nu_min)

    return rung


globals().update({f"uniform_{n}": score(n) for n in range(len(OSCILLATION))})
