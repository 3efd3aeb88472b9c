"""R_0 = I_1/I_0 and rational bounds of it, as barriers: the data that claims ratio.zero and concentration.defect prove again.

R_0′ = 1 − R_0/x − R_0², and the right-hand side decreases in R_0 > 0. Both functions vanish at 0 as R_0 does.
"""

from __future__ import annotations

from certify.exact.derivation import Derivation
from certify.exact.riccati import wall
from certify.exact.theorem import OneSided, Solution

RATIO_ZERO = Solution(
    variable="x",
    equation="1 - 1/x*R0 - R0**2",
    below="1",
    damping="1/x + 2*R0",
    is_="I_1(x)/I_0(x), modified Bessel functions of the first kind",
    source="equation: DLMF 10.29.2; start: DLMF 10.30.1; 0 < R0 < 1: DLMF 10.37",
)
LOWER, UPPER = "x*(2*x + 4)/(2*x**2 + 5*x + 8)", "x*(4*x + 1)/(4*x**2 + 3*x + 2)"
WALLS = (OneSided(solution="R0", side="above", function=LOWER), OneSided(solution="R0", side="below", function=UPPER))


def tails(c: object) -> tuple[str, str]:
    """c/x − (x(1 − R) − ½) at the lower, c/x + (x(1 − R) − ½) at the upper bound of R_0."""
    return f"{c}/x - (x*(1 - {LOWER}) - 1/2)", f"{c}/x + (x*(1 - {UPPER}) - 1/2)"


def prove(derivation: Derivation, c: object) -> dict[str, int]:
    """The ``tails``, and both barriers: the numbers of their steps by name, with "one" for 1 > 0."""
    low_tail, high_tail = (derivation.positive(text, forms=("2*x**2 + 5*x + 8", "4*x**2 + 3*x + 2")) for text in tails(c))
    low, high = (wall(derivation, each) for each in WALLS)
    return {"low tail": low_tail, "high tail": high_tail, "low": low, "high": high, "one": -1}
