"""Floats at which a descent is off by more than a bound: found by NumPy in binary32, confirmed in exact arithmetic and balls.

What is confirmed is the computation in which all operations, hypot too, are rounded correctly: it is within every profile.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np
from flint import arb

from certify.exact import descent_program, selector
from certify.exact.ball import decimal, working_precision
from certify.exact.bessel import ratio as exact_ratio
from certify.exact.format import FORMATS
from certify.exact.interpret.evaluate import Interpreter
from certify.exact.interpret.plain import execute
from certify.exact.ladder_program import in_format
from certify.exact.number import exact
from certify.exact.program import Program
from certify.exact.rounding.confirmation import correctly_rounded
from certify.exact.rounding.theorem import RANGES
from certify.exact.truth import Truth, less

FORM, STEPS, POINTS, BEST, DIGITS = "binary32", 16, 200_000, 40, 30


def violation(k: Fraction, passed_on: Fraction, complement: bool = False, seed: int = 0) -> Mapping[str, str] | None:
    """Floats x and ν at which R_ν, or 1 − R_ν, from A_8 at N = ν + 16 is off by more than k u and ``passed_on`` times the bound of
    |A_8 − R_N|; None if none was found.
    """
    program = (descent_program.complement if complement else descent_program.ratio)(STEPS)
    shipped = in_format(program, 2 ** RANGES[FORM].x_max, FORMATS[FORM].bits)
    x, nu = inputs(POINTS, np.random.default_rng(seed))
    with np.errstate(all="ignore"):
        single, double = (execute(shipped, {"x": x, "nu": nu}, dtype)[0] for dtype in ("float32", "float64"))
    errors = np.abs(single - double)
    for place in np.argsort(errors)[: -BEST - 1 : -1]:
        point = Fraction(float(x[place])), Fraction(float(nu[place]))
        computed = rounded(shipped, *point)
        error = excess(computed, *point, passed_on, complement)
        with working_precision(4 * DIGITS):
            if less(exact(k), error) is Truth.YES:
                named = dict(zip(("x", "nu", "computed"), map(str, (*point, computed)), strict=True))
                return {"format": FORM, **named, "steps": str(STEPS), "error in u": decimal(error, 10)}
    return None


def inputs(points: int, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Floats x of all sizes around ν + 1, and ν from 0 to 40 with ν + 16 a float too, half of them 0 or ½."""
    nu = np.where(random.random(points) < 0.5, random.integers(0, 2, points) / 2, random.integers(0, 40 * 2**10, points) / 2.0**10)
    x = (nu + 1) * np.exp2(random.uniform(-4, 10, points))
    return x.astype(np.float32), nu.astype(np.float32)


def excess(computed: Fraction, x: Fraction, nu: Fraction, passed_on: Fraction, complement: bool) -> arb:
    """In units of u, by how much more the computed value is off than the error of A_8 at ν + 16 explains."""
    with working_precision(4 * DIGITS):
        ratio = exact_ratio(exact(nu), exact(x), DIGITS) if x else arb(0)
        error = abs((1 - ratio if complement else ratio) - exact(computed))
        formula = exact(passed_on) * selector.best(descent_program.ORDER, nu=exact(nu + STEPS)).bound
        return (error - formula) * 2 ** FORMATS[FORM].bits


def rounded(program: Program, x: Fraction, nu: Fraction) -> Fraction:
    """The output, each operation rounded correctly; exponents are unbounded."""
    [output] = Interpreter("rational", correctly_rounded(FORMATS[FORM].bits), Fraction).outputs(program, {"x": x, "nu": nu})
    return output
