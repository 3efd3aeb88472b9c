r"""Bounds of |R_ν − A_R| that decay with x and have nearly the best constants: between −c s⁻³ and C s⁻³, s = √(ν² + x²).

Statement.  For every ν ≥ ν_min and x ≥ 0:  −c s⁻³ < R_ν(x) − A_R(x) < C s⁻³ and |R_ν − A_R| < C s⁻³. No c below 1/8 is possible on any
range: for every ν ≥ 1 and x ≥ 0 (ratio.pointwise.limit)

    s³ (R_ν(x) − A_R(x)) < −w(15t⁴ − 12t² + 1)/8 + K/s,   which tends to −1/8 as x → ∞.

Proof.  The error is odd in x and so are the barriers A_R ± w u(τ, δ)/s³, τ = t², δ = 1/s: they start at 0 as R does, with another slope,
and R cannot meet them by the residual inequality, in which the factor w cancels. u is a polynomial with w u < C; linear programming
found its coefficients, here in units of 10⁻⁵, rows by powers of δ, columns by powers of τ. Nothing depends on how they were found.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from certify.claims.claim import Claim, claim
from certify.claims.conclude import conclude
from certify.claims.verdict import Verdict
from certify.exact import riccati
from certify.exact.ball import hypotenuse
from certify.exact.derivation import Derivation, derive
from certify.exact.ladder import SYMBOLS, ladder_chart, ratio_definitions
from certify.exact.number import exact
from certify.exact.positivity import Gap
from certify.exact.refutation import fails
from certify.exact.riccati import Side
from certify.exact.riccati import wall as barrier
from certify.exact.theorem import Bound, Enclosure, OneSided, Proof, Theorem
from certify.exact.uniform import A_R, orders
from certify.exact.uniform import theorem as uniform_theorem

Table = tuple[tuple[int, ...], ...]
UNIT = 100_000


@dataclass(frozen=True)
class Shapes:
    """u above and below A_R."""

    upper: Table
    lower: Table


SHAPES = {
    Fraction(1, 2): Shapes(
        (
            (-12493, 221328, -528216, 765735, -956851, 501202),
            (45741, 23302, -958952, 1432181, -164715, -381899),
            (7817, -668071, 2891803, -4000000, 1835495, -69088),
            (-27188, 486253, -1847992, 2705007, -1632445, 317552),
        ),
        ((14691, -170628, 236592), (18471, 24558, -52928)),
    ),
    Fraction(1): Shapes(
        (
            (-12482, 244477, -703714, 1002422, -580684),
            (11097, 163828, -660191, -102630, 718788),
            (70040, -930314, 2925808, -2914271, 756665),
        ),
        ((12583, -151977, 204867), (19761, 17777, -44879)),
    ),
    Fraction(2): Shapes(
        ((-12478, 210866, -440371, 299274), (15334, 35319, -357732, 225892)),
        ((12571, -134803, 172260), (15888, 271652, -320892)),
    ),
    Fraction(10): Shapes(((-6967, 129801, -168279),), ((12522, -57079, 94569),)),
    Fraction(31): Shapes(((-10668, 143349, -181107),), ((12512, -57242, 94742),)),
}
CONSTANTS = {
    Fraction(1, 2): ("0.1732", "0.167"),
    Fraction(1): ("0.171", "0.1322"),
    Fraction(2): ("0.1632", "0.127"),
    Fraction(10): ("0.144", "0.1253"),
    Fraction(31): ("0.1398", "0.1252"),
}


def shape(table: Table) -> str:
    """u as an expression in δ and τ."""
    terms = (f"({c})*delta**{i}*tau**{j}" for i, row in enumerate(table) for j, c in enumerate(row))
    return f"({' + '.join(terms)})/{UNIT}".replace("*delta**0", "").replace("*tau**0", "")


def bound(C: Fraction) -> Bound:
    return Bound(solution="R", candidate="a", radius=f"{C}/s**3")


def walls(constant: Fraction) -> dict[Side, OneSided]:
    """The statements R < a + constant/s³ and R > a − constant/s³."""
    return {side: OneSided(solution="R", side=side, function=function) for side, function in riccati.walls(bound(constant)).items()}


def theorem(C: Fraction, c: Fraction, nu_min: Fraction) -> Theorem:
    where = {**SYMBOLS, "a": A_R, "delta": "1/s", "tau": "t**2"}
    return uniform_theorem(nu_min, where, bound(C), walls(c)["above"])


def prove_shaped(shapes: Shapes, C: Fraction, c: Fraction, nu_min: Fraction) -> Proof | Gap:
    """Both shaped barriers, then what lies beyond them: ±C/s³ and −c/s³."""
    upper = OneSided(solution="R", side="below", function=f"a + w*{shape(shapes.upper)}/s**3")
    lower = OneSided(solution="R", side="above", function=f"a - w*{shape(shapes.lower)}/s**3")

    def build(derivation: Derivation) -> None:
        def beyond(barrier: int, wall: OneSided, distance: str) -> int:
            return derivation.combined(wall, ("1", barrier), ("1", derivation.positive(distance)))

        below, above = walls(C)["below"], walls(C)["above"]
        first = beyond(barrier(derivation, upper), below, f"({below.function}) - ({upper.function})")
        shaped = barrier(derivation, lower)
        beyond(shaped, walls(c)["above"], f"({lower.function}) - ({walls(c)['above'].function})")
        last = beyond(shaped, above, f"({lower.function}) - ({above.function})")
        derivation.step(bound(C), Enclosure(below=first, above=last))

    return derive(theorem(C, c, nu_min), ladder_chart(nu_min), build)


def prove(id: str, shapes: Shapes, C: Fraction, c: Fraction, nu_min: Fraction) -> Verdict:
    return conclude(
        id,
        theorem(C, c, nu_min),
        prove_shaped(shapes, C, c, nu_min),
        lambda _: (
            fails(1, lambda nu, x, error: abs(error) * hypotenuse(nu, x) ** 3 - exact(C), nu_min)
            or fails(1, lambda nu, x, error: -error * hypotenuse(nu, x) ** 3 - exact(c), nu_min)
        ),
        f"-{c}/s^3 < R - A_R < {C}/s^3, s = sqrt(nu^2 + x^2), for every {orders(nu_min)}, x > 0",
    )


def pointwise(least: Fraction, id: str) -> Claim:
    """The claim about the orders ν ≥ ``least``."""
    constants = dict(zip(("C", "c"), CONSTANTS[least], strict=True))

    @claim(
        id,
        statement=r"-c\,(\nu^2+x^2)^{-3/2} < R_\nu(x) - A_R(x) < C\,(\nu^2+x^2)^{-3/2}",
        domain=r"\nu \ge \nu_{\min},\ x \ge 0",
        source="beyond the paper",
        theorem=theorem,
        constants={**constants, "nu_min": least},
    )
    def within(C: Fraction, c: Fraction, nu_min: Fraction) -> Verdict:
        return prove(id, SHAPES[least], C, c, nu_min)

    return within


half = pointwise(Fraction(1, 2), "ratio.pointwise")
globals().update({f"from_{nu_min}": pointwise(nu_min, f"ratio.pointwise.{nu_min}") for nu_min in SHAPES if nu_min >= 1})


# No constant below 1/8 -----------------------------------------------------------------------------------------------


def limit_theorem(K: Fraction, nu_min: Fraction) -> Theorem:
    wall = OneSided(solution="R", side="below", function=f"a - (w*(15*t**4 - 12*t**2 + 1)/8 - {K}/s)/s**3")
    return uniform_theorem(nu_min, {**SYMBOLS, **ratio_definitions(1)}, wall)


@claim(
    "ratio.pointwise.limit",
    statement=r"s^3\,(R_\nu(x) - A_R(x)) < -\tfrac18 w\,(15t^4-12t^2+1) + \tfrac{K}{s},"
    r"\quad \text{which tends to}\ {-\tfrac18}\ \text{as}\ x \to \infty;\ s = \sqrt{\nu^2+x^2}",
    domain=r"\nu \ge \nu_{\min},\ x \ge 0",
    source="beyond the paper",
    theorem=limit_theorem,
    constants={"K": "0.573", "nu_min": 1},
)
def limit(K: Fraction, nu_min: Fraction) -> Verdict:
    return conclude(
        "ratio.pointwise.limit",
        limit_theorem(K, nu_min),
        riccati.prove(limit_theorem(K, nu_min), ladder_chart(nu_min)),
        lambda _: fails(2, lambda nu, x, error: error * hypotenuse(nu, x) ** 4 - exact(K), nu_min),
        f"s^3*(R - A_R) is below a function that tends to -1/8 as x -> oo, for every {orders(nu_min)}",
    )
