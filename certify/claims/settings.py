"""``NAME=VALUE`` settings and the claims that they perturb."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from certify.claims.claim import Claim
from certify.claims.constants import rational
from certify.claims.exits import BadInput


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
