"""The finite start at high concentration: its derivative, its clipped defect and where its ratio crosses one."""

from __future__ import annotations

from typing import Any

from flint import arb, fmpq, fmpz_poly

from certify.exact import bessel, recurrence
from certify.exact.number import Number, exact
from certify.exact.truth import Truth, positive

DIGITS = 1000
FEW_BITS = 24


def excess(nu: int, start: int, x: Number) -> arb | fmpq:
    """Φ̃′_{ν,M}(x) − R_0(x), M = ``start``: exactly where x has few digits, else as a ball of the working precision."""
    argument = exact(x)
    return recurrence.excess(nu, start, argument if argument.height_bits() <= FEW_BITS else arb(argument))


def clipped_defect(nu: int, start: int, x: Number) -> arb:
    """d = min(R̃, 1) − Φ̃′ at the working precision."""
    supplied = min(recurrence.ratio(nu, start, x), fmpq(1))
    return supplied - (bessel.ratio(0, x, DIGITS) + excess(nu, start, x))


def crossings(nu: int, start: int) -> list[arb]:
    """Enclosures of all x > 0 with R̃_{ν,M}(x) = 1, M = ``start``.

    P_j = x^{M−j} b_j obeys P_M = 1, P_{M+1} = 0, P_{j−1} = 2j P_j + x² P_{j+1}, and R̃ = x P_{ν+1}/P_ν with P_ν > 0. FLINT
    isolates the roots of x P_{ν+1} − P_ν, which is not zero at 0, and gives real ones an imaginary part that is exactly zero.
    """
    square = fmpz_poly([0, 0, 1])
    above, here = fmpz_poly([0]), fmpz_poly([1])
    for j in range(start, nu, -1):
        above, here = here, 2 * j * here + square * above
    pairs: Any = (fmpz_poly([0, 1]) * above - here).complex_roots()
    roots = [root for root, _multiplicity in pairs]
    return [root.real for root in roots if root.imag.is_zero() and positive(root.real) is not Truth.NO]
