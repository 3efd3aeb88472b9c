"""The figures: each a module of this room with a ``CAPTION`` and ``draw(data)``, by its id.

Figures of what ``certify bench`` records have ``data(records)``; the others are computed, and ``study()`` gives their data and the
points at which what they show is held against the paper. Those of ``certify train`` have ``study(files)``. A figure is drawn from plain
data alone, and the data lie beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

from certify.claims.exits import BadInput
from certify.claims.verdict import Verdict
from certify.exact.truth import Truth
from certify.studies.points import Point, all_of, everywhere

RECORDED = {"6": "figure_6", "reversal": "figure_reversal"}
TRAINED = {"3": "figure_3", "training": "figure_training"}
COMPUTED = {id: f"figure_{id}" for id in ("2", "4", "5", "7", "8", "9", "10", "11")}
MODULES = dict(sorted({**COMPUTED, **RECORDED, **TRAINED}.items(), key=lambda entry: (not entry[0].isdigit(), len(entry[0]), entry[0])))
"""By id; ``figure.6`` serves as well as ``6``."""


@dataclass(frozen=True)
class Figure:
    """``data`` is plain and complete: ``draw`` reads nothing else. ``points`` are held against the paper."""

    id: str
    caption: str
    data: Mapping[str, Any]
    module: ModuleType
    points: tuple[Point, ...] = ()

    def draw(self) -> Any:
        """A matplotlib Figure."""
        return self.module.draw(self.data)

    @property
    def holds(self) -> Truth:
        """Whether every relation holds."""
        return all_of(point.holds for point in self.points)

    def verdict(self, passing: Callable[..., Verdict]) -> Verdict:
        """On all relations."""
        return everywhere(self.points, self.caption.rstrip("."), passing)


def identifier(id: str) -> str:
    """The id of the figure that ``6`` or ``figure.6`` names. Raises ValueError where there is none."""
    found = id.removeprefix("figure.")
    if found not in MODULES:
        raise BadInput(f"unknown figure {id!r}: choose from {', '.join(MODULES)}")
    return found


def build(id: str, records: Sequence[Any] = (), files: tuple[str, ...] = ()) -> Figure:
    """The figure, from nothing, from records of ``certify bench``, or from ``files`` of ``certify train``, by default those of record.

    Raises ValueError where these lack what it shows.
    """
    found = identifier(id)
    module = import_module(f"certify.studies.figures.{MODULES[found]}")
    if found in RECORDED:
        return Figure(found, module.CAPTION, module.data(records), module)
    data, points = module.study(files) if found in TRAINED else module.study()
    whole = {"figure": found, "caption": module.CAPTION, **data, "relations": [_relation(point) for point in points]}
    return Figure(found, module.CAPTION, whole, module, tuple(points))


def _relation(point: Point) -> dict[str, Any]:
    return {"at": dict(point.at), "relation": point.relation, "holds": point.holds.value, "found": point.numbers()}
