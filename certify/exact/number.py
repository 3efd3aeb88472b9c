"""Exact numbers: what may enter, and how numbers and balls are written down without loss.

Everything that enters becomes a rational number. A float stands for its exact value, a string for what it says:
``"0.1"`` is one tenth, ``0.1`` is 3602879701896397/36028797018963968.
"""

from __future__ import annotations

import re
from numbers import Integral, Rational, Real

from flint import arb, fmpq, fmpz

from certify.exact.errors import NotAccepted

Number = int | str | float | Rational | fmpq | fmpz

DIGITS_LIMIT = 20_000
"""Most decimal digits of a numerator or denominator; larger numbers are refused rather than computed."""

Pairs = tuple[tuple[int, int], tuple[int, int]]
"""(m, e), (r, f): the ball of midpoint m·2^e and radius r·2^f."""

_BITS_LIMIT = DIGITS_LIMIT * 3322 // 1000
_EXPONENT_LIMIT = 1 << 24
_FRACTION = re.compile(r"([+-]?[0-9]+)(?:/([0-9]+))?")
_DECIMAL = re.compile(r"([+-]?)([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]+))?")
_ACCEPTED = "accepted are integers, fractions such as 10/9, decimals such as 0.1 or 1e300, and finite floats"


def exact(value: Number) -> fmpq:
    """The rational number that ``value`` denotes.

    Raises ValueError for nan, infinities, malformed strings, other types, and numbers of more than 20 000 digits.
    """
    if type(value) is fmpq:
        return _limited(value)
    if isinstance(value, str):
        return _limited(_parsed(value.strip()))
    if isinstance(value, bool):
        raise NotAccepted(f"{value!r} is not a number; {_ACCEPTED}")
    if isinstance(value, fmpz | Integral):
        return _limited(fmpq(int(value)))
    if isinstance(value, Rational):
        return _limited(fmpq(int(value.numerator), int(value.denominator)))
    if isinstance(value, Real):
        return _from_float(value)
    raise NotAccepted(f"a value of type {type(value).__name__} is not a number; {_ACCEPTED}")


def show(value: fmpq) -> str:
    """``"num/den"``, or ``"num"`` for an integer; ``exact`` reads it back."""
    return value.str()


def brief(value: str | float | Real | fmpq) -> str:
    """``value`` for a message: one line of at most 40 characters; of a long fraction the first digits."""
    text = show(value) if isinstance(value, fmpq) else repr(value)
    if isinstance(value, fmpq) and len(text) > 24:
        return f"about {arb(value).str(6, radius=False)}"
    return text if len(text) <= 40 else f"{text[:24]}…{text[-8:]}"


def magnitude(value: fmpq) -> int:
    """An integer within 1 of log2|value|; 0 for zero."""
    return abs(int(value.p)).bit_length() - int(value.q).bit_length()


def pairs(ball: arb) -> Pairs:
    """A finite ball, exactly. Raises ValueError for nan and infinities."""
    if not ball.is_finite():
        raise ValueError(f"{ball} has no mantissa and exponent: only finite balls are written down")
    mantissa, exponent = ball.mid().man_exp()
    radius, scale = ball.rad().man_exp()
    return (int(mantissa), int(exponent)), (int(radius), int(scale))


def from_pairs(value: Pairs) -> arb:
    """A ball around the one that ``pairs`` wrote down: FLINT enlarges the radius, by less than 2^−28 of it.

    From JSON, lists serve as well as tuples.
    """
    (mantissa, exponent), (radius, scale) = value
    return arb((mantissa, exponent), (radius, scale))


def centre(ball: arb) -> fmpq:
    """The midpoint of a finite ball, exactly. Raises ValueError where its exponent is absurd: the rational would fill the memory."""
    mantissa, exponent = ball.mid().man_exp()
    if abs(int(exponent)) > _EXPONENT_LIMIT:
        raise NotAccepted(f"a ball around a number of 2^{int(exponent)} is no rational that can be written down")
    return fmpq(mantissa) * fmpq(2) ** int(exponent)


def nearest_double(value: fmpq) -> float:
    """The double nearest to a rational number. Raises OverflowError where there is none."""
    return int(value.p) / int(value.q)


def _limited(value: fmpq) -> fmpq:
    if value.height_bits() > _BITS_LIMIT:
        raise NotAccepted(f"a number of more than {DIGITS_LIMIT} digits was given; at most that many are accepted")
    return value


def _from_float(value: Real) -> fmpq:
    double = float(value)
    if double != value or double - double != 0:
        raise NotAccepted(f"{brief(value)} is not a finite double; {_ACCEPTED}")
    return fmpq(*double.as_integer_ratio())


def _parsed(text: str) -> fmpq:
    if len(text) > 2 * DIGITS_LIMIT + 2:
        raise NotAccepted(f"a number of {len(text)} characters was given; at most {DIGITS_LIMIT} digits are accepted")
    if (match := _FRACTION.fullmatch(text)) and (denominator := fmpz(match[2] or "1")) != 0:
        return fmpq(fmpz(match[1].removeprefix("+")), denominator)
    match = _DECIMAL.fullmatch(text)
    if not match or not match[2] + match[3]:
        raise NotAccepted(f"{brief(text)} is not a number; {_ACCEPTED}")
    sign, whole, part, power = match.groups()
    exponent = fmpz((power or "0").removeprefix("+"))
    if abs(exponent) > DIGITS_LIMIT:
        raise NotAccepted(f"{brief(text)} has an exponent beyond ±{DIGITS_LIMIT}, the largest accepted")
    value = fmpq(fmpz(whole + part)) * fmpq(10) ** int(exponent - len(part))
    return -value if sign == "-" else value
