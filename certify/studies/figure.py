"""The figures: each a module of this room with ``data(records)``, ``draw(data)`` and a ``CAPTION``, by its id.

A figure is drawn from plain data alone, and the data lie beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

MODULES = {"6": "figure_6", "reversal": "reversal"}
"""By id; ``figure.6`` serves as well as ``6``."""


@dataclass(frozen=True)
class Figure:
    """``data`` is plain and complete: ``draw`` reads nothing else."""

    id: str
    caption: str
    data: dict[str, Any]
    module: ModuleType

    def draw(self) -> Any:
        """A matplotlib Figure."""
        return self.module.draw(self.data)


def identifier(id: str) -> str:
    """The id of the figure that ``6`` or ``figure.6`` names. Raises ValueError where there is none."""
    found = id.removeprefix("figure.")
    if found not in MODULES:
        raise ValueError(f"unknown figure {id!r}: choose from {', '.join(MODULES)}")
    return found


def build(id: str, records: Sequence[Any]) -> Figure:
    """The figure from records of ``certify bench``. Raises ValueError where they lack what it shows."""
    found = identifier(id)
    module = import_module(f"certify.studies.{MODULES[found]}")
    return Figure(found, module.CAPTION, module.data(records), module)
