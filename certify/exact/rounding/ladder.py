"""Rounding theorems of the ladder: what they share, whichever function of the ladder is computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal

from certify.exact.profile import CUDA, CUDA_COMPILED, IEEE, NUMPY, TORCH_COMPILED, TORCH_SCALAR, TORCH_VECTOR, Profile
from certify.exact.program import Program
from certify.exact.rounding.theorem import RANGES, Rounding, assumed, order_range, positive_bound

LENGTHS = {"s": "sqrt(x**2 + nu**2)", "eps": "1/nu", "t": "nu/s", "w": "x/s"}
"""The first definitions of every theorem; the checker insists on the first of them."""

LAST = {name: each.nu_max for name, each in RANGES.items()}
DOMAIN = (
    r"\text{every float}\ x \ge 0,\ \text{every float}\ \nu \ge \nu_{\min}\ \text{up to}\ "
    + r",\ ".join(rf"2^{{{last}}}\ \text{{({name})}}" for name, last in LAST.items())
    + r";\ u = 2^{-24}, 2^{-53}"
)
"""Where these theorems hold, in LaTeX, and in words for an interval of ν."""
FLOATS = "every float x >= 0 and every float nu in {nu} up to " + ", ".join(f"2^{last} ({name})" for name, last in LAST.items())

PROFILES: dict[str, tuple[bool, Sequence[Profile]]] = {
    "": (False, (NUMPY, TORCH_VECTOR, TORCH_SCALAR, TORCH_COMPILED)),
    "squares": (True, (IEEE, NUMPY, TORCH_COMPILED)),
    "cuda": (False, (CUDA,)),
    "cuda_compiled": (True, (CUDA_COMPILED,)),
}
"""For each kind of theorem, whether s is the root of a sum of squares instead of a hypot, and the profiles that it is to hold under."""


def ladder_theorem(
    program: Program,
    definitions: Mapping[str, str],
    profiles: Sequence[Profile],
    nu_min: Fraction,
    k: Fraction,
    unit: Literal["1", "1/s"] = "1",
    largest: str = "",
) -> Rounding:
    """|computed − f| ≤ k·u·unit for every float x ≥ 0 and every float ν ≥ ν_min, f the last of the definitions in binary32 and binary64.

    Raises ValueError for ν_min < 2^−16 or > 2^20 and for k ≤ 0, ProfileError where a profile has no bound for an operation of the program.
    """
    return Rounding(
        program=program,
        where={**LENGTHS, **definitions},
        nu=order_range(nu_min),
        formats=RANGES,
        profile=assumed(program, profiles),
        k=positive_bound("k", k),
        unit=unit,
        largest=largest,
    )
