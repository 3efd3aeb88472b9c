r"""The clipped rule's coherence defect at high concentration: (ν + 3/2)/x for odd ν, and −1 for even ν, when M = 2ν.

Statement (paper, Sections 3.2 and 5.3; for even ν beyond the paper).  d = g − Φ̃′ with the clipped backward g = min(R̃_{ν,2ν}, 1). With
Θ* = (ν+1)(13ν³ + 11ν² + 11ν − 3)/4 for odd and ν²(7ν² + 8ν + 4)/4 for even ν (claim concentration.remainder):

    ν odd,  x ≥ (ν+1)(3ν+1)/2:   |x d − (ν + 3/2)| ≤ 3/x + Θ*/x²,
    ν even, every x > 0:         |d + 1| ≤ ν(3ν+2)/(2x) + (ν + ½)/x + 3/x² + Θ*/x³.

Proof.  Odd ν: R̃ ≥ 1 there (claim concentration.crossing), so g = 1, and Φ̃′ = R_0 − (ν+1)/x + Θ/x³, 0 ≤ Θ ≤ Θ* (claim
concentration.remainder, c = ν + 1), so that x d − (ν + 3/2) = (x(1 − R_0) − ½) − Θ/x². Even ν: 0 ≤ R̃ ≤ ν(3ν+2)/(2x) (claim
concentration.ratio), so g ≥ 0 is at most that, and c = ν: d + 1 = g + (1 − R_0) + ν/x − Θ/x³. The certificate shows the inequalities, for
any θ, rest, g, gap ≥ 0, where Θ = θ, Θ* = θ + rest and ν(3ν+2)/(2x) = g + gap, from the bounds of R_0 in claim ratio.zero, which it
proves again. For all x > 0 and any start see claim defect.law.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb, fmpq

from certify.claims.certificate import certify_theorem
from certify.claims.claim import claim
from certify.claims.verdict import Reason, Verdict
from certify.exact import recurrence
from certify.exact.ball import decimal, working_precision
from certify.exact.derivation import Derivation, derive
from certify.exact.number import exact
from certify.exact.order_zero import RATIO_ZERO, prove
from certify.exact.positivity import Gap
from certify.exact.theorem import Chart, Map, Nonnegative, Theorem
from certify.exact.truth import Truth, less

PARAMETERS = ("nu", "theta", "rest", "g", "gap")
CHART = Chart(
    symbols={
        **{name: Map(map="itself", variable=f"{name}_") for name in PARAMETERS},
        "x": Map(map="stereographic", variable="m", scale="1"),
    }
)
ODD, EVEN = "(R0 - (nu + 1)/x + theta/x**3)", "(R0 - nu/x + theta/x**3)"  # Φ̃′


def inequalities(shift: Fraction) -> dict[str, tuple[tuple[str, str], ...]]:
    """Radius ∓ error, for odd and for even ν, each with the terms that make it ≥ 0."""
    odd, even = f"(x*(1 - {ODD}) - (nu + {shift}))", f"(g - {EVEN} + 1)"
    least, most = "3/x + (theta + rest)/x**2", f"g + gap + (nu + {shift} - 1)/x + 3/x**2 + (theta + rest)/x**3"
    return {
        f"{least} - {odd}": (("x", "low"), ("1", "low tail"), ("(2*theta + rest)/x**2", "one")),
        f"{least} + {odd}": (("x", "high"), ("1", "high tail"), ("rest/x**2", "one")),
        f"{most} - {even}": (("1", "low"), ("1/x", "low tail"), ("gap + (2*theta + rest)/x**3", "one")),
        f"{most} + {even}": (("1", "high"), ("1/x", "high tail"), ("2*g + gap + (2*nu + 1)/x + rest/x**3", "one")),
    }


def theorem(shift: Fraction) -> Theorem:
    return Theorem(
        domain={**dict.fromkeys(PARAMETERS, "[0, oo)"), "x": "(0, oo)"},
        solutions={"R0": RATIO_ZERO},
        statements=tuple(Nonnegative(any_of=(text,)) for text in inequalities(shift)),
    )


@claim(
    "concentration.defect",
    statement=r"\nu\ \text{odd}:\ |x\,d_{\rm clip}(x) - (\nu+\tfrac32)| \le \tfrac3x + \tfrac{\Theta^*}{x^2}"
    r"\ (x \ge \tfrac{(\nu+1)(3\nu+1)}2);\quad"
    r" \nu\ \text{even}:\ |d_{\rm clip}(x) + 1| \le \tfrac{\nu(3\nu+2)}{2x} + \tfrac{\nu+1/2}{x} + \tfrac{3}{x^2} + \tfrac{\Theta^*}{x^3}",
    domain=r"\nu \in \mathbb N,\ M = 2\nu",
    source="Sections 3.2 and 5.3, Appendix D.5; even nu beyond the paper",
    in_words="the bounds of Theta and of R~ that enter, from concentration.crossing, .ratio and .remainder",
    theorem=theorem,
    constants={"shift": "3/2"},
)
def defect(shift: Fraction) -> Verdict:
    def build(derivation: Derivation) -> None:
        facts = prove(derivation, 3)
        for text, terms in inequalities(shift).items():
            derivation.combined(Nonnegative(any_of=(text,)), *((coefficient, facts[name]) for coefficient, name in terms))

    proof = derive(theorem(shift), CHART, build)
    if shift != Fraction(3, 2) or isinstance(proof, Gap):
        return _fails(shift)
    summary = "x d_clip -> nu + 3/2 for odd nu, d_clip -> -1 for even nu, with explicit remainders"
    return Verdict.proved(certify_theorem("concentration.defect", theorem(shift), proof), summary)


def _fails(shift: Fraction, nu: int = 1) -> Verdict:
    """An x at which balls confirm that |x d − (ν + shift)| exceeds its remainder, ν odd, where d = 1 − Φ̃′."""
    theta = fmpq((nu + 1) * (13 * nu**3 + 11 * nu**2 + 11 * nu - 3), 4)
    with working_precision(512):
        for x in (fmpq(10) ** k for k in range(1, 31)):
            error = abs(x * (1 - recurrence.derivative(nu, 2 * nu, arb(x))) - (nu + exact(shift)))
            if less(3 / x + theta / x**2, error) is Truth.YES:
                found = {"nu": str(nu), "M": str(2 * nu), "x": str(x), "|x d - (nu + shift)|": decimal(error, 15)}
                return Verdict.refuted(found, f"the remainder is exceeded at nu = {nu}, x = {x}")
    return Verdict.undecided(Reason.HYPOTHESIS_FAILS, "the law is not the identity given")
