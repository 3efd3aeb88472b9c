"""Identities of rational functions: found by the prover in lowest terms, re-established by the checker at rational points."""

from __future__ import annotations

from collections.abc import Iterable

from flint import fmpq

from certify.exact.coordinates import Coordinates
from certify.exact.theorem import Evaluation, Identity, Step


def first_false(coordinates: Coordinates, identities: Iterable[Identity]) -> Identity | None:
    """The first that is not an identity; None if all are."""
    return next((i for i in identities if not coordinates(f"{i.left} - ({i.right})").above.is_zero()), None)


def difference_at(coordinates: Coordinates, identity: Identity, *point: fmpq | int) -> fmpq:
    """left − right at a point of the chart's variables."""
    function = coordinates(f"{identity.left} - ({identity.right})")
    return function.above(*point) / function.below(*point)


def steps(identities: Iterable[Identity]) -> tuple[Step, ...]:
    """The steps that state them."""
    return tuple(Step(statement=identity, evidence=Evaluation()) for identity in identities)
