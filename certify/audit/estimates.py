"""Derivatives of the realized forward at many points and many scales at once."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from certify.audit.precision import Floats, Precision
from certify.audit.samples import Domain
from certify.audit.stencil import CONFIRM, SCAN, Slopes, Stencil, slopes
from certify.audit.subject import Subject

UNITS = 2.0  # in the last place: what a well-written library function may err by, systematically
SPARE = 8  # octaves that the smallest step keeps above one unit in the last place
PHASES = np.array([1.0183, 1.2361, 1.4721, 1.7639])  # of steps in their octave: no ratios that a period might have


@dataclass(frozen=True)
class Plan:
    """A stencil with the scales at which it is laid: binary exponents of steps relative to the point, and absolute ones."""

    stencil: Stencil
    growth: float  # by which the gap between successive relative exponents grows
    absolute: tuple[int, ...]

    def relative(self, format: Precision) -> Floats:
        deepest, exponents, gap = max(1, format.bits - 1 - SPARE), [1], 1.0
        while exponents[-1] < deepest:
            gap += self.growth
            exponents.append(min(deepest, int(exponents[-1] + gap)))
        return np.array(exponents)

    def steps(self, x: Floats, domain: Domain, format: Precision) -> Floats:
        """Steps at each point, the coarsest first; 0 where a scale is not used."""
        exponent = np.frexp(x)[1] - 1
        phase = PHASES[np.arange(x.size) % len(PHASES)][:, None]
        near = phase * np.ldexp(1.0, exponent[:, None] - self.relative(format)[None, :])
        near[(x == 0)[:, None] | (near < 2.0**SPARE * format.least)] = 0.0
        unit = min(1.0, 2.0 ** np.floor(np.log2(domain.length)))
        far = phase * unit * np.exp2(-np.array(self.absolute, dtype=float))[None, :]
        stuck = (x != 0) & (np.abs(x) < 2.0 ** (SPARE + 2) * format.least)  # no step fits between such a point and zero
        far[stuck[:, None] | (far < 2 * np.abs(x)[:, None]) | (far < 2.0**SPARE * format.least)] = 0.0
        return -np.sort(-np.concatenate([far, near], axis=1), axis=1)


SCANNING = Plan(SCAN, 0.9, (2, 6, 13, 24, 40, 90))
CONFIRMING = Plan(CONFIRM, 0.15, (2, 3, 5, 7, 9, 11, 14, 17, 20, 24, 28, 33, 40, 50, 70, 100, 150, 250, 400, 600, 900))


@dataclass(frozen=True)
class Estimates:
    """Arrays of points by scales, the coarsest scale first.

    ``both``, ``left`` and ``right`` are derivatives by fits to the whole stencil and to its halves; ``flat`` marks
    stencils with a half on which the forward has one value only, ``level`` its largest magnitude there. Scales that are not used
    have step 0 and infinite bars.
    """

    x: Floats
    y: Floats
    steps: Floats
    both: Slopes
    left: Slopes
    right: Slopes
    flat: np.ndarray
    level: Floats


def estimate(subject: Subject, x: Floats, domain: Domain, plan: Plan) -> Estimates:
    """Evaluate the forward on stencils around each point, within the domain, and fit."""
    format, nodes = subject.format, plan.stencil.nodes
    steps = plan.steps(x, domain, format)
    places = format.round(x[:, None, None] + steps[:, :, None] * nodes)
    at_end = (x == domain.low) | (x == domain.high)  # looked at from both sides, where the function is defined beyond
    used = (steps > 0)[:, :, None] & (domain.holds(places) | at_end[:, None, None])
    used[:, :, 0] = False
    y = subject.forward(x)
    values = np.full(places.shape, np.nan)
    values[used] = subject.forward(places[used])
    values[:, :, 0] = y[:, None]
    return _fit(x, steps, places, values, subject, plan)


def _fit(x: Floats, steps: Floats, places: Floats, values: Floats, subject: Subject, plan: Plan) -> Estimates:
    level = np.abs(np.where(np.isfinite(values), values, 0.0)).max(axis=2)
    h = np.where(steps > 0, steps, 1.0)
    stray = np.abs((places - x[:, None, None]) / h[:, :, None] - plan.stencil.nodes).max(axis=2)
    floor = np.maximum(UNITS * subject.output.ulp(level), subject.output.smallest)
    return fitted(x, values, steps, floor, subject.format, plan, level, stray)


def fitted(
    x: Floats,
    values: Floats,
    steps: Floats,
    floor: Floats,
    format: Precision,
    plan: Plan,
    level: Floats | float,
    stray: Floats | float = 0.0,
) -> Estimates:
    """Fit values given on stencils, points by scales by nodes, the centre first.

    ``floor`` is the least error of a value, ``stray`` that of a node in steps, ``level`` the size of the numbers at hand.
    """
    shape = steps.shape
    used = steps > 0
    h = np.where(used, steps, 1.0)
    slack = stray + 2 * format.eps * np.abs(x)[:, None] / h
    rows, args = values[used], (h[used], np.broadcast_to(floor, shape)[used], np.broadcast_to(slack, shape)[used])
    least = np.broadcast_to(floor, shape)
    sides = {side: _doubtful(_spread(slopes(rules, rows, *args), used), least) for side, rules in plan.stencil.rules.items()}
    flat = np.any([(side.value == 0) & (side.rough == 0) for side in sides.values()], axis=0)
    return Estimates(x, values[:, 0, 0], steps, sides["both"], sides["left"], sides["right"], flat, np.broadcast_to(level, shape))


def along_line(format: Precision) -> tuple[Floats, Floats]:
    """The steps of stencils around 0 for a function of one variable of the size of one, and all their nodes, the centre first."""
    steps = PHASES[0] * 2.0 ** -SCANNING.relative(format).astype(float)
    return steps, np.concatenate([[0.0], (steps[:, None] * SCANNING.stencil.nodes[1:]).ravel()])


def fitted_along_line(values: Floats, steps: Floats, floor: float, format: Precision, level: float) -> Estimates:
    """Fit values given at the nodes of ``along_line``; the other arguments are those of ``fitted``."""
    rows = np.concatenate([np.full((steps.size, 1), values[0]), values[1:].reshape(steps.size, -1)], axis=1)
    return fitted(np.ones(1), rows[None], steps[None], np.array([[floor]]), format, SCANNING, level)


def _doubtful(side: Slopes, floor: Floats) -> Slopes:
    """What a finer stencil leaves unexplained is there for every coarser one, though its nodes may miss it."""
    seen = np.where(np.isfinite(side.rough), side.rough, 0.0)
    carried = np.maximum.accumulate(seen[:, ::-1], axis=1)[:, ::-1]
    return replace(side, doubt=(carried + floor) / (seen + floor))


def _spread(found: Slopes, used: np.ndarray) -> Slopes:
    """Back to points by scales, where unused scales know nothing."""
    blank = [np.zeros(used.shape), np.full(used.shape, np.inf), np.full(used.shape, np.inf), np.zeros(used.shape, dtype=bool)]
    for part, whole in zip((found.value, found.bar, found.rough, found.resolved), blank, strict=True):
        whole[used] = part
    return Slopes(*blank)
