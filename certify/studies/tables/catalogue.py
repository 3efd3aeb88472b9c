"""The paper's tables from scratch: each cell computed, the printed value beside it, and how the two compare.

Printed values enter nothing but the judgement.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from certify.claims.exits import BadInput
from certify.data.printed import load
from certify.exact.domain import decimal_digits
from certify.studies.tables.cell import Table

if TYPE_CHECKING:
    from certify.studies.tables.table_1 import TaskTable
    from certify.studies.tables.table_7 import CostTable
    from certify.studies.tables.table_evaluators import EvaluatorTable
    from certify.studies.tables.table_special import SpecialTable
    from certify.studies.timings.record import Record

IDS = ("2", "3", "4", "5", "6", "geometry")
MEASURED = ("7",)
"""What ``certify bench`` records and nothing here computes."""
TRAINED = ("1", "8")
"""What ``certify train arms`` records."""
BEYOND = ("evaluators", "special")
"""What is computed and is not in the paper."""


def number(id: str | int) -> str:
    """The number of the table that ``5`` or ``table.5`` names. Raises ValueError where there is none."""
    found = str(id).removeprefix("table.")
    if found not in IDS + MEASURED + TRAINED + BEYOND:
        raise BadInput(f"unknown table {str(id)!r}: choose from {', '.join(IDS + MEASURED + TRAINED + BEYOND)}")
    return found


def build(
    id: str | int,
    *,
    digits: int | None = None,
    search: bool = True,
    printed: Path | None = None,
    records: Sequence[Record] = (),
    files: tuple[str, ...] = (),
) -> Table | CostTable | EvaluatorTable | SpecialTable | TaskTable:
    """The table of that number, from nothing; 7 from the ``records`` of ``certify bench``, 1 and 8 from ``files`` of ``certify train``.

    ``digits`` (15 to 1000) is the accuracy of the certified reference, by default the paper's; ``search`` looks for
    larger errors between the grid points; ``printed`` is a file to take the printed values from instead of the
    package's. Raises ValueError, one line, for an unknown table, digits out of range or too few to judge a cell, and
    for a file of printed values that is not one.
    """
    found = number(id)
    module = import_module(f"certify.studies.tables.table_{found}")
    if found in TRAINED:
        return module.build(files)
    if found in MEASURED:
        return module.build(load(printed), records)
    wanted = module.DIGITS if digits is None else decimal_digits(digits)
    return module.build(load(printed), wanted, search)
