"""Table 2: changing only the backward rule, at a state rebuilt at the printed query range.

Whether scores and losses agree bitwise is judged, and so are the defect and the relative gradient difference, by the values that a
radius of the printed range gives them. The largest gradient entry depends on the captured state.
"""

from __future__ import annotations

from collections.abc import Callable

from flint import arb, fmpq

from certify.data.printed import Printed
from certify.exact.number import exact
from certify.studies.decimals import scientific
from certify.studies.finite_start.backward_rules import Difference, differences
from certify.studies.finite_start.coherence import at
from certify.studies.judgement import Judgement, judge, judge_range
from certify.studies.states.reconstructed import HIGH, LOW, NU, describe, patt
from certify.studies.tables.cell import Cell, Table

ID = "2"
TITLE = "Changing only the backward rule, at a reconstructed state"
DIGITS = 20
FIRST_VIEW = 2
SHOWN = 5
COLUMNS = ("max_score_delta", "loss_delta", "max_D_clip", "gradient_relative_l2", "gradient_max_delta")
STATE_DEPENDENT = "depends on the captured state, which is not public"


def build(printed: Printed, digits: int = DIGITS, search: bool = True) -> Table:
    """A row a view; the defect by balls, the rest in FP64. Nothing to search."""
    found = patt()
    rows = {view: _cells(printed, view, difference) for view, difference in enumerate(differences(found), start=FIRST_VIEW)}
    return Table(ID, TITLE, "view", COLUMNS, rows, {"state": describe(found)})


def by_range(value: arb, text: str, quantity: Callable[[fmpq], arb], arithmetic: str) -> Cell:
    """A cell whose quantity is a function of the radius, held against its values at the ends of the printed range."""
    ends = quantity(LOW * NU), quantity(HIGH * NU)
    shown = " to ".join(scientific(end, SHOWN) for end in ends)
    return Cell(value, arithmetic, text, judge_range(value, text, ends), f"over the printed range of radii it runs from {shown}")


def state_dependent(value: arb, text: str, arithmetic: str = "FP64") -> Cell:
    """A cell that only the captured state could give."""
    return Cell(value, arithmetic, text, Judgement.NOT_JUDGED, STATE_DEPENDENT)


def measured(value: float) -> arb:
    """Six digits of what FP64 found."""
    return arb(exact(f"{value:.5e}"), exact("1e-6") * exact(value))


def defect(x: fmpq) -> arb:
    """|D(x)| at ν = 255."""
    return abs(at(NU, x).residual)


def relative_defect(x: fmpq) -> arb:
    """|D(x)|/Φ̃′(x) at ν = 255."""
    return at(NU, x).relative


def _cells(printed: Printed, view: int, found: Difference) -> dict[str, Cell]:
    texts = {column: printed.value(ID, view, column) for column in COLUMNS}
    equal = {"max_score_delta": found.score, "loss_delta": found.loss}
    return {
        **{name: Cell(value, "FP64", texts[name], judge(value, texts[name])) for name, value in equal.items()},
        "max_D_clip": by_range(found.residual, texts["max_D_clip"], defect, "balls"),
        "gradient_relative_l2": by_range(measured(found.relative), texts["gradient_relative_l2"], relative_defect, "FP64"),
        "gradient_max_delta": state_dependent(measured(found.largest), texts["gradient_max_delta"]),
    }
