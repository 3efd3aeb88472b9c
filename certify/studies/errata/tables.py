"""Errata of Section 5.4 and Appendix E.2: what the tables' numbers are, and what lies between their grid points."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from flint import arb

from certify.data.printed import load
from certify.exact.ball import decimal_above
from certify.exact.truth import less
from certify.realizations.log_miller import LogMiller
from certify.studies.decimals import scientific
from certify.studies.errata.erratum import Erratum, Evidence
from certify.studies.fidelity.errors import FloatingPoint, largest, ratio
from certify.studies.points import all_of, decided
from certify.studies.tables import table_5, table_6
from certify.studies.tables.cell import Cell
from certify.studies.tables.dimension_study import DIGITS, Column, Study, rows
from certify.studies.tables.grid import DIMENSIONS, concentrations, order
from certify.studies.tables.table_5 import COLUMNS as TABLE_5
from certify.studies.tables.table_6 import COLUMNS as TABLE_6

LOG_MILLER, CUSF, AR_FR = TABLE_6[0], TABLE_5[0], TABLE_5[1]


def _cells(study: Study, column: Column, dimensions: Sequence[int] = DIMENSIONS, beyond: bool = False) -> dict[int, Cell]:
    return {p: row[column.name] for p, row in rows(study, (column,), load(), DIGITS, beyond, dimensions).items()}


def rounding_decides() -> Evidence:
    """The last cell of the log-Miller column with the bound on its rounding errors."""
    p = DIMENSIONS[-1]
    cell = _cells(table_6.STUDY, LOG_MILLER, [p])[p]
    assert cell.rounding is not None
    assert isinstance(cell.value, arb)
    ideal, bound = scientific(cell.rounding.exact_arithmetic, 3), decimal_above(cell.rounding.bound, 3)
    found = f"p = {p}: printed {cell.printed}, FP64 here {scientific(cell.value, 3)}, exact arithmetic {ideal}"
    return Evidence((f"{found}; FP64 stays within {bound} of that",), decided(cell.rounding.decides(cell.value, cell.printed)))


def between_grid_points() -> Evidence:
    """The largest errors that the search finds between the grid points, which knows nothing about CUSF."""
    lines, truths = [], []
    for p, cell in _cells(table_5.STUDY, CUSF, beyond=True).items():
        assert cell.off_grid is not None
        assert isinstance(cell.value, arb)
        found, at = cell.off_grid.value, cell.off_grid.x / order(p)
        lines.append(f"p = {p}: {scientific(cell.value, 3)} on the grid, {scientific(found, 3)} at x/ν = {at:.6g}")
        truths.append(less(2 * cell.value, found))
    return Evidence(tuple(lines), all_of(truths))


def slope() -> Evidence:
    """Least squares of log error against log p and against log ν, over the seven dimensions."""
    cells = _cells(table_5.STUDY, AR_FR)
    errors = np.log([float(cell.value) for cell in cells.values() if isinstance(cell.value, arb)])
    by_p, by_nu = (float(np.polyfit(np.log(sizes), errors, 1)[0]) for sizes in (list(cells), [order(p) for p in cells]))
    printed = load().tables["figure5_slope"]
    line = f"fitted slope {by_p:.3f} against log p, {by_nu:.3f} against log ν; printed {printed}"
    return Evidence((line,), decided(f"{by_p:.2f}" == printed and abs(by_nu + 3) < abs(by_p + 3)))


def missing_column() -> Evidence:
    """The largest error of log-Miller's clipped ratio on the grid, at the ends of the range of dimensions."""
    names = load().tables["table5"]["columns"]
    found = {p: _ratio_error(p) for p in (DIMENSIONS[0], DIMENSIONS[3])}
    lines = (
        f"Table 5 prints the columns {', '.join(names)}",
        "the column would read " + ", ".join(f"{scientific(value, 3)} at p = {p}" for p, value in found.items()),
    )
    return Evidence(lines, decided(LogMiller.name not in names))


def _ratio_error(p: int) -> arb:
    return largest(FloatingPoint(LogMiller).residuals(ratio(), order(p), concentrations(p), DIGITS), DIGITS)[1]


def reference() -> Evidence:
    """mpmath's I_ν at 60 digits on the last dimension's grid."""
    import mpmath
    from mpmath.libmp import NoConvergence

    p, failed = DIMENSIONS[-1], []
    with mpmath.workdps(DIGITS):
        for x in map(float, concentrations(p)):
            try:
                mpmath.besseli(order(p), x)
            except NoConvergence:
                failed.append(f"{x / order(p):.4g}")
    line = f"p = {p}, mpmath {mpmath.__version__}: besseli(ν, x) raises NoConvergence at x/ν = {', '.join(failed) or 'no point'}"
    return Evidence((line,), decided(bool(failed)))


ERRATA = (
    Erratum(
        "Section 5.4, Figure 5",
        "the maximum sampled AR/FR ratio error decays with fitted log–log slope −3.02",
        "−3.02 is the slope against p; against ν = p/2 − 1, in which the certificate ν⁻³ is cubic, it is −3.00",
        ("table.5", "ratio.cubic"),
        slope,
    ),
    Erratum(
        "Appendix E.2, Table 6, log-Miller at p = 4096",
        "7.25e-9, in a column whose logarithmic arithmetic “isolates the finite-start effect”",
        "its digits are decided by FP64 rounding, not by the finite start",
        ("table.6",),
        rounding_decides,
    ),
    Erratum(
        "Appendix E.2, Table 5, CUSF",
        "maximum absolute errors over 61 concentrations",
        "between the grid points, where CUSF changes its formula, the error is far larger; the grid misses it",
        ("table.5",),
        between_grid_points,
    ),
    Erratum(
        "Appendix E.2, numerical references",
        "“its ratio column uses the clipped adjacent-order ratio”, of stable log-Miller",
        "no such column is printed",
        (),
        missing_column,
    ),
    Erratum(
        "Appendix E.2, numerical references",
        "reference Bessel values are evaluated with mpmath at 60 decimal digits",
        "with its default settings mpmath does not converge at every point of the grid; certified continued fractions do",
        ("table.5", "table.6"),
        reference,
    ),
)
