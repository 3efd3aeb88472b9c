"""Exact constants: ``NAME=VALUE`` settings and the claims that they perturb."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from certify.claims.exits import BadInput
from certify.exact.number import exact

if TYPE_CHECKING:
    from certify.claims.claim import Claim

DIGITS_LIMIT = 1000
"""Most digits of numerator and denominator: what a proof makes of a constant must stay within Python's limit on digits, 4300."""


def parse_settings(settings: Iterable[str]) -> dict[str, Fraction]:
    """``["C=2/25"]`` as ``{"C": Fraction(2, 25)}``; values are exact, 0.1 means one tenth. Raises BadInput."""
    constants: dict[str, Fraction] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not (name.isidentifier() and equals):
            raise BadInput(f"--set {setting!r}: write NAME=VALUE, such as C=2/25")
        if name in constants:
            raise BadInput(f"--set {setting!r}: {name} is set twice")
        constants[name] = rational(name, value)
    return constants


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


def check_settings(claims: Iterable[Claim], constants: Mapping[str, Fraction]) -> None:
    """Raise BadInput unless every claim has every constant that is set, and can state its theorem with them."""
    for claim in claims if constants else ():
        for name in constants:
            if name not in claim.constants:
                has = f"it has {', '.join(claim.constants)}" if claim.constants else "it has none"
                raise BadInput(f"claim {claim.id} has no constant {name!r}: {has}")
        try:
            claim.formal(constants)
        except ValueError as error:
            raise BadInput(f"claim {claim.id}: {error}") from None
