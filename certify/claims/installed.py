"""Claims that installed packages bring: entry points of the group ``certify.claims``.

    [project.entry-points."certify.claims"]
    mylibrary = "mylibrary.claims"

The entry point's name is the first word of the ids that its module declares, here ``mylibrary.softplus``. The module is imported only
if a selector begins with that word: ``certify run mylibrary``, ``'mylibrary.*'`` or ``mylibrary.softplus``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from certify.claims.origin import Origin

GROUP = "certify.claims"


@cache
def _found() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def names() -> dict[str, str]:
    """The distribution behind each entry point, by its name. Nothing is imported."""
    return {name: _distribution(point) for name, point in _found().items()}


def origins(selectors: Iterable[str]) -> Iterator[Origin]:
    """The modules that the selectors name by their first word."""
    wanted = {selector.partition(".")[0] for selector in selectors}
    for name, point in _found().items():
        if name in wanted:
            yield Origin(point.module, name=point.module, family=name)


def _distribution(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist is not None else "unknown"
