"""Whether a supplied derivative contradicts the derivatives of the realized forward seen at all scales."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from certify.audit.established import ESTABLISHED, SHARP, consistent, established, families, sharpest
from certify.audit.estimates import Estimates
from certify.audit.precision import Floats, Precision
from certify.audit.stencil import DOUBT

CLEAR = 3.0  # times smaller than a contradiction is the bar of an estimate that may overrule it
LAST_PLACES = 64.0  # rounding of a supplied derivative, in eps of its size
LAST_PLACES_OF_SHORT, SHORT = 8.0, 11  # in formats of so few bits, whose kernels compute in longer ones
ROUNDINGS = 16.0  # eps of the numbers that a forward may add up internally
CAST = 2.0**-7  # relative step of a value that passed through a shorter format
LEVEL = 64.0  # times larger, at most, is noise at the next coarser scale
FAINT = 2.0**-20  # eps of the numbers: noise below must be level to be rounding


@dataclass(frozen=True)
class Judgement:
    """For each point: whether a contradiction stands, at which scale, and how many bars it exceeds.

    ``realized`` and ``bar`` are the derivative of the realized forward at that scale, the sharpest one where nothing is
    contradicted; ``shown`` says whether that is sharp enough to mean something. ``reach`` is the coarsest step at which
    the supplied derivative is supported by a sharp estimate, ``finest`` the finest at which it is contradicted; 0 for none.
    """

    contradicted: np.ndarray
    scale: np.ndarray
    excess: Floats
    realized: Floats
    bar: Floats
    shown: np.ndarray
    reach: Floats
    finest: Floats


class _Gap(NamedTuple):
    """How far a supplied derivative is from an estimate, or from the interval between two, beyond its own rounding."""

    size: Floats
    bar: Floats
    value: Floats

    @property
    def contradicts(self) -> np.ndarray:
        return (self.size > DOUBT * self.bar) & np.isfinite(self.bar) & _steady(self.value, self.bar) & _settling(self.value, self.bar)


class _Decision(NamedTuple):
    """The first five parts of a ``Judgement``."""

    contradicted: np.ndarray
    scale: np.ndarray
    excess: Floats
    realized: Floats
    bar: Floats


def rounding(supplied: Floats, format: Precision) -> Floats:
    """What the supplied derivative may be off by through its own rounding: some last places, and underflow."""
    size = np.where(np.isfinite(supplied), np.abs(supplied), 0.0)
    places = LAST_PLACES if format.bits > SHORT else LAST_PLACES_OF_SHORT
    return places * format.eps * size + format.smallest


def judge(e: Estimates, supplied: Floats, tolerance: Floats, format: Precision) -> Judgement:
    """Hold supplied derivatives, within their own rounding ``tolerance``, against the estimates.

    The finest scale that can tell decides: a contradiction falls where a finer, sharper estimate supports the supplied
    value (the coarse stencil missed structure), or where a coarser one does and the disagreement is the rounding of
    intermediate values (the fine stencil saw a step of it).
    """
    lost = ~np.isfinite(supplied)
    s, tol = np.where(lost, 0.0, supplied)[:, None], tolerance[:, None]
    whole, halves = _from_whole(e, s, tol), _from_halves(e, s, tol)
    central = whole.contradicts
    gap = _Gap(*(np.where(central, a, b) for a, b in zip(whole, halves, strict=True)))
    against = central | halves.contradicts
    support, noise, level = _support(e, s, tol)
    against &= ~(_finer(support) < gap.size / CLEAR)
    against &= ~_rounded(e, gap.size, noise, level, format)
    against &= ~lost[:, None]
    excess = np.where(against, gap.size / np.maximum(gap.bar, tol), 0.0)
    sharp = np.isfinite(support) & ((support <= np.abs(s) / CLEAR) | e.flat)
    reach = np.where(sharp, e.steps, 0.0).max(axis=1)
    found = _decided(e, against, excess, gap)
    if lost.any():
        found = _with_lost(e, supplied, found, format)
    finest = np.where(against, e.steps, np.inf).min(axis=1)
    return Judgement(*found, _shown(e, supplied, found, format), reach, np.where(np.isfinite(finest), finest, 0.0))


def _from_whole(e: Estimates, s: Floats, tol: Floats) -> _Gap:
    return _Gap(np.abs(s - e.both.value) - tol, np.where(e.both.resolved, e.both.doubted, np.inf), e.both.value)


def _from_halves(e: Estimates, s: Floats, tol: Floats) -> _Gap:
    """From the interval of the one-sided derivatives: any value between them is a subgradient. At an end there is one."""
    known = [np.isfinite(side.bar) for side in (e.left, e.right)]
    left, right = (np.where(there, side.value, np.nan) for there, side in zip(known, (e.left, e.right), strict=True))
    low, high = np.fmin(left, right), np.fmax(left, right)
    below, above = low - s, s - high
    size = np.maximum(np.maximum(below, above), 0.0) - tol
    bar = np.maximum(np.where(known[0], e.left.doubted, 0.0), np.where(known[1], e.right.doubted, 0.0))
    sharp = (known[0] | known[1]) & (e.left.resolved | ~known[0]) & (e.right.resolved | ~known[1]) & (bar <= size * SHARP)
    alone = known[0] != known[1]
    sharp &= ~alone | np.where(known[0], consistent(e.left), consistent(e.right))
    nearest = np.where(below > 0, low, high)
    return _Gap(np.nan_to_num(size), np.where(sharp, bar, np.inf), np.nan_to_num(nearest))


def _steady(value: Floats, bar: Floats) -> np.ndarray:
    """Whether each estimate agrees with all finer ones: the derivative does not diverge as the step shrinks."""
    low, high = value - DOUBT * bar, value + DOUBT * bar
    lowest = np.minimum.accumulate(high[:, ::-1], axis=1)[:, ::-1]
    highest = np.maximum.accumulate(low[:, ::-1], axis=1)[:, ::-1]
    return (low <= lowest) & (high >= highest)


def _settling(value: Floats, bar: Floats) -> np.ndarray:
    """Whether each estimate agrees with the next coarser one, where that is one."""
    settling = np.ones(value.shape, dtype=bool)
    apart = np.abs(value[:, 1:] - value[:, :-1]) > DOUBT * (bar[:, 1:] + bar[:, :-1])
    settling[:, 1:] = ~(apart & np.isfinite(bar[:, :-1]))
    return settling


def _support(e: Estimates, s: Floats, tol: Floats) -> tuple[Floats, Floats, np.ndarray]:
    """The bar of the sharpest estimate at each scale that contains s, and the noise it saw; infinite where none does.

    Also whether that noise is level: hardly larger at the next coarser scale. Structure that a stencil misses is not.
    """
    bars, noises, levels = [], [], []
    for side in families(e):
        inside = np.abs(s - side.value) <= side.bar + tol
        bars.append(np.where(inside, side.bar, np.inf))
        noises.append(np.where(inside, side.rough, np.inf))
        coarser = np.concatenate([np.full((len(e.x), 1), np.inf), side.rough[:, :-1]], axis=1)
        levels.append(~np.isfinite(coarser) | (coarser <= LEVEL * side.rough))
    sharpest = np.argmin(bars, axis=0)[None]
    bar, noise, level = (np.take_along_axis(np.array(part), sharpest, 0)[0] for part in (bars, noises, levels))
    return bar, noise, level


def _finer(support: Floats) -> Floats:
    """The sharpest support at the scale itself or any finer one."""
    return np.minimum.accumulate(support[:, ::-1], axis=1)[:, ::-1]


def _rounded(e: Estimates, size: Floats, noises: Floats, level: np.ndarray, format: Precision) -> np.ndarray:
    """Where a contradiction is the flatness, or the slope, of single steps of rounding that a coarser stencil averages.

    Over the fine stencil it amounts to less than the noise that a coarser one saw which supports the supplied value. That
    noise must be rounding: of the size of ``eps`` of the numbers at hand, or level where it is far below that; or, where the
    forward is flat, of the size of its own value cast to a shorter format.
    """
    result = np.zeros(size.shape, dtype=bool)
    for coarse in range(size.shape[1] - 1):
        noise = noises[:, coarse]
        numbers = np.maximum(np.maximum(e.level[:, coarse], np.abs(e.x) + e.steps[:, coarse]), 1.0)
        tiny = (noise <= ROUNDINGS * format.eps * numbers) & (level[:, coarse] | (noise >= FAINT * format.eps * numbers))
        cast = noise <= CAST * np.abs(e.y)
        supported = np.isfinite(noise) & (noise > 0)
        small = size[:, coarse + 1 :] * e.steps[:, coarse + 1 :] <= (DOUBT * CLEAR * noise)[:, None]
        result[:, coarse + 1 :] |= small & (supported[:, None] & (tiny[:, None] | (cast[:, None] & e.flat[:, coarse + 1 :])))
    return result


def _decided(e: Estimates, against: np.ndarray, excess: Floats, gap: _Gap) -> _Decision:
    """The scale that contradicts most; the sharpest one where none does."""
    contradicted = np.asarray(np.logical_or.reduce(against, axis=1))
    value, sharpest_scale, bar = sharpest(e)
    rows, scale = np.arange(len(e.x)), np.where(contradicted, excess.argmax(axis=1), sharpest_scale)
    realized = np.where(contradicted, gap.value[rows, scale], value)
    return _Decision(contradicted, scale, excess.max(axis=1), realized, np.where(contradicted, gap.bar[rows, scale], bar))


def _with_lost(e: Estimates, supplied: Floats, found: _Decision, format: Precision) -> _Decision:
    """Contradicted too where no finite derivative is supplied and one is established; infinity may stand for one near overflow."""
    known, scale, value, bar = established(e)
    huge = np.isinf(supplied) & (np.sign(supplied) == np.sign(value)) & (np.abs(value) > format.largest / 4)
    false = ~np.isfinite(supplied) & known & ~huge & np.isfinite(e.y)
    return _Decision(
        found.contradicted | false,
        np.where(false, scale, found.scale),
        np.where(false, np.inf, found.excess),
        np.where(false, value, found.realized),
        np.where(false, bar, found.bar),
    )


def _shown(e: Estimates, supplied: Floats, found: _Decision, format: Precision) -> np.ndarray:
    """Where the derivative of the realized forward is known to its own size, or to that of the supplied one."""
    constant = (supplied == 0) & (np.sum((e.both.value == 0) & (e.both.rough == 0), axis=1) >= ESTABLISHED)
    zero = (found.bar == 0) | (found.bar <= format.smallest) | constant
    size = np.maximum(np.abs(found.realized), np.where(np.isfinite(supplied), np.abs(supplied), 0.0))
    return np.isfinite(e.y) & (zero | (found.bar <= size))
