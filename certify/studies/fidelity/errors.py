"""How far a realization, or AR/FR in exact arithmetic, is from the exact ratio and from exact potential differences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import Any, Protocol

import numpy as np
from flint import arb
from numpy.typing import NDArray

from certify.exact import bessel, debye
from certify.exact.ball import bits_for, working_precision
from certify.exact.number import exact
from certify.realizations.protocol import Realization
from certify.studies.fidelity.arithmetic import CorrectlyRounded, Exact
from certify.studies.fidelity.rounding import Rounded
from certify.studies.judgement import Rounding

GUARD_BITS = 64
CACHED = 1 << 14

_ratio = lru_cache(CACHED)(bessel.ratio)
_potential_difference = lru_cache(CACHED)(bessel.potential_difference)


@dataclass(frozen=True)
class Quantity:
    """A function of (ν, x): certified (``exact``, and ``closed_form`` with the ladder's order n first) and as a realization returns it."""

    exact: Callable[[int, float, int], arb]
    closed_form: Callable[[int, int, float, int], arb]
    realized: Callable[[Realization, Any], Any]


def ratio() -> Quantity:
    """R_ν(x)."""
    return Quantity(
        exact=_ratio,
        closed_form=debye.ladder_ratio,
        realized=lambda realization, x: realization.derivative(x),
    )


def unit_difference() -> Quantity:
    """Φ_ν(x+1) − Φ_ν(x); a realization is given x+1 as FP64 rounds it."""

    return Quantity(
        exact=lambda nu, x, digits: _potential_difference(nu, x, exact(x) + 1, digits),
        closed_form=lambda n, nu, x, digits: debye.ladder_potential_difference(n, nu, x, exact(x) + 1, digits),
        realized=lambda realization, x: realization.difference(x, x + 1.0),
    )


def difference_from(start: float) -> Quantity:
    """Φ_ν(x) − Φ_ν(start)."""
    return Quantity(
        exact=lambda nu, x, digits: _potential_difference(nu, start, x, digits),
        closed_form=lambda n, nu, x, digits: debye.ladder_potential_difference(n, nu, start, x, digits),
        realized=lambda realization, x: realization.difference(x * 0 + start, x),
    )


class Subject(Protocol):
    """Something whose fidelity is studied."""

    @property
    def arithmetic(self) -> str: ...

    def residuals(self, quantity: Quantity, nu: int, x: NDArray, digits: int) -> list[arb]:
        """Its value minus the exact one at each x, with a reference of ``digits`` correct digits."""
        ...

    def rounding(self, quantity: Quantity, nu: int, x: NDArray, residuals: list[arb], digits: int) -> Rounding | None:
        """What rounding does to the largest of these residuals; None for exact arithmetic."""
        ...

    def regime(self, nu: int, x: NDArray) -> NDArray:
        """The name of the formula in use at each x."""
        ...


@dataclass(frozen=True)
class Analytic:
    """The ladder's closed form of order n in ball arithmetic; n = 1 is AR/FR."""

    n: int = 1
    arithmetic: str = "balls"

    def residuals(self, quantity: Quantity, nu: int, x: NDArray, digits: int) -> list[arb]:
        with _precise(digits):
            return [quantity.closed_form(self.n, nu, t, digits) - quantity.exact(nu, t, digits) for t in map(float, x)]

    def rounding(self, quantity: Quantity, nu: int, x: NDArray, residuals: list[arb], digits: int) -> None:
        return None

    def regime(self, nu: int, x: NDArray) -> NDArray:
        return np.full(np.shape(x), "closed form")


@dataclass(frozen=True)
class FloatingPoint:
    """The realization that ``make`` returns for an order, as FP64 runs it on this platform."""

    make: Callable[[int], Realization]
    arithmetic: str = "FP64"

    def residuals(self, quantity: Quantity, nu: int, x: NDArray, digits: int) -> list[arb]:
        return _residuals(quantity.realized(self.make(nu), x), quantity, nu, x, digits)

    def rounding(self, quantity: Quantity, nu: int, x: NDArray, residuals: list[arb], digits: int) -> Rounding:
        """By running the same program in exact and in running-error arithmetic."""
        realization = self.make(nu)
        at, _ = largest(residuals, digits)
        bounds = quantity.realized(realization, Rounded(x)).error
        with _precise(digits):
            point = float(x[at])
            ideal = abs(quantity.realized(realization, Exact(arb(point))).value - quantity.exact(nu, point, digits))
        rivals = x[_may_be_largest(np.array([abs(float(residual)) for residual in residuals]), bounds, at)]

        def correctly_rounded() -> arb:
            values = quantity.realized(realization, CorrectlyRounded(rivals)).value
            return largest(_residuals(values, quantity, nu, rivals, digits), digits)[1]

        return Rounding(ideal, arb(float(bounds[at])), correctly_rounded)

    def regime(self, nu: int, x: NDArray) -> NDArray:
        return self.make(nu).regime(x)


def _may_be_largest(errors: NDArray, bounds: NDArray, at: int) -> NDArray:
    """Where another platform may have its largest error: two platforms differ by at most twice the bound."""
    return errors + 2 * bounds >= errors[at] - 2 * bounds[at]


def largest(residuals: list[arb], digits: int) -> tuple[int, arb]:
    """Where the largest absolute value is, as far as midpoints tell, and an enclosure of it."""
    with _precise(digits):
        errors = [abs(residual) for residual in residuals]
        return int(np.argmax([float(error) for error in errors])), reduce(arb.max, errors)


def _residuals(values: NDArray, quantity: Quantity, nu: int, x: NDArray, digits: int) -> list[arb]:
    with _precise(digits):
        pairs = zip(map(float, values), map(float, x), strict=True)
        return [arb(value) - quantity.exact(nu, t, digits) for value, t in pairs]


def _precise(digits: int) -> working_precision:
    return working_precision(bits_for(digits) + GUARD_BITS)
