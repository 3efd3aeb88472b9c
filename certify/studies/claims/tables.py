"""The paper's tables as claims: every cell, computed from nothing, agrees with the printed one.

*matches*, *rounds differently*, *noise* and *in range* are agreement, and the summary counts them, and what is *not judged*;
*contradicts* refutes, and so does an error above its proved bound. Table 3 is exact arithmetic with balls; the others have FP64 columns,
and what those show is measured on the machine at hand. Tables 2 and 4 are at states rebuilt in place of captured ones. The search for
larger errors between the grid points belongs to the full profile.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from certify.claims.claim import Claim, claim
from certify.claims.verdict import Verdict

if TYPE_CHECKING:
    from certify.studies.tables.cell import Cell, Rung, Table

SHOWN = 10
GRID = r"p \in \{64, 128, \dots, 4096\},\ \nu = p/2-1,\ x/\nu \in \{10^{-3}, 10^{-2.9}, \dots, 10^3\}"


def declared(id: str, *, statement: str, domain: str, source: str, grade: str) -> Claim:
    """The claim ``table.id``: no cell contradicts what is printed, with that grade."""

    @claim(f"table.{id}", statement=statement, domain=domain, source=source, grade=grade)
    def prove(profile: str = "quick") -> Verdict:
        from certify.studies.tables.catalogue import build
        from certify.studies.tables.cell import Table

        table = build(id, search=profile == "full")
        assert isinstance(table, Table)
        return _verdict(table, grade)

    return prove


table_2 = declared(
    "2",
    statement=r"\text{Original and consistent recurrence: scores and losses agree bitwise;}\ \max|D_{\text{clip}}|\ \text{and the relative}"
    r"\ \text{gradient difference are as the printed radii give them}",
    domain=r"p = 512,\ K = 100,\ B = 256,\ \text{two views, a reconstructed state:}\ \kappa_j = 10^5,\ r/\nu \in [392.35, 393.11]",
    source="Table 2",
    grade="measured",
)
table_3 = declared(
    "3",
    statement=r"\tilde R_{\nu,2\nu}(10^9),\ \text{its sign against}\ R_\nu,\ \text{its growth and its limit are as printed}",
    domain=r"\nu \in \{63, 64, 255, 256\}",
    source="Table 3",
    grade="enclosed",
)
table_4 = declared(
    "4",
    statement=r"\max|\min(\tilde R,1)-R_\nu|\ \text{and}\ \max|D_{\text{clip}}|\ \text{are as the printed radii give them;}"
    r"\ \text{the score of AR/FR in FP64 is within}\ \nu^{-3}|r-\kappa|\ \text{of the exact one}",
    domain=r"p = 512,\ K = 100,\ \text{six views of 16 queries, a reconstructed state}",
    source="Table 4",
    grade="measured",
)
table_5 = declared(
    "5",
    statement=r"\max_x |\hat R - R_\nu|\ \text{is as printed for CUSF in FP64 and for}\ A_R,\ \text{and below}\ \nu^{-3}\ \text{for}\ A_R",
    domain=GRID,
    source="Table 5",
    grade="measured",
)
table_6 = declared(
    "6",
    statement=r"\max_x |\Delta\hat\Phi - \Delta\Phi_\nu|,\ \Delta\Phi = \Phi(x+1) - \Phi(x),\ \text{is as printed for log-Miller}"
    r"\ \text{and CUSF in FP64 and for}\ F_R,\ \text{and below}\ \nu^{-3}\ \text{for}\ F_R",
    domain=GRID,
    source="Table 6",
    grade="measured",
)
table_geometry = declared(
    "geometry",
    statement=r"\text{Original and consistent recurrence: identical scores and losses, different gradients, in FP32 and FP64, expanded}"
    r"\ \text{and factorized geometry}",
    domain=r"p = 512,\ K = 100,\ B = 32,\ \text{a reconstructed state}",
    source="Appendix E.1, robustness across precision and geometry",
    grade="measured",
)


def _verdict(table: Table, grade: str) -> Verdict:
    tally = Counter(cell.judgement.value for _, _, cell in table.cells())
    summary = ", ".join(f"{count} {judgement}" for judgement, count in tally.items())
    witnesses = [_witness(table, key, column, cell) for key, column, cell in table.cells() if cell.contradicts]
    witnesses += [_above(table, key, rung) for key, rung in table.exceeded()]
    if witnesses:
        return Verdict.refuted(witnesses[0], f"{witnesses[0]['at']} contradicts; of all cells {summary}")
    return getattr(Verdict, grade)(f"of {tally.total()} cells {summary}", **tally)


def _witness(table: Table, key: int | str, column: str, cell: Cell) -> dict[str, str]:
    from certify.studies.decimals import scientific

    found = {"computed": scientific(cell.value, SHOWN), "printed": cell.printed, "explanation": cell.explanation}
    if cell.off_grid is not None:
        found["off the grid"] = scientific(cell.off_grid.value, SHOWN)
    if cell.bound is not None:
        found["bound"] = scientific(cell.bound.value, SHOWN)
    return {"at": f"{table.key} = {key}, {column}", **{name: text for name, text in found.items() if text}}


def _above(table: Table, key: int | str, rung: Rung) -> dict[str, str]:
    from certify.studies.decimals import scientific

    place = f"{table.key} = {key}, ladder n = {rung.n}"
    return {"at": place, "computed": scientific(rung.value, SHOWN), "bound": scientific(rung.bound.value, SHOWN)}
