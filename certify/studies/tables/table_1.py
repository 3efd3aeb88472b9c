"""Table 1 in small: accuracy and AUROC of the arms, from records of ``certify train arms``; Table 8 has all metrics.

The paper's runs are of CIFAR-LT and ImageNet-LT on GPUs; these are of another scale, so that no cell is held against a printed one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from certify.training.record import records

ID = "1"
TITLE = "Classification and OOD detection under different realizations, in small"
METRICS = ("accuracy", "AUROC")


@dataclass(frozen=True)
class TaskTable:
    """``metrics`` are the beginnings of the names of those shown."""

    id: str
    title: str
    metrics: tuple[str, ...]
    records: tuple[dict[str, Any], ...]
    contradicts: bool = False


def build(files: tuple[str, ...]) -> TaskTable:
    """From the records named, or those of record. Raises BadInput where there are none."""
    return TaskTable(ID, TITLE, METRICS, tuple(records("arms", files)))
