"""Table 6: fidelity of unit potential differences Φ_ν(x+1) − Φ_ν(x) across feature dimensions."""

from __future__ import annotations

from certify.data.printed import Printed
from certify.realizations.cusf import Cusf
from certify.realizations.log_miller import LogMiller
from certify.studies.fidelity.errors import Analytic, FloatingPoint, difference_from, unit_difference
from certify.studies.tables.cell import Table
from certify.studies.tables.dimension_study import DIGITS, Column, Study, ladder, rows

ID = "6"
STUDY = Study(ID, unit_difference(), guide=difference_from)
COLUMNS = (
    Column("log-Miller", FloatingPoint(LogMiller)),
    Column("CUSF", FloatingPoint(Cusf)),
    Column("AR/FR", Analytic(), claim="score.cubic"),
)


def build(printed: Printed, digits: int = DIGITS, search: bool = True) -> Table:
    """max |ΔΦ̂ − ΔΦ| on the grid: log-Miller and CUSF in FP64, AR/FR in balls, with a reference of ``digits`` digits."""
    cells = rows(STUDY, COLUMNS, printed, digits, search)
    names = tuple(column.name for column in COLUMNS)
    conditions = {"grid": "61 log-spaced x/ν from 1e-3 to 1e3", "reference digits": str(digits)}
    return Table(ID, "Largest error of the unit difference Φ_ν(x+1) − Φ_ν(x)", "p", names, cells, conditions, ladder(STUDY, digits))
