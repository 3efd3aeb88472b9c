"""Binary floating-point formats, as data."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from certify.exact.program import nearest


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

    def nearest(self, value: Fraction) -> Fraction:
        """The number of the format nearest to the value, the even one of two; beyond the largest number as if there were more."""
        spacing = self.least_subnormal
        return round(value / spacing) * spacing if abs(value) < self.least_normal else nearest(value, self.bits)

    def holds(self, value: Fraction) -> bool:
        """Whether the value is a number of the format."""
        return self.nearest(value) == value and abs(value) <= self.largest


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
