r"""The hazard of the gamma distribution, h = x^{a−1}e^{−x}/Γ(a, x), x > 0, of a shape a below 2, between convergents.

Statement.  riccati.gamma.small, 0 < a < 1: C_8 ≤ h ≤ C_7.  riccati.gamma.middle, 1 < a < 2: C_7 ≤ h ≤ C_8.  C_n ends with the n-th
numerator of the continued fraction (DLMF 8.9.2, contracted)

    h = 1 + (1−a)/(x + 1/(1 + (2−a)/(x + 2/(1 + (3−a)/(x + 3/(1 + …

h = 1 for a = 1; for a = 2 and above see proofs/riccati/gamma.py.

Proof.  With β = 1 − a, h′ = h(h − 1 − β/x). y = h − 1, for β > 0, and y = h − 1 − β/x, for β < 0, are positive and tend to 0 in ξ = 1/x.
The convergents start there as h does, but nothing is known of the damping; so they are moved away by a multiple of η > 0, and h does not
meet them: rational functions of ξ, η and b, |β| = b/(1+b). η → 0 gives the statement.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb, fmpq

from certify.claims.claim import Claim, claim
from certify.claims.conclude import conclude_riccati
from certify.claims.verdict import Verdict
from certify.exact.expression import evaluate
from certify.exact.riccati_equation import Equation, Problem
from certify.exact.riccati_equation import theorem as formal
from certify.exact.riccati_witness import Point
from certify.exact.theorem import Chart, Map, OneSided, Theorem

TERMS = 8


@dataclass(frozen=True)
class Shapes:
    """A range of shapes: β = 1 − a and 2 − a in terms of b > 0, and the convergents below and above h, with what moves them away."""

    beta: str
    gap: str
    shift: str
    below: str
    lower: tuple[int, str]
    upper: tuple[int, str]

    @property
    def problem(self) -> Problem:
        return Problem(
            equation=Equation(variable="x", quadratic="1", linear="0 - beta/x - 1", constant="0"),
            variable="xi",
            substitution="1/xi",
            shift=self.shift,
            below=self.below,
            parameters={"eta": "(0, oo)", "b": "(0, oo)"},
            vanishing="eta",
            where={"beta": self.beta, "gap": self.gap, "x": "1/xi"},
            chart=Chart(symbols={name: Map(map="odds", variable=own) for name, own in (("eta", "e"), ("b", "u"), ("xi", "v"))}),
            is_=f"h - ({self.shift}), h = x**(a-1)*exp(-x)/Gamma(a, x), a = 1 - beta, x = 1/xi",
            source="equation: DLMF 8.8.13; h between 1 and 1 + beta/x: 1/h is the integral of exp(-u)*(1 + u/x)**(0-beta) over u > 0, "
            "and 1 + t < exp(t)",
            name="h",
        )

    def walls(self, lower: Fraction, upper: Fraction) -> tuple[OneSided, OneSided]:
        (m, down), (n, up) = self.lower, self.upper
        return (
            OneSided(solution="h", side="above", function=down.format(c=f"(1 + {lower}*{fraction(m)})")),
            OneSided(solution="h", side="below", function=up.format(c=f"(1 + {upper}*{fraction(n)})")),
        )

    def reference(self, point: Point) -> arb:
        """Γ(a, x) from Arb."""
        x, power = arb(point["x"]), 0 - evaluate(self.beta, point, fmpq)
        return x**power * (-x).exp() / arb.gamma_upper(x, power + 1)


SHAPES = {
    "small": Shapes(
        "b/(1 + b)", "1 + b/(1 + b)", "1", "beta*xi", (TERMS, "{c}*(1 - eta/(100*(1 + eta)))"), (TERMS - 1, "{c} + eta*(1 + xi)")
    ),
    "middle": Shapes(
        "0 - b/(1 + b)", "1/(1 + b)", "1 + beta*xi", "0 - beta*xi", (TERMS - 1, "{c} - eta/(100*(1 + eta))"), (TERMS, "{c}*(1 + eta)")
    ),
}


def fraction(n: int) -> str:
    """C_n − 1.

    >>> fraction(3)
    'beta/(x + 1/(1 + (gap + 0)/(x)))'
    """
    text = ""
    for k in range(n, 0, -1):
        first, numerator = ("x", f"(gap + {k // 2 - 1})" if k > 1 else "beta") if k % 2 else ("1", f"{k // 2}")
        text = f"{numerator}/({first} + {text})" if text else f"{numerator}/({first})"
    return text


def small(name: str, domain: str, order: str) -> Claim:
    """The claim ``riccati.gamma.NAME``."""
    shapes = SHAPES[name]

    def theorem(lower: Fraction, upper: Fraction) -> Theorem:
        return formal(shapes.problem, *shapes.walls(lower, upper))

    @claim(
        f"riccati.gamma.{name}",
        statement=order + r"\quad C_n\ \text{the convergents of}\ 1+\cfrac{1-a}{x+\cfrac{1}{1+\cfrac{2-a}{x+\cfrac{2}{1+\cdots}}}}",
        domain=domain + r",\ x > 0",
        source="beyond the paper: the method of Section 4 for another Riccati equation",
        theorem=theorem,
        constants={"lower": 1, "upper": 1},
        in_words="eta -> 0",
    )
    def prover(lower: Fraction, upper: Fraction) -> Verdict:
        summary = "the hazard of the gamma distribution between two convergents of its continued fraction, for every shape of the range"
        return conclude_riccati(f"riccati.gamma.{name}", shapes.problem, shapes.reference, shapes.walls(lower, upper), summary)

    return prover


QUOTIENT = r"\frac{x^{a-1}e^{-x}}{\Gamma(a,x)}"
below_one = small("small", "0 < a < 1", rf"C_8 \le {QUOTIENT} \le C_7,")
below_two = small("middle", "1 < a < 2", rf"C_7 \le {QUOTIENT} \le C_8,")
