"""The ladder of closed forms as expressions in x, nu and s = sqrt(nu**2 + x**2)."""

from __future__ import annotations

from typing import NamedTuple

from flint import fmpq, fmpq_poly

from certify.exact.debye_polynomials import potential_polynomial, ratio_polynomial
from certify.exact.domain import ladder_order


class ClosedForm(NamedTuple):
    """A_n and F_n, F_n′ = A_n, in the expression syntax of ``exact.theorem``."""

    ratio: str
    potential: str


def closed_form(n: int) -> ClosedForm:
    """A_n ≈ R_ν and F_n ≈ log I_ν − ν log x + ½ log 2π, the uniform expansion cut after 1/ν^n (n = 1: A_R, F_R).

    Raises ValueError unless 0 ≤ n ≤ 100.

    >>> closed_form(1).ratio
    'x/(nu + s) - x/(2*s**2) + x*(4*nu**2 - x**2)/(8*s**5)'
    >>> closed_form(1).potential
    's - nu*log(nu + s) - log(s)/2 - (2*nu**2 - 3*x**2)/(24*s**3)'
    """
    order = ladder_order(n)
    ratio = "".join(_term(ratio_polynomial(k), k, k - 1, 3 * k - 1, "x") for k in range(1, order + 2))
    potential = "".join(_term(potential_polynomial(k), k, k, 3 * k, "") for k in range(1, order + 1))
    return ClosedForm("x/(nu + s)" + ratio, "s - nu*log(nu + s) - log(s)/2" + potential)


def _term(polynomial: fmpq_poly, k: int, degree: int, power: int, factor: str) -> str:
    """t^k q(t²)/ν^k, t = ν/s, q of the given degree, as ± factor·(form in ν², x²)/(denominator·s^power)."""
    form = _homogeneous(polynomial.coeffs()[k::2], degree)
    sign = 1 if form.leading_coefficient() > 0 else -1
    numerator = _form([sign * int(c) for c in form.numer().coeffs()], degree)
    product = "*".join(part for part in (factor, numerator) if part not in ("", "1")) or "1"
    return f" {'+' if sign > 0 else '-'} {product}/({form.denom()}*s**{power})"


def _homogeneous(coefficients: list[fmpq], degree: int) -> fmpq_poly:
    """Σ c_i ν^{2i} (ν² + x²)^{degree−i}; the coefficient of v^j is that of ν^{2j} x^{2(degree−j)}."""
    v = fmpq_poly([0, 1])
    return sum((c * v**i * (v + 1) ** (degree - i) for i, c in enumerate(coefficients)), fmpq_poly())


def _form(coefficients: list[int], degree: int) -> str:
    """The form Σ c_j ν^{2j} x^{2(degree−j)}, highest power of ν first."""
    terms = [_monomial(c, j, degree - j) for j, c in reversed(list(enumerate(coefficients))) if c]
    text = " ".join(terms).removeprefix("+ ")
    return f"({text})" if len(terms) > 1 else text


def _monomial(coefficient: int, i: int, j: int) -> str:
    factors = [f"{name}**{2 * power}" for name, power in (("nu", i), ("x", j)) if power]
    size = [str(abs(coefficient))] if abs(coefficient) != 1 or not factors else []
    return f"{'-' if coefficient < 0 else '+'} " + "*".join(size + factors)
