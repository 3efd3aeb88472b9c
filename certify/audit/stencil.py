"""Derivatives of sampled functions with error bars: least-squares polynomials on stencils, resolved or not.

A polynomial fitted to more values than it has coefficients leaves a residual. Where the function is smooth on the
scale of the stencil the residual is its rounding noise; where it is not, the residual says so. Either way it bounds
what the fitted derivative can be wrong by, so nothing is left to tune.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import NDArray

from certify.audit.precision import Floats

CAUTION = 2.0  # times the largest residual: the noise of a value may exceed what the fit leaves of it
DOUBT = 2.0  # bars by which a contradiction exceeds its error
UNRESOLVED = 3e-3  # of the variation of a function: a larger residual is structure that the stencil misses
ROUNDED = 4.0  # times the least error of a value: a residual of that size is rounding
LARGEST = float(np.finfo(np.float64).max)
BEYOND = 4  # powers of t after the fitted ones for which the bar covers the error of the fit


@dataclass(frozen=True)
class Rule:
    """A fit of fixed degree on fixed nodes t: the derivative at t = 0 as weights, the residuals as a matrix."""

    columns: NDArray[np.intp]
    slope: Floats
    curvature: Floats
    residual: Floats
    amplification: float
    caution: float


def _rule(nodes: Floats, columns: NDArray[np.intp], degree: int) -> Rule:
    t = nodes[columns]
    basis = chebyshev.chebvander(t, degree)
    inverse = np.linalg.pinv(basis)
    at_zero = [np.array([chebyshev.chebval(0.0, chebyshev.chebder(unit, order)) for unit in np.eye(degree + 1)]) for order in (1, 2)]
    slope, curvature = at_zero[0] @ inverse, at_zero[1] @ inverse
    residual = np.eye(len(t)) - basis @ inverse
    amplification = float(np.abs(slope).sum())
    return Rule(columns, slope, curvature, residual, amplification, _caution(t, degree, slope, residual, amplification))


def _caution(t: Floats, degree: int, slope: Floats, residual: Floats, amplification: float) -> float:
    """The factor by which the largest residual, amplified, covers the error of every further power of t."""
    powers = [t ** (degree + k) for k in range(1, BEYOND + 1)]
    misfits = [abs(float(slope @ q)) / float(np.abs(residual @ q).max()) for q in powers]
    freedom = np.sqrt(len(t) / (len(t) - degree - 1))
    return max(CAUTION * freedom, *(CAUTION * misfit / amplification for misfit in misfits))


@dataclass(frozen=True)
class Stencil:
    """Nodes in [−1, 1], the centre first and the others in pairs ±t, and the degrees fitted to all and to each half."""

    half: tuple[float, ...]
    degrees: tuple[int, ...]
    one_sided: tuple[int, ...]

    @cached_property
    def nodes(self) -> Floats:
        return np.array([0.0, *self.half, *(-t for t in self.half)])

    @cached_property
    def rules(self) -> dict[str, list[Rule]]:
        n = len(self.half)
        columns = {"both": np.arange(2 * n + 1), "right": np.arange(n + 1), "left": np.r_[0, n + 1 : 2 * n + 1]}
        degrees = {"both": self.degrees, "right": self.one_sided, "left": self.one_sided}
        return {side: [_rule(self.nodes, columns[side], degree) for degree in degrees[side]] for side in columns}


# No node is a multiple of another: periodic functions have dyadic periods more often than others.
SCAN = Stencil((0.1137, 0.2969, 0.5133, 0.7019, 0.8761, 1.0), (2, 4, 6, 8), (1, 2, 3, 4))
CONFIRM = Stencil((0.0893, 0.2131, 0.3119, 0.4217, 0.5309, 0.6521, 0.7529, 0.8461, 0.9371, 1.0), (2, 4, 6, 8, 10, 12), (1, 2, 3, 4, 5, 6))


@dataclass(frozen=True)
class Slopes:
    """Derivatives by one family of fits, with bars; ``rough`` is the noise or misfit seen, in units of the function.

    The bar is infinite where a node has no finite value. A fit is ``resolved`` where that noise is rounding, or small
    beside the variation of the function over the stencil. ``doubt`` is the factor by which the bar is larger for structure
    that finer stencils see.
    """

    value: Floats
    bar: Floats
    rough: Floats
    resolved: NDArray[np.bool_]
    doubt: Floats | float = 1.0

    @property
    def doubted(self) -> Floats:
        """The bar for contradictions."""
        return self.bar * self.doubt


def slopes(rules: Sequence[Rule], values: Floats, steps: Floats, floor: Floats, slack: Floats) -> Slopes:
    """Fit each row of ``values`` (centre first) on nodes spread by ``steps``; keep the degree with the smallest bar.

    ``floor`` is the least error of a value, ``slack`` the relative uncertainty of its place, in units of the step.
    """
    columns = rules[0].columns
    used = values[:, columns]
    whole = np.logical_and.reduce(np.isfinite(used), axis=1)
    largest = np.abs(np.where(whole[:, None], used, 0.0)).max(axis=1)
    _, exponent = np.frexp(largest)
    scaled = np.ldexp(np.where(whole[:, None], used, 0.0), -exponent[:, None])
    floor = np.ldexp(floor, -exponent)
    scaled = scaled - scaled[:, :1]
    variation = scaled.max(axis=1) - scaled.min(axis=1)
    value, bar, rough = (np.full(len(values), fill) for fill in (0.0, np.inf, np.inf))
    for rule in rules:
        misfit = np.abs(scaled @ rule.residual.T).max(axis=1)
        slope, curvature = scaled @ rule.slope, scaled @ rule.curvature
        error = rule.amplification * (rule.caution * misfit + floor) + slack * (np.abs(curvature) + np.abs(slope))
        better = error < bar
        value, bar, rough = np.where(better, slope, value), np.where(better, error, bar), np.where(better, misfit, rough)
    resolved = whole & ((rough <= UNRESOLVED * variation) | (rough <= ROUNDED * floor))
    step, shift = np.frexp(steps)
    value, bar = (np.clip(np.ldexp(number / step, exponent - shift), -LARGEST, LARGEST) for number in (value, bar))
    return Slopes(value, np.where(whole, bar, np.inf), np.where(whole, np.ldexp(rough, exponent), np.inf), resolved)
