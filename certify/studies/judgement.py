"""How a computed cell of a table is held against the printed one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import Enum

from flint import arb, fmpq

from certify.claims.exits import BadInput
from certify.exact.ball import PrecisionError, decimal
from certify.exact.number import brief, exact
from certify.exact.truth import Truth, less

Value = arb | fmpq | str


class Judgement(Enum):
    MATCHES = "matches"
    ROUNDS_DIFFERENTLY = "rounds differently"
    NOISE = "noise"
    IN_RANGE = "in range"
    NOT_JUDGED = "not judged"
    CONTRADICTS = "contradicts"


@dataclass(frozen=True)
class Rounding:
    """What FP64 does to a cell: the error of the same formulas in exact arithmetic and a bound on how far from it any
    conforming FP64 evaluation is; ``correctly_rounded`` recomputes the cell with correctly rounded functions.
    """

    exact_arithmetic: arb
    bound: arb
    correctly_rounded: Callable[[], arb]

    def decides(self, value: arb, printed: str) -> bool:
        """Whether the value and its counterpart in exact arithmetic differ in the digits that are printed."""
        return not rounds_to(self.exact_arithmetic, decimal(value, figures(printed)))


def judge(value: Value, printed: str, rounding: Rounding | None = None) -> Judgement:
    """*matches* where the value rounds to the printed digits (either way from a tie).

    For an FP64 cell that does not: *rounds differently* where the same program with correctly rounded elementary
    functions does, so that it is this platform's functions that moved a digit; *noise* where rounding decides the
    digits printed, its bound is below half the cell, and the printed value is within that bound of exact arithmetic.
    Everything else *contradicts*. Raises ValueError for a printed text that is not a decimal, and PrecisionError where
    the value is not known well enough.
    """
    if rounds_to(value, printed):
        return Judgement.MATCHES
    if rounding is None or not isinstance(value, arb):
        return Judgement.CONTRADICTS
    if rounds_to(rounding.correctly_rounded(), printed):
        return Judgement.ROUNDS_DIFFERENTLY
    small = less(2 * rounding.bound, value) is Truth.YES
    reached = less(rounding.bound, abs(rounding.exact_arithmetic - exact(printed))) is Truth.NO
    return Judgement.NOISE if small and reached and rounding.decides(value, printed) else Judgement.CONTRADICTS


def judge_range(value: arb, printed: str, ends: tuple[arb, arb]) -> Judgement:
    """For a continuous quantity of a radius whose range alone is printed, from its values at the two ends of that range.

    *In range* where the value is between the two and some number between them rounds to the printed digits: by the intermediate value
    theorem there is a radius for it. Everything else *contradicts*. Raises ValueError for a printed text that is not a decimal, and
    PrecisionError where the balls do not tell.
    """
    low, high = ends if less(ends[0], ends[1]) is Truth.YES else ends[::-1]
    half, centre = unit(printed) / 2, exact(printed)
    outside = (less(value, low), less(high, value), less(centre + half, low), less(high, centre - half))
    if Truth.YES in outside:
        return Judgement.CONTRADICTS
    if Truth.UNKNOWN in outside:
        raise PrecisionError(f"{decimal(value, 10)} and its range are too wide to be held against {printed}: ask for more digits")
    return Judgement.IN_RANGE


def rounds_to(value: Value, printed: str) -> bool:
    """Whether the value is within half a unit of the last printed digit; texts must be equal."""
    if isinstance(value, str):
        return value == printed
    half = unit(printed) / 2
    distance = abs(value - exact(printed))
    if isinstance(distance, fmpq):
        return distance <= half
    farther = less(half, distance)
    if farther is Truth.UNKNOWN:
        raise PrecisionError(f"{decimal(arb(value), 10)} is too wide to be held against {printed}: ask for more digits")
    return farther is Truth.NO


def unit(printed: str) -> fmpq:
    """One in the last printed digit."""
    return fmpq(10) ** int(_parsed(printed).as_tuple().exponent)


def figures(printed: str) -> int:
    """The number of significant digits printed."""
    return len(_parsed(printed).as_tuple().digits)


def _parsed(printed: str) -> Decimal:
    try:
        number = Decimal(printed)
    except InvalidOperation:
        raise BadInput(f"printed value {brief(printed)} is not a decimal") from None
    if not number.is_finite():
        raise BadInput(f"printed value {brief(printed)} is not a finite decimal")
    exact(printed)  # refuses exponents that no arithmetic should be asked to reach
    return number
