r"""The coherence defect of the finite start, exactly and between closed forms, for every x > 0, order, start and parity.

Statement.  d = g − Φ̃′_{ν,M}, with the raw backward g = R̃_{ν,M} or the clipped one g = min(R̃_{ν,M}, 1); whole ν ≥ 1, M ≥ ν, N = M + 1,
σ_i = (−1)^{M−i}, ρ_i = (I_N/K_N)(K_i/I_i) = e^{−λ_i}, h_i = 1/(I_i K_i). For every x > 0

    R̃ − Φ̃′ = −σ_ν h_N/(x(e^{λ_ν} + σ_ν)) + σ_0 (h_N − h_0)/(x(e^{λ_0} + σ_0)),                                        (raw)
    1 − Φ̃′ = 1 − R_ν + (h_N − h_ν)/(x(e^{λ_ν} − 1)) + σ_0 (h_N − h_0)/(x(e^{λ_0} + σ_0))          (M − ν odd),         (one)

and for M − ν odd the clipped rule supplies 1, so that its defect is (one), where h_ν/(x(e^{λ_ν} − 1)) ≥ 1 − R_ν; elsewhere it is (raw).
Clipped or not, d > 0 for M − ν odd and d < 0 for M − ν even. With i ≥ 1, s = √(x² + i²), V_i = K_{i−1}/K_i and c = 0.5001

    |R_i − A_R(i, x)| ≤ c x/s⁴,    |log I_i − i log x − F_R(i, x) + ½ log 2π| ≤ c/(2s²),    V_i as in claim ratio.second,
    h_i = 2i + x(R_i + V_i),    λ_i = 2 log(I_i/I_N) + log(h_i/h_N),
    h_0 = h_1/(V_1(2/x + R_1)),    λ_0 = λ_1 + log((2/x + R_1)/V_1)

bound every term from both sides (certify/exact/defect.py inserts them). λ_ν is known within about c(1/s_ν² + 1/s_N²), and d within a
relative width that tends to 0 as ν → ∞ and as x → ∞; it is 3.3·10⁻⁵ at ν = 31, M = 62, x = 8ν.

Proof.  Claim recurrence.closed gives R̃, with ρ_{ν+1} from R_ν(ρ_ν + ρ_{ν+1}) = ρ_νh_ν/x, and Φ̃′; (raw), (one) and where 1 is reached are
identities in these. 0 < λ_ν < λ_0 and h_N > h_0 by claim defect.crossing: with ρ_ν = 1/(1 + w), ρ_0 = 1/(1 + w + z), h_N = h_0 + e and any
w, z, e > 0 the certificate shows the sign of (raw) in all four parity cases. 1 − Φ̃′ ≥ 1 − R_0 > 0 by claim concentration.potential, in
whose induction all l_i ≤ 0. The bounds are those of the claims
ratio.relative, score.uniform (from x to ∞, where log I_i = x − ½ log 2πx + O(1/x)) and ratio.second; how they enter is again an identity:
f, g, k stand for I_i, I_{i+1}, K_i and F, G for I_N, K_N; K_{i+1} is given by the Wronskian and K_{i−1} by the recurrence.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from flint import arb, fmpq

from certify.claims.certificate import certify_theorem
from certify.claims.claim import claim
from certify.claims.verdict import Reason, Verdict
from certify.exact import recurrence
from certify.exact.ball import decimal, working_precision
from certify.exact.by_form import identity, positive
from certify.exact.coordinates import Coordinates
from certify.exact.expression import replace
from certify.exact.identity import first_false, steps
from certify.exact.theorem import Chart, Identity, Map, Proof, Step, Theorem
from certify.exact.truth import sign

POSITIVE = ("x", "i", "R", "rho", "rho0", "h", "h0", "hN", "f", "g", "k", "F", "G", "w", "z", "e")
CHART = Chart(symbols={name: Map(map="itself", variable=f"{name}_") for name in POSITIVE})

SLOPE = "(R + s*rho*(hN - h)/(x*(1 + s*rho)) - s0*rho0*(hN - h0)/(x*(1 + s0*rho0)))"  # Φ̃′
RATIO = "R*(1 - s*(rho*h/(x*R) - rho))/(1 + s*rho)"  # R̃
START = "s0*rho0*(hN - h0)/(x*(1 + s0*rho0))"
V = "(((1/x - g*k)/f - 2*i/x*k)/k)"


def law(weight: Fraction) -> tuple[Identity, ...]:
    """(raw), (one), and R̃ − 1 for σ_ν = −1."""
    return (
        Identity(left=f"{RATIO} - {SLOPE}", right=f"{START} - {weight}*s*rho*hN/(x*(1 + s*rho))"),
        Identity(left=f"1 - {replace(SLOPE, s='0 - 1')}", right=f"1 - R + rho*(hN - h)/(x*(1 - rho)) + {START}"),
        Identity(left=f"{replace(RATIO, s='0 - 1')} - 1", right="rho*h/(x*(1 - rho)) - (1 - R)"),
    )


def parts() -> tuple[Identity, ...]:
    """h_i and ρ_i by R_i, V_i and I_N/I_i, and one order lower, with I_{i−1} = I_{i+1} + (2i/x)I_i and K_{i−1} = V_i K_i."""
    below = "(g + 2*i/x*f)", f"({V}*k)"
    return (
        Identity(left="1/(f*k)", right=f"2*i + x*(g/f + {V})"),
        Identity(left="F*k/(G*f)", right="(F/f)**2*(1/(F*G))/(1/(f*k))"),
        Identity(left=f"1/({below[0]}*{below[1]})", right=f"1/(f*k)/({V}*(2*i/x + g/f))"),
        Identity(left=f"F*{below[1]}/(G*{below[0]})", right=f"F*k/(G*f)*{V}/(2*i/x + g/f)"),
    )


TOP, GAP = "(h0 + e)/(x*{})", "e/(x*{})"
SIGNS = (
    ("0 - 1", "1", "", f"{TOP.format('w')} + {GAP.format('(2 + w + z)')}", ""),
    ("0 - 1", "0 - 1", "", f"{TOP.format('w')} - {GAP.format('(w + z)')}", "(h0*(w + z) + e*z)/(x*w*(w + z))"),
    ("1", "1", "-", f"{TOP.format('(2 + w)')} - {GAP.format('(2 + w + z)')}", "(h0*(2 + w + z) + e*z)/(x*(2 + w)*(2 + w + z))"),
    ("1", "0 - 1", "-", f"{TOP.format('(2 + w)')} + {GAP.format('(w + z)')}", ""),
)
"""σ_ν, σ_0, the sign of the defect, its size, and this in a form that shows it to be positive, where it does not itself."""


def signs(weight: Fraction) -> tuple[Step, ...]:
    """(raw) for each pair of parities, and that its size is > 0."""
    values = {"rho": "1/(1 + w)", "rho0": "1/(1 + w + z)", "hN": "h0 + e"}
    raw = replace(law(weight)[0].right, **values)
    found = list[Step]()
    for s, s0, minus, size, form in SIGNS:
        found += [identity(replace(raw, s=s, s0=s0), f"{minus}({size})"), positive(size, form or size)]
    return tuple(found)


def theorem(weight: Fraction) -> Theorem:
    return Theorem(
        domain=dict.fromkeys(POSITIVE, "(0, oo)"),
        derivatives={"s": {}, "s0": {}},
        statements=(*law(weight), *parts(), *(step.statement for step in signs(weight))),
    )


@claim(
    "defect.law",
    statement=r"\tilde R_{\nu,M} - \tilde\Phi_{\nu,M}' = \frac{\sigma_0(h_N-h_0)}{x(e^{\lambda_0}+\sigma_0)}"
    r" - \frac{\sigma_\nu h_N}{x(e^{\lambda_\nu}+\sigma_\nu)};\quad"
    r" M-\nu\ \text{odd}:\ 1 - \tilde\Phi_{\nu,M}' = 1 - R_\nu + \frac{h_N-h_\nu}{x(e^{\lambda_\nu}-1)}"
    r" + \frac{\sigma_0(h_N-h_0)}{x(e^{\lambda_0}+\sigma_0)},"
    r"\quad \tilde R_{\nu,M} \ge 1 \iff \frac{h_\nu}{x(e^{\lambda_\nu}-1)} \ge 1 - R_\nu;\quad"
    r" h_i = \frac1{I_iK_i} = 2i + x(R_i + V_i),\ e^{-\lambda_i} = \frac{I_NK_i}{K_NI_i} = \frac{I_N^2h_N}{I_i^2h_i},"
    r"\ V_i = \frac{K_{i-1}}{K_i},\ \text{each between closed forms}",
    domain=r"\nu, M \in \mathbb N,\ M \ge \nu \ge 1,\ N = M+1,\ x > 0",
    source="beyond the paper (Section 3.2, Appendix D.5); bounds by ratio.relative, score.uniform, ratio.second",
    in_words="rho_0 < rho_nu < 1, h_0 < h_N (defect.crossing), Phi~' < 1 (concentration.potential) and the bounds of R, V and log I",
    theorem=theorem,
    constants={"weight": 1},
)
def defect_law(weight: Fraction) -> Verdict:
    identities = (*law(weight), *parts())
    if first_false(Coordinates(theorem(weight), CHART), identities) is None:
        proof = Proof(chart=CHART, steps=(*steps(identities), *signs(weight)))
        summary = "the defect, raw and clipped, for every x > 0, order, start and parity, by quantities that closed forms bound"
        return Verdict.proved(certify_theorem("defect.law", theorem(weight), proof), summary)
    witness = counterexample(weight)
    if witness is None:
        return Verdict.undecided(Reason.HYPOTHESIS_FAILS, "the law is not the identity given")
    return Verdict.refuted(witness, "the two sides of the first law differ at nu = 3, M = 6, x = 10")


def counterexample(weight: Fraction, nu: int = 3, start: int = 6, x: int = 10) -> Mapping[str, str] | None:
    """The two sides of (raw) in balls, should they differ."""
    with working_precision(400):
        point, top = arb(x), start + 1
        i, k = ({order: bessel(order) for order in (0, nu, top)} for bessel in (point.bessel_i, point.bessel_k))
        rho, h = (
            {order: value(order) for order in (0, nu, top)}
            for value in (lambda o: i[top] / k[top] * k[o] / i[o], lambda o: 1 / (i[o] * k[o]))
        )
        even, odd = (-1) ** start, (-1) ** (start - nu)
        part = even * rho[0] * (h[top] - h[0]) / (x * (1 + even * rho[0]))
        right = part - fmpq(weight.numerator, weight.denominator) * odd * rho[nu] * h[top] / (x * (1 + odd * rho[nu]))
        left = recurrence.ratio(nu, start, point) - recurrence.derivative(nu, start, point)
        if sign(left - right) in (None, 0):
            return None
        return {"nu": str(nu), "M": str(start), "x": str(x), "left": decimal(left, 15), "right": decimal(right, 15)}
