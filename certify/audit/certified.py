"""Certified mode: theorems about the defect of a torch function, supplied derivative minus derivative of the forward.

The function is traced (``audit.trace``); what is proved is about the traced operations on real numbers. First an exact proof that the
defect is zero is tried, where the program is rational up to square roots; what that leaves is covered by Taylor enclosures, each stretch
of the axis with a proved upper bound that is within the tolerance, or a proved lower bound that is beyond it, or left open.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from flint import arb, fmpq

from certify.audit.lowering import Untraceable
from certify.audit.trace import Trace, trace
from certify.exact.ball import decimal_above, decimal_below, working_precision
from certify.exact.interpret import interval
from certify.exact.interpret.branches import pieces
from certify.exact.interpret.defect import BITS, Judge, Kind, Stretch, beyond, march, within
from certify.exact.interpret.identity import is_derivative
from certify.exact.number import Number, exact, show
from certify.exact.program import Program, ProgramError

ATTEMPTS = 4000
PIECES = 300
NARROWEST = fmpq(1, 2**60)
TOLERANCE = "3e-16"
DIGITS = 3
X = "x"

__all__ = ["Certified", "Untraceable", "certified", "lower_bound"]


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
        return [self._words(each) for each in self.stretches]

    def _words(self, stretch: Stretch) -> str:
        place = f"on [{_brief(stretch.low)}, {_brief(stretch.high)}]"
        if stretch.kind is Kind.IDENTICAL:
            return f"defect = 0 {place}, exactly, wherever the forward is defined"
        if stretch.bound is None:
            return f"nothing is proved {place}"
        if stretch.kind is Kind.AT_MOST:
            return f"|defect| ≤ {self.tolerance} {place}, at most {decimal_above(arb(stretch.bound), DIGITS)}: {stretch.boxes} boxes"
        return f"|defect| > {self.tolerance} {place}, at least {decimal_below(arb(stretch.bound), DIGITS)}: {stretch.boxes} boxes"


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
    traced = trace(function, (X,), None, domain, dtype)
    ends = _ends(domain, dtype)
    identical = list(_identical(traced.program, *ends))
    judge = within(exact(absolute), exact(relative))
    rest = _gaps(identical, *ends)
    marched = [stretch for gap in rest for stretch in _marched(traced.program, gap, judge, attempts // len(rest))]
    stretches = tuple(sorted(identical + marched, key=lambda each: each.low))
    return Certified(stretches, traced, f"{absolute} + {relative} |supplied|")


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
    return Certified(tuple(_marched(traced.program, _ends(domain, dtype), beyond(exact(bound)), attempts)), traced, f"{bound}")


def _ends(domain: tuple[float, float], dtype: torch.dtype) -> tuple[fmpq, fmpq]:
    """The domain within the numbers of the format, exactly."""
    largest = torch.finfo(dtype).max
    low, high = max(domain[0], -largest), min(domain[1], largest)
    if not low < high:
        raise ValueError(f"domain ({domain[0]}, {domain[1]}) is empty: its ends must be numbers, the lower one first")
    return exact(low), exact(high)


def _identical(program: Program, low: fmpq, high: fmpq) -> Iterator[Stretch]:
    """The stretches on which one program without choices holds, its roots are positive and its defect is exactly zero."""
    with working_precision(BITS):
        found = pieces(program, {X: (low, high)}, NARROWEST, PIECES)
    ordered = sorted(found.closed, key=lambda each: each[0][X][0])
    runs: list[tuple[fmpq, fmpq, Program]] = []
    for box, resolved in ordered:
        start, end = box[X]
        if runs and runs[-1][1] == start and runs[-1][2].digest == resolved.digest:
            start = runs.pop()[0]
        runs.append((start, end, resolved))
    for start, end, resolved in runs:
        if _proved_identical(resolved, start, end):
            yield Stretch(start, end, Kind.IDENTICAL, None, 1)


def _proved_identical(program: Program, low: fmpq, high: fmpq) -> bool:
    try:
        return is_derivative(program, X, (low + high) / 2, {}) and _roots_are_positive(program, {X: (low, high)})
    except ProgramError:
        return False


def _roots_are_positive(program: Program, on: interval.Box) -> bool:
    """Whether every root of the program is of positive numbers only, so that it keeps its sign."""
    for place, node in enumerate(program.nodes):
        if node.op in ("sqrt", "rsqrt", "hypot"):
            single = Program(program.nodes, (place,))
            if interval.proved_sign(single, on, most=PIECES).value != 1:
                return False
    return True


def _gaps(found: list[Stretch], low: fmpq, high: fmpq) -> list[tuple[fmpq, fmpq]]:
    """What the stretches leave of the domain."""
    gaps, place = [], low
    for each in sorted(found, key=lambda stretch: stretch.low):
        gaps += [(place, each.low)] if place < each.low else []
        place = each.high
    return gaps + ([(place, high)] if place < high else [])


def _marched(program: Program, ends: tuple[fmpq, fmpq], judge: Judge, attempts: int) -> list[Stretch]:
    """The march from zero, or from the end nearer to it, outward."""
    low, high = ends
    if high - low <= 4 * NARROWEST:
        return [Stretch(low, high, Kind.OPEN, None, 0)]
    if low < 0 < high:
        return _marched(program, (low, fmpq(0)), judge, attempts // 2) + _marched(program, (fmpq(0), high), judge, attempts // 2)
    way = (low, high) if abs(low) <= abs(high) else (high, low)
    return sorted(march(program, X, way, {}, judge, attempts), key=lambda each: each.low)


def _brief(value: fmpq) -> str:
    text = show(value)
    return text if len(text) <= 12 else f"{float(int(value.p) / int(value.q)):.6g}"
