"""Exact constants."""

from __future__ import annotations

from fractions import Fraction

from certify.claims.exits import BadInput
from certify.exact.number import exact

DIGITS_LIMIT = 1000
"""Most digits of numerator and denominator: what a proof makes of a constant must stay within Python's limit on digits, 4300."""


def rational(name: str, value: int | str | Fraction) -> Fraction:
    """The exact value of a constant. Raises BadInput for floats, for what is not a number, and for too many digits."""
    if isinstance(value, float):
        raise BadInput(f"constant {name}: {value!r} is a float; write the number that is meant as text, such as '1/10'")
    try:
        number = exact(value)
    except ValueError as error:
        raise BadInput(f"constant {name}: {error}") from None
    if number.height_bits() > DIGITS_LIMIT * 3322 // 1000:
        raise BadInput(f"constant {name}: a number of more than {DIGITS_LIMIT} digits was given; at most that many are accepted")
    return Fraction(int(number.p), int(number.q))
