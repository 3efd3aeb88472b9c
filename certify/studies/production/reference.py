"""R_ν, its derivative and Φ_ν(x) − Φ_ν(0) on arrays of balls: A_n and F_n, n = 11, at order N, their certified errors, and m steps down.

With y_i = x/R_{ν+i} = h_i + x, c_i = 2(ν+i+1) and D_i = 1 − R_{ν+i} = h_i/y_i, the recurrence (DLMF 10.29.1) and the Riccati equation give

    h_i = c_i − x D_{i+1},     R_ν′ = (h(h − c) + x(2h − c))/y²,  c = 2ν + 1, h = h_0, y = y_0,
    Φ_ν(x) − Φ_ν(0) = [Φ_N(x) − Φ_N(0)] + Σ_{i<m} log(1 + x R_{ν+i+1}/c_i).

At order N = ν + m ≥ 31 the errors of A_n, and by integration of F_n(x) − F_n(0), are at most (a step of claim score.uniform.8)

    |R − A_n| ≤ C x s^{−(n+3)},     |ΔΦ − ΔF_n| ≤ C min(N^{−(n+1)}/(n+1), x² N^{−(n+3)}/2).

Between 2⁻⁴⁵⁰ and 2²⁰⁰ nothing over- or underflows. For x ≥ 2²⁰⁰ and ν ≤ 2²⁰ the bounds of ``exact.continued_fraction`` give
|h − (ν+½)| ≤ (ν+3/2)²/x and |D − (ν+½)/x| ≤ 2(ν+2)²/x², and so the logarithm by which x − Φ_ν(x) grows; for x ≤ 2⁻⁴⁵⁰,
Φ_ν(x) − Φ_ν(0) ≤ x².
"""

from __future__ import annotations

from functools import cached_property
from math import factorial

import numpy as np
from numpy.typing import NDArray

from certify.exact.ladder_constants import WEIGHTED
from certify.studies.production.balls import UP, Array, Balls, balls
from certify.studies.production.closed_form import ClosedForm

RUNG, FINE = 11, 4
START = {"float64": 80, "float32": 31}
"""N at least: the certified errors are then below u/1000. Two steps at least, as h = c − xD is accurate relatively, and x D/R is not."""
SMALLEST, LARGEST, BEYOND = 2.0**-450, 2.0**200, 2.0**900
TAIL = 2.0**-150
EARLY, EARLY_TERMS = 2.0**-2, 12
LARGEST_ORDER = 2.0**20
CONSTANT = float(WEIGHTED[RUNG]) * UP
CARE = UP**64
"""More than what the rounding of a power and its factors loses."""


