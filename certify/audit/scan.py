"""The points looked at so far, with what was seen there, in order along the axis."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from certify.audit.estimates import CONFIRMING, SCANNING, SPARE, Estimates, Plan, estimate
from certify.audit.judge import CLEAR, Judgement, judge, rounding
from certify.audit.precision import Floats, Precision
from certify.audit.samples import Domain
from certify.audit.stencil import DOUBT
from certify.audit.subject import Subject

WORSE = 64.0  # times what fits to the sides leave of the forward, a fit across a mild kink leaves
FAR = 150.0  # octaves below a step in which the supplied derivative is followed, at most
FINE = 4  # octaves that show a function of fixed structure
MARGIN = 8  # octaves within the last such one, where some points are supported by chance
SHORT = 2.0**-10  # of the distance from zero: a step so short resolves structure of fixed length


@dataclass(frozen=True)
class Seen:
    """One entry a point: the forward, the supplied derivative, and the judgement on it; see ``judge.Judgement``."""

    x: Floats
    y: Floats
    s: Floats
    contradicted: np.ndarray
    excess: Floats
    realized: Floats
    bar: Floats
    step: Floats
    shown: np.ndarray
    reach: Floats
    finest: Floats
    kinked: np.ndarray
    left: Floats
    right: Floats

    def __getitem__(self, index: np.ndarray) -> Seen:
        return Seen(*(getattr(self, part.name)[index] for part in fields(self)))

    def joined(self, other: Seen) -> Seen:
        both = Seen(*(np.concatenate([getattr(self, part.name), getattr(other, part.name)]) for part in fields(self)))
        return both[np.unique(both.x, return_index=True)[1]]


def coarser(subject: Subject) -> Precision:
    """The format that limits the supplied derivative: the input's or the output's."""
    return max((subject.output, subject.format), key=lambda format: format.eps)


def look(subject: Subject, x: Floats, domain: Domain, plan: Plan = SCANNING, tolerance: Floats | None = None) -> tuple[Seen, Estimates]:
    """Estimate and judge at each of the points."""
    s = subject.supplied(x)
    e = estimate(subject, x, domain, plan)
    format = coarser(subject)
    verdict = judge(e, s, rounding(s, format) + (0.0 if tolerance is None else tolerance), format)
    return _seen(e, s, verdict), e


def _seen(e: Estimates, s: Floats, verdict: Judgement) -> Seen:
    step = e.steps[np.arange(e.x.size), verdict.scale]
    parts = (verdict.contradicted, verdict.excess, verdict.realized, verdict.bar, step, verdict.shown, verdict.reach, verdict.finest)
    return Seen(e.x, e.y, s, *parts, *kinks(e, s, mild=True))


def kinks(e: Estimates, s: Floats, mild: bool = False) -> tuple[np.ndarray, Floats, Floats]:
    """Where the one-sided derivatives differ at the finest scale that could tell, with their sharpest values.

    ``mild`` kinks are small beside the derivative, so that a fit across them is nearly as good; curvature may look like one.
    """
    bar = e.left.bar + e.right.bar
    apart = np.abs(e.left.value - e.right.value)
    clear = np.isfinite(bar) & e.left.resolved & e.right.resolved
    worse = mild & (e.both.rough > WORSE * np.maximum(e.left.rough, e.right.rough))
    differ = clear & (apart > DOUBT * bar) & (~e.both.resolved | worse)
    widest = np.where(differ, apart, 0.0).max(axis=1, keepdims=True)
    telling = clear & (bar < widest / CLEAR)
    finest = telling.shape[1] - 1 - telling[:, ::-1].argmax(axis=1)
    rows = np.arange(len(s))
    kinked = telling.any(axis=1) & differ[rows, finest]
    sharpest = np.where(differ, bar, np.inf).argmin(axis=1)
    return kinked, e.left.value[rows, sharpest], e.right.value[rows, sharpest]


def resolvable(seen: Seen, format: Precision) -> np.ndarray:
    """Points within the range of sizes in which the function can be resolved.

    Beyond, towards infinity or zero, its structure is finer than the format's spacing. There are several octaves in a row
    there in which most supported points are so only by steps much shorter than the distance from zero.
    """
    within = np.ones(seen.x.size, dtype=bool)
    octave, finest = np.frexp(np.abs(seen.x))[1], 2.0 ** (SPARE + 3 - format.bits)
    for sign in (-1.0, 1.0):
        judged = (np.sign(seen.x) == sign) & np.isfinite(seen.s) & ((seen.reach > 0) | seen.contradicted)
        short = np.where(seen.contradicted, 0.0, seen.reach) / np.where(seen.x == 0, 1.0, np.abs(seen.x))
        present = np.unique(octave[judged])
        fine = np.flatnonzero([_fine(short[judged & (octave == k)]) for k in present])
        runs = [present[run] for run in np.split(fine, np.flatnonzero(np.diff(fine) > 1) + 1)] if fine.size else []
        spent = [run for run in runs if run.size >= FINE and short[judged & np.isin(octave, run) & (short > 0)].min() < finest]
        outer = [run[-1] - MARGIN for run in spent if run[-1] > 4]
        inner = [run[0] + MARGIN for run in spent if run[0] < -4]
        side = np.sign(seen.x) == sign
        within &= ~side | ((octave <= max(outer, default=np.inf)) & (octave >= min(inner, default=-np.inf)))
    return within


def _fine(short: Floats) -> bool:
    """Whether most points are supported, and most of those by short steps."""
    return bool(np.mean(short > 0) > 0.5 and np.median(short[short > 0]) < SHORT)


def confirmed(subject: Subject, x: Floats, domain: Domain) -> Seen:
    """A second look on denser stencils; what the supplied derivative may lose to its own rounding is measured too."""
    first, e = look(subject, x, domain, CONFIRMING)
    rows = np.flatnonzero(first.contradicted & np.isfinite(first.s))
    tolerance = np.zeros(x.size)
    wild = np.zeros(x.size, dtype=bool)
    if rows.size:
        noise, largest = _supplied_noise(subject, x[rows], first.finest[rows], domain)
        tolerance[rows] = np.minimum(2 * noise, np.sqrt(coarser(subject).eps) * largest)
        wild[rows] = (noise > 0.1 * largest) & ~_rounding_only(e, first, coarser(subject))[rows]
        wild[rows] |= _steep(subject, first[rows], domain)
    again = _seen(e, first.s, judge(e, first.s, rounding(first.s, coarser(subject)) + tolerance, coarser(subject)))
    return replace(again, contradicted=again.contradicted & ~wild)


def _steep(subject: Subject, at: Seen, domain: Domain) -> np.ndarray:
    """Where the supplied derivative holds close to the point only, and explains the change of the forward further away, on
    one side at least.

    Beside a cusp, where rounding hides the forward's own slope, a coarse stencil shows nothing of it.
    """
    octaves = float(np.log2(at.finest / np.minimum(subject.format.ulp(at.x), at.finest)).max())
    offsets = at.finest[:, None] * 2.0 ** (-np.arange(3 * min(FAR, octaves)) / 3.0)
    steep = np.zeros(at.x.size, dtype=bool)
    nearby = np.full(at.x.size, np.inf)
    for sign in (-1.0, 1.0):
        places = subject.format.round(at.x[:, None] + sign * offsets)
        inside = domain.holds(places)
        s = subject.supplied(np.where(inside, places, at.x[:, None]))
        apart = inside & (places != at.x[:, None])
        like = ~apart | (np.abs(s - at.s[:, None]) <= 0.5 * np.abs(at.s[:, None]))
        alike = apart & np.logical_and.accumulate(like[:, ::-1], axis=1)[:, ::-1]
        nearby = np.minimum(nearby, np.where(alike, offsets, 0.0).max(axis=1))
        reached = inside.argmax(axis=1)
        rows = np.arange(at.x.size)
        change = sign * (subject.forward(places[rows, reached]) - at.y)
        inner, outer = np.where(inside, s, at.s[:, None])[:, 1:], np.where(inside, s, at.s[:, None])[:, :-1]
        area = ((inner + outer) / 2 * np.diff(-np.where(inside, offsets, offsets[rows, reached][:, None]), axis=1)).sum(axis=1)
        steep |= np.abs(change - area) <= 0.02 * np.abs(area) + 4 * subject.output.ulp(at.y)
    return steep & (nearby > 0) & (at.finest > 4 * nearby) & (np.abs(at.s) > 4 * np.abs(at.realized))


def _supplied_noise(subject: Subject, x: Floats, step: Floats, domain: Domain) -> tuple[Floats, Floats]:
    """Residual of a smooth fit to the supplied derivative around each point, the point left out, and its largest size."""
    nodes = CONFIRMING.stencil.nodes[1:]
    places = subject.format.round(x[:, None] + step[:, None] * nodes)
    s = subject.supplied(np.where(domain.holds(places), places, x[:, None]))
    finite = np.isfinite(s)
    s = np.where(finite, s, 0.0)
    basis = np.polynomial.chebyshev.chebvander(nodes, 8)
    residual = np.eye(nodes.size) - basis @ np.linalg.pinv(basis)
    whole = finite.all(axis=1)
    return np.where(whole, np.abs(s @ residual.T).max(axis=1), 0.0), np.where(whole, np.abs(s).max(axis=1), 0.0)


def _rounding_only(e: Estimates, seen: Seen, format: Precision) -> np.ndarray:
    """Whether what a fit leaves of the forward, at the scale that decided, is no more than rounding."""
    rows = np.arange(len(seen.x))
    scale = np.argmin(np.abs(e.steps - seen.step[:, None]), axis=1)
    numbers = np.maximum(np.maximum(e.level[rows, scale], np.abs(e.x) + seen.step), 1.0)
    rough = np.minimum(e.both.rough[rows, scale], np.maximum(e.left.rough, e.right.rough)[rows, scale])
    return rough <= 4 * format.eps * numbers
