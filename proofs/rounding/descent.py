r"""What ``certify.vmf.descent`` computes: R_ν at every order ν ≥ 0, by m steps of the recurrence from A_8 at order N = ν + m.

Statement.  Let x ≥ 0, ν ≥ 0 and N be floats of binary32 or binary64, m ≥ 1 and 6 ≤ N ≤ 128. At x′ = min(x, x_max) let E = |A_8 − R_N| and
P = Π_{0≤i<m} R_{ν+i}². Then, with k = 4 and k′ = 3 on CPUs, k = 10 and k′ = 7 on GPUs,

    |fl(R_ν(x)) − R_ν(x)| ≤ k u + 1.01 E P,      |fl(1 − R_ν(x)) − (1 − R_ν(x))| ≤ k′ u + 1.01 E P.

Proof.  Let D_i = 1 − R_{ν+i} at x′, and let δ_i bound the error of what is computed for it. The numbers below are for CPUs.

1. As N is a float, so are ν + i, 0 ≤ i ≤ m, whose last digits are no finer, and c_i = 2(ν+i+1): nothing rounds in them.
2. *Start* (proofs/rounding/descent_start.py): δ_m = 8u(1 − A_8) + E ≤ 8u D_m + (1+8u) E.
3. *Step* (proofs/rounding/descent_step.py), as long as δ_{i+1} ≤ 2^−15, with R = R_{ν+i} and θ = 2^−14:

    δ_i = (1+θ)(R² δ_{i+1} + u (R² D_{i+1} + R D_i + 2 D_i)).

4. *Invariant.*  With φ(D) = 12/5 + 3/2 D²,  δ_i ≤ (1+θ)^{m−i} (φ(D_i) u + (1+8u) E Π_{i≤j<m} R_{ν+j}²) for 1 ≤ i < m. For by the theorem,
   where μ = ν+i+1 and D₊ = D_{i+1}, 8R² D₊ + R² D₊ + R D + 2D < φ(D) for μ ≥ 6, and R² φ(D₊) + R² D₊ + R D + 2D < φ(D) for μ ≥ 2. So all
   δ_i ≤ 2^−15, as E < 1246/6^10 < 2^−15.5 (claim ladder.pointwise.8), and (1+θ)^{m+1} (1+8u) < 1.008, as m ≤ 128.
5. *End.*  x/y_0 is off by at most ½u more, 4u R on GPUs: the last inequalities of the theorem, from φ(D_1), or from 8u D_1 where m = 1.
6. *The last quotient is at most 1*, which ½u supposes: h_0 > 0, so that y_0 as computed is at least x. For orders μ = ν+i ≥ 1 let
   β_i = (μ+½) δ_i/D_i. By the theorem x D₊ ≤ μ + 3/2, so that R² D₊/D = R x D₊/(2μ + 2 − x D₊) ≤ (μ + 3/2)/(μ + ½), and
   β_i ≤ (1+θ)(β_{i+1} + u (4μ + 3)). It starts below (N+½)(9u + 1.01 E/D_m), where E < 1246/s^10 and D_m > L ≥ 4N/(5s), by claims
   ladder.pointwise.8, ratio.increasing (R_N < x/(N+s)) and rounding.descent.leading. In sum β < 3/1000; on GPUs, with 7μ + 5 and 20u,
   < 4/1000. So δ_1 < D_1/256, and as x D_1 ≤ 7(ν+1)/4 by the theorem, fl(x D_1) < c_0.
7. *Underflow* costs less than 2^−110, where x < 2^−60; there R is tiny, and of k u and k′ u less than 3/4 is used. *Beyond x_max* R_ν
   changes by at most 1 − R_ν(x_max) ≤ c_0/x_max < 2^−27 u, which 1.01 in place of 1.008 pays for. ∎

*The theorem.*  D₊ = P runs over [0, 1 − r], where r = x/(μ+½+√((μ+3/2)²+x²)) < R_μ (Amos 1974) is proved as a barrier of
R_μ′ = 1 − (2μ+1)/x R_μ − R_μ². Then R = R_{μ−1} = x/(2μ + x(1 − P)), D = 1 − R, and for x = (μ+3/2) 2m/(1−m²) all is rational in μ, m and
the share P/(1 − r): Bernstein positivity.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from certify.claims.claim import Claim, claim
from certify.claims.conclude import conclude
from certify.claims.verdict import Verdict
from certify.exact import uniform
from certify.exact.derivation import Derivation, derive
from certify.exact.riccati import wall
from certify.exact.rounding.model import OFF
from certify.exact.theorem import Chart, Map, OneSided, Positive, Solution, Theorem
from proofs.rounding.descent_start import LEAST

MOST = 128
"""N up to which the claims hold; from ``LEAST`` on."""
START = {"": 8, "cuda": 19}
"""Units u of 1 − A_8 by which the start is off."""
PASSED_ON = Fraction(101, 100)
"""What the error of A_8 times P, and the errors of first order, may be multiplied by."""
INVARIANT = {"": ("12/5", "3/2"), "cuda": ("47/10", "6")}
"""φ(D) = a + b D²."""
K, REST = {"": 4, "cuda": 10}, {"": 3, "cuda": 7}

RATIO = Solution(
    variable="x",
    equation="1 - (2*mu + 1)/x*R_mu - R_mu**2",
    below="1",
    damping="(2*mu + 1)/x + 2*R_mu",
    is_="I_{mu+1}(x)/I_mu(x), modified Bessel functions of the first kind",
    source=uniform.RATIO.source,
)
CHART = Chart(
    symbols={
        "mu": Map(map="reciprocal", variable="w", scale="1"),
        "share": Map(map="itself", variable="v"),
        "x": Map(map="stereographic", variable="m", scale="mu + 3/2"),
    },
    roots={"sigma": "(mu + 3/2)*(1 + m**2)/(1 - m**2)"},
)
WHERE = {
    "sigma": "sqrt(x**2 + (mu + 3/2)**2)",
    "r": "x/(mu + 1/2 + sigma)",
    "P": "share*(1 - r)",
    "y": "2*mu + x*(1 - P)",
    "R": "x/y",
    "D": "1 - R",
}
LOWER, QUOTIENT = OneSided(solution="R_mu", side="above", function="x/(mu + 1/2 + sigma)"), Positive(any_of=("y",))
SIZES = (Positive(any_of=("7*mu/4 - x*(1 - r)",)), Positive(any_of=("2 - mu", "mu + 1/2 - x*(1 - r)")))
"""x(1 − r) ≤ 7μ/4 for μ ≥ 1, and ≤ μ + ½ for μ ≥ 2."""


def theorem(kind: str, k: Fraction, rest: Fraction) -> Theorem:
    return Theorem(
        domain={"mu": "[1, oo)", "share": "[0, 1]", "x": "(0, oo)"},
        where=WHERE,
        solutions={"R_mu": RATIO},
        statements=(LOWER, QUOTIENT, *SIZES, *bounds(kind, k, rest)),
    )


def bounds(kind: str, k: Fraction, rest: Fraction) -> tuple[Positive, ...]:
    """The invariant, from the start and from step to step; then both ends, from the start where it is one step away, and in general."""
    (a, b), (_, q), first = INVARIANT[kind], OFF[kind], f"{START[kind]}*P"
    invariant, before = f"({a} + {b}*D**2)", f"({a} + {b}*P**2)"
    inner = f"R**2*P + R*D + {1 + q}*D"
    last = "R**2*P + R*D + R + " + ("1/2" if q == 1 else f"{q}*R")
    ends = ((k, last), (rest, inner))
    return (
        _from(LEAST, f"{invariant} - (R**2*{first} + {inner})"),
        _from(Fraction(2), f"{invariant} - (R**2*{before} + {inner})"),
        *(_from(LEAST, f"{bound} - {PASSED_ON}*(R**2*{first} + {end})") for bound, end in ends),
        *(Positive(any_of=(f"{bound} - {PASSED_ON}*(R**2*{before} + {end})",)) for bound, end in ends),
    )


def _from(order: Fraction, text: str) -> Positive:
    """text > 0 for μ ≥ order."""
    return Positive(any_of=(f"{order} - mu", text))


def declared(kind: str) -> Claim:
    """The claim ``rounding.descent``, followed by a kind if there is one."""
    id = ".".join(["rounding.descent", *([kind] if kind else [])])

    @claim(
        id,
        statement=r"|\mathrm{fl}(R_\nu(x)) - R_\nu(x)| \le k\,u + 1.01\,|A_8 - R_{\nu+m}|\prod_{i<m} R_{\nu+i}^2,\quad"
        r" \text{and with}\ k'\ \text{for}\ 1 - R_\nu",
        domain=r"\text{all floats}\ x, \nu \ge 0\ \text{and}\ m \ge 1\ \text{with a float}\ \nu + m \in [6, 128];\ u = 2^{-24}, 2^{-53}",
        source="beyond the paper: small orders by the recurrence DLMF 10.29.1, as they are computed",
        theorem=partial(theorem, kind),
        constants={"k": K[kind], "rest": REST[kind]},
        in_words="the induction over the steps, from claims rounding.descent.start, .leading and .step, with ladder.pointwise.8 and "
        "ratio.increasing; that h > 0; underflow; beyond x_max: points 1 to 7 of proofs/rounding/descent.py",
    )
    def prove(k: Fraction, rest: Fraction) -> Verdict:
        def build(derivation: Derivation) -> None:
            wall(derivation, LOWER)
            derivation.shown(QUOTIENT, ("mu + 1/2 + sigma",))
            for each in (*SIZES, *bounds(kind, k, rest)):
                derivation.shown(each, ("mu + 1/2 + sigma", "y"))

        summary = f"R_nu by any number of steps from A_8: {k} u, and {rest} u for 1 - R_nu, beside what the steps leave of the error of A_8"
        return conclude(id, theorem(kind, k, rest), derive(theorem(kind, k, rest), CHART, build), lambda _: _refuted(k, rest), summary)

    return prove


def _refuted(k: Fraction, rest: Fraction) -> dict[str, str] | None:
    """Floats at which more than k u, or k′ u, is lost."""
    from certify.exact.rounding.descent_violation import violation

    found = violation(k, PASSED_ON) or violation(rest, PASSED_ON, complement=True)
    return dict(found) if found else None


globals().update({f"descent_{kind}": declared(kind) for kind in K})