class Reference:
    """Enclosures at x ≥ 0, an array of doubles or of balls, and one exact order 0 ≤ ν ≤ 2²⁰. Nothing is computed before it is asked for."""

    def __init__(self, nu: float, x: Balls | Array, form: str = "float64") -> None:
        if not 0 <= nu <= LARGEST_ORDER:
            raise ValueError(f"nu = {nu}: orders from 0 to 2**20 are accepted")
        self.nu, self.x = nu, balls(x)
        self.steps = max(2, int(np.ceil(START[form] - nu)))
        self.far = self.x.high > LARGEST
        inner = np.clip(self.x.high, SMALLEST, LARGEST)
        self.inside = Balls(inner, np.where(inner == self.x.high, self.x.low, 0), np.where(inner == self.x.high, self.x.radius, 0))

    @cached_property
    def start(self) -> ClosedForm:
        """A_n and F_n at order N."""
        return ClosedForm(RUNG, self._order(self.steps), self.inside, FINE)

    @cached_property
    def _descent(self) -> tuple[Balls, Balls]:
        """h_0, and the logarithm of Π (1 + x R/c): of the product less 1 for x ≤ 1, of the product of 1/x + R/c beyond."""
        x, near = self.inside, self.inside.high <= 1
        base, scale = 1 / x.where(~near, balls(1.0)), x.where(near, balls(1.0))
        rest, ratio = self.start.complement.widened(self._error()), self.start.ratio.widened(self._error())
        h, product = balls(0.0), balls(np.where(near, 0.0, 1.0))
        for i in range(self.steps - 1, -1, -1):
            c = 2 * (self.nu + i + 1)
            growth = scale * (ratio / c)
            product = product * (base + growth) + growth.where(near, balls(0.0))
            h = c - x * rest
            y = h + x
            rest, ratio = h / y, x / y
        far = product.where(~near, balls(1.0)).log() + x.where(~near, balls(1.0)).log() * self.steps
        return h, product.where(near, balls(0.0)).log1p().where(near, far)

    @cached_property
    def h(self) -> Balls:
        """y − x."""
        found = self._descent[0]
        return found.widened(np.where(self.far | (self.x.high < SMALLEST), TAIL, 0))

    @cached_property
    def _capped(self) -> Balls:
        return balls(BEYOND).where(self.x.high > BEYOND, self.x)

    @cached_property
    def _quotient(self) -> Balls:
        return self.h + self._capped

    @cached_property
    def ratio(self) -> Balls:
        """R_ν."""
        return self._beyond(self._capped / self._quotient)

    @cached_property
    def complement(self) -> Balls:
        """1 − R_ν."""
        return self._beyond(self.h / self._quotient)

    @cached_property
    def slope(self) -> Balls:
        """R_ν′."""
        h, c, x = self.h, 2 * self.nu + 1, self._capped
        above = h * ((h - c) / self._quotient) + (h * 2.0 - c) * (x / self._quotient)
        return self._beyond(above / self._quotient)

    @cached_property
    def linear(self) -> Balls:
        """x (1 − R_ν)."""
        return self.h * self.ratio

    @cached_property
    def deficit(self) -> Balls:
        """x − (Φ_ν(x) − Φ_ν(0))."""
        return (self.x - self._early).where(self.x.high < EARLY, self._deficit)

    @cached_property
    def rise(self) -> Balls:
        """Φ_ν(x) − Φ_ν(0)."""
        found = (self._step - self._rest + self._descent[1]).widened(self._rise_error())
        if self.far.any():
            found = (self.x - self._deficit).where(self.far, found)
        return self._early.where(self.x.high < EARLY, found)

    @cached_property
    def _deficit(self) -> Balls:
        order, x, s = self._order(self.steps), self.inside, self.start.s
        found = order * ((self._step + x) / (s + x)) + self._rest - self._descent[1]
        far = (balls(np.where(self.far, self.x.high, LARGEST)).log() - balls(LARGEST).log()) * (self.nu + 0.5)
        return (found.widened(self._rise_error()) + far).widened(np.where(self.far, TAIL, 0))

    @property
    def _step(self) -> Balls:
        """s(x) − N."""
        return self.inside * (self.inside / (self.start.nu + self.start.s))

    @cached_property
    def _rest(self) -> Balls:
        """By how much F_n(x) − F_n(0) is less than that, at order N."""
        order, step = self.start.nu, self._step
        logarithms = order * (step / (order * 2.0)).log1p() + (step / order).log1p() * 0.5
        at_zero = ClosedForm(RUNG, balls(self.nu) + float(self.steps), balls(0.0), FINE).correction
        return logarithms - (self.start.correction - at_zero)

    @property
    def _early(self) -> Balls:
        """log Σ q^k/(k! (ν+1) … (ν+k)), q = x²/4, for x ≤ ¼; left out is less than 2 q^k/(k! (ν+1)), k = 13. Below 2⁻⁴⁵⁰, 0 to x²."""
        x = Balls(*(np.where(self.x.high < EARLY, part, 0) for part in (self.inside.high, self.inside.low, self.inside.radius)))
        quarter, total = x * x * 0.25, balls(0.0)
        for k in range(EARLY_TERMS, 0, -1):
            total = quarter / ((self.nu + k) * k) * (1 + total)
        last = EARLY_TERMS + 1
        found = total.widened(2 * UP**16 * quarter.size()[1] ** last / (factorial(last) * (self.nu + 1))).log1p()
        nothing = balls(0.0).widened(np.where(self.x.high > 0, SMALLEST**2, 0))
        return nothing.where(self.x.high < SMALLEST, found)

    def _beyond(self, value: Balls) -> Balls:
        """Where x > 2⁹⁰⁰ the value is that at 2⁹⁰⁰, from which R, D and R′ then differ by less than 2⁻⁸⁵⁰."""
        return value.widened(np.where(self.x.high > BEYOND, 2.0**-850, 0))

    def _order(self, steps: int) -> Balls:
        """ν + m, which is a double for the orders in use."""
        return balls(np.full_like(self.x.high, self.nu)) + float(steps)

    def _error(self) -> Array:
        """A bound of |R − A_n| at order N."""
        _, s, x = self._sizes()
        return CONSTANT * x * s ** -(RUNG + 3.0) * CARE

    def _rise_error(self) -> Array:
        """A bound of the error of F_n(x) − F_n(0) at order N."""
        N, _, x = self._sizes()
        return CONSTANT * CARE * np.minimum(N ** -(RUNG + 1.0) / (RUNG + 1), x * x * N ** -(RUNG + 3.0) / 2)

    def _sizes(self) -> tuple[float, Array, NDArray[np.float64]]:
        """N from below, s from below and x from above."""
        return (self.nu + self.steps) / UP, self.start.s.size()[0], self.inside.size()[1]
