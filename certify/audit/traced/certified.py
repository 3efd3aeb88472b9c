"""Certified mode: theorems about the defect of a torch function, supplied derivative minus derivative of the forward.

The function is traced (``traced.trace``); what is proved is about the traced operations on real numbers. First an exact proof that the
defect is zero is tried, where the program is rational up to square roots; what that leaves is covered by Taylor enclosures, each stretch
of the axis with a proved upper bound that is within the tolerance, or a proved lower bound that is beyond it, or left open.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from flint import arb, fmpq

from certify.audit.traced import identical
from certify.audit.traced.identical import NARROWEST, X
from certify.audit.traced.trace import Trace, trace
from certify.exact.ball import decimal_above, decimal_below
from certify.exact.interpret.defect import Judge, Kind, Stretch, beyond, march, within
from certify.exact.number import Number, exact, nearest_double, show
from certify.exact.program import Program

ATTEMPTS = 4000
TOLERANCE = "3e-16"
DIGITS = 3


class Suspect(NamedTuple):
    """An interval on which a defect of at least ``bound`` is to be proved, from the inner point ``at`` outward."""

    low: float
    at: float
    high: float
    bound: Number


@dataclass(frozen=True)
class Certified:
    """What is proved of the defect, from the lower end of the domain to the upper one, and what no such proof can see."""

    stretches: tuple[Stretch, ...]
    trace: Trace
    tolerance: str

    @property
    def unseen(self) -> tuple[str, ...]:
        return self.trace.unseen

    @property
    def coherent(self) -> bool:
        """Whether the defect is proved to be zero or within the tolerance on the whole domain."""
        return all(each.kind in (Kind.IDENTICAL, Kind.AT_MOST) for each in self.stretches)

    @property
    def incoherent(self) -> tuple[Stretch, ...]:
        """Where the defect is proved to be beyond the tolerance."""
        return tuple(each for each in self.stretches if each.kind is Kind.AT_LEAST)

    @property
    def open(self) -> tuple[Stretch, ...]:
        """Where nothing is proved: kinks, ends of domains of definition, what the budget left."""
        return tuple(each for each in self.stretches if each.kind is Kind.OPEN)

    def statements(self) -> list[str]:
        """One line for each stretch."""
        return [self.words(each) for each in self.stretches]

    def words(self, stretch: Stretch) -> str:
        """What is proved on a stretch."""
        place = f"on {span(stretch)}"
        if stretch.kind is Kind.IDENTICAL:
            return f"defect = 0 {place}, exactly, wherever the forward is defined"
        if stretch.bound is None:
            return f"nothing is proved {place}"
        if stretch.kind is Kind.AT_MOST:
            most = decimal_above(arb(stretch.bound), DIGITS)
            return f"|defect| ≤ {self.tolerance} {place}, at most {most}: enclosed, {_boxes(stretch)}"
        return f"|defect| ≥ {decimal_below(arb(stretch.bound), DIGITS)} {place}: proved incoherent, {_boxes(stretch)}"


def certified(
    function: Callable[..., Any],
    domain: tuple[float, float] = (-math.inf, math.inf),
    *,
    absolute: Number = TOLERANCE,
    relative: Number = TOLERANCE,
    dtype: torch.dtype = torch.float64,
    attempts: int = ATTEMPTS,
) -> Certified:
    """Prove |defect| ≤ absolute + relative·|supplied| on the domain, or the contrary, in at most so many attempts.

    Raises Untraceable, which says why only the numerical mode serves, and ValueError for an empty domain.
    """
    _ends(domain, dtype)
    return prove(trace(function, (X,), None, domain, dtype), domain, absolute=absolute, relative=relative, attempts=attempts)


def lower_bound(
    function: Callable[..., Any],
    domain: tuple[float, float],
    bound: Number,
    *,
    dtype: torch.dtype = torch.float64,
    attempts: int = ATTEMPTS,
) -> Certified:
    """Prove |defect| ≥ bound on the domain; stretches that are left open are not proved. Raises Untraceable, and ValueError as above."""
    traced = trace(function, (X,), None, domain, dtype)
    ways = _outward(*_ends(domain, dtype), beyond(exact(bound)))
    return Certified(tuple(_marched(traced.program, ways, attempts, None)), traced, f"{bound}")


def prove(
    traced: Trace,
    domain: tuple[float, float],
    *,
    absolute: Number = TOLERANCE,
    relative: Number = TOLERANCE,
    suspects: Sequence[Suspect] = (),
    attempts: int = ATTEMPTS,
    seconds: float | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Certified:
    """As ``certified``, of a trace. On the intervals of the ``suspects``, in order and apart, lower bounds are proved instead.

    After so many ``seconds`` of the ``clock`` what is left stays open. Raises ValueError for an empty domain.
    """
    low, high = _ends(domain, getattr(torch, traced.dtype))
    zero = list(identical.stretches(traced.program, low, high))
    tolerance, ways = within(exact(absolute), exact(relative)), []
    for start, end in _gaps(zero, low, high):
        for each in suspects:
            a, at, b = (min(max(exact(place), start), end) for place in (each.low, each.at, each.high))
            if a < b:
                ways += _outward(start, a, tolerance)
                ways += [(here, there, beyond(exact(each.bound))) for here, there in ((at, a), (at, b)) if here != there]
                start = b
        ways += _outward(start, end, tolerance)
    stretches = zero + _marched(traced.program, ways, attempts, seconds, clock)
    return Certified(tuple(sorted(stretches, key=lambda each: each.low)), traced, f"{absolute} + {relative} |supplied|")


def branches(traced: Trace, domain: tuple[float, float]) -> list[float]:
    """Points of the domain, to the last place, at which a choice of the program changes, or may."""
    return identical.branches(traced.program, *_ends(domain, getattr(torch, traced.dtype)))


def _ends(domain: tuple[float, float], dtype: torch.dtype) -> tuple[fmpq, fmpq]:
    """The domain within the numbers of the format, exactly."""
    largest = torch.finfo(dtype).max
    low, high = max(domain[0], -largest), min(domain[1], largest)
    if not low < high:
        raise ValueError(f"domain ({domain[0]}, {domain[1]}) is empty: its ends must be numbers, the lower one first")
    return exact(low), exact(high)


def _gaps(found: list[Stretch], low: fmpq, high: fmpq) -> list[tuple[fmpq, fmpq]]:
    """What the stretches leave of the domain."""
    gaps, place = [], low
    for each in sorted(found, key=lambda stretch: stretch.low):
        gaps += [(place, each.low)] if place < each.low else []
        place = each.high
    return gaps + ([(place, high)] if place < high else [])


def _outward(low: fmpq, high: fmpq, judge: Judge) -> list[tuple[fmpq, fmpq, Judge]]:
    """The ways from zero, or from the end nearer to it, outward."""
    if low == high:
        return []
    if low < 0 < high and high - low > 4 * NARROWEST:
        return [(fmpq(0), low, judge), (fmpq(0), high, judge)]
    return [(low, high, judge) if abs(low) <= abs(high) else (high, low, judge)]


def _marched(
    program: Program,
    ways: list[tuple[fmpq, fmpq, Judge]],
    attempts: int,
    seconds: float | None,
    clock: Callable[[], float] = time.monotonic,
) -> list[Stretch]:
    """The march along each of the ways, with an equal share of attempts and time."""
    ending, found = math.inf if seconds is None else clock() + seconds, []
    for left, (start, end, judge) in zip(range(len(ways), 0, -1), ways, strict=True):
        if abs(end - start) <= 4 * NARROWEST:
            found.append(Stretch(min(start, end), max(start, end), Kind.OPEN, None, 0))
            continue
        until = clock() + (ending - clock()) / left
        found += march(program, X, (start, end), {}, judge, attempts // len(ways), lambda until=until: clock() < until)
    return sorted(found, key=lambda each: each.low)


def span(stretch: Stretch) -> str:
    """A stretch in brief; its ends are exact in the record."""
    return f"[{_brief(stretch.low)}, {_brief(stretch.high)}]"


def _boxes(stretch: Stretch) -> str:
    return f"{stretch.boxes} box{'es' * (stretch.boxes != 1)}"


def _brief(value: fmpq) -> str:
    text = show(value)
    return text if len(text) <= 12 else f"{nearest_double(value):.6g}"
