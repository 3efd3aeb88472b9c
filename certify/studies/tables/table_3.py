"""Table 3: the finite recurrence at x = 10⁹ and M = 2ν follows the parity of ν."""

from __future__ import annotations

from flint import fmpq

from certify.data.printed import Printed
from certify.exact import bessel, recurrence
from certify.exact.ball import bits_for, working_precision
from certify.exact.truth import sign
from certify.studies.judgement import Value, judge
from certify.studies.tables.cell import Cell, Table

ID = "3"
DIGITS = 100
ORDERS = (63, 64, 255, 256)
X = fmpq(10) ** 9
COLUMNS = ("p", "raw_R", "sign", "phase", "scaled", "limit", "relative_error")


def build(printed: Printed, digits: int = DIGITS, search: bool = True) -> Table:
    """R̃_{ν,2ν}(10⁹) in exact rationals; the sign of R̃ − R_ν by a ball of ``digits`` digits. Nothing to search."""
    rows = {nu: _cells(printed, nu, digits) for nu in ORDERS}
    title = "Finite-recurrence asymptotics follow the parity of ν"
    conditions = {"x": "1e9", "M": "2ν", "digits": str(digits)}
    return Table(ID, title, "nu", COLUMNS, rows, conditions)


def row(nu: int, digits: int) -> dict[str, Value]:
    """The computed entries. The limit is the leading coefficient of R̃/x or of x·R̃ for M = 2ν (Appendix D.5)."""
    raw = recurrence.ratio(nu, 2 * nu, X)
    odd = nu % 2 == 1
    scaled = raw / X if odd else raw * X
    limit = fmpq(2, (nu + 1) * (3 * nu + 1)) if odd else fmpq(nu * (3 * nu + 2), 2)
    return {
        "p": str(2 * nu + 2),
        "raw_R": raw,
        "sign": _sign(raw, nu, digits),
        "phase": _phase(recurrence.ratio(nu, 2 * nu, 2 * X) / raw),
        "scaled": scaled,
        "limit": limit,
        "relative_error": abs(scaled / limit - 1),
    }


def _sign(raw: fmpq, nu: int, digits: int) -> str:
    with working_precision(bits_for(digits)):
        return {1: "+", -1: "-"}.get(sign(raw - bessel.ratio(nu, X, digits)) or 0, "undecided")


def _phase(growth: fmpq) -> str:
    """How R̃ responds to doubling x."""
    if abs(growth - 2) < fmpq(1, 10):
        return "linear"
    return "inverse" if abs(growth - fmpq(1, 2)) < fmpq(1, 10) else "neither"


def _cells(printed: Printed, nu: int, digits: int) -> dict[str, Cell]:
    texts = {column: printed.value(ID, nu, column) for column in COLUMNS}
    return {column: Cell(value, "exact", texts[column], judge(value, texts[column])) for column, value in row(nu, digits).items()}
