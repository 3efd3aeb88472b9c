"""Points at which a claimed bound of the ladder's error R_ν − A_n fails, found by search and confirmed in balls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from flint import arb, fmpq

from certify.exact.ball import decimal, working_precision
from certify.exact.bessel import ratio, ratio_derivative
from certify.exact.debye import ladder_ratio, ladder_ratio_derivative
from certify.exact.witness import violation

SMALLEST = Fraction(1, 8)
"""Where the search begins if every order ν > 0 is claimed."""

Excess = Callable[[fmpq, fmpq, arb], arb]
"""(ν, x, R_ν(x) − A_n(x)) → what is > 0 where the bound fails."""


def fails(n: int, excess: Excess, nu_min: Fraction = Fraction(0), derivative: bool = False) -> Mapping[str, str] | None:
    """A point (ν, x), ν ≥ ν_min, at which balls confirm excess > 0, with the error there (of R_ν′ − A_n′ if ``derivative``).

    ν_min = 0 stands for every ν > 0.
    """
    digits = 40 + 10 * n
    exact, closed = (ratio_derivative, ladder_ratio_derivative) if derivative else (ratio, ladder_ratio)

    def error(nu: fmpq, x: fmpq) -> arb:
        return exact(nu, x, digits) - closed(n, nu, x, digits)

    with working_precision(4 * digits):
        point = violation(lambda nu, x: excess(nu, x, error(nu, x)), nu_min or SMALLEST)
        if point is None:
            return None
        prime = "'" if derivative else ""
        return {"nu": str(point[0]), "x": str(point[1]), f"R{prime} - A_{n}{prime}": decimal(error(*point), 20)}
