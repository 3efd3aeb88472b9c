"""The simplest decimal number at which a contradiction still stands."""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal

from certify.audit.evidence import Finding

TRIED = 60
KEPT = 0.5  # of the relative discrepancy, that a simpler input must show


def simplest(finding: Finding, judged: Callable[[float], Finding | None], holds: Callable[[float], bool]) -> Finding:
    """Round the input to ever more digits until the contradiction shows there as well, about as large."""
    tried: set[float] = set()
    for candidate in decimals(finding.x):
        if len(tried) >= TRIED:
            break
        if candidate in tried or not holds(candidate):
            continue
        tried.add(candidate)
        again = judged(candidate)
        if again is not None and again.relative >= KEPT * min(finding.relative, 1.0):
            return again
    return finding


def decimals(x: float) -> list[float]:
    """Numbers near x, those of few digits first, x last."""
    exact = Decimal(x)
    if not exact:
        return [0.0]
    rounded = [
        float(Context(prec=digits, rounding=mode).plus(exact))
        for digits in range(1, 18)
        for mode in (ROUND_HALF_EVEN, ROUND_FLOOR, ROUND_CEILING)
    ]
    near = [float(sign) for sign in (0, 1, -1) if abs(x - sign) < 0.5]
    return near + rounded
