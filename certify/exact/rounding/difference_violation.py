"""Floats at which differences of the potential have large rounding errors: found by random search and hill climbing, confirmed in balls.

The search runs the program in binary32: NumPy's arithmetic, and hypot and log1p computed in binary64 and rounded, either to the nearest
float, which is within every profile, or to the ``far`` one on the other side, which is within those that allow an ulp. The reference that
guides the search is the same program in binary64.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from certify.exact.ball import decimal, hypotenuse, working_precision
from certify.exact.debye import ladder_potential_difference
from certify.exact.difference_program import INPUTS, difference
from certify.exact.format import FORMATS
from certify.exact.interpret.evaluate import Interpreter
from certify.exact.interpret.plain import operations
from certify.exact.number import exact
from certify.exact.program import Program
from certify.exact.truth import Truth, less

FORM = FORMATS["binary32"]
POPULATION, KEPT, GENERATIONS = 20_000, 200, 40
WIDEST = 24
"""Binades of ν above ν_min, and half those of b/ν, among which the search begins."""

Points = NDArray[np.float32]
"""Rows a, b, ν with a ≤ b."""


class Found(NamedTuple):
    """|computed − exact| = ``ratio``·u·|s(b) − s(a)|, about, with the far results of hypot and log1p or with the near ones."""

    ratio: float
    a: Fraction
    b: Fraction
    nu: Fraction
    far: bool


def worst(n: int, nu_min: Fraction, seed: int = 0, generations: int = GENERATIONS, far: bool = False) -> Found:
    """The largest error found."""
    random, measure = np.random.default_rng(seed), Measure(n, far)
    least = np.float32(float(nu_min))
    points = _ordered(_spread(random, float(least)), least)
    for generation in range(generations):
        best = points[np.argsort(-measure.ratio(points))[:KEPT]]
        scale = 2.0 ** -(24 * generation / generations)
        moved = np.repeat(best, POPULATION // KEPT, axis=0) * np.exp2(scale * random.standard_normal((POPULATION, 3)))
        points = np.concatenate([best, _ordered(moved, least)])
    ratios = measure.ratio(points)
    a, b, nu = (Fraction(float(value)) for value in points[int(np.argmax(ratios))])
    return Found(float(ratios.max()), a, b, nu, far)


def violation(n: int, nu_min: Fraction, k: Fraction, underflow: tuple[Fraction, Fraction]) -> Mapping[str, str] | None:
    """Floats at which balls confirm an error above k·u·|s(b) − s(a)| + (c + dν)·w, w the least normal number; None if none is found."""
    found = max((worst(n, nu_min, far=far) for far in (False, True)), key=lambda each: each.ratio)
    value = Measure(n, found.far).computed(np.array([[found.a, found.b, found.nu]], dtype=np.float32))
    with working_precision(400):
        a, b, nu = map(exact, (found.a, found.b, found.nu))
        error = abs(exact(Fraction(float(value[0]))) - ladder_potential_difference(n, nu, a, b, 40))
        scale = exact(FORM.unit) * (hypotenuse(b, nu) - hypotenuse(a, nu))
        effect = exact(FORM.least_normal * (underflow[0] + underflow[1] * found.nu))
        if less(exact(k) * scale + effect, error) is not Truth.YES:
            return None
        shown = {"format": FORM.name, "a": str(found.a), "b": str(found.b), "nu": str(found.nu), "computed": str(Fraction(float(value[0])))}
        shown |= {"hypot, log1p": "the farther one of the two floats around them"} if found.far else {}
        return {**shown, "error/(u |s(b) - s(a)|)": decimal(error / scale, 6)}


class Measure:
    """Errors of the program of F_n in binary32."""

    def __init__(self, n: int, far: bool = False) -> None:
        self.program, self.choice = difference(n), _farther if far else _correctly_rounded
        self.rounded = self.program.rounded(FORM.bits)

    def computed(self, points: Points) -> NDArray[np.float32]:
        """F_n(b) − F_n(a) in binary32."""
        table = operations((np,), np.float32(1)) | {op: self.choice(getattr(np, op)) for op in ("hypot", "log1p")}
        return self._run(self.rounded, table, np.float32, points)

    def ratio(self, points: Points) -> NDArray[np.float64]:
        """The error over u·|s(b) − s(a)|, 0 where nothing is known."""
        a, b, nu = points.astype(np.float64).T
        with np.errstate(all="ignore"):
            reference = self._run(self.program, operations((np,), np.float64(1)), np.float64, points)
            step = (b - a) * ((b + a) / (np.hypot(a, nu) + np.hypot(b, nu)))
            found = np.abs(self.computed(points) - reference) / (float(FORM.unit) * step)
        return np.where(np.isfinite(found) & (step > 2.0**-90), found, 0.0)

    def _run(self, program: Program, table: Mapping[str, Callable[..., Any]], kind: type, points: Points) -> NDArray:
        arguments: dict[str, Any] = dict(zip(INPUTS, points.astype(kind).T, strict=True))
        return Interpreter("binary32", table, lambda value: kind(float(value))).outputs(program, arguments)[0]


def _correctly_rounded(function: Callable[..., NDArray]) -> Callable[..., NDArray]:
    return lambda *arguments: function(*(argument.astype(np.float64) for argument in arguments)).astype(np.float32)


def _farther(function: Callable[..., NDArray]) -> Callable[..., NDArray]:
    """The float on the other side of the exact value, where that is clearly between two; hypot not below its arguments."""

    def apply(*arguments: NDArray) -> NDArray:
        exact = function(*(argument.astype(np.float64) for argument in arguments))
        near = exact.astype(np.float32)
        other = np.nextafter(near, np.where(exact > near, np.inf, -np.inf).astype(np.float32))
        far = np.where(np.abs(exact - near) > 2.0**-20 * np.abs(np.spacing(near)), other, near)
        return np.maximum(far, np.maximum(*arguments)) if function is np.hypot else far

    return apply


def _spread(random: np.random.Generator, least: float) -> NDArray[np.float64]:
    """Random a, b, ν: b/ν over many binades, a of every size below b, ν near its least value and far above."""
    far = random.random((3, POPULATION))
    nu = least * np.exp2(WIDEST * np.where(far[0] < 0.5, 0, far[0] - 0.5) ** 2)
    b = nu * np.exp2(WIDEST * (far[1] - 0.5))
    a = b * np.where(random.random(POPULATION) < 0.5, far[2], np.exp2(-WIDEST * far[2]))
    return np.stack([a, b, nu], axis=1)


def _ordered(points: NDArray, least: np.float32) -> Points:
    found = points.astype(np.float32)
    found[:, :2].sort(axis=1)
    found[:, 2] = np.maximum(found[:, 2], least)
    return found
