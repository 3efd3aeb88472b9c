r"""What a kernel computes for A_n: |fl(A_n(x)) − A_n(x)| ≤ k u for every float x ≥ 0 and every float ν ≥ ν_min, n = 0 … 8; ν is at most
2^30 in binary32 and 2^400 in binary64, as in ``certify.vmf``.

The program (certify/exact/ladder_program.py) is the one that ``certify.vmf`` ships; s is a hypot, or the root of a sum of squares, which is
what compiled kernels do. One proof at u = 2^−24 covers binary32 and binary64: a bound k u for large u is one for small u.

Proof.  Let the operations be replaced by the rounded ones, one after the other in their order. Each replacement moves the result by at most
sup|∂out/∂vᵢ|·|εᵢ|, the derivative being that of the exact operations that follow, so that the error is at most the sum: there is no term of
second order. With m = x/(ν+s) and ε = 1/ν every node is a power of s times a function of m and ε, whose errors are bounded relatively, or
by the binade of the numbers on a box. Boxes of the unit square cover all ν ≥ ν_min and all x at once; the checker repeats both sweeps in
integers (certify/checker/ROUNDING.md). As x → ∞ the bound tends to 4u: 2u of a hypot of one ulp, u of the sum ν + s, ½u each of the
quotient and of the difference, which are at most 1. What A_n changes beyond x_max adds less than u/40 in binary32.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from certify.claims.claim import Claim, claim
from certify.claims.conclude import conclude_rounding
from certify.claims.verdict import Verdict
from certify.exact.ladder import ratio_definitions
from certify.exact.ladder_program import ratio as program
from certify.exact.rounding.ladder import DOMAIN, FLOATS, PROFILES, ladder_theorem
from certify.exact.rounding.theorem import Rounding

ORDERS = range(9)
HALF, SHARP = Fraction(1, 2), Fraction(81, 20)
LEAST = dict(zip(ORDERS, map(Fraction, ("1/2", "1", "1", "1", "3/2", "2", "2", "5/2", "3")), strict=True))
"""ν_min(n): from there on the error at x = ∞ is the largest one."""
BELOW = {
    1: {"half": "71/10"},
    2: {"half": "12"},
    3: {"half": "40"},
    4: {"half": "220", "one": "9"},
    5: {"one": "27"},
    6: {"one": "150"},
    7: {"two": "15/2"},
    8: {"two": "28"},
}
"""k for smaller orders ν: there terms of A_n that cancel are large."""
GPU = {"cuda": "41/4", "cuda_compiled": "33/4"}
"""k under profiles in which hypot is worse, or the quotient."""
FROM = {"half": HALF, "one": Fraction(1), "two": Fraction(2)}


def theorem(n: int, kind: str, largest: str, k: Fraction, nu_min: Fraction) -> Rounding:
    squares, profiles = PROFILES[kind]
    return ladder_theorem(program(n, squares), ratio_definitions(n, "A"), profiles, nu_min, k, largest=largest)


def prove(id: str, statement: Rounding, n: int) -> Verdict:
    summary = (
        f"|fl(A_{n}) - A_{n}| <= {statement.k} u for {FLOATS.format(nu=statement.nu)}, under profile "
        f"{statement.profile.name}; with claim ladder.{n}, |fl(A_{n}) - R_nu| <= C/nu^{n + 2} + {statement.k} u"
    )
    return conclude_rounding(id, statement, summary)


def rounding(n: int, name: str, kind: str, k: Fraction, nu_min: Fraction, largest: str) -> Claim:
    """The claim ``rounding.ratio.n``, followed by a name if there is one."""
    id = ".".join(["rounding.ratio", str(n), *([name] if name else [])])
    formal = partial(theorem, n, kind, largest)

    @claim(
        id,
        statement=rf"|\mathrm{{fl}}(A_{n}(x)) - A_{n}(x)| \le k\,u,\quad"
        rf" |\mathrm{{fl}}(A_{n}(x)) - R_\nu(x)| \le C_{n}\,\nu^{{-{n + 2}}} + k\,u",
        domain=DOMAIN,
        source="beyond the paper: the forward of Section 4.1 as it is computed, for every order of the expansion",
        theorem=formal,
        constants={"k": k, "nu_min": nu_min},
        in_words=f"The second bound is the first one and claim ladder.{n}, which has C_{n}. " + STORED * bool(largest),
    )
    def rung(k: Fraction, nu_min: Fraction) -> Verdict:
        return prove(id, formal(k, nu_min), n)

    return rung


STORED = (
    "Inputs in bfloat16 and float16 are computed with in binary32; as |fl(A)| <= 1 there, to round the result to these formats adds at "
    "most half of their unit roundoffs, 2^-9 and 2^-12."
)


def declared() -> dict[str, Claim]:
    """All claims: of each order, of smaller orders ν, of sums of squares, of GPUs."""
    found = [rounding(n, "", "", SHARP, LEAST[n], "1") for n in ORDERS]
    found += [rounding(n, name, "", Fraction(k), FROM[name], "") for n, rows in BELOW.items() for name, k in rows.items()]
    found += [rounding(n, "squares", "squares", SHARP, LEAST[n], "1") for n in ORDERS]
    found += [rounding(n, kind, kind, Fraction(k), LEAST[n], "") for n in ORDERS for kind, k in GPU.items()]
    return {each.id.replace(".", "_"): each for each in found}


globals().update(declared())
