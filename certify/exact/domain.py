"""What the functions of this room accept; every refusal is one line that says so."""

from __future__ import annotations

from operator import index

from flint import fmpq

from certify.exact.errors import NotAccepted
from certify.exact.number import Number, brief, exact

DIGITS = range(15, 1001)
ORDERS = range(101)


def nonnegative(name: str, value: Number) -> fmpq:
    """``value`` as an exact number ≥ 0. Raises ValueError."""
    number = exact(value)
    if number.p < 0:
        raise NotAccepted(f"{name} = {brief(number)}: {name} ≥ 0 is accepted")
    return number


def positive(name: str, value: Number) -> fmpq:
    """``value`` as an exact number > 0. Raises ValueError."""
    number = exact(value)
    if number.p <= 0:
        raise NotAccepted(f"{name} = {brief(number)}: {name} > 0 is accepted")
    return number


def order(nu: Number | None, p: Number | None) -> fmpq:
    """The order ν ≥ 0, given itself or by the dimension p = 2ν + 2. Raises ValueError."""
    if nu is not None and p is None:
        return nonnegative("nu", nu)
    if p is None or nu is not None:
        raise NotAccepted("give the order nu or the dimension p, one of them")
    dimension = exact(p)
    if dimension < 2:
        raise NotAccepted(f"p = {brief(dimension)}: p ≥ 2 is accepted")
    return dimension / 2 - 1


def mean_resultant(value: Number) -> fmpq:
    """``value`` as an exact number in [0, 1). Raises ValueError."""
    number = exact(value)
    if number.p < 0 or number >= 1:
        raise NotAccepted(f"resultant = {brief(number)}: 0 ≤ resultant < 1 is accepted")
    return number


def decimal_digits(value: int) -> int:
    """``value`` as a number of decimal digits, 15 to 1000. Raises ValueError."""
    return _integer("digits", value, DIGITS)


def ladder_order(value: int) -> int:
    """``value`` as the order n of a closed form, 0 to 100. Raises ValueError."""
    return _integer("n", value, ORDERS)


def _integer(name: str, value: int, accepted: range) -> int:
    try:
        number = index(value)
    except TypeError:
        raise NotAccepted(f"{name} must be an integer, not a {type(value).__name__}") from None
    if number not in accepted:
        raise NotAccepted(f"{name} = {brief(fmpq(number))}: {accepted[0]} to {accepted[-1]} are accepted")
    return number
