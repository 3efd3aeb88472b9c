"""Programs run in a floating-point format, on arrays, by NumPy: the errors seen, and what they are measured with.

Where the profile lets hypot err by an ulp, it may return either of the two floats around the exact value. With ``far`` it returns the one
that is farther away: all operations stay within the profile, and the errors of the program come closer to their bound.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from certify.exact.format import FORMATS
from certify.exact.interpret.evaluate import Interpreter
from certify.exact.interpret.plain import numpy_namespaces, operations
from certify.exact.ladder_program import in_format
from certify.exact.rounding.theorem import Rounding

DTYPES = {"binary32": (np.float32, np.float64), "binary64": (np.float64, np.longdouble)}
"""The dtype of each format, and the wider one of the reference."""

HALF = Fraction(1, 2)


class Execution:
    """A theorem's program in one of its formats. Raises ValueError where no wider dtype is there to measure with."""

    def __init__(self, theorem: Rounding, form: str) -> None:
        self.theorem, self.form = theorem, FORMATS[form]
        self.dtype, self.wide = DTYPES[form]
        if np.finfo(self.wide).nmant < self.form.bits + 10:
            raise ValueError(f"{form}: NumPy has no dtype on this machine that is 10 bits wider")
        self.x_max = Fraction(2) ** theorem.formats[form].x_max
        self.program = in_format(theorem.program, self.x_max, self.form.bits)
        self.hypot_ulps = Fraction(theorem.profile.ulps.get("hypot", HALF))

    @property
    def choices(self) -> tuple[bool, ...]:
        """Whether ``far`` may be False, True."""
        return (False, True) if self.hypot_ulps >= 1 else (False,)

    def computed(self, x: np.ndarray, nu: np.ndarray, far: bool = False) -> np.ndarray:
        """The program's results for floats x and ν of the format."""
        table = operations(numpy_namespaces(), self.dtype(1))
        if far:
            table["hypot"] = self._far_hypot
        with np.errstate(all="ignore"):
            [out] = Interpreter("NumPy", table, lambda c: self.dtype(float(c))).outputs(self.program, {"x": x, "nu": nu})
        return out

    def exact(self, x: np.ndarray, nu: np.ndarray) -> np.ndarray:
        """The function's values in the wider dtype."""
        values = {"x": x.astype(self.wide), "nu": nu.astype(self.wide), "x_max": self.wide(float(self.x_max))}
        table = operations(numpy_namespaces(), self.wide(1))
        [out] = Interpreter("wider", table, self._constant).outputs(self.theorem.program, values)
        return out

    def errors(self, x: np.ndarray, nu: np.ndarray, far: bool = False) -> np.ndarray:
        """|computed − exact| in units of u, or of u/s, as far as the wider dtype can tell; infinite where the result is."""
        computed = self.computed(x, nu, far).astype(self.wide)
        errors = np.where(np.isfinite(computed), np.abs(computed - self.exact(x, nu)) * self.wide(2.0**self.form.bits), np.inf)
        if self.theorem.unit == "1":
            return errors
        return errors * np.hypot(np.minimum(x.astype(self.wide), self.wide(float(self.x_max))), nu.astype(self.wide))

    def _far_hypot(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        exact = np.hypot(a.astype(self.wide), b.astype(self.wide))
        near = exact.astype(self.dtype)
        far = np.nextafter(near, np.where(exact > near, self.dtype(np.inf), self.dtype(0)))
        return np.maximum(far, np.maximum(a, b)) if self.theorem.profile.monotone else far

    def _constant(self, value: Fraction) -> Any:
        return self.wide(value.numerator) / self.wide(value.denominator)
