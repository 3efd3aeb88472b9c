"""Errata of the related work and Appendix F.2: what F_R is an expansion of, and its differences in floating point."""

from __future__ import annotations

import numpy as np
from flint import arb, arb_poly, fmpq, fmpq_poly

from certify.exact.ball import working_precision
from certify.exact.debye import ladder_potential_difference
from certify.exact.debye_polynomials import debye_polynomial, potential_polynomial
from certify.realizations.closed_form import ClosedForm
from certify.studies.decimals import scientific
from certify.studies.errata.erratum import Erratum, Evidence
from certify.studies.points import all_of, at_most, decided

NU = 63
POWERS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def expansions() -> Evidence:
    """D_k against Debye's U_k; and the derivative that log(1 + U_1/ν) in place of D_1/ν would have."""
    D, U = [[family(k) for k in (1, 2)] for family in (potential_polynomial, debye_polynomial)]
    lines = [
        f"D_1 = U_1 = {_in_t(D[0])}",
        f"D_2 = {_in_t(D[1])}, while U_2 = {_in_t(U[1])}: D_2 = U_2 − U_1²/2",
    ]
    with working_precision(200):
        x, s = arb(NU), arb(2 * NU * NU).sqrt()
        u, slope = arb_poly(U[0])(NU / s) / NU, arb_poly(U[0].derivative())(NU / s) * (-NU * x / s**3) / NU
        shift = -u * slope / (1 + u)
        lines.append(f"with log(1 + U_1/ν) in place of D_1/ν the derivative would miss A_R by {scientific(abs(shift), 4)} at ν = x = {NU}")
        truths = [decided(D[0] == U[0]), decided(D[1] == U[1] - U[0] ** 2 / 2), at_most(fmpq(1, NU**5), abs(shift))]
    return Evidence(tuple(lines), all_of(truths))


def _in_t(polynomial: fmpq_poly) -> str:
    """The polynomial as a sum of terms such as 5t³/24, lowest power first."""
    terms = [(c, f"t{str(k).translate(POWERS)}" if k > 1 else "t") for k, c in enumerate(polynomial.coeffs()) if c != 0]
    texts = [f"{'−' if c < 0 else '+'} {'' if abs(c.p) == 1 else abs(c.p)}{power}/{c.q}" for c, power in terms]
    return " ".join(texts).removeprefix("+ ")


def endpoint_differences() -> Evidence:
    """F_R(ν) − F_R(κ) by the displayed form, where it first is infinite, and from the end with the smaller s."""
    lines, finite = [], []
    for dtype in (np.float32, np.float64):
        k = next(k for k in range(100) if not np.isfinite(displayed_difference(dtype(NU), dtype(NU * 2.0**k), NU)))
        r, kappa = dtype(NU), dtype(NU * 2.0**k)
        stable = ClosedForm(NU).difference(np.asarray(kappa), np.asarray(r))
        unit = float(np.finfo(dtype).eps) / 2 * float(kappa)
        with working_precision(200):
            error = abs(arb(float(stable)) - ladder_potential_difference(1, NU, float(kappa), NU, 40)) / unit
        start = f"{np.dtype(dtype).name}, ν = r = {NU}: infinite from κ/ν = 2^{k} on"
        lines.append(f"{start}; from the smaller s the error there is {scientific(error, 2)} u·κ")
        finite.append(bool(np.isfinite(stable)))
    return Evidence(tuple(lines), decided(all(finite)))


def displayed_difference(r: np.floating, kappa: np.floating, nu: int) -> np.floating:
    """Appendix F.2, display 2, as written."""
    s1, s0 = np.hypot(r, nu), np.hypot(kappa, nu)
    delta = (r - kappa) * ((r + kappa) / (s1 + s0))
    with np.errstate(divide="ignore"):
        logarithms = nu * np.log1p(delta / (nu + s0)) + 0.5 * np.log1p(delta / s0)
    fractions = [nu / s0 * (nu / s0), nu / s0 * (nu / s1), nu / s1 * (nu / s1)]
    return delta - logarithms - delta / s0 / s1 / 8 + 5 * delta / s0 / s1 * sum(fractions) / 24


ERRATA = (
    Erratum(
        "Related work, Bessel computation and approximation",
        "“Our AR/FR pair builds on the classical asymptotic structure”, uniform large-order expansions (Olver, 1954)",
        "completion: F_R is the uniform expansion of log I_ν − ν log x (up to a constant), cut after its 1/ν term D_1/ν;"
        " it is not the logarithm of the expansion of I_ν cut there. Only the former has the rational derivative A_R",
        ("identity.derivative",),
        expansions,
    ),
    Erratum(
        "Appendix F.2, display 2",
        "stable endpoint differences q_j, evaluated in double precision, with s₀ = s(κ_j) as base",
        "for r ≪ κ the quotient Δ/(ν + s₀) rounds to −1 and its logarithm is −∞; from the end with the smaller s, with the sign restored,"
        " the same expression stays accurate",
        (),
        endpoint_differences,
    ),
)
