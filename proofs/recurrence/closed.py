r"""The finite-start recurrence in closed form.

Statement.  Let N = M + 1, σ_i = (−1)^{M−i}, ρ_i = (I_N/K_N)(K_i/I_i), h_i = 1/(I_i K_i). For real ν ≥ 0, whole M − ν ≥ 0 and x > 0,

    b_i = x I_i K_N (1 + σ_i ρ_i),        i = M, M − 1, …

    R̃_{ν,M} = R_ν (1 + σ_{ν+1} ρ_{ν+1})/(1 + σ_ν ρ_ν),        R_ν (ρ_ν + ρ_{ν+1}) = ρ_ν h_ν/x,        x ρ_i′ = ρ_i (h_N − h_i),

and, for whole ν, where Φ̃ = log I_0 + log(b_ν/b_0) − ν log x,

    Φ̃_{ν,M} = Φ_ν + log(1 + σ_νρ_ν) − log(1 + σ_0ρ_0),

    Φ̃′_{ν,M} = R_ν + σ_νρ_ν(h_N − h_ν)/(x(1 + σ_νρ_ν)) − σ_0ρ_0(h_N − h_0)/(x(1 + σ_0ρ_0)).

Proof.  I_i and σ_i K_i satisfy the recurrence of b (DLMF 10.29.1), and so does x(I_i K_N + σ_i I_N K_i), which is 0 at i = N, where
σ_N = −1, and 1 at i = M by the Wronskian I_M K_N + I_N K_M = 1/x (DLMF 10.28.2). This is an induction down from M, at which only the
Wronskian and the positivity of I_M, I_N and K_N enter: in the certificate they are any numbers A, B, D > 0. The other statements are
identities; there f, g, k stand for I_i, I_{i+1}, K_i, and E, F, G for I_M, I_N, K_N, functions of x with the derivatives of DLMF 10.29.2,
K_{i+1} and K_M being given by the Wronskian, and s for σ_i; f0, g0, k0, s0 are those at i = 0. R̃ = c/b at j = ν, and Φ̃ is
log I_0 + log(b_ν/b_0) − ν log x with b_i = x I_i K_N(1 + σ_iρ_i), whose derivative is the last identity.
"""

from __future__ import annotations

from fractions import Fraction

from certify.claims.claim import claim
from certify.claims.conclude import conclude_induction
from certify.claims.verdict import Verdict
from certify.exact.expression import replace
from certify.exact.identity import steps
from certify.exact.induction import starts
from certify.exact.theorem import Chart, Identity, Induction, Map, Recursion, Theorem

CHART = Chart(symbols={name: Map(map="itself", variable=f"{name}_") for name in ("M", "i", "A", "B", "D", "x")})
ORDER_0 = {"f": "f0", "g": "g0", "k": "k0", "s": "s0", "i": "0"}  # the functions at the order 0 in place of i
DOMAIN = {"M": "[0, oo)", "i": "[0, oo)", "A": "(0, oo)", "B": "(0, oo)", "D": "(0, oo)", "x": "(0, oo)"}

ABOVE, BELOW = "(1/x - g*k)/f", "(1/x - E*G)/F"  # K_{i+1} and K_M
FUNCTIONS = {
    "f": {"x": "g + i/x*f"},
    "g": {"x": "f - (i + 1)/x*g"},
    "k": {"x": f"i/x*k - {ABOVE}"},
    "E": {},
    "F": {"x": "E - (M + 1)/x*F"},
    "G": {"x": f"0 - {BELOW} - (M + 1)/x*G"},
    "s": {"x": "0"},
    "f0": {"x": "g0"},
    "g0": {"x": "f0 - g0/x"},
    "k0": {"x": "0 - (1/x - g0*k0)/f0"},
    "s0": {"x": "0"},
}
ABBREVIATIONS = {"rho": "F*k/(G*f)", "rho1": f"F*({ABOVE})/(G*g)", "h": "1/(f*k)", "hN": "1/(F*G)", "l": ABOVE}


