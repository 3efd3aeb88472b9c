"""How numbers are shown: decimals of which every digit is proven."""

from __future__ import annotations

from decimal import Decimal

from flint import arb

from certify.exact.ball import decimal, working_precision
from certify.studies.judgement import Value

DISPLAY_BITS = 4096


def scientific(value: Value, digits: int) -> str:
    """At most ``digits`` significant digits as d.ddde±x; texts as they are."""
    if isinstance(value, str):
        return value
    with working_precision(DISPLAY_BITS):
        text = decimal(arb(value), digits)
    if text.startswith("±"):
        return text
    number = Decimal(text)
    return f"{number:.{len(number.as_tuple().digits) - 1}e}".replace("e+", "e")
