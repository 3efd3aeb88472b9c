"""A statement of the paper that needs correction or completion, with evidence that is computed whenever it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flint import arb, fmpq

from certify.exact.truth import Truth
from certify.studies.points import at_most


@dataclass(frozen=True)
class Evidence:
    """Computed numbers in words, and whether they bear the correction out."""

    lines: tuple[str, ...]
    confirmed: Truth


@dataclass(frozen=True)
class Erratum:
    """``printed`` is what the paper says at ``place``, ``correction`` what holds, by the ``claims`` named."""

    place: str
    printed: str
    correction: str
    claims: tuple[str, ...]
    evidence: Callable[[], Evidence]


def near(value: arb | fmpq, target: arb | fmpq, distance: fmpq) -> Truth:
    """Whether |value − target| ≤ distance."""
    return at_most(abs(value - target), distance)
