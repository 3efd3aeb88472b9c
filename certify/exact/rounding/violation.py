"""Floats at which a bound is exceeded, found by search in floats and confirmed in balls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from certify.exact.ball import decimal, working_precision
from certify.exact.number import exact
from certify.exact.rounding.confirmation import BITS, confirm
from certify.exact.rounding.execution import Execution
from certify.exact.rounding.function import along, disagreements
from certify.exact.rounding.theorem import Rounding, order_ends
from certify.exact.truth import Truth, less

POINTS, BEST = 200_000, 8
KEPT, CHILDREN, GENERATIONS = 96, 64, 20


class Candidates(NamedTuple):
    """Floats x and ν, whether hypot returns the farther float, and the errors seen."""

    x: np.ndarray
    nu: np.ndarray
    far: bool
    errors: np.ndarray


def violation(theorem: Rounding, seed: int = 0) -> Mapping[str, str] | None:
    """Floats x, ν of the theorem, with what a computation within the profile returns there and its error; None if none was found."""
    bound = Fraction(theorem.k)
    for form in theorem.formats:
        execution = Execution(theorem, form)
        for found in (*_disagreeing(execution), *hunt(execution, POINTS, np.random.default_rng(seed))):
            for place in np.argsort(found.errors)[: -BEST - 1 : -1]:
                witness = _confirmed(execution, found, int(place), bound)
                if witness is not None:
                    return witness
    return None


def _disagreeing(execution: Execution) -> Iterator[Candidates]:
    """Floats near the points at which the program is not the function."""
    for m, nu in disagreements(execution.theorem):
        x, _ = along(m, nu)
        yield Candidates(np.array([float(x)], execution.dtype), np.array([float(nu)], execution.dtype), False, np.zeros(1))


def hunt(execution: Execution, points: int, random: np.random.Generator) -> Iterator[Candidates]:
    """Random and adversarial inputs, and where the errors are largest, with the worst hypot that is allowed, their neighbours."""
    x, nu = inputs(execution, points, random)
    for far in execution.choices:
        found = Candidates(x, nu, far, execution.errors(x, nu, far))
        yield found
    yield climbed(execution, found, random)


def inputs(execution: Execution, points: int, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """x and ν: m and ε uniform, ν at the ends of its range, s just above powers of two, where ulps are large, x of all sizes."""
    low, high = order_ends(execution.theorem.nu)
    least, most = float(low), float(high or 0)
    with np.errstate(divide="ignore"):
        share = random.random(points) * random.choice([1.0, 2.0**-10, 0.0], points, p=[0.6, 0.1, 0.3])
        nu = 1 / (1 / least - share * (1 / least - (1 / most if most else 2.0**-10)))
    m = np.where(random.random(points) < 0.5, random.random(points), 1 - np.exp2(-24 * random.random(points)))
    m = np.clip(m, 2.0**-30, 1 - 2.0**-24)
    s = nu * (1 + m * m) / (1 - m * m)
    near = random.random(points) < 0.4
    binade = np.exp2(np.ceil(np.log2(s)))
    s = np.where(near, np.maximum(binade * (1 + 2.0**-12 * random.random(points)), nu), s)
    far = np.exp2(random.uniform(0, execution.form.greatest, points))
    x = np.where(random.random(points) < 0.05, far, np.sqrt((s - nu) * (s + nu)))
    nu = np.clip(nu.astype(execution.dtype), execution.dtype(least), None)
    return x.astype(execution.dtype), nu if high is None else np.minimum(nu, execution.dtype(most))


def climbed(execution: Execution, found: Candidates, random: np.random.Generator) -> Candidates:
    """From the largest errors, generation after generation, the best of ever closer neighbours in x and ν."""
    low, high = order_ends(execution.theorem.nu)
    least, most = execution.dtype(float(low)), execution.dtype(np.inf if high is None else float(high))
    x, nu, errors = found.x, found.nu, found.errors
    for generation in range(GENERATIONS):
        best = np.argsort(errors)[-KEPT:]
        scale = 2.0 ** (-4 - (execution.form.bits - 6) * generation / GENERATIONS)
        moved = [1 + scale * random.standard_normal(KEPT * CHILDREN) * (random.random(KEPT * CHILDREN) < share) for share in (1, 1 / 2)]
        tried = (np.resize(x[best], KEPT * CHILDREN) * moved[0]).astype(execution.dtype)
        orders = np.clip((np.resize(nu[best], KEPT * CHILDREN) * moved[1]).astype(execution.dtype), least, most)
        pairs = ((x, tried), (nu, orders), (errors, execution.errors(tried, orders, found.far)))
        x, nu, errors = (np.concatenate([old[best], new]) for old, new in pairs)
    return Candidates(x, nu, found.far, errors)


def _confirmed(execution: Execution, found: Candidates, place: int, bound: Fraction) -> Mapping[str, str] | None:
    """The witness, if the error at this candidate certainly exceeds the bound."""
    x, nu = (Fraction(float(values[place])) for values in (found.x, found.nu))
    confirmed = confirm(execution, x, nu, found.far)
    with working_precision(BITS):
        if confirmed is None or less(exact(bound), confirmed.error) is not Truth.YES:
            return None
        hypot = {"hypot": "the farther one of the two floats around it"} if found.far else {}
        unit = "u" if execution.theorem.unit == "1" else "u/s"
        return {
            "format": execution.form.name,
            "x": str(x),
            "nu": str(nu),
            **hypot,
            "computed": "not finite" if confirmed.computed is None else str(confirmed.computed),
            f"error in {unit}": decimal(confirmed.error, 10) if confirmed.error.is_finite() else "infinite",
        }
