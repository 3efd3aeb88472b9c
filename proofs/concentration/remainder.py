r"""High concentration with explicit remainders, for every x > 0: the finite start's ratio, and its forward's derivative.

Statement.  Let N = M + 1. For R̃_{ν,M} see concentration.ratio, whose induction is the first statement here. For whole ν ≥ 1, M ≥ ν, x > 0

    Φ̃′_{ν,M}(x) = R_0(x) − c/x + Θ/x³,    c = ν + [M−ν odd] − [M odd];  with m = 0 for even and m = 1 for odd ν,

    M − ν odd:    0 ≤ Θ ≤ P(ν) − P(m) + m(N² − 1)(N² + 3)/6,      P(n) = n²(2N² + 8 − n²)/12,
    M − ν even:   −m(N² − 4)(N² + 2)/6 ≤ Θ ≤ G(ν) − G(m),         G(n) = n²(2N² + 2 − n²)/4.

For M = 2ν:  0 ≤ Θ ≤ (ν+1)(13ν³ + 11ν² + 11ν − 3)/4 (ν odd),  0 ≤ Θ ≤ ν²(7ν² + 8ν + 4)/4 (ν even).  Θ tends to the sum of its two bounds.

Proof.  Φ̃′ = R_0 + (1/x) Σ_{i<ν} l_i (claim concentration.potential). Two neighbouring terms, j = ν−1, ν−3, …, give

    2 + l_j + l_{j−1} = 2j(2 + l_j)/(2j + yu_j) ≥ 0,    y = x², as 2 + l_j ≥ 0.

Where M − j is odd, u_j ≥ a_j = 2/(N² − j²) and l_j ≤ 0 make this at most 4j/(a_j y) = 2j(N² − j²)/y. Where M − j is even,
yu_j ≥ b_jy/(y + γ_j) and b_j(2 + l_j) ≤ 2(b_j − yu_j) make it at most 4jγ_j/((2j + b_j)y) = (2j/3)(N² − j² + 3)/y. For odd ν the term of
index 0 is left: 0 ≤ 2 + l_0 ≤ 2γ_0/y for even M, and −2δ_0/y ≤ l_0 ≤ 0 for odd M. Sums over j are polynomials (two inductions, by twos).
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction

from flint import fmpq

from certify.claims.claim import claim
from certify.claims.conclude import conclude_induction
from certify.claims.verdict import Reason, Verdict
from certify.exact import finite_start, recurrence
from certify.exact.by_form import nonnegative
from certify.exact.coordinates import Coordinates
from certify.exact.expression import evaluate, replace
from certify.exact.identity import first_false
from certify.exact.identity import steps as identity_steps
from certify.exact.induction import starts
from certify.exact.theorem import Chart, Identity, Induction, Map, Recursion, Step, Theorem

DOMAIN = {
    **finite_start.DOMAIN,
    **dict.fromkeys(("N", "nu", "i", "b", "g"), "(0, oo)"),
    **dict.fromkeys(("e", "m", "p", "q"), "[0, oo)"),
}
LAST_EVEN = "(N**2 - 1)*(N**2 + 3)/6"  # 2γ_0
CHART = Chart(symbols={name: Map(map="itself", variable=f"{name}_") for name in DOMAIN})


def pair_bounds(third: Fraction) -> tuple[str, str]:
    """x² times the bound of 2 + l_j + l_{j−1}, for M − j even and odd: of sum P and of sum G."""
    return f"{third}*j*(N**2 - j**2 + 3)", "2*j*(N**2 - j**2)"


def sums(third: Fraction) -> tuple[str, str]:
    return f"{third}*n**2*(2*N**2 + 8 - n**2)/8", "n**2*(2*N**2 + 2 - n**2)/4"


def identities(third: Fraction) -> tuple[Identity, ...]:
    """Two neighbouring terms, p = yu and q = l; their bounds, the term left over, and sums at M = 2ν; i is an index, e = M − i."""
    a, b, delta, gamma = (replace(text, j="i", d="e") for text in (*finite_start.limits(), finite_start.DELTA, finite_start.GAMMA))
    even, odd = (replace(bound, j="i", N="i + e + 1") for bound in pair_bounds(third))
    (P, G), N = sums(third), "2*nu + 1"
    return (
        Identity(left="2 + q + (0 - p*(2 + q))/(2*i + p)", right="2*i*(2 + q)/(2*i + p)"),
        Identity(left=f"4*i*{gamma}/(2*i + {b})", right=even),
        Identity(left=f"4*i/({a})", right=odd),
        Identity(left=f"2*({replace(gamma, i='0', e='N - 1')})", right=LAST_EVEN),
        Identity(left=f"2*({replace(delta, i='0', e='N - 1')})", right="(N**2 - 4)*(N**2 + 2)/6"),
        Identity(
            left=replace(f"{replace(P, n='nu')} - {replace(P, n='1')} + {LAST_EVEN}", N=N),
            right="(nu + 1)*(13*nu**3 + 11*nu**2 + 11*nu - 3)/4",
        ),
        Identity(left=replace(G, n="nu", N=N), right="nu**2*(7*nu**2 + 8*nu + 4)/4"),
    )


# 4j/(ay) − 2j(2 + l)/(2j + yu) with u = (1 + p)a, a = 2/g, l = −q; and 4jγ/((2j + b)y) − 2j(2 + l)/(2j + yu) with γ = g,
# yu = by/(y + γ) + p, b(2 + l) = 2(b − yu) − bq: each with the same number written so that its form shows that it is ≥ 0.
ODD = "2*i*g/x**2 - 2*i*(2 - q)/(2*i + x**2*(1 + p)*2/g)", "2*i*(2*i*g/x**2 + 2*p + q)/(2*i + x**2*(1 + p)*2/g)"
EVEN = (
    "4*i*g/((2*i + b)*x**2) - 2*i*(2*(g/(x**2 + g) - p/b) - q)/(2*i + b*x**2/(x**2 + g) + p)",
    "(4*i*g*(2*i*g + p*(x**2 + g))/((2*i + b)*x**2*(x**2 + g)) + 4*i*p/b + 2*i*q)/(2*i + b*x**2/(x**2 + g) + p)",
)


def summation(term: str, total: str) -> Step:
    """Σ term over j = m + 1, m + 3, …, n − 1 is total(n) − total(m)."""
    return Step(
        statement=Induction(
            state={"n": ("m", "n + 2"), "T": ("0", f"T + {replace(term, j='n + 1')}")},
            goes_on=("nu - n",),
            phases=((f"T - ({total} - {replace(total, n='m')}) = 0",),),
        ),
        evidence=Recursion(first=((),), next=(((("1", 0),),),)),
    )


def further(third: Fraction) -> tuple[Step, ...]:
    summations = map(summation, pair_bounds(third), sums(third))
    return (nonnegative(*EVEN), nonnegative(*ODD), *identity_steps(identities(third)), *summations)


def theorem(odd: Fraction, even: Fraction, third: Fraction) -> Theorem:
    statements = (step.statement for step in further(third))
    return Theorem(domain=DOMAIN, statements=(finite_start.induction(odd, even), *statements))


@claim(
    "concentration.remainder",
    statement=r"\tilde\Phi_{\nu,M}' = R_0 - \tfrac{c}{x} + \tfrac{\Theta}{x^3},"
    r"\ c = \nu + [M-\nu\ \text{odd}] - [M\ \text{odd}],\ m = [\nu\ \text{odd}]:\quad"
    r" M-\nu\ \text{odd}:\ 0 \le \Theta \le P(\nu) - P(m) + m\tfrac{(N^2-1)(N^2+3)}{6},\ P(n) = k\tfrac{n^2(2N^2+8-n^2)}{8},\ k = \tfrac23;"
    r"\quad M-\nu\ \text{even}:\ -m\tfrac{(N^2-4)(N^2+2)}{6} \le \Theta \le G(\nu) - G(m),\ G(n) = \tfrac{n^2(2N^2+2-n^2)}{4};"
    r"\quad \tilde R_{\nu,M}\ \text{as in concentration.ratio}",
    domain=r"\nu, M \in \mathbb N,\ M \ge \nu,\ x > 0,\ N = M+1",
    source="beyond the paper: explicit remainders for all x, in every parity case of Appendix D.5",
    in_words="Phi~' = R_0 + sum of l_i/x over i < nu, by claim concentration.potential, its terms taken in pairs",
    theorem=theorem,
    constants={"odd": 2, "even": "1/2", "third": "2/3"},
)
def remainder(odd: Fraction, even: Fraction, third: Fraction) -> Verdict:
    false = first_false(Coordinates(theorem(odd, even, third), CHART), identities(third))
    if false is None:
        return conclude_induction(
            "concentration.remainder",
            theorem(odd, even, third),
            CHART,
            finite_start.evidence(),
            starts(x=[Fraction(1, 3), 1, 7, 100], M=range(1, 9)),
            "remainders of the ratio and of the forward's derivative for every x > 0 in each parity case, in closed form",
            further(third),
        )
    witness = counterexample(third)
    if witness is None:
        return Verdict.undecided(Reason.HYPOTHESIS_FAILS, f"not an identity: {false.left} = {false.right}")
    return Verdict.refuted(witness, f"Theta exceeds its bound at nu = {witness['nu']}, M = {witness['M']}, x = {witness['x']}")


def counterexample(third: Fraction) -> Mapping[str, str] | None:
    """An even ν, odd M − ν and x at which Θ, computed in rationals, exceeds P(ν)."""
    x = fmpq(10) ** 6
    for nu, start in itertools.product((2, 4, 6), (7, 9, 13)):
        symbols = {"N": fmpq(start + 1), "n": fmpq(nu)}
        most = evaluate(sums(third)[0], symbols, fmpq)
        theta = (recurrence.excess(nu, start, x) + fmpq(nu) / x) * x**3
        if theta > most:
            return {"nu": str(nu), "M": str(start), "x": str(x), "Theta": str(theta), "bound": str(most)}
    return None
