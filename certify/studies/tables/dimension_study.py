"""Tables 5 and 6: the largest error over 61 concentrations in seven dimensions, and between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from flint import arb, fmpq
from numpy.typing import NDArray

from certify.data.printed import Printed
from certify.exact.ball import bits_for, decimal, decimal_above, working_precision
from certify.exact.selector import ORDERS, uniform
from certify.exact.truth import Truth, less
from certify.studies.decimals import scientific
from certify.studies.fidelity import search
from certify.studies.fidelity.errors import Analytic, Quantity, Subject, largest
from certify.studies.fidelity.regimes import changes
from certify.studies.judgement import Judgement, Rounding, judge
from certify.studies.tables.cell import Bound, Cell, OffGrid, Rung
from certify.studies.tables.grid import DIMENSIONS, concentrations, order

DIGITS = 60
SEARCH_DIGITS = 30
MUCH = 2
"""A search that finds more than this many times the grid's maximum says why."""


@dataclass(frozen=True)
class Column:
    """A column of errors: of what, and the claim that bounds them by ν⁻³, if there is one."""

    name: str
    subject: Subject
    claim: str | None = None


@dataclass(frozen=True)
class Study:
    """The table, the quantity whose error it shows, and another, if any, in whose error jumps are seen from afar."""

    table: str
    quantity: Quantity
    guide: Callable[[float], Quantity] | None = None


def rows(
    study: Study,
    columns: tuple[Column, ...],
    printed: Printed,
    digits: int,
    beyond: bool,
    dimensions: Sequence[int] = DIMENSIONS,
) -> dict[int, dict[str, Cell]]:
    """The cells by dimension and column; with ``beyond``, each with the largest error between the grid points."""
    with working_precision(bits_for(digits)):
        return {p: {column.name: _cell(study, column, p, printed, digits, beyond) for column in columns} for p in dimensions}


def ladder(study: Study, digits: int) -> dict[int, tuple[Rung, ...]]:
    """By dimension, the largest error of each closed form of the ladder, below C_n ν^{−(n+2)}, for ratios and unit steps alike."""
    return {p: tuple(_rung(study, n, p, max(digits, DIGITS)) for n in ORDERS) for p in DIMENSIONS}


def _rung(study: Study, n: int, p: int, digits: int) -> Rung:
    nu, x = order(p), concentrations(p)
    at, value = largest(Analytic(n).residuals(study.quantity, nu, x, digits), digits)
    certificate = uniform(n)
    return Rung(n, value, nu, float(x[at]), Bound(certificate.claim, certificate.constant / fmpq(nu) ** (n + 2)))


def _cell(study: Study, column: Column, p: int, printed: Printed, digits: int, beyond: bool) -> Cell:
    nu, x, text = order(p), concentrations(p), printed.value(study.table, p, column.name)
    residuals = column.subject.residuals(study.quantity, nu, x, digits)
    at, value = largest(residuals, digits)
    rounding = column.subject.rounding(study.quantity, nu, x, residuals, digits)
    judgement = judge(value, text, rounding)
    return Cell(
        value,
        column.subject.arithmetic,
        text,
        judgement,
        explanation="" if rounding is None else _explanation(value, text, judgement, rounding),
        nu=nu,
        x=float(x[at]),
        rounding=rounding,
        off_grid=_off_grid(study, column.subject, nu, x, value, digits) if beyond else None,
        bound=Bound(column.claim, fmpq(1, nu**3)) if column.claim else None,
    )


def _explanation(value: arb, printed: str, judgement: Judgement, rounding: Rounding) -> str:
    ideal, bound = scientific(rounding.exact_arithmetic, 3), decimal_above(rounding.bound, 3)
    if judgement is Judgement.ROUNDS_DIFFERENTLY:
        return "correctly rounded elementary functions give the printed digits; this platform's move the last of them"
    if rounding.decides(value, printed):
        return f"rounding decides these digits: exact arithmetic gives {ideal}, and FP64 stays within {bound} of that"
    return f"exact arithmetic gives {ideal}, and FP64 stays within {bound} of that"


def _off_grid(study: Study, subject: Subject, nu: int, x: NDArray, on_grid: arb, digits: int) -> OffGrid:
    peak = search.largest(_errors(study.quantity, subject, nu), x, guide=_guide(study, subject, nu, float(x[0])))
    residuals = subject.residuals(study.quantity, nu, np.array([peak.x]), digits)
    _, value = largest(residuals, digits)
    why = ""
    if less(MUCH * on_grid, value) is Truth.YES:
        rounding = subject.rounding(study.quantity, nu, np.array([peak.x]), residuals, digits)
        why = f"{decimal(value / on_grid, 3)} times the grid's maximum: {_formulas(subject, nu, x, peak.x)}"
        why += "" if rounding is None else f"; exact arithmetic gives {scientific(rounding.exact_arithmetic, 3)} there"
    return OffGrid(peak.x, value, peak.evaluations, why)


def _errors(quantity: Quantity, subject: Subject, nu: int) -> search.Function:
    return lambda x: np.array([abs(float(r)) for r in subject.residuals(quantity, nu, x, SEARCH_DIGITS)])


def _guide(study: Study, subject: Subject, nu: int, start: float) -> search.Function | None:
    if study.guide is None:
        return None
    quantity = study.guide(start)
    return lambda x: np.array([float(r) for r in subject.residuals(quantity, nu, x, SEARCH_DIGITS)])


def _formulas(subject: Subject, nu: int, grid: NDArray, peak: float) -> str:
    """Which formulas are in use between the grid points on both sides of the peak."""
    at = int(np.clip(np.searchsorted(grid, peak), 1, len(grid) - 1))
    low, high = float(grid[at - 1]), float(grid[at])
    (_, first), *switches = changes(lambda x: subject.regime(nu, x), low, high)
    steps = ", ".join(f"at x/ν = {x / nu:.6g} to {name}" for x, name in switches)
    formulas = f"{first} gives way {steps}" if switches else f"{first} throughout"
    return f"{formulas}, between the grid points {low / nu:.4g} and {high / nu:.4g}"
