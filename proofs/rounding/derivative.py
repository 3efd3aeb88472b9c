r"""What a kernel computes for A_n′, for the double backward: |fl(A_n′(x)) − A_n′(x)| ≤ k u/s′, s′ = √(x′² + ν²), x′ = min(x, x_max).

A_n′ scales like 1/s, and so does the bound. The program is A_n′ = t/(ν+s) − e²(P_0(v) + e(P_1(v) + …)) of
certify/exact/ladder_program.py; that it is the derivative of A_n the checker finds by differentiating the definitions. The method is that
of ``rounding.ratio``. Beyond x_max both A_n′ and what is computed are below a thirtieth of u/s′.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from certify.claims.claim import Claim, claim
from certify.claims.conclude import conclude_rounding
from certify.claims.verdict import Verdict
from certify.exact.ladder import ratio_definitions
from certify.exact.ladder_program import slope as program
from certify.exact.rounding.ladder import DOMAIN, FLOATS, PROFILES, ladder_theorem
from certify.exact.rounding.theorem import Rounding

ORDERS = range(9)
SHARP, SIX = Fraction(81, 20), Fraction(6)
LEAST = dict(zip(ORDERS, map(Fraction, ("9/2", "3", "3", "3", "7/2", "7/2", "4", "9/2", "9/2")), strict=True))
"""ν_min(n): from there on the error where s is just above a power of two and x/ν small is the largest one."""
LEAST_OF_SQUARES = dict(zip(ORDERS, map(Fraction, ("2", "2", "2", "2", "5/2", "3", "3", "4", "4")), strict=True))
BELOW = {
    0: {"half": "12", "one": "15/2", "two": "26/5"},
    1: {"half": "25", "one": "19/2", "two": "26/5"},
    2: {"half": "65", "one": "11", "two": "27/5"},
    3: {"one": "25", "two": "28/5"},
    4: {"one": "95", "two": "12", "five_halves": "5"},
    5: {"two": "14", "three": "24/5"},
    6: {"three": "28/5"},
    7: {"three": "11", "four": "22/5"},
    8: {"three": "26", "four": "5"},
}
"""k for smaller orders ν."""
_NAMES = {"half": "1/2", "one": "1", "two": "2", "five_halves": "5/2", "three": "3", "four": "4"}
FROM = {name: Fraction(nu) for name, nu in _NAMES.items()}


def definitions(n: int) -> dict[str, str]:
    """A_n, and its derivative along x, which the checker takes itself."""
    return ratio_definitions(n, "A") | {"B": "diff(A, x)"}


def theorem(n: int, kind: str, k: Fraction, nu_min: Fraction) -> Rounding:
    squares, profiles = PROFILES[kind]
    return ladder_theorem(program(n, squares), definitions(n), profiles, nu_min, k, unit="1/s")


def prove(id: str, statement: Rounding, n: int) -> Verdict:
    summary = (
        f"|fl(A_{n}') - A_{n}'| <= {statement.k} u/hypot(min(x, x_max), nu) for {FLOATS.format(nu=statement.nu)}, "
        f"under profile {statement.profile.name}"
    )
    return conclude_rounding(id, statement, summary)


def rounding(n: int, name: str, kind: str, k: Fraction, nu_min: Fraction) -> Claim:
    """The claim ``rounding.derivative.n``, followed by a name if there is one."""
    id = ".".join(["rounding.derivative", str(n), *([name] if name else [])])
    formal = partial(theorem, n, kind)

    @claim(
        id,
        statement=rf"|\mathrm{{fl}}(A_{n}'(x)) - A_{n}'(x)| \le \frac{{k\,u}}{{\sqrt{{x'^2 + \nu^2}}}},\quad x' = \min(x, x_{{\max}})",
        domain=DOMAIN,
        source="beyond the paper: the double backward of Section 4.1 as it is computed, for every order of the expansion",
        theorem=formal,
        constants={"k": k, "nu_min": nu_min},
    )
    def bound(k: Fraction, nu_min: Fraction) -> Verdict:
        return prove(id, formal(k, nu_min), n)

    return bound


def declared() -> dict[str, Claim]:
    """All claims: of each order, of smaller orders ν, and of sums of squares."""
    found = [rounding(n, "", "", SHARP, LEAST[n]) for n in ORDERS]
    found += [rounding(n, name, "", Fraction(k), FROM[name]) for n, rows in BELOW.items() for name, k in rows.items()]
    found += [rounding(n, "squares", "squares", SIX, LEAST_OF_SQUARES[n]) for n in ORDERS]
    return {each.id.replace(".", "_"): each for each in found}


globals().update(declared())
