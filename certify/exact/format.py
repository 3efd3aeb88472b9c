"""Binary floating-point formats, as data."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple


class Format(NamedTuple):
    """Numbers ±m·2^e of ``bits`` significant bits; the least normal number is 2^least, the largest is below 2^(greatest+1)."""

    name: str
    bits: int
    least: int
    greatest: int

    @property
    def unit(self) -> Fraction:
        """The unit roundoff u = 2^−bits."""
        return Fraction(1, 2**self.bits)

    @property
    def least_normal(self) -> Fraction:
        return Fraction(2) ** self.least

    @property
    def least_subnormal(self) -> Fraction:
        return Fraction(2) ** (self.least - self.bits + 1)

    @property
    def largest(self) -> Fraction:
        """The largest finite number."""
        return (2 - 2 * self.unit) * Fraction(2) ** self.greatest


FORMATS = {
    each.name: each
    for each in (
        Format("binary64", 53, -1022, 1023),
        Format("binary32", 24, -126, 127),
        Format("bfloat16", 8, -126, 127),
        Format("float16", 11, -14, 15),
    )
}


def format_of(name: str) -> Format:
    """The format of that name. Raises ValueError for another one."""
    if name not in FORMATS:
        raise ValueError(f"format {name!r}: {', '.join(FORMATS)} are accepted")
    return FORMATS[name]
