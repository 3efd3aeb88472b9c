r"""For M − ν odd the raw ratio increases from 0 to ∞, and crosses one exactly once.

Statement.  Let M − ν ≥ 1 be odd, real ν ≥ 0. R̃_{ν,M} strictly increases on (0, ∞); there is exactly one x with R̃_{ν,M}(x) = 1, it lies
in [2(ν+1), (N² − ν²)/2], N = M + 1, and the clipped rule supplies R̃ below it and 1 above it. (The paper: at least once.)

Proof.  R_j and V_{j+1} = K_j/K_{j+1} increase, j ≥ 0 (claims ratio.increasing, ratio.second), and they lie in (0, 1). With ρ and h of claim
recurrence.closed, x(R_jV_{j+1})′/(R_jV_{j+1}) = h_{j+1} − h_j, an identity of the certificate (f, g, k are I_j, I_{j+1}, K_j).
Hence h_N > h_i for i < N, and ρ_i = ∏_{j=i}^{M} R_jV_{j+1} lies in (0, 1) and increases for i ≤ M, x ρ_i′ = ρ_i(h_N − h_i). In
R̃ = R_ν(1 + σρ_{ν+1})/(1 − σρ_ν), where σ = −σ_ν = 1, every factor increases: the certificate has the derivative and shows it positive
term by term, with y for R_ν, p for R_ν′, v for ρ_{ν+1}, w for 1/ρ_ν − 1, e = h_N − h_ν > 0 and e₁ = h_N − h_{ν+1} ≥ 0. R̃ < 1 up to
2(ν+1), and R̃ ≥ 1 from (N² − ν²)/2 on (claim concentration.crossing).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from certify.claims.certificate import certify_theorem
from certify.claims.claim import claim
from certify.claims.verdict import Reason, Verdict
from certify.exact import recurrence
from certify.exact.by_form import positive
from certify.exact.expression import replace
from certify.exact.identity import steps
from certify.exact.theorem import Chart, Identity, Map, Proof, Step, Theorem

DOMAIN = {**dict.fromkeys(("R", "p", "r", "q", "e"), "(0, oo)"), **dict.fromkeys(("e1", "j"), "[0, oo)"), "x": "(0, oo)"}
CHART = Chart(symbols={name: Map(map="itself", variable=f"{name}_") for name in DOMAIN})
ABOVE = "((1/x - g*k)/f)"  # K_{j+1}, by the Wronskian (DLMF 10.28.2)
FUNCTIONS = {
    "y": {"x": "p"},
    "v": {"x": "v*e1/x"},
    "w": {"x": "0 - (1 + w)*e/x"},
    "f": {"x": "g + j/x*f"},
    "g": {"x": "f - (j + 1)/x*g"},
    "k": {"x": f"j/x*k - {ABOVE}"},
}
STEP_UP = Identity(left=f"x*diff(g/f*(k/{ABOVE}), x)/(g/f*(k/{ABOVE}))", right=f"1/(g*{ABOVE}) - 1/(f*k)")


def derivative(sigma: Fraction) -> Identity:
    rest = f"(w + {1 - sigma})"
    return Identity(
        left=f"diff(y*(1 + {sigma}*v)*(1 + w)/{rest}, x)",
        right=f"p*(1 + {sigma}*v)*(1 + w)/{rest} + {sigma}*y*v*e1*(1 + w)/(x*{rest}) + {sigma}*y*(1 + {sigma}*v)*(1 + w)*e/(x*{rest}**2)",
    )


def increase(sigma: Fraction) -> Step:
    """The derivative at any values R of y, r of v and q of w is > 0 as it is written."""
    text = replace(derivative(sigma).right, y="R", v="r", w="q")
    return positive(text, text)


def theorem(sigma: Fraction) -> Theorem:
    return Theorem(domain=DOMAIN, derivatives=FUNCTIONS, statements=(derivative(sigma), increase(sigma).statement, STEP_UP))


@claim(
    "defect.crossing",
    statement=r"M-\nu\ \text{odd}:\ \tilde R_{\nu,M}' > 0,\quad \#\{x > 0 : \tilde R_{\nu,M}(x) = 1\} = 1",
    domain=r"\nu \ge 0,\ M - \nu \in \{1, 3, 5, \dots\},\ x > 0",
    source="beyond the paper: exactly once, for the at least once of Appendix D.3.4",
    in_words="the signs of R' and V' (ratio.increasing, .second), added and multiplied up over j; that an increasing function crosses once",
    theorem=theorem,
    constants={"sigma": 1},
)
def crossing(sigma: Fraction) -> Verdict:
    if sigma != 1:
        return _fails(sigma)
    proof = Proof(chart=CHART, steps=(*steps([derivative(sigma), STEP_UP]), increase(sigma)))
    summary = "the raw ratio strictly increases and crosses one exactly once, for every real nu >= 0 and odd M - nu"
    return Verdict.proved(certify_theorem("defect.crossing", theorem(sigma), proof), summary)


def _fails(sigma: Fraction) -> Verdict:
    """σ = −1 is M − ν even, where R̃ decreases in the end; no other σ is of the recurrence."""
    witness = counterexample() if sigma == -1 else None
    if witness is None:
        return Verdict.undecided(Reason.HYPOTHESIS_FAILS, f"sigma = {sigma} is not a sign of the recurrence")
    return Verdict.refuted(witness, "the raw ratio is smaller at the larger x")


def counterexample(nu: int = 2, start: int = 4) -> Mapping[str, str] | None:
    """Two x between which R̃, in rationals, decreases."""
    low, high = (recurrence.ratio(nu, start, x) for x in (10, 1000))
    if low <= high:
        return None
    return {"nu": str(nu), "M": str(start), "x": "10, 1000", "R~": f"{low}, {high}"}
