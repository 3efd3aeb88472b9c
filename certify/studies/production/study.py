"""A primitive of ``certify.vmf`` against its reference at many inputs: the worst of them, and those at which the bound is exceeded.

Each error is enclosed in arrays of balls. What these leave open, the worst inputs and a random few are done again in Arb.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Context, Decimal
from fractions import Fraction
from zlib import crc32

import numpy as np
import torch
from numpy.typing import NDArray

from certify.exact.ball import working_precision
from certify.exact.number import exact
from certify.exact.truth import Truth
from certify.studies.points import at_most
from certify.studies.production.balls import UP, Array
from certify.studies.production.inputs import Source
from certify.studies.production.primitives import Arguments, Judged, Primitive
from certify.studies.production.setting import Setting

CLEAR = 64
"""An error that is known to this part of what it may be is known well enough."""
AGAIN = 1 / 4
"""The share of inputs that are drawn around the worst of the others."""
SEEDS, CONFIRMED, CHECKED = 8, 2, 2
SLACK = Fraction(1, 2**40)
"""By which the bounds, computed in doubles, may be off."""


class Broken(RuntimeError):
    """Reference and Arb contradict each other: an error of this program, never a verdict."""


@dataclass(frozen=True)
class Point:
    """An input of a setting with what was found there: the error is ``needed`` times the unit, beyond what is certified or stored."""

    nu: float
    order: int | None
    arguments: tuple[float, ...]
    found: float
    needed: float


@dataclass(frozen=True)
class Outcome:
    """How many inputs were tried and how many needed Arb, the worst one, and the first that failed or stayed open."""

    inputs: int
    by_arb: int
    worst: Point | None
    failed: Point | None = None
    open: Point | None = None

    def joined(self, other: Outcome) -> Outcome:
        worst = max((each.worst for each in (self, other) if each.worst), key=lambda point: point.needed, default=None)
        failures = (self.failed or other.failed, self.open or other.open)
        return Outcome(self.inputs + other.inputs, self.by_arb + other.by_arb, worst, *failures)


NOTHING = Outcome(0, 0, None)


def study(primitive: Primitive, dtype: torch.dtype, device: str, k: Fraction, inputs: int, seed: int) -> Outcome:
    """So many inputs over all settings of the primitive; deterministic. Stops at the first setting in which the bound is exceeded."""
    settings, outcome = primitive.settings(dtype), NOTHING
    for place, setting in enumerate(settings):
        generator = np.random.default_rng([seed, crc32(primitive.name.encode()), place])
        share = inputs * (place + 1) // len(settings) - inputs * place // len(settings)
        outcome = outcome.joined(Trial(primitive, setting, device, k).run(generator, share))
        if outcome.failed:
            break
    return outcome


@dataclass(frozen=True)
class Trial:
    """One setting of a primitive on one device."""

    primitive: Primitive
    setting: Setting
    device: str
    k: Fraction

    def run(self, generator: np.random.Generator, count: int) -> Outcome:
        """So many inputs. Over- and underflow are what the radii and Arb are for."""
        with np.errstate(all="ignore"):
            return self._run(generator, count)

    def _run(self, generator: np.random.Generator, count: int) -> Outcome:
        source = self.primitive.source(self.setting, generator)
        later = int(count * AGAIN) if self.primitive.refined else 0
        first = self.primitive.draw(self.setting, source, count - later)
        outcome, needed = self.tried(first, generator)
        worst = np.argsort(needed)[::-1][:SEEDS]
        if outcome.failed or not later or not len(worst):
            return outcome
        again, _ = self.tried(self._around(first, worst, source, later), generator)
        return outcome.joined(again)

    def tried(self, arguments: Arguments, generator: np.random.Generator) -> tuple[Outcome, Array]:
        """All inputs, and what k each would need."""
        found = self.primitive.results(self.setting, arguments, self.device)
        judged = self.primitive.judge(self.setting, arguments, found)
        needed, allowed = self._needed(judged), float(self.k)
        wide = judged.error.radius * CLEAR > allowed * judged.unit + judged.extra
        unclear = np.flatnonzero(~judged.error.known | wide | ~np.isfinite(found) | ~(needed <= allowed))
        needed[unclear] = -np.inf
        places = [*unclear, *np.argsort(needed)[::-1][:CONFIRMED], *generator.integers(0, len(found), CHECKED)]
        outcome = NOTHING
        for place in dict.fromkeys(map(int, places)):
            point, holds = self._by_arb(arguments, found, judged, place)
            needed[place] = point.needed
            kind = {Truth.NO: {"failed": point}, Truth.UNKNOWN: {"open": point}}.get(holds, {})
            outcome = outcome.joined(Outcome(0, 1, point, **kind))
            if holds is Truth.NO:
                break
        return replace(outcome, inputs=len(found)), needed

    def _needed(self, judged: Judged) -> Array:
        """Upper bounds of the k that each error needs."""
        _, high = judged.error.size()
        with np.errstate(all="ignore"):
            return np.where(high <= judged.extra, 0, (high - judged.extra) / judged.unit) * UP

    def _by_arb(self, arguments: Arguments, found: Array, judged: Judged, place: int) -> tuple[Point, Truth]:
        """The error of one result in Arb, and whether it is within its bound. Raises Broken where the arrays of balls contradict it."""
        at = tuple(float(array[place]) for array in arguments)
        value, unit, extra = float(found[place]), float(judged.unit[place]), float(judged.extra[place])
        if not np.isfinite([value, unit, extra]).all():
            return self._point(at, value, np.inf), Truth.NO
        error = self.primitive.confirm(self.setting, at, value)
        with working_precision(600):
            if judged.error.known[place] and not judged.error.ball(place).overlaps(error):
                raise Broken(f"{self.primitive.name} at {at}, nu = {self.setting.nu}: {judged.error.ball(place)} and {error}")
            limit = (exact(self.k) * exact(unit) + exact(extra)) * (1 + exact(SLACK))
            holds = at_most(abs(error), limit)
            excess = float(abs(error).upper()) - extra
        return self._point(at, value, 0.0 if excess <= 0 else excess / unit if unit else np.inf), holds

    def _point(self, arguments: tuple[float, ...], found: float, needed: float) -> Point:
        return Point(self.setting.nu, self.setting.order, arguments, found, needed)

    def _around(self, arguments: Arguments, places: NDArray[np.int64], source: Source, count: int) -> Arguments:
        """Arguments near some, moved one at a time where there are several; the others as they are."""
        chosen = source.generator.choice(places, count)
        moved = source.generator.integers(0, len(arguments), count)
        found = []
        for index, array in enumerate(arguments):
            near = source.around(array[chosen], count) if np.ptp(array) > 0 else array[chosen]
            found.append(np.where(moved == index, near, array[chosen]))
        return tuple(found)


def shrunk(trial: Trial, point: Point) -> Point:
    """The failure with the fewest decimal digits in its arguments: each in turn is rounded as far as the failure allows."""
    for index in range(len(point.arguments)):
        for value in _decimals(point.arguments[index], trial.setting.dtype):
            arguments = (*point.arguments[:index], value, *point.arguments[index + 1 :])
            failed = _fails(trial, arguments)
            if failed is not None:
                point = failed
                break
    return point


def _fails(trial: Trial, arguments: tuple[float, ...]) -> Point | None:
    single = tuple(np.array([value]) for value in arguments)
    with np.errstate(all="ignore"):
        outcome, _ = trial.tried(single, np.random.default_rng(0))
    return outcome.failed


def _decimals(x: float, dtype: torch.dtype) -> list[float]:
    """x rounded to 1, 2, … decimal digits, in its dtype."""
    if x == 0 or not np.isfinite(x):
        return []
    texts = [Context(prec=digits).plus(Decimal(x)) for digits in range(1, 18)]
    return list(dict.fromkeys(float(torch.tensor(float(text), dtype=dtype)) for text in texts))
