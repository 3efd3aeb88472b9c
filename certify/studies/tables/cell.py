"""The parts of a table: cells with what was computed, what is printed and how they compare."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from flint import arb, fmpq

from certify.exact.ball import PrecisionError, decimal
from certify.exact.truth import Truth, less
from certify.studies.judgement import Judgement, Rounding, Value

Key = int | str


@dataclass(frozen=True)
class Bound:
    """A proved bound on the cell's quantity over the whole range, by the claim that proves it."""

    claim: str
    value: fmpq

    def exceeded(self, value: arb) -> bool:
        """Whether the value is not below the bound. Raises PrecisionError where the balls do not tell."""
        below = less(value, self.value)
        if below is Truth.UNKNOWN:
            raise PrecisionError(f"{decimal(value, 10)} is too wide to be held against the bound of {self.claim}: ask for more digits")
        return below is Truth.NO


@dataclass(frozen=True)
class OffGrid:
    """The largest error that a search found between the grid points; ``why``, where it is much more than on them."""

    x: float
    value: arb
    evaluations: int
    why: str


@dataclass(frozen=True)
class Cell:
    """``value`` is computed in ``arithmetic`` and, for the largest error on a grid, found at ``x`` at order ``nu``."""

    value: Value
    arithmetic: str
    printed: str
    judgement: Judgement
    explanation: str = ""
    nu: int | None = None
    x: float | None = None
    rounding: Rounding | None = None
    off_grid: OffGrid | None = None
    bound: Bound | None = None

    @property
    def contradicts(self) -> bool:
        """Whether the printed value is contradicted, or the proved bound exceeded."""
        found = [self.value, self.off_grid and self.off_grid.value]
        exceeded = (self.bound.exceeded(value) for value in found if self.bound and isinstance(value, arb))
        return self.judgement is Judgement.CONTRADICTS or any(exceeded)


@dataclass(frozen=True)
class Rung:
    """The largest error on a grid of the ladder's closed form of order n, found at ``x`` at order ``nu``, and its proved bound."""

    n: int
    value: arb
    nu: int
    x: float
    bound: Bound


@dataclass(frozen=True)
class Table:
    """Rows by the value of the key column; ``ladder``, by the same key, stands beside them: nothing of it is printed."""

    id: str
    title: str
    key: str
    columns: tuple[str, ...]
    rows: Mapping[Any, Mapping[str, Cell]]
    conditions: Mapping[str, str] = field(default_factory=dict)
    ladder: Mapping[int, tuple[Rung, ...]] = field(default_factory=dict)

    def cells(self) -> Iterator[tuple[Key, str, Cell]]:
        """Row key, column and cell, in reading order."""
        for key, row in self.rows.items():
            yield from ((key, column, row[column]) for column in self.columns)

    def exceeded(self) -> list[tuple[int, Rung]]:
        """The rungs above their proved bounds, with their keys."""
        return [(key, rung) for key, row in self.ladder.items() for rung in row if rung.bound.exceeded(rung.value)]

    @property
    def contradicts(self) -> bool:
        return any(cell.contradicts for _, _, cell in self.cells()) or bool(self.exceeded())
