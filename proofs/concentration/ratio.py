r"""High concentration of the finite-start ratio, with remainders that hold for every x > 0.

Statement (paper, Appendix D.5, sharpened).  Let N = M + 1, M − ν a whole number ≥ 0, real ν ≥ 0. For every x > 0

    M − ν odd:    0 ≤ R̃_{ν,M}/x − 2/(N² − ν²) ≤ B/x²,             B = aδ,
    M − ν even:   0 ≤ ½(N² − (ν+1)²) − x R̃_{ν,M} ≤ D/x²,          D = bγ,

with a, b, δ, γ of certify/exact/finite_start.py at j = ν. For M = 2ν: a = 2/((ν+1)(3ν+1)), b = ν(3ν+2)/2, which are the paper's leading
coefficients; B = (ν−1)(3ν²+2ν+3)/(2(3ν+1)) ≤ ν²/2, uniformly in ν ≥ 1; D = ν²(ν+2)(3ν+2)(3ν²+4ν+4)/8.

Proof.  concentration.ratio: the induction of certify/exact/finite_start.py, for real M and all steps at once. It begins with M − ν = 1;
for M = ν all is zero. concentration.limits: the closed forms at M = 2ν (there d = ν) are
identities, the uniform bound of B is a polynomial inequality in ν. Nothing is asymptotic: the limits x → ∞ follow from the bounds.
"""

from __future__ import annotations

from fractions import Fraction

from certify.claims.claim import claim
from certify.claims.conclude import conclude, conclude_induction, exactly
from certify.claims.verdict import Verdict
from certify.exact import finite_start
from certify.exact.coordinates import Coordinates
from certify.exact.expression import replace
from certify.exact.identity import difference_at, first_false, steps
from certify.exact.induction import starts
from certify.exact.inequality import positive
from certify.exact.positivity import Gap
from certify.exact.theorem import Chart, Identity, Map, Nonnegative, Proof, Theorem


def theorem(odd: Fraction, even: Fraction) -> Theorem:
    return Theorem(domain=finite_start.DOMAIN, statements=(finite_start.induction(odd, even),))


@claim(
    "concentration.ratio",
    statement=r"0 \le \tfrac{\tilde R_{\nu,M}}{x} - \tfrac{2}{N^2-\nu^2} \le \tfrac{B}{x^2}\ (M-\nu\ \text{odd}),\quad"
    r" 0 \le \tfrac{N^2-(\nu+1)^2}{2} - x\tilde R_{\nu,M} \le \tfrac{D}{x^2}\ (M-\nu\ \text{even})",
    domain=r"\nu \ge 0,\ M - \nu \in \mathbb N_0,\ x > 0,\ N = M+1,\ B = \frac{(N^2-(\nu+2)^2)(N^2-\nu^2-2\nu+2)}{6(N^2-\nu^2)},"
    r"\ D = \frac{(N^2-(\nu+1)^2)(N^2-(\nu-1)^2)(N^2-\nu^2+3)}{24}",
    source="Appendix D.5 (leading terms), with explicit remainders for all x",
    theorem=theorem,
    constants={"odd": 2, "even": "1/2"},
)
def ratio(odd: Fraction, even: Fraction) -> Verdict:
    return conclude_induction(
        "concentration.ratio",
        theorem(odd, even),
        finite_start.CHART,
        finite_start.evidence(),
        starts(x=[Fraction(1, 3), 1, 7, 100], M=range(1, 9)),
        "limits and remainders of the finite-start ratio for every x > 0, real nu >= 0 and either parity of M - nu",
    )


DOUBLE = Chart(symbols={"nu": Map(map="reciprocal", variable="w", scale="1")})


B = "(nu - 1)*(3*nu**2 + 2*nu + 3)/(2*(3*nu + 1))"
UNIFORM = f"nu**2/2 - {B}"


def closed_forms(odd: Fraction, even: Fraction) -> tuple[Identity, ...]:
    """a, b, B = aδ and D = bγ at j = d = ν, that is for M = 2ν."""
    a, b, delta, gamma = (replace(text, j="nu", d="nu") for text in (*finite_start.limits(), finite_start.DELTA, finite_start.GAMMA))
    return (
        Identity(left=a, right=f"{odd}/((nu + 1)*(3*nu + 1))"),
        Identity(left=b, right=f"{even}*nu*(3*nu + 2)"),
        Identity(left=f"({a})*({delta})", right=B),
        Identity(left=f"({b})*({gamma})", right="nu**2*(nu + 2)*(3*nu + 2)*(3*nu**2 + 4*nu + 4)/8"),
    )


def double_start(odd: Fraction, even: Fraction) -> Theorem:
    return Theorem(domain={"nu": "[1, oo)"}, statements=(*closed_forms(odd, even), Nonnegative(any_of=(UNIFORM,))))


@claim(
    "concentration.limits",
    statement=r"M = 2\nu:\quad \tfrac{2}{N^2-\nu^2} = \tfrac{2}{(\nu+1)(3\nu+1)},\quad \tfrac{N^2-(\nu+1)^2}{2} = \tfrac{\nu(3\nu+2)}{2},"
    r"\quad B = \tfrac{(\nu-1)(3\nu^2+2\nu+3)}{2(3\nu+1)} \le \tfrac{\nu^2}{2},\quad D = \tfrac{\nu^2(\nu+2)(3\nu+2)(3\nu^2+4\nu+4)}{8}",
    domain=r"\nu \ge 1",
    source="Appendix D.5, first two displays",
    theorem=double_start,
    constants={"odd": 2, "even": "1/2"},
)
def limits(odd: Fraction, even: Fraction) -> Verdict:
    statement, forms = double_start(odd, even), closed_forms(odd, even)
    coordinates = Coordinates(statement, DOUBLE)
    false = first_false(coordinates, forms)
    if false is not None:
        value = difference_at(coordinates, false, 1)  # w = 1 is ν = 1
        return Verdict.refuted({"nu": "1"}, f"{false.left} - {false.right} = {value} at nu = 1")
    uniform = positive(coordinates, UNIFORM, strict=False, forms=("3*nu + 1",))
    proof = uniform if isinstance(uniform, Gap) else Proof(chart=DOUBLE, steps=(*steps(forms), uniform))
    summary = "the leading coefficients and remainders at M = 2 nu, and the remainder's uniform bound nu^2/2"
    return conclude("concentration.limits", statement, proof, exactly(coordinates, UNIFORM, strict=False), summary)
