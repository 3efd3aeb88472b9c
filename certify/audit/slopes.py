"""Derivatives of references, by differences in high precision."""

from __future__ import annotations

from typing import Any

import mpmath
from mpmath import mp

from certify.audit.reference import DIGITS, Reference, known, real

STEP = mpmath.mpf(2) ** -27  # differences of an error of STEP⁴, and noise that thirty digits keep below STEP
AGREEMENT = mpmath.mpf(10) ** -6  # of slopes whose differences are of the order of a step's square
SHORTER = 64


def derivatives(truth: Reference, x: float, orders: int) -> list[Any] | None:
    """The reference and its first ``orders`` + 1 derivatives at x; None where it has no real value or no such derivative, or cancels.

    Differences with a step in proportion to x or, where these show no derivative, one that is the same for every x: the
    reference may oscillate.
    """
    exponent = int(mp.floor(mp.log10(abs(mp.mpf(x))))) if x else 0
    found = _differences(truth, x, STEP * (abs(mp.mpf(x)) if x else 1), orders, DIGITS + 2 * max(0, -exponent))
    return found or (_differences(truth, x, STEP, orders, DIGITS + 2 * exponent) if exponent > 0 else None)


def _differences(truth: Reference, x: float, h: Any, orders: int, digits: int) -> list[Any] | None:
    """By a step h or, where the slopes at x are not one with it, a shorter one with which they come together as they should."""
    with mp.workdps(digits):
        at, centre = mp.mpf(x), known(truth, mp.mpf(x))
        if centre is None:
            return None
        around = _around(truth, at, h)
        if None in around:
            return _one_sided(truth, at, h, centre, orders)
        slopes = _slopes(h, centre, *around)
        noise = max(map(abs, [centre, *around])) * mp.mpf(10) ** (10 - mp.dps) / h
        if _apart(slopes) > AGREEMENT * max(map(abs, slopes)) + noise:
            h, wide = h / SHORTER, _apart(slopes)
            around = _around(truth, at, h)
            if None in around or _apart(_slopes(h, centre, *around)) > 2 * wide / SHORTER**2:
                return None
        a, b, c, d = around
        found = [
            _slopes(h, centre, *around)[-1],
            (16 * (b + c) - a - d - 30 * centre) / (12 * h * h),
            ((d - a) - 2 * (c - b)) / (2 * h**3),
        ]
        return [centre, *found[: orders + 1]]


def _around(truth: Reference, at: Any, h: Any) -> list[Any]:
    return [real(truth, at + k * h) for k in (-2, -1, 1, 2)]


def _slopes(h: Any, centre: Any, a: Any, b: Any, c: Any, d: Any) -> tuple[Any, Any, Any]:
    """The derivative from either side, with errors of the order h², and through the centre, of the order h⁴."""
    return (3 * centre - 4 * b + a) / (2 * h), (4 * c - d - 3 * centre) / (2 * h), (8 * (c - b) - (d - a)) / (12 * h)


def _apart(slopes: tuple[Any, ...]) -> Any:
    return max(slopes) - min(slopes)


def _one_sided(truth: Reference, at: Any, h: Any, centre: Any, orders: int) -> list[Any] | None:
    for sign in (1, -1):
        b, c, d = (real(truth, at + sign * k * h) for k in (1, 2, 3))
        if b is not None and c is not None and d is not None:
            first = sign * (-11 * centre + 18 * b - 9 * c + 2 * d) / (6 * h)
            return [centre, first, (2 * centre - 5 * b + 4 * c - d) / (h * h), mp.mpf(0)][: orders + 2]
    return None
