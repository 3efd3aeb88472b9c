"""The paper's tables from scratch: each cell computed, the printed value beside it, and how the two compare.

Printed values enter nothing but the judgement.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from certify.data.printed import load
from certify.exact.domain import decimal_digits
from certify.studies.cell import Table

IDS = ("3", "5", "6")


def build(id: str | int, *, digits: int | None = None, search: bool = True, printed: Path | None = None) -> Table:
    """The table of that number, from nothing.

    ``digits`` (15 to 1000) is the accuracy of the certified reference, by default the paper's; ``search`` looks for
    larger errors between the grid points; ``printed`` is a file to take the printed values from instead of the
    package's. Raises ValueError, one line, for an unknown table, digits out of range or too few to judge a cell, and
    for a file of printed values that is not one.
    """
    if str(id) not in IDS:
        raise ValueError(f"unknown table {str(id)!r}: choose from {', '.join(IDS)}")
    module = import_module(f"certify.studies.table_{id}")
    wanted = module.DIGITS if digits is None else decimal_digits(digits)
    return module.build(load(printed), wanted, search)
