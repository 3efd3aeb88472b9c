"""Robustness across precision and geometry: the two backward rules at one view, in FP32 and FP64, expanded and factorized.

The paper prints no numbers: in every cell scores and losses are identical while the feature gradients differ.
"""

from __future__ import annotations

from itertools import product

import torch

from certify.data.printed import Printed
from certify.learning.geometry import LAYOUTS
from certify.studies.finite_start.backward_rules import IDENTICAL, Difference, differences
from certify.studies.judgement import Judgement
from certify.studies.states import reconstructed
from certify.studies.tables.cell import Cell, Table

ID = "geometry"
TITLE = "Identical scores and losses, different gradients, in every precision and geometry, at a reconstructed state"
DIGITS = 20
SAMPLES = 32
FORMATS = {"FP32": torch.float32, "FP64": torch.float64}
COLUMNS = ("scores", "losses", "gradients")
SAME, DIFFERENT = "identical", "differ"


def build(printed: Printed, digits: int = DIGITS, search: bool = True) -> Table:
    """One view, all in FP64 after the geometry. Nothing to search."""
    found = reconstructed.patt(samples=SAMPLES, views=1)
    rows = {}
    for (name, dtype), layout in product(FORMATS.items(), LAYOUTS):
        (difference,) = differences(found, layout, dtype)
        rows[f"{name}, {layout}"] = _cells(printed, f"{name}, {layout}", difference)
    return Table(ID, TITLE, "geometry", COLUMNS, rows, {"state": reconstructed.describe(found)})


def _cells(printed: Printed, row: str, found: Difference) -> dict[str, Cell]:
    gaps = (found.score, found.loss, IDENTICAL if found.relative == 0 else f"{found.relative:.3e}")
    return {column: _cell(gap, printed.value(ID, row, column)) for column, gap in zip(COLUMNS, gaps, strict=True)}


def _cell(gap: str, text: str) -> Cell:
    """A difference is shown by its size; *identical* and *differ* are what is judged."""
    said = SAME if gap == IDENTICAL else DIFFERENT
    shown = SAME if gap == IDENTICAL else f"differ by {gap.replace('e-0', 'e-')}"
    return Cell(shown, "FP64", text, Judgement.MATCHES if said == text else Judgement.CONTRADICTS)
