"""The integral test: over a panel, the integral of the supplied derivative is the change of the forward.

It sees what happens between samples: a rise of the forward that the derivative does not know of cannot hide there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.polynomial import chebyshev

from certify.audit.bisect import narrowed
from certify.audit.judge import LAST_PLACES, ROUNDINGS
from certify.audit.precision import Floats
from certify.audit.stencil import CAUTION, DOUBT, UNRESOLVED
from certify.audit.subject import Subject

NODES = np.array([-1.0, -0.8997, -0.6772, -0.3631, 0.0, 0.3631, 0.6772, 0.8997, 1.0])
DEGREE = 5
FOLLOWED = 32  # panels that are halved
BENT = 10  # panels on which the supplied derivative is least smooth, in each of three senses
KEPT = 14  # midpoints of each that are looked at


@dataclass(frozen=True)
class Gaps:
    """Over each panel: change of the forward minus the integral, its bar, and whether that is a contradiction.

    ``bend`` is by how much the supplied derivative leaves a smooth curve, relatively, at ``places``.
    """

    size: Floats
    bar: Floats
    contradicts: np.ndarray
    bend: Floats
    places: Floats


@cache
def _rule() -> tuple[Floats, Floats]:
    basis = chebyshev.chebvander(NODES, DEGREE)
    inverse = np.linalg.pinv(basis)
    areas = [np.diff(chebyshev.chebval(np.array([-1.0, 1.0]), chebyshev.chebint(unit)))[0] for unit in np.eye(DEGREE + 1)]
    return np.asarray(np.array(areas) @ inverse, dtype=np.float64), np.eye(NODES.size) - basis @ inverse


def gaps(subject: Subject, a: Floats, b: Floats) -> Gaps:
    """Hold the supplied derivative against the forward over the panels [a, b]."""
    weights, residual = _rule()
    half = b / 2 - a / 2
    places = subject.format.round((a / 2 + b / 2)[:, None] + half[:, None] * NODES)
    s = subject.supplied(places)
    fa, fb = np.split(subject.forward(np.concatenate([a, b])), 2)
    finite = np.isfinite(s).all(axis=1) & np.isfinite(fa) & np.isfinite(fb)
    s = np.where(finite[:, None], s, 0.0)
    largest = np.abs(s).max(axis=1)
    misfit = np.abs(s @ residual.T).max(axis=1)
    size = np.where(finite, fb - fa - half * (s @ weights), 0.0)
    rounding = 2 * (subject.output.ulp(fa) + subject.output.ulp(fb)) + LAST_PLACES * subject.output.eps * half * largest
    bar = np.abs(weights).sum() * CAUTION * half * misfit + rounding + subject.output.smallest
    numbers = np.maximum(np.maximum(np.abs(fa), np.abs(fb)), np.maximum(np.maximum(np.abs(a), np.abs(b)), 1.0))
    real = np.abs(size) > np.maximum(DOUBT * bar, ROUNDINGS * subject.output.eps * numbers)
    resolved = misfit <= UNRESOLVED * largest + subject.output.smallest
    return Gaps(size, bar, finite & real & resolved, misfit / np.maximum(largest, subject.output.smallest), places)


def suspects(subject: Subject, x: Floats) -> tuple[Floats, Floats]:
    """From the panels between sorted points: places worth a closer look, and the lower ends of jumps of the forward."""
    found = gaps(subject, x[:-1], x[1:])
    places, jumped = _followed(subject, x, found)
    sharp = found.bend / np.diff(x)
    bent = np.unique([np.argsort(-found.bend)[:BENT], np.argsort(-sharp)[:BENT], np.argsort(-found.bend * (np.abs(x[1:]) < 100))[:BENT]])
    return np.concatenate([places, found.places[bent].ravel()]), jumped


def _followed(subject: Subject, x: Floats, found: Gaps) -> tuple[Floats, Floats]:
    worst = np.flatnonzero(found.contradicts)
    worst = worst[np.argsort(-np.abs(found.size[worst]) / found.bar[worst])][:FOLLOWED]
    if worst.size == 0:
        return np.zeros(0), np.zeros(0)

    def larger_left(a: Floats, m: Floats, b: Floats) -> np.ndarray:
        both = gaps(subject, np.concatenate([a, m]), np.concatenate([m, b]))
        left, right = np.split(np.abs(both.size), 2)
        return left >= right

    a, b, visited = narrowed(x[worst], x[worst + 1], larger_left, subject.format)
    fa, fb = np.split(subject.forward(np.concatenate([a, b])), 2)
    jump = np.abs(fb - fa) > 0.25 * np.abs(found.size[worst])
    places = [a, b, *visited[:KEPT], *visited[-KEPT:]]
    return np.unique(np.concatenate(places)), a[jump]
