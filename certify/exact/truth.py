"""The one comparison of balls.

A ball stands for an unknown real number inside it, so a comparison has three answers. python-flint answers ``False``
when it cannot decide; every comparison in this project therefore goes through this module.
"""

from __future__ import annotations

from enum import Enum
from typing import NoReturn

from flint import arb, fmpq

Real = arb | fmpq | int
"""Balls, and exact numbers, which are compared as balls of the working precision."""


class Truth(Enum):
    """Whether a statement holds for all points of its balls (yes), for none (no), or is not decided (unknown)."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"

    def __bool__(self) -> NoReturn:
        raise TypeError("a Truth has no truth value: compare it with Truth.YES, Truth.NO or Truth.UNKNOWN")


def less(a: Real, b: Real) -> Truth:
    """Whether a < b; unknown when the balls overlap or one of them is nan."""
    left, right = arb(a), arb(b)
    if left < right:
        return Truth.YES
    return Truth.NO if left >= right else Truth.UNKNOWN


def positive(a: Real) -> Truth:
    """Whether a > 0."""
    return less(0, a)


def sign(a: Real) -> int | None:
    """1 or −1 when every point has that sign, 0 when a is exactly zero, None when undecided."""
    ball = arb(a)
    if ball > 0:
        return 1
    if ball < 0:
        return -1
    return 0 if ball.is_zero() else None
