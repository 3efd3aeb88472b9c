"""The arms by name: one realization of (Φ, R) each.

original     the finite recurrence with its clipped ratio as backward
consistent   the same forward with its own derivative
rounded      *consistent*, its derivative rounded to binary32: a control, which shows what rounding alone becomes
faithful     *original* as public code runs it, defects included
AR_n         the ladder's potential F_n with its derivative A_n, n = 0 … 8; AR_1 is AR/FR
"""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from certify.claims.exits import BadInput
from certify.realizations.tensor.closed_form import LADDER, ClosedForm
from certify.realizations.tensor.consistent import Consistent
from certify.realizations.tensor.original import Original
from certify.realizations.tensor.protocol import TensorRealization
from certify.realizations.tensor.public import PublicOriginal

ORIGINAL, CONSISTENT, ROUNDED = "original", "consistent", "rounded"
SHARED = (ORIGINAL, CONSISTENT, ROUNDED)
"""Those with one forward, bit for bit."""


@dataclass(frozen=True)
class Rounded(Consistent):
    """Its derivative is that of ``Consistent`` within 2⁻²⁴ of it, or 2⁻¹⁵⁰."""

    name = "consistent recurrence, derivative rounded to binary32"

    def value_and_slope(self, x: Tensor) -> tuple[Tensor, Tensor]:
        value, slope = super().value_and_slope(x)
        return value, slope.float().double()


RECURRENCES = {ORIGINAL: Original, CONSISTENT: Consistent, ROUNDED: Rounded, "faithful": PublicOriginal}
NAMES = (*RECURRENCES, *(f"AR_{n}" for n in LADDER))


def realization(name: str, order: int) -> TensorRealization:
    """The realization of that name at ν = ``order``. Raises BadInput for a name that is none."""
    if name not in NAMES:
        raise BadInput(f"unknown arm {name!r}: choose from {', '.join(RECURRENCES)}, AR_0 to AR_{LADDER[-1]}")
    return RECURRENCES[name](order) if name in RECURRENCES else ClosedForm(order, int(name.removeprefix("AR_")))
