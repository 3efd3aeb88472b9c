"""The probe of rounding profiles: operations of the installed build against exact values, in ulps.

Errors are screened in a wider format (binary64 for binary32; x87 or quadruple for binary64, balls where there is none), and the largest
are computed again in balls, so that only balls contradict a profile. Inputs cover all exponents, the neighbourhoods of the points where
functions change their algorithm, subnormal numbers included; the seed fixes them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb
from numpy.typing import NDArray

from certify.exact.ball import working_precision
from certify.exact.format import Format, format_of
from certify.exact.interpret import ball
from certify.exact.interpret.rounding import unit_in_last_place
from certify.exact.number import centre, exact
from certify.exact.profile import Profile
from certify.exact.truth import Truth, less
from certify.studies.profiles.environments import ENVIRONMENTS, PROBED
from certify.studies.profiles.inputs import inputs

CONFIRMED = 200
PRECISION = 160


@dataclass(frozen=True)
class Worst:
    """The largest error seen of an operation, and where."""

    op: str
    form: str
    ulps: float
    arguments: tuple[float, ...]
    computed: float


@dataclass(frozen=True)
class Contradiction:
    """A result that is farther from the exact value than the profile says, or a hypot below its arguments; proved in balls."""

    worst: Worst
    bound: Fraction
    exact: arb
    what: str


def probe(profile: Profile, points: int, seed: int = 0, scale: Fraction = Fraction(1)) -> tuple[list[Worst], list[Contradiction]]:
    """The worst error of every operation that the profile bounds and the environment has, and what contradicts ``scale`` × the bounds.

    Raises Absent where the environment is not present.
    """
    worst, contradictions = [], []
    for form in profile.formats:
        operations = ENVIRONMENTS[profile.name](form)
        for op in PROBED:
            if op not in profile.ulps[form]:
                continue
            arguments = inputs(op, form, points, seed)
            with np.errstate(all="ignore"):
                computed = np.asarray(operations[op](*arguments))
            found, contradiction = judge(op, format_of(form), arguments, computed, scale * profile.bound(op, form), profile.least(op))
            worst.append(found)
            contradictions += [contradiction] if contradiction else []
            if op == "hypot" and profile.hypot_monotone:
                contradictions += _below(form, arguments, computed)
    return worst, contradictions


def judge(
    op: str, form: Format, arguments: tuple[NDArray, ...], computed: NDArray, bound: Fraction, least: Fraction = Fraction(1, 2)
) -> tuple[Worst, Contradiction | None]:
    """The worst of the results; a contradiction where a ball proves its error to exceed the bound in ulps and ``least`` subnormals."""
    errors = _screened(op, form, arguments, computed)
    places = np.argsort(errors)[::-1][:CONFIRMED]
    confirmed = [_confirmed(op, form, [float(each[place]) for each in arguments], float(computed[place])) for place in places]
    worst, _ = max(confirmed, key=lambda pair: pair[0].ulps)
    wrong = [(each, value) for each, value in confirmed if _exceeds(each, value, form, bound, least)]
    if not wrong:
        return worst, None
    worst, true = max(wrong, key=lambda pair: pair[0].ulps)
    return worst, Contradiction(worst, bound, true, "error in ulps")


def _screened(op: str, form: Format, arguments: tuple[NDArray, ...], computed: NDArray) -> NDArray:
    """Errors in ulps, to a fraction of one; zero where the exact value is beyond the format."""
    reference = _wide(op, form, arguments)
    with np.errstate(all="ignore"):
        _, exponent = np.frexp(reference)
        unit = np.ldexp(np.ones_like(reference), np.maximum(exponent - form.bits, form.least - form.bits + 1))
        errors = np.abs(computed.astype(reference.dtype) - reference) / unit
        inside = np.isfinite(reference) & (np.abs(reference) <= reference.dtype.type(float(form.largest)))
    return np.where(inside, np.where(np.isnan(errors), np.inf, errors), 0).astype(float)


def _wide(op: str, form: Format, arguments: tuple[NDArray, ...]) -> NDArray:
    """Values of the operation in a wider format."""
    names = {"add": "add", "sub": "subtract", "mul": "multiply", "div": "divide"}
    wider = np.float64 if form.name == "binary32" else np.longdouble
    function: Callable[..., Any] | None = getattr(np, names.get(op, op), None)
    extended = np.finfo(wider).nmant >= form.bits + 10
    if wider is np.float64 and function is None:
        import scipy.special

        function = getattr(scipy.special, op)
    if function is None or not extended:
        return _by_balls(op, arguments).astype(wider)
    with np.errstate(all="ignore"):
        return function(*(each.astype(wider) for each in arguments))


def _by_balls(op: str, arguments: tuple[NDArray, ...]) -> NDArray:
    """Midpoints of balls, each as the sum of two binary64 numbers."""
    function = ball.OPERATIONS[op]
    result = np.empty(len(arguments[0]), dtype=np.longdouble)
    with working_precision(PRECISION):
        for place, values in enumerate(zip(*arguments, strict=True)):
            value = function(*(arb(float(each)) for each in values))
            high = float(value.mid())
            result[place] = np.longdouble(high) + np.longdouble(float((value - high).mid())) if np.isfinite(high) else np.longdouble(high)
    return result


def _confirmed(op: str, form: Format, arguments: list[float], computed: float) -> tuple[Worst, arb]:
    """The error of one result, from the exact value in a ball."""
    with working_precision(PRECISION):
        value = ball.OPERATIONS[op](*(arb(each) for each in arguments))
        unit = arb(exact(unit_in_last_place(_size(value), form))) if value.is_finite() else arb(1)
        ulps = float((abs(value - computed) / unit).mid()) if np.isfinite(computed) else float("inf")
    return Worst(op, form.name, ulps if value.is_finite() else 0.0, tuple(arguments), computed), value


def _exceeds(worst: Worst, value: arb, form: Format, bound: Fraction, least: Fraction) -> bool:
    if not value.is_finite() or less(exact(form.largest), abs(value)) is not Truth.NO:
        return False
    if not np.isfinite(worst.computed):
        return True
    limit = max(bound * unit_in_last_place(_size(value), form), least * form.least_subnormal)
    with working_precision(PRECISION):
        return less(exact(limit), abs(value - worst.computed)) is Truth.YES


def _size(value: arb) -> Fraction:
    upper = centre(ball.magnitude(value).upper())
    return Fraction(int(upper.p), int(upper.q))


def _below(form: str, arguments: tuple[NDArray, ...], computed: NDArray) -> list[Contradiction]:
    """The first place where hypot is below one of its arguments, exactly."""
    largest = np.maximum(*(np.abs(each) for each in arguments))
    found = []
    for place in np.flatnonzero(computed < largest)[:1]:
        worst = Worst("hypot", form, 0.0, tuple(float(each[place]) for each in arguments), float(computed[place]))
        found.append(Contradiction(worst, Fraction(0), arb(float(largest[place])), "hypot below its argument"))
    return found
