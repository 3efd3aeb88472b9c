"""Executors of other machines, by address: ``dask://HOST:PORT``, or the scheme of an entry point of the group ``certify.executors``.

    [project.entry-points."certify.executors"]
    slurm = "mypackage.slurm:Executor"

The entry point is called with what follows ``slurm://`` and returns a ``concurrent.futures.Executor``. It raises OSError where it cannot
be reached, ValueError where it will not do; an attribute ``workers``, if it has one, is the number of tasks that it runs at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from importlib import import_module
from importlib.metadata import entry_points
from typing import NamedTuple

from certify.claims.exits import BadInput
from certify.claims.pool import close
from certify.claims.provenance import cores
from certify.claims.runner import Pool
from certify.claims.text import clipped, line

GROUP = "certify.executors"
OWN = {"dask": "certify.claims.dask"}


class Cluster(NamedTuple):
    """How to make an executor, and how many tasks it runs at a time."""

    pool: Pool
    workers: int


def connect(url: str) -> Cluster:
    """The executor of an address, once it has answered. Raises BadInput where there is none."""
    scheme, separator, address = url.partition("://")
    if not (separator and address):
        raise BadInput(f"executor {url!r}: write SCHEME://ADDRESS, such as dask://localhost:8786")
    make = _factory(scheme)
    try:
        first = make(address)
    except (OSError, ValueError) as error:
        raise BadInput(f"executor {url!r}: {clipped(line(str(error)))}") from None
    workers = getattr(first, "workers", None) or cores()
    close(first, abandon=False)
    return Cluster(lambda _: make(address), workers)


def _factory(scheme: str) -> Callable[[str], Executor]:
    """Raises BadInput for a scheme that nothing serves, and where what serves it is not installed."""
    if scheme in OWN:
        try:
            return import_module(OWN[scheme]).DaskExecutor
        except ImportError as error:
            raise BadInput(f"executor {scheme}: {error.name} is not installed; pip install 'certify-numerics[{scheme}]'") from None
    found = {point.name: point for point in entry_points(group=GROUP)}
    if scheme not in found:
        raise BadInput(f"executor {scheme}://: no such scheme; known: {', '.join(sorted([*OWN, *found]))}")
    try:
        return found[scheme].load()
    except (ImportError, AttributeError) as error:
        raise BadInput(f"executor {scheme}: {clipped(line(str(error)))}") from None
