"""How far a program's second output is from the derivative of its first, on intervals: Taylor enclosures and a march over the axis.

A box is tried at a width that grows by half after a success and halves after a failure. On a box where a choice of the second output is
open (a clamp at its bound), that output is enclosed as it stands and only the first one is expanded: its value is needed, not its slope.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile
from typing import NamedTuple

from flint import arb, fmpq

from certify.exact.ball import working_precision
from certify.exact.interpret import interval
from certify.exact.interpret.branches import OpenChoice, resolved
from certify.exact.interpret.taylor import COARSE, FINE, Effort, expansions
from certify.exact.number import centre, magnitude
from certify.exact.program import Program
from certify.exact.truth import Truth, less

BITS = 128
SHORT = fmpq(1, 2**2000)  # a bound below it is given as this number, and one above its inverse as that: they are to be written down
NARROW = 40  # a box is given up at 2^−40 of its distance from zero, or of the domain
SHARE = 32  # behind a box that was given up, boxes are at least this share of the distance from it


class Kind(StrEnum):
    """What is proved of |second output − derivative of the first|."""

    IDENTICAL = "identical"  # zero
    AT_MOST = "at most"
    AT_LEAST = "at least"
    OPEN = "open"  # nothing


@dataclass(frozen=True)
class Stretch:
    """What is proved on an interval, with the number of boxes that it took."""

    low: fmpq
    high: fmpq
    kind: Kind
    bound: fmpq | None
    boxes: int


class Judge(NamedTuple):
    """Given enclosures of the defect and of the second output on a box, ``decide`` says what is proved, or None where the box must be
    smaller; ``effort`` is that of the expansions."""

    decide: Callable[[arb, arb], tuple[Kind, fmpq] | None]
    effort: Effort


def within(absolute: fmpq, relative: fmpq) -> Judge:
    """|defect| ≤ absolute + relative·|second output| everywhere on the box, or nowhere."""

    def judge(defect: arb, supplied: arb) -> tuple[Kind, fmpq] | None:
        if less(defect.abs_upper(), absolute + relative * supplied.abs_lower()) is Truth.YES:
            return Kind.AT_MOST, centre(defect.abs_upper().max(arb(SHORT)))
        if less(absolute + relative * supplied.abs_upper(), defect.abs_lower()) is Truth.YES:
            return Kind.AT_LEAST, centre(defect.abs_lower().min(1 / arb(SHORT)))
        return None

    return Judge(judge, FINE)


def beyond(bound: fmpq) -> Judge:
    """|defect| ≥ bound everywhere on the box."""

    def judge(defect: arb, supplied: arb) -> tuple[Kind, fmpq] | None:
        return (Kind.AT_LEAST, centre(defect.abs_lower().min(1 / arb(SHORT)))) if less(defect.abs_lower(), bound) is Truth.NO else None

    return Judge(judge, COARSE)


def enclosure(program: Program, variable: str, low: fmpq, high: fmpq, fixed: Mapping[str, fmpq], effort: Effort = FINE) -> tuple[arb, arb]:
    """The defect and the second output on [low, high]; not finite where nothing is shown. Raises OpenChoice."""
    box = {name: (value, value) for name, value in fixed.items()} | {variable: (low, high)}
    at, radius = (low + high) / 2, (high - low) / 2
    try:
        (_, slope), (supplied, _) = expansions(resolved(program, box), variable, at, radius, fixed, effort)
        return (supplied - slope).enclosure(), supplied.enclosure()
    except OpenChoice:
        ((_, slope),) = expansions(resolved(program, box, (0,)), variable, at, radius, fixed, effort)
        value = interval.evaluate(program, box)[1]
        return value - slope.enclosure(), value


def march(
    program: Program,
    variable: str,
    ends: tuple[fmpq, fmpq],
    fixed: Mapping[str, fmpq],
    judge: Judge,
    most: int,
    more: Callable[[], bool] = lambda: True,
) -> list[Stretch]:
    """What is proved from one end of the interval to its other end, in ``most`` attempts, or while there is ``more`` time; boxes of the
    same kind are one stretch."""
    found: list[Stretch] = []
    attempts = takewhile(lambda _: more(), range(most))
    with working_precision(BITS):
        for stretch in _boxes(program, variable, ends, fixed, judge, attempts):
            if found and found[-1].kind is stretch.kind:
                found[-1] = _joined(found[-1], stretch)
            else:
                found.append(stretch)
    return found


def _boxes(
    program: Program, variable: str, ends: tuple[fmpq, fmpq], fixed: Mapping[str, fmpq], judge: Judge, attempts: Iterable[int]
) -> Iterator[Stretch]:
    place, end = ends
    way = 1 if end > place else -1
    width, given_up = abs(end - place) if place else min(abs(end), fmpq(1)), None
    for _ in attempts:
        if place == end:
            return
        width = min(_short(width), abs(end - place))
        low, high = sorted((place, place + way * width))
        proved = _attempt(program, variable, low, high, fixed, judge)
        least = _least(place, end, given_up)
        if proved is None and width > least:
            width = max(width / 2, least)
            continue
        given_up = (place if given_up is None else given_up) if proved is None else None if width > 4 * least else given_up
        kind, bound = proved or (Kind.OPEN, None)
        yield Stretch(low, high, kind, bound, 1)
        place, width = place + way * width, width * 3 / 2
    if place != end:
        yield Stretch(min(place, end), max(place, end), Kind.OPEN, None, 0)


def _attempt(program: Program, variable: str, low: fmpq, high: fmpq, fixed: Mapping[str, fmpq], judge: Judge) -> tuple[Kind, fmpq] | None:
    try:
        defect, supplied = enclosure(program, variable, low, high, fixed, judge.effort)
    except OpenChoice:
        return None
    return judge.decide(defect, supplied) if defect.is_finite() and supplied.is_finite() else None


def _least(place: fmpq, end: fmpq, given_up: fmpq | None) -> fmpq:
    """The width at which a box is given up."""
    narrow = max(abs(place), min(abs(end - place), fmpq(1))) / 2**NARROW
    return narrow if given_up is None else max(narrow, abs(place - given_up) / SHARE)


def _short(width: fmpq) -> fmpq:
    """The width rounded down to a few bits, so that end points stay short."""
    unit = fmpq(2) ** (magnitude(width) - 12)
    return (width / unit).floor() * unit


def _joined(first: Stretch, second: Stretch) -> Stretch:
    bounds = [each.bound for each in (first, second) if each.bound is not None]
    bound = None if not bounds else min(bounds) if first.kind is Kind.AT_LEAST else max(bounds)
    return Stretch(min(first.low, second.low), max(first.high, second.high), first.kind, bound, first.boxes + second.boxes)
