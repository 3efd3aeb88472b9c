"""Table 4: fidelity of scores and coherence of the backward, over six views of a state rebuilt at the printed query range."""

from __future__ import annotations

from dataclasses import replace

import torch
from flint import arb, fmpq

from certify.data.printed import Printed
from certify.exact import bessel
from certify.exact.ball import working_precision
from certify.exact.number import exact
from certify.learning.bounds import largest
from certify.learning.enclosure import enclose
from certify.learning.geometry import radii, tensor
from certify.learning.objective import ladder, patt, realized
from certify.learning.states import BITS, State
from certify.realizations.tensor.original import Original
from certify.studies.finite_start.backward_rules import largest_residual
from certify.studies.finite_start.coherence import at
from certify.studies.judgement import judge
from certify.studies.states import reconstructed
from certify.studies.states.reconstructed import NU, describe, increments
from certify.studies.tables.cell import Bound, Cell, Table
from certify.studies.tables.table_2 import by_range, defect, state_dependent

ID = "4"
TITLE = "Score fidelity and backward coherence, at a reconstructed state"
DIGITS = 20
VIEWS, SAMPLES = 6, 16
COLUMNS = ("reference", "maximum_discrepancy")

FINITE, CLOSED = "finite-potential score", "AR/FR same-state score"
CLIPPED, COHERENCE = "clipped backward radial factor", "forward-backward coherence defect"
REFERENCES = {FINITE: "exact score", CLOSED: "exact score", CLIPPED: "exact Bessel ratio", COHERENCE: "finite-forward derivative"}

MARGIN = 1
"""Added to the largest r − κ for the rounding of the features to float32."""


def build(printed: Printed, digits: int = DIGITS, search: bool = True) -> Table:
    """Scores in FP64 against enclosed ones, radial factors in balls at the radius of the largest error. Nothing to search."""
    found = reconstructed.patt(samples=SAMPLES, views=VIEWS)
    cells = _cells(found, printed, digits)
    rows = {name: {COLUMNS[0]: _reference(printed, name), COLUMNS[1]: cell} for name, cell in cells.items()}
    return Table(ID, TITLE, "comparison", COLUMNS, rows, {"state": describe(found)})


def score_errors(found: State, digits: int) -> tuple[arb, arb]:
    """The largest |q̂ − q| in FP64 over all queries and classes: by the finite potential, and by AR/FR."""
    exact_scores = [q for view in enclose(found, fmpq(1, 10**digits)) for sample in view for q in sample.scores]
    finite, closed = (patt(found, score).scores.flatten().tolist() for score in (realized(Original(NU)), ladder(1)))
    return _largest_gap(finite, exact_scores), _largest_gap(closed, exact_scores)


def clipped_error(x: fmpq) -> arb:
    """|min(R̃, 1) − R_ν| at ν = 255."""
    supplied = at(NU, x).ratio.min(arb(1))
    with working_precision(BITS):
        return abs(supplied - bessel.ratio(NU, x, DIGITS))


def _largest_gap(scores: list[float], exact_scores: list[arb]) -> arb:
    with working_precision(BITS):
        return largest([abs(arb(a) - b) for a, b in zip(scores, exact_scores, strict=True)])


def _cells(found: State, printed: Printed, digits: int) -> dict[str, Cell]:
    texts = {name: printed.value(ID, name, COLUMNS[1]) for name in REFERENCES}
    x = torch.stack([radii(found, tensor(view, torch.float64), "factorized") for view in found.features])
    finite, closed = score_errors(found, digits)
    farthest = increments()[1] + MARGIN
    return {
        FINITE: state_dependent(finite, texts[FINITE]),
        CLOSED: replace(state_dependent(closed, texts[CLOSED]), bound=Bound("score.cubic", farthest / NU**3)),
        CLIPPED: by_range(clipped_error(exact(x.min().item())), texts[CLIPPED], clipped_error, "balls"),
        COHERENCE: by_range(largest_residual(NU, x), texts[COHERENCE], defect, "balls"),
    }


def _reference(printed: Printed, name: str) -> Cell:
    text = printed.value(ID, name, COLUMNS[0])
    return Cell(REFERENCES[name], "", text, judge(REFERENCES[name], text))
