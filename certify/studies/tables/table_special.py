"""Certified special functions beside those of the installed libraries: the worst error found of each, and the time that they take.

Nothing of it is printed in the paper. A *defect* is an error of ``special.DEFECT`` units or no number at all.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy
import scipy
import torch

from certify.studies.special import jax_functions
from certify.studies.special.errors import DEFECT, Row, rows
from certify.studies.special.times import ELEMENTS, REPEATS, Time, times

ID = "special"
TITLE = "Special functions: the worst error found, in units in the last place"
DIGITS = 36
COUNT = {False: 40, True: 120}
"""Inputs of each kind on the grid, and for a search."""


@dataclass(frozen=True)
class SpecialTable:
    """Rows by function, dtype, implementation and derivative; times by function and implementation."""

    rows: tuple[Row, ...]
    times: tuple[Time, ...] = ()
    conditions: Mapping[str, str] = field(default_factory=dict)
    id: str = ID
    title: str = TITLE

    @property
    def contradicts(self) -> bool:
        """Whether one of ours has a defect."""
        return any(row.defect for row in self.rows if row.package == "certify")


def build(printed: object = None, digits: int = DIGITS, search: bool = True) -> SpecialTable:
    """All functions; ``search`` tries more inputs."""
    versions = {"torch": torch.__version__, "scipy": scipy.__version__, "numpy": numpy.__version__, "python": platform.python_version()}
    unavailable = jax_functions.missing()
    if not unavailable:
        versions["jax"] = jax_functions.version()
    conditions = {
        "defect": f"an error of {DEFECT} u or more, or no number",
        "timed": f"{ELEMENTS} elements in float64, one thread, median (least, most) of {REPEATS} interleaved rounds; ns an element",
        **({"not run": unavailable} if unavailable else {"not timed": "jax, whose threads are not set from within"}),
        "versions": ", ".join(f"{name} {version}" for name, version in versions.items()),
    }
    return SpecialTable(tuple(rows(COUNT[search])), tuple(times()), conditions)
