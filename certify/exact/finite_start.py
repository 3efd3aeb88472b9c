"""The finite-start recurrence in its contracted form, and the theorems' common induction.

b_M = 1, b_{M+1} = 0, b_{i−1} = (2i/x) b_i + b_{i+1}; R̃_{ν,M} = b_{ν+1}/b_ν = x u_ν, where u_i = b_{i+1}/(x b_i), U in the text below,
obeys u_M = 0, u_{j−1} = 1/(2j + x² u_j). The induction, in which b0 and b1 are b_j and b_{j+1}, runs down: j = M − 1, M − 2, …, with
d = M − j, and N = M + 1 = j + d + 1. With y = x²,

    d odd:   u tends to a = 2/(N² − j²) = 2/((d+1)(2j+d+1)),      0 ≤ u − a ≤ aδ/y,      δ = (N² − (j+2)²)(N² − j² − 2j + 2)/12,
    d even:  yu tends to b = (N² − (j+1)²)/2 = d(2j+d+2)/2,       by/(y+γ) ≤ yu ≤ b,     γ = (N² − (j−1)²)(N² − j² + 3)/12,

as x → ∞, with bounds that hold for every x > 0. They pass from one index to the next because a′ = 1/(2j + b), δ′ = γ b a′ and
b′ = 1/a, γ′ = δ + 2j b′: each bound is monotone in the one before.  The logarithmic derivative l_j = x u_j′/u_j obeys
l_{j−1} = −x²u_j(2 + l_j)/(2j + x²u_j) and is bounded by the same δ and γ: 0 ≤ −l ≤ 2δ/y (d odd), 0 ≤ 2 + l ≤ 2γ/y (d even); more
sharply u(2 + l) ≥ 2a (d odd) and b(2 + l) ≤ 2(b − yu) (d even), each of which is the other one index further down. For d even,
b − yu ≤ bγ/y is what the theorems state.
"""

from __future__ import annotations

from fractions import Fraction

from certify.exact.expression import replace
from certify.exact.theorem import Chart, Induction, Map, Recursion

U = "b1/(x*b0)"
NEXT_B = "b1 + 2*j/x*b0"
MEMBERS = ("b0 > 0", "b1 > 0")
NEXT_U = "1/(2*j + x**2*u)"
NEXT_L = "(0 - x**2*u*(2 + l))/(2*j + x**2*u)"

Proofs = tuple[tuple[tuple[str, int], ...], ...]

CHART = Chart(symbols={"x": Map(map="itself", variable="v"), "M": Map(map="itself", variable="n")})
DOMAIN = {"x": "(0, oo)", "M": "[1, oo)"}

DELTA = "(d - 1)*(2*j + d + 3)*(2*j*d + (d + 1)**2 + 2)/12"
DELTA_OVER_D_MINUS_1 = "(2*j + d + 3)*(2*j*d + (d + 1)**2 + 2)/12"
GAMMA = "(d + 2)*(2*j + d)*((d + 1)*(2*j + d + 1) + 3)/12"


OVER_A = "(d + 1)*(2*j + d + 1)"


def limits(odd: Fraction = Fraction(2), even: Fraction = Fraction(1, 2)) -> tuple[str, str]:
    """The closed forms a and b; the arguments are their constants, to be perturbed."""
    return f"{odd}/({OVER_A})", f"{even}*d*(2*j + d + 2)"


