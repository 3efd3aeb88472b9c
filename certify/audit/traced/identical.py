"""Where the defect of a traced program is exactly zero: between its branches, where it is rational up to roots of positive numbers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from flint import fmpq

from certify.exact.ball import working_precision
from certify.exact.interpret import interval
from certify.exact.interpret.branches import Pieces, pieces
from certify.exact.interpret.defect import BITS, Kind, Stretch
from certify.exact.interpret.identity import is_derivative
from certify.exact.number import nearest_double
from certify.exact.program import Program, ProgramError

X = "x"
PIECES, EVALUATED = 1200, 40_000  # boxes, and operations on all of them, that the branches of a program are looked for in
ROOTS = 300
EXACTLY = 90  # operations of a program whose defect is looked at as a rational function: its degrees grow fast
NARROWEST = fmpq(1, 2**60)


def branches(program: Program, low: fmpq, high: fmpq) -> list[float]:
    """Points between the ends, to the last place, at which a choice of the program changes, or may."""
    found = _pieces(program, low, high)
    closed = sorted(((*box[X], resolved.digest) for box, resolved in found.closed), key=lambda each: each[0])
    changes = [end for (_, end, one), (start, _, other) in pairwise(closed) if end == start and one != other]
    narrow = [(a + b) / 2 for box in found.open for a, b in [box[X]] if b - a <= 2 * NARROWEST * max(fmpq(1), abs(a))]
    return sorted(set(map(nearest_double, changes + narrow)))


def stretches(program: Program, low: fmpq, high: fmpq) -> Iterator[Stretch]:
    """The stretches on which one program without choices holds, its roots are positive and its defect is exactly zero."""
    ordered = sorted(_pieces(program, low, high).closed, key=lambda each: each[0][X][0])
    runs: list[tuple[fmpq, fmpq, Program]] = []
    for box, resolved in ordered:
        start, end = box[X]
        if runs and runs[-1][1] == start and runs[-1][2].digest == resolved.digest:
            start = runs.pop()[0]
        runs.append((start, end, resolved))
    for start, end, resolved in runs:
        if len(resolved.nodes) <= EXACTLY and _proved_identical(resolved, start, end):
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
            if interval.proved_sign(single, on, most=ROOTS).value != 1:
                return False
    return True


@lru_cache(maxsize=8)
def _pieces(program: Program, low: fmpq, high: fmpq) -> Pieces:
    with working_precision(BITS):
        return pieces(program, {X: (low, high)}, NARROWEST, min(PIECES, 1 + EVALUATED // len(program.nodes)))