def induction(wronskian: Fraction) -> Induction:
    """b and its next member c; I, J and K, L are I_j, I_{j+1} and K_j, K_{j+1}."""
    return Induction(
        state={
            "j": ("M", "j - 1"),
            "sigma": ("1", "0 - sigma"),
            "I": ("A", "J + 2*j/x*I"),
            "J": ("B", "I"),
            "K": ("(1/x - A*D)/B", "L - 2*j/x*K"),
            "L": ("D", "K"),
            "b": ("1", "c + 2*j/x*b"),
            "c": ("0", "b"),
        },
        goes_on=("j",),
        phases=(
            (
                f"I*L + J*K - {wronskian}/x = 0",
                "b - x*(I*D + sigma*B*K) = 0",
                "c - x*(J*D - sigma*B*L) = 0",
                "b > 0",
                "c >= 0",
            ),
        ),
    )


EVIDENCE = Recursion(
    first=((), (), (), (("1", -1),), ()),
    next=(((("1", 0),), (("2*j/x", 1), ("1", 2)), (("1", 1),), (("2*j/x", 3), ("1", 4)), (("1", 3),)),),
)


def identities() -> tuple[Identity, ...]:
    return (
        Identity(left="x*(g*G - s*F*l)/(x*(f*G + s*F*k))", right="g/f*(1 - s*rho1)/(1 + s*rho)"),
        Identity(left="x*(f*G + s*F*k)", right="x*f*G*(1 + s*rho)"),
        Identity(left="g/f*(rho + rho1)", right="rho*h/x"),
        Identity(left="x*diff(rho, x)", right="rho*(hN - h)"),
        Identity(left="diff(log(f) - i*log(x), x)", right="g/f"),
        Identity(
            left=f"diff(log(f0) + log(f*(1 + s*rho)/({at_0('f*(1 + s*rho)')})) - i*log(x), x)",
            right=f"g/f + s*rho*(hN - h)/(x*(1 + s*rho)) - {at_0('s*rho*(hN - h)/(x*(1 + s*rho))')}",
        ),
    )


def at_0(text: str) -> str:
    """The expression at the order 0; F and G are those of the order N still."""
    return replace(replace(text, **ABBREVIATIONS), **ORDER_0)


def opened(identity: Identity) -> Identity:
    """With the abbreviations written out."""
    return Identity(left=replace(identity.left, **ABBREVIATIONS), right=replace(identity.right, **ABBREVIATIONS))


def theorem(wronskian: Fraction) -> Theorem:
    return Theorem(
        domain=DOMAIN,
        derivatives=FUNCTIONS,
        statements=(induction(wronskian), *map(opened, identities())),
    )


@claim(
    "recurrence.closed",
    statement=r"\tilde R_{\nu,M} = R_\nu\frac{1+\sigma_{\nu+1}\rho_{\nu+1}}{1+\sigma_\nu\rho_\nu},\quad"
    r" \tilde\Phi_{\nu,M} = \Phi_\nu + \log\frac{1+\sigma_\nu\rho_\nu}{1+\sigma_0\rho_0},\quad"
    r" \rho_i = \frac{I_NK_i}{K_NI_i},\ x\rho_i' = \rho_i(h_N-h_i),\ h_i = \frac{1}{I_iK_i},\ \sigma_i = (-1)^{M-i}",
    domain=r"\nu \ge 0,\ M - \nu \in \mathbb N_0,\ N = M+1,\ x > 0;\ \nu\ \text{whole where}\ \tilde\Phi_{\nu,M}\ \text{is concerned}",
    source="beyond the paper, for the recurrence of Section 3.2 and Appendix D.4",
    in_words="that I and K obey DLMF 10.28.2, 10.29.1 and 10.29.2",
    theorem=theorem,
    constants={"wronskian": 1},
)
def closed(wronskian: Fraction) -> Verdict:
    half = Fraction(1, 2)
    return conclude_induction(
        "recurrence.closed",
        theorem(wronskian),
        CHART,
        EVIDENCE,
        starts(x=[Fraction(1, 3), 1, 10], M=range(6), A=[half, 2], B=[half, 1], D=[half, 3]),
        "ratio, forward and derivative of the finite start in closed form, for every x > 0, real nu >= 0 and M - nu = 0, 1, 2, …",
        steps(map(opened, identities())),
    )
