"""Table 5: fidelity of the ratio across feature dimensions, beside the certificate ν⁻³ = 8/(p−2)³."""

from __future__ import annotations

from flint import fmpq

from certify.data.printed import Printed
from certify.realizations.cusf import Cusf
from certify.studies.fidelity.errors import Analytic, FloatingPoint, ratio
from certify.studies.judgement import judge
from certify.studies.tables.cell import Cell, Table
from certify.studies.tables.dimension_study import DIGITS, Column, Study, ladder, rows

ID = "5"
STUDY = Study(ID, ratio())
COLUMNS = (Column("CUSF", FloatingPoint(Cusf)), Column("AR/FR", Analytic(), claim="ratio.cubic"))


def build(printed: Printed, digits: int = DIGITS, search: bool = True) -> Table:
    """max |R̂ − R_ν| on the grid: CUSF in FP64, AR/FR in balls, both against a reference of ``digits`` digits."""
    cells = rows(STUDY, COLUMNS, printed, digits, search)
    for p, row in cells.items():
        row["certificate"] = _certificate(p, printed)
    names = (*(column.name for column in COLUMNS), "certificate")
    conditions = {"grid": "61 log-spaced x/ν from 1e-3 to 1e3", "reference digits": str(digits)}
    return Table(ID, "Largest error of the ratio R_ν(x)", "p", names, cells, conditions, ladder(STUDY, digits))


def _certificate(p: int, printed: Printed) -> Cell:
    value, text = fmpq(8, (p - 2) ** 3), printed.value(ID, p, "certificate")
    return Cell(value, "exact", text, judge(value, text))
