"""Audit of a function of one real variable, element by element, over an interval, in one format."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from certify.audit import conduct, panels
from certify.audit.bisect import jumps, narrowed
from certify.audit.clock import Clock
from certify.audit.evidence import Evidence, Finding, Kind, Kink
from certify.audit.extent import extent
from certify.audit.judge import rounding
from certify.audit.precision import Floats, effective
from certify.audit.samples import Domain, around, samples
from certify.audit.scan import Seen, coarser, confirmed, look, resolvable
from certify.audit.stencil import DOUBT
from certify.audit.subject import Subject

NONE = np.zeros(0)
LANDMARKS = 32
BRANCHES = 20  # places at which a change of the supplied derivative is followed down to neighbouring numbers
NEARBY = 300  # points around branches and edges, at most this many of each
REFINED = 40  # points around which each round of refinement looks
CONFIRMED = 32  # suspects looked at again, together
CLEAR = 100.0  # bars: contradictions beyond are equally clear
SHOWN_KINKS = 12
BESIDE = np.array([-16.0, -1.0, 1.0, 16.0])  # last places beside a kink
CLOSE = 1e-2  # relative distance within which kinks are shown as one


class Elementwise:
    """The audit, stage by stage; ``seen`` and ``evidence`` grow."""

    def __init__(self, subject: Subject, domain: Domain, extra: Floats, clock: Clock, landmarks: Floats = NONE) -> None:
        """``extra`` points are looked at, and the neighbourhoods of the first ``landmarks``."""
        self.subject, self.domain, self.clock = subject, domain, clock
        self.evidence = Evidence(subject.format.name, low=domain.low, high=domain.high)
        near = around(landmarks[domain.holds(landmarks)][:LANDMARKS], subject.format, domain.length, 5)
        also = np.concatenate([extra[domain.holds(extra)], near[domain.holds(near)]])
        x = np.unique(np.concatenate([samples(domain, subject.format), subject.format.round(also) + 0.0]))
        subject.output = effective(subject.forward(x[::2]), coarser(subject))
        self.seen = look(subject, x[:0], domain)[0]
        for part in range(4):  # each part covers the whole domain, should the budget end
            if part == 0 or clock.left("sampling the domain"):
                self._add(x[part::4])

    def _add(self, x: Floats) -> None:
        x = np.setdiff1d(x[self.domain.holds(x)], self.seen.x)
        if x.size:
            self.seen = self.seen.joined(look(self.subject, x, self.domain)[0])

    def run(self) -> Evidence:
        """Every stage for which there is time. Raises what the function raises where it accepts no input at all."""
        stages = (("branches", self._branches), ("panels", self._panels), ("refining", self._refine), ("refining", self._refine))
        if np.isfinite(self.seen.y).any():
            for name, stage in stages:
                if self.clock.left(name):
                    stage()
            self._contradictions()
            self._extent()
            self._kinks()
            self._conduct()
        return self._covered()

    def _branches(self) -> None:
        """Edges of the domain of the function, and jumps of the supplied derivative, down to neighbouring numbers."""
        seen, format = self.seen, self.subject.format
        places = []
        for finite, evaluate in ((np.isfinite(seen.y), self.subject.forward), (np.isfinite(seen.s), self.subject.supplied)):
            edges = np.flatnonzero(finite[1:] != finite[:-1])[:BRANCHES]
            if edges.size:
                a, b, _ = narrowed(seen.x[edges], seen.x[edges + 1], _edge(evaluate), format)
                places += [a, b]
        for steep in self._steep():
            if steep.size:
                a, b = jumps(self.subject.supplied, seen.x[steep], seen.x[steep + 1], format)
                change = np.abs(np.diff(self.subject.supplied(np.stack([a, b])), axis=0)[0])
                whole = np.abs(seen.s[steep + 1] - seen.s[steep])
                real = change > 0.1 * whole
                places += [a[real], b[real]]
        anchors = np.unique(np.concatenate(places)) if places else np.zeros(0)
        near = around(anchors[:: max(1, anchors.size // BRANCHES)], format, self.domain.length, 5)
        self._add(format.round(np.concatenate([anchors, near[np.isfinite(near)]])))

    def _steep(self) -> list[np.ndarray]:
        """Gaps between samples over which the supplied derivative changes most, anywhere and near zero."""
        s = np.where(np.isfinite(self.seen.s), self.seen.s, 0.0)
        size = np.maximum(np.abs(s[1:]), np.abs(s[:-1]))
        change = np.abs(np.diff(s)) / np.where(size > 0, size, 1.0)
        middle = np.abs(self.seen.x[1:]) <= 100
        bend = np.abs(np.diff(s, prepend=s[:1], append=s[-1:])[1:-1])
        return [
            np.argsort(-change)[:BRANCHES],
            np.flatnonzero(middle)[np.argsort(-change[middle])][:BRANCHES],
            np.argsort(-bend)[:BRANCHES],
        ]

    def _panels(self) -> None:
        seen = self.seen
        places, jumped = panels.suspects(self.subject, seen.x[np.isfinite(seen.y) & np.isfinite(seen.s)])
        self.evidence.jumps += [float(x) for x in jumped]
        self._add(places)

    def _refine(self) -> None:
        """New points beside those where the supplied derivative is furthest from the realized one, in bars."""
        seen = self.seen
        gap = np.abs(seen.s - seen.realized)
        score = np.where(seen.shown & np.isfinite(gap), gap / np.maximum(seen.bar, self.subject.format.smallest), 0.0)
        best = np.argsort(-score)[:REFINED]
        left, right = seen.x[np.maximum(best - 1, 0)], seen.x[np.minimum(best + 1, seen.x.size - 1)]
        self._add(self.subject.format.round(np.concatenate([(left + seen.x[best]) / 2, (right + seen.x[best]) / 2])))

    def _contradictions(self) -> None:
        seen = self.seen
        beyond = ~resolvable(seen, self.subject.format)
        self.evidence.unresolved = int(beyond.sum())
        rest = seen[seen.contradicted & ~beyond]
        runs = _clustered(rest, seen)
        for batch in range(3):
            chosen = runs[batch * CONFIRMED : (batch + 1) * CONFIRMED]
            if not chosen.size or (batch and not self.clock.left("confirming")):
                break
            again = confirmed(self.subject, np.sort(rest.x[chosen]), self.domain)
            self.evidence.findings += [self._finding(again, int(i)) for i in np.flatnonzero(again.contradicted)]
            if self.evidence.findings:
                break

    def _finding(self, seen: Seen, i: int) -> Finding:
        kind = Kind.DERIVATIVE if np.isfinite(seen.s[i]) else Kind.LOST
        x, s, realized, bar, step = (float(part[i]) for part in (seen.x, seen.s, seen.realized, seen.bar, seen.step))
        return Finding(kind, x, s, realized, bar, step, self.evidence.dtype, self.subject.order)

    def judged(self, x: float) -> Finding | None:
        """The contradiction at x, if there is one."""
        again = confirmed(self.subject, self.subject.format.round(np.array([x])), self.domain)
        return self._finding(again, 0) if again.contradicted[0] else None

    def _extent(self) -> None:
        """Of contradictions that were confirmed, as far as the function can be resolved."""
        if self.evidence.findings and self.clock.left("extent of the contradiction"):
            self.evidence.extent = extent(self.subject, self.domain, self.seen[resolvable(self.seen, self.subject.format)])

    def _kinks(self) -> None:
        candidates = np.flatnonzero(self.seen.kinked & np.isfinite(self.seen.s))
        if not candidates.size or not self.clock.left("kinks"):
            return
        plain = np.argsort([len(repr(float(x))) for x in self.seen.x[candidates]], kind="stable")
        again = confirmed(self.subject, np.sort(self.seen.x[candidates[plain][:CONFIRMED]]), self.domain)
        kinks = []
        for i in np.flatnonzero(again.kinked & ~again.contradicted & self._jumps(again)):
            x, s, left, right = (float(part[i]) for part in (again.x, again.s, again.left, again.right))
            kinks.append(Kink(x, s, left, right, self.evidence.dtype))
        self.evidence.kinks = _apart(kinks)

    def _jumps(self, at: Seen) -> np.ndarray:
        """Where the supplied derivative changes within some last places by half of the kink at least.

        A curvature that changes close by leaves the derivative continuous, which the forward alone cannot tell from a kink.
        """
        unit = np.maximum(self.subject.format.ulp(at.x), self.subject.format.eps * (at.x == 0))
        near = self.subject.format.round(at.x[:, None] + unit[:, None] * BESIDE)
        s = self.subject.supplied(np.concatenate([near, at.x[:, None]], axis=1))
        s = np.where(np.isfinite(s), s, at.s[:, None])
        return s.max(axis=1) - s.min(axis=1) >= 0.5 * np.abs(at.right - at.left)

    def _conduct(self) -> None:
        if self.clock.left("upstream gradients, batches, layouts"):
            findings, notes = conduct.elementwise(self.subject, self.seen)
            self.evidence.findings += findings
            self.evidence.notes += notes

    def _covered(self) -> Evidence:
        e, seen = self.evidence, self.seen
        e.points, e.finite, e.shown = seen.x.size, int(np.isfinite(seen.y).sum()), int(seen.shown.sum())
        e.evaluations, e.complete = self.subject.evaluations, not self.clock.cut
        e.resolution = self._resolution()
        return e

    def _resolution(self) -> float:
        seen = self.seen[self.seen.shown & np.isfinite(self.seen.s) & (self.seen.s != 0)]
        least = DOUBT * seen.bar + rounding(seen.s, coarser(self.subject))
        return float(np.median(least / np.maximum(np.abs(seen.s), np.abs(seen.realized)))) if seen.x.size else float("nan")


def _apart(kinks: list[Kink]) -> list[Kink]:
    """One kink of each neighbourhood, the one with the shortest decimal."""
    kept: list[Kink] = []
    for kink in sorted(kinks, key=lambda kink: len(repr(kink.x))):
        if all(abs(kink.x - other.x) > CLOSE * max(abs(other.x), 1.0) for other in kept):
            kept.append(kink)
    return kept[:SHOWN_KINKS]


def _edge(evaluate: Callable[[Floats], Floats]) -> Callable[[Floats, Floats, Floats], np.ndarray]:
    def larger_left(a: Floats, m: Floats, b: Floats) -> np.ndarray:
        fa, fm, _ = np.split(np.isfinite(evaluate(np.concatenate([a, m, b]))), 3)
        return fa != fm

    return larger_left


def _clustered(rest: Seen, seen: Seen) -> np.ndarray:
    """Indices into the contradicted points: the clearest of each run of neighbours first, then the others."""
    if not rest.x.size:
        return np.zeros(0, dtype=int)
    place = np.searchsorted(seen.x, rest.x)
    run = np.concatenate([[0], np.cumsum(np.diff(place) > 1)])
    moderate = np.abs(np.log2(np.maximum(np.abs(rest.x), 1e-300)))
    size = np.maximum(np.abs(rest.s), np.abs(rest.realized))
    relative = np.abs(rest.s - rest.realized) / np.where(size > 0, size, 1.0)
    clear = np.lexsort((moderate, -np.minimum(rest.excess, CLEAR)))
    large = np.lexsort((moderate, -np.round(np.nan_to_num(relative, nan=1.0, posinf=1.0), 2)))
    ranked = np.stack([clear, large], axis=1).ravel()
    leaders = [ranked[np.flatnonzero(run[ranked] == r)[0]] for r in np.unique(run)]
    leaders = sorted(leaders, key=lambda i: -min(rest.excess[i], CLEAR))[: CONFIRMED // 2]
    return np.array(list(dict.fromkeys([*leaders, *ranked])))
