"""The setting of the theorems that hold uniformly in the order ν and on the whole axis x ≥ 0.

R_ν = I_{ν+1}/I_ν is the solution of R′ = 1 − (2ν+1)/x·R − R² with R(0) = 0, and 0 < R < 1. With s = √(x² + ν²) and m = x/(ν+s),
the chart u = ν₀/ν ∈ (0, 1], m ∈ (0, 1) covers ν ≥ ν₀ and *all* x > 0, infinity included: x = 2νm/(1−m²), s = ν(1+m²)/(1−m²).
With ν = u/(1−u), u ∈ (0, 1), it covers every ν > 0.
"""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from certify.exact.theorem import Chart, Identity, Map, Solution, Statement, Theorem

RICCATI = "1 - (2*nu + 1)/x*R - R**2"

RATIO = Solution(
    variable="x",
    equation=RICCATI,
    below="1",
    damping="(2*nu + 1)/x + 2*R",
    is_="I_{nu+1}(x)/I_nu(x), modified Bessel functions of the first kind, real nu >= 0",
    source="equation: DLMF 10.29.2 (claim identity.riccati); start: DLMF 10.30.1; 0 < R < 1: DLMF 10.37",
)

RATIO_IN_ALPHA = Solution(
    variable="x",
    equation="1 - 2*alpha/x*R - R**2",
    below="1",
    damping="2*alpha/x + 2*R",
    is_="I_{nu+1}(x)/I_nu(x), nu = alpha - 1/2, modified Bessel functions of the first kind",
    source=RATIO.source,
)
"""R_ν in terms of α = ν + ½."""

A_R = "x/(nu + s) - x/(2*s**2) + x*(4*nu**2 - x**2)/(8*s**5)"
F_R = "s - nu*log(nu + s) - log(s)/2 + (3*x**2 - 2*nu**2)/(24*s**3)"

BESSEL = {"I": {"x": "J + nu/x*I"}, "J": {}}
"""I = I_ν and J = I_{ν+1} as functions of x (DLMF 10.29.2)."""

POTENTIAL = Identity(left="diff(log(I) - nu*log(x), x)", right="J/I")
"""Φ_ν′ = R_ν for Φ_ν = log I_ν − ν log x."""

SCORE = replace(
    RATIO,
    is_=f"{RATIO.is_}; so R = Phi', where Phi = log I_nu(x) - nu*log(x)",
    source=f"{RATIO.source}; Phi is continuous at 0: DLMF 10.30.1",
)
"""R_ν, with what is cited about its potential."""


def score_theorem(nu_min: Fraction, where: dict[str, str], *statements: Statement) -> Theorem:
    """Statements about differences of Φ_ν, whose derivative R_ν is by ``POTENTIAL``, the last one."""
    return replace(theorem(nu_min, where, *statements, POTENTIAL), derivatives=BESSEL, solutions={"R": SCORE})


def theorem(nu_min: Fraction, where: dict[str, str], *statements: Statement) -> Theorem:
    """Statements about R_ν and the symbols of ``where`` for every ν ≥ ν_min (ν > 0 where that is 0) and every x > 0."""
    if nu_min < 0:
        raise ValueError(f"nu_min = {nu_min}: the smallest order must be > 0, or 0 for every order > 0")
    domain = {"nu": f"[{nu_min}, oo)" if nu_min else "(0, oo)", "x": "(0, oo)"}
    return Theorem(domain=domain, where={"s": "sqrt(x**2 + nu**2)", **where}, solutions={"R": RATIO}, statements=statements)


def chart(nu_min: Fraction) -> Chart:
    """u = ν_min/ν, or ν = u/(1−u) where ν_min is 0, and m = x/(ν+s)."""
    orders = Map(map="reciprocal", variable="u", scale=str(nu_min)) if nu_min else Map(map="odds", variable="u")
    return Chart(
        symbols={"nu": orders, "x": Map(map="stereographic", variable="m", scale="nu")},
        roots={"s": "nu*(1 + m**2)/(1 - m**2)"},
    )


def orders(nu_min: Fraction) -> str:
    """The range of orders in words."""
    return f"nu >= {nu_min}" if nu_min else "nu > 0"