def induction(odd: Fraction = Fraction(2), even: Fraction = Fraction(1, 2)) -> Induction:
    """The bounds of u and l, for every x > 0, every real M ≥ 1 and every index j = M − d ≥ 0, d ≥ 1; those of u/a without a denominator."""
    _, b = limits(odd, even)
    members = {"b0": ("2*M/x", NEXT_B), "b1": ("1", "b0")}
    return in_members(
        state={"j": ("M - 1", "j - 1"), "d": ("1", "d + 1"), **members, "l": ("0", NEXT_L)},
        goes_on=("j",),
        phases=(
            (
                "d > 0",
                "d - 1 >= 0",
                "u > 0",
                f"u*{OVER_A} - {odd} >= 0",
                f"{odd}*(1 + {DELTA}/x**2) - u*{OVER_A} >= 0",
                "0 - l >= 0",
                f"2*{DELTA}/x**2 + l >= 0",
                f"u*(2 + l)*{OVER_A} - 2*{odd} >= 0",
                *MEMBERS,
            ),
            (
                "d > 0",
                "u > 0",
                f"{b} - x**2*u >= 0",
                f"x**2*u*(x**2 + {GAMMA}) - {b}*x**2 >= 0",
                "l + 2 >= 0",
                f"2*{GAMMA}/x**2 - (l + 2) >= 0",
                f"2*({b} - x**2*u) - {b}*(2 + l) >= 0",
                f"{b}*{GAMMA}/x**2 - ({b} - x**2*u) >= 0",
                *MEMBERS,
            ),
        ),
    )


def in_members(state: dict[str, tuple[str, str]], goes_on: tuple[str, ...], phases: tuple[tuple[str, ...], ...]) -> Induction:
    """An induction with u written as what it is of b_j and b_{j+1}."""
    return Induction(
        state={name: (first, replace(then, u=U)) for name, (first, then) in state.items()},
        goes_on=goes_on,
        phases=tuple(tuple(replace(relation, u=U) for relation in phase) for phase in phases),
    )


def terms_in_members(proofs: Proofs) -> Proofs:
    return tuple(tuple((replace(c, u=U), number) for c, number in terms) for terms in proofs)


def members(first: int) -> Proofs:
    """b_{j−1} and b_j are > 0 as b_j and b_{j+1}, relations number ``first`` and ``first`` + 1, are."""
    return (("1", first + 1), ("2*j/x", first)), (("1", first),)


def evidence() -> Recursion:
    """For each relation the sum that it equals one index further down; S = 2j + x²u, c = 2j + b, A = 2/a."""
    b = f"({limits()[1]})"
    S, c, g, A = "(2*j + x**2*u)", f"(2*j + {b})", f"({GAMMA})", f"({OVER_A})"
    next_g = "((d + 3)*(2*j + (d - 1))*((d + 2)*(2*j + d) + 3)/12)"
    to_even = (
        (("1", 0), ("1", -1)),
        ((f"1/{S}", -1),),
        ((f"x**2/(2*{S})", 3), (f"j*{A}/{S}", -1)),
        ((f"x**4/(2*{S})", 4),),
        ((f"4*j/{S}", -1), (f"x**2*u/{S}", 5)),
        (
            (f"x**2*u/{S}", 6),
            (f"4*j*{DELTA_OVER_D_MINUS_1}/(x**2*{S})", 1),
            (f"4*j**2*{A}/(x**2*{S})", -1),
            (f"2*j/{S}", 3),
        ),
        ((f"x**2/(2*{S})", 7),),
        ((f"x**4/(2*{S}*(x**2 + {next_g}))", 4), (f"{A}/2*{next_g}**2/(x**2*(x**2 + {next_g}))", -1)),
        *members(8),
    )
    to_odd = (
        (("1", 0), ("1", -1)),
        (("1", 0),),
        ((f"1/{S}", -1),),
        ((f"2/{S}", 2),),
        (
            (f"2*({c}*x**2 + {g}*{b})/((x**2 + {g})*{c}*x**2*{S})", 3),
            (f"4*j*{g}**2*{b}/((x**2 + {g})*{c}*x**2*{S})", -1),
        ),
        ((f"x**2*u/{S}", 4),),
        ((f"x**2*u/{S}", 5), (f"4*j*{g}/(x**2*{c}*{S})", 2)),
        ((f"2*{c}*x**2*u/({b}*{S}**2)", 6), (f"8*j*({b} - x**2*u)**2/({b}*{S}**2)", -1)),
        *members(8),
    )
    return Recursion(
        first=((("1", -1),), (), (("1/(2*M)", -1),), (), (), (), (), (), (("2*M/x", -1),), (("1", -1),)),
        next=(terms_in_members(to_even), terms_in_members(to_odd)),
    )
