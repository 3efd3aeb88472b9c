"""Table 8 in small: accuracy, AUROC and FPR95 of the arms, from records of ``certify train arms``."""

from __future__ import annotations

from certify.studies.tables.table_1 import TITLE, TaskTable
from certify.training.record import records

ID = "8"
METRICS = ("accuracy", "AUROC", "FPR95")


def build(files: tuple[str, ...]) -> TaskTable:
    """From the records named, or those of record. Raises BadInput where there are none."""
    return TaskTable(ID, f"{TITLE}: all metrics", METRICS, tuple(records("arms", files)))
