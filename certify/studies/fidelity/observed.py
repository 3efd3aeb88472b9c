"""What rounding theorems bound, observed: errors of the ladder's programs against A_n itself, never against R_ν.

Programs run in NumPy, in the format of the theorem, and are measured in a wider one: binary32 in binary64, binary64 in long double. The
inputs are random and adversarial (s just above powers of two, hill-climbed); with ``far`` the hypot of the program is the farther one of
the two floats around the exact value, which a bound of 1 ulp allows. What exceeds the bound is confirmed in balls.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from certify.exact.ball import decimal, working_precision
from certify.exact.format import FORMATS
from certify.exact.number import exact
from certify.exact.rounding.confirmation import BITS, confirm
from certify.exact.rounding.execution import Execution
from certify.exact.rounding.theorem import Rounding
from certify.exact.rounding.violation import Candidates, hunt
from certify.exact.truth import Truth, less

CHUNK = 1 << 18


@dataclass(frozen=True)
class Observed:
    """The largest error seen, in units of u, where, and with which hypot; ``violation`` is a witness, if there is one."""

    errors: int
    largest: float
    x: float
    nu: float
    far: bool
    violation: Mapping[str, str] | None = None

    def merged(self, other: Observed) -> Observed:
        """Both observations as one."""
        best = max(self, other, key=lambda each: each.largest)
        found = self.violation or other.violation
        return Observed(self.errors + other.errors, best.largest, best.x, best.nu, best.far, found)


NOTHING = Observed(0, 0.0, 0.0, 0.0, False)


def observe(theorem: Rounding, form: str, points: int, seed: int, k: Fraction) -> Observed:
    """Errors at about so many inputs, held against k in the unit of the theorem. Raises ValueError where nothing wider is there."""
    execution, random, found = Execution(theorem, form), np.random.default_rng(seed), NOTHING
    for size in _chunks(points // len(execution.choices)):
        for candidates in hunt(execution, size, random):
            found = found.merged(_judged(execution, candidates, k))
    return found


def every(theorem: Rounding, nu: float, exponents: range, k: Fraction) -> Observed:
    """All binary32 numbers x with x/ν in [2^first, 2^last), the hypot being NumPy's."""
    execution, found = Execution(theorem, "binary32"), NOTHING
    first, last = (np.float32(nu * 2.0**e).view(np.int32) for e in (exponents.start, exponents.stop))
    for start in range(int(first), int(last), CHUNK):
        x = np.arange(start, min(start + CHUNK, int(last)), dtype=np.int32).view(np.float32)
        orders = np.full_like(x, nu)
        found = found.merged(_judged(execution, Candidates(x, orders, False, execution.errors(x, orders)), k))
    return found


def stored(theorem: Rounding, name: str, nu: float, k: Fraction) -> Observed:
    """All finite numbers x ≥ 0 of a short format, computed with in binary32 and rounded back; errors in units of that format's u.

    The bound is ½ + k·2^−24/u, as |computed| ≤ 1. A violation is not confirmed in balls: binary64 tells these errors exactly enough.
    """
    execution, bits = Execution(theorem, "binary32"), FORMATS[name].bits
    x = short_numbers(name)
    orders = np.full_like(x, nu)
    results = rounded(execution.computed(x, orders).astype(float), bits)
    errors = np.abs(results - execution.exact(x, orders)) * 2.0**bits
    place = int(np.argmax(errors))
    bound = Fraction(1, 2) + k * Fraction(2) ** (bits - 24)
    seen = Observed(len(x), float(errors[place]), float(x[place]), nu, False)
    if seen.largest <= float(bound):
        return seen
    return replace(seen, violation={"format": name, "x": str(seen.x), "nu": str(nu), "error in u": f"{seen.largest:.10g}"})


def short_numbers(name: str) -> np.ndarray:
    """All finite numbers ≥ 0 of a short format, as binary32."""
    if name == "float16":
        return np.arange(0x7C00, dtype=np.uint16).view(np.float16).astype(np.float32)
    return (np.arange(0x7F80, dtype=np.uint32) << 16).view(np.float32)


def rounded(values: np.ndarray, bits: int) -> np.ndarray:
    """To so many significant bits, to nearest, ties to even; exponents without end."""
    mantissa, exponent = np.frexp(values)
    return np.ldexp(np.rint(np.ldexp(mantissa, bits)), exponent - bits)


def _judged(execution: Execution, found: Candidates, k: Fraction) -> Observed:
    place = int(np.argmax(found.errors))
    seen = Observed(len(found.x), float(found.errors[place]), float(found.x[place]), float(found.nu[place]), found.far)
    return seen if seen.largest <= float(k) else replace(seen, violation=_witness(execution, found, place, k))


def _witness(execution: Execution, found: Candidates, place: int, k: Fraction) -> Mapping[str, str] | None:
    x, nu = Fraction(float(found.x[place])), Fraction(float(found.nu[place]))
    confirmed = confirm(execution, x, nu, found.far)
    with working_precision(BITS):
        if confirmed is None or less(exact(k), confirmed.error) is not Truth.YES:
            return None
        return {"format": execution.form.name, "x": str(x), "nu": str(nu), "error in u": decimal(confirmed.error, 10)}


def _chunks(points: int) -> Iterator[int]:
    yield from (min(CHUNK, points - start) for start in range(0, points, CHUNK))
