"""What a user would pick: errors, failures, coherence and cost of evaluators of R_ν, on the grid of Table 5 and off it.

*Error* is the largest |R̂ − R_ν| where R̂ is finite and not zero, *failures* are the points where it is not; both in balls. *Coherence* is
the largest |Φ̂(x+1) − Φ̂(x) − ∫ R̂| over a unit step, the integral by Gauss's rule of eight points, whose own error is below 10⁻²⁰ for ν ≥ 31,
as R_ν is analytic within ν of the axis: how far value and derivative are from belonging together. Nothing of it is printed in the paper.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from statistics import median
from time import thread_time

import numpy as np
from flint import arb

from certify.exact.ball import bits_for, working_precision
from certify.exact.number import exact
from certify.exact.truth import Truth, less
from certify.studies.fidelity import search as bisection
from certify.studies.fidelity.errors import largest, ratio
from certify.studies.fidelity.evaluators import Array, Entry, entries
from certify.studies.tables.grid import DIMENSIONS, POINTS, concentrations, order
from certify.training.threads import one_thread

ID = "evaluators"
TITLE = "Evaluators of the ratio R_ν(x) in FP64"
DIGITS = 40
BUDGET = 300
NODES = 8
TIMED_P, SIZES, REPEATS = 512, (100_000, 20), 5
"""The dimension and the numbers of elements at which is timed, fast ones and slow ones."""

_EXACT = ratio()


@dataclass(frozen=True)
class Place:
    """An error, enclosed, and where."""

    value: arb
    p: int
    x: float


@dataclass(frozen=True)
class Row:
    """One evaluator; ``missing`` says why nothing else is known. ``failures`` by dimension; ``coherence`` None without a potential."""

    name: str
    version: str
    missing: str | None = None
    on_grid: Place | None = None
    off_grid: Place | None = None
    failures: tuple[int, ...] = ()
    coherence: float | None = None
    nanoseconds: float | None = None
    broken: str | None = None
    """A dimension in which the error exceeds what is promised."""


@dataclass(frozen=True)
class EvaluatorTable:
    """Rows in the order in which they are to be read."""

    rows: tuple[Row, ...]
    conditions: Mapping[str, str] = field(default_factory=dict)
    id: str = ID
    title: str = TITLE

    @property
    def contradicts(self) -> bool:
        """Whether an evaluator exceeds the error that it promises."""
        return any(row.broken for row in self.rows)


def build(printed: object = None, digits: int = DIGITS, search: bool = True) -> EvaluatorTable:
    """All evaluators; ``search`` looks for larger errors between the grid points, but of those that take elements one by one."""
    conditions = {
        "grid": f"p = {DIMENSIONS[0]} … {DIMENSIONS[-1]}, {POINTS} log-spaced x/ν from 1e-3 to 1e3",
        "timed": f"p = {TIMED_P}, {SIZES[0]} elements, {SIZES[1]} of slow ones, median of {REPEATS}, processor time of one thread, eager",
        "reference digits": str(digits),
    }
    return EvaluatorTable(tuple(_row(entry, digits, search) for entry in entries()), conditions)


def _row(entry: Entry, digits: int, search: bool) -> Row:
    if entry.missing:
        return Row(entry.name, entry.version, entry.missing)
    grid = [_on_grid(entry, p, digits) for p in DIMENSIONS]
    beyond = [_off_grid(entry, p, digits) for p in DIMENSIONS] if search and not entry.slow else []
    places = [place for place, _ in grid if place]
    return Row(
        entry.name,
        entry.version,
        on_grid=_greatest(places),
        off_grid=_greatest(beyond),
        failures=tuple(failures for _, failures in grid),
        coherence=_coherence(entry),
        nanoseconds=_nanoseconds(entry),
        broken=next((f"p = {each.p}" for each in places + beyond if _exceeds(entry, each)), None),
    )


def _on_grid(entry: Entry, p: int, digits: int) -> tuple[Place | None, int]:
    """The largest error in one dimension, and the number of failures."""
    x = concentrations(p)
    found = entry.ratio(order(p), x)
    sound = np.isfinite(found) & (found != 0)
    return _worst(found[sound], x[sound], p, digits), int(np.sum(~sound))


def _off_grid(entry: Entry, p: int, digits: int) -> Place:
    """The largest error that a search finds between the grid points; failures count as no error."""
    nu, x = order(p), concentrations(p)

    def errors(points: Array) -> Array:
        found = entry.ratio(nu, points)
        pairs = zip(found.tolist(), points.tolist(), strict=True)
        return np.array(
            [abs(float(arb(value) - _EXACT.exact(nu, at, digits))) if np.isfinite(value) and value else 0.0 for value, at in pairs]
        )

    with working_precision(bits_for(digits)):
        at = np.array([bisection.largest(errors, x, BUDGET).x])
    place = _worst(entry.ratio(nu, at), at, p, digits)
    assert place is not None
    return place


def _worst(found: Array, x: Array, p: int, digits: int) -> Place | None:
    with working_precision(bits_for(digits)):
        residuals = [arb(value) - _EXACT.exact(order(p), at, digits) for value, at in zip(found.tolist(), x.tolist(), strict=True)]
    if not residuals:
        return None
    at, value = largest(residuals, digits)
    return Place(value, p, float(x[at]))


def _greatest(places: list[Place]) -> Place | None:
    return max(places, key=lambda place: float(place.value), default=None)


def _exceeds(entry: Entry, place: Place) -> bool:
    return entry.promise is not None and less(exact(entry.promise(place.p)), place.value) is Truth.YES


def _coherence(entry: Entry) -> float | None:
    """Where both are finite, over every dimension of a fast evaluator and the smallest one of a slow one."""
    if entry.rise is None:
        return None
    worst = 0.0
    for p in DIMENSIONS[:1] if entry.slow else DIMENSIONS:
        nu, x = float(order(p)), concentrations(p)
        difference = np.abs(entry.rise(nu, x) - _integral(lambda points, nu=nu: entry.ratio(nu, points), x))
        worst = max(worst, float(np.max(difference[np.isfinite(difference)], initial=0.0)))
    return worst


def _integral(function: Callable[[Array], Array], x: Array) -> Array:
    """∫ over [x, x+1]."""
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    points = x[:, None] + (1 + nodes) / 2
    return function(points.ravel()).reshape(points.shape) @ (weights / 2)


def _nanoseconds(entry: Entry) -> float:
    """An element, over log-spaced x/ν."""
    nu = float(order(TIMED_P))
    x = nu * np.logspace(-3, 3, SIZES[entry.slow])
    with one_thread():
        entry.ratio(nu, x)
        return median(_seconds(entry, nu, x) for _ in range(1 if entry.slow else REPEATS)) / len(x) * 1e9


def _seconds(entry: Entry, nu: float, x: Array) -> float:
    start = thread_time()
    entry.ratio(nu, x)
    return thread_time() - start
