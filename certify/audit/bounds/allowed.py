"""The error that a claim allows, as a function of the true value."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from flint import arb, fmpq

from certify.exact.format import Format
from certify.exact.interpret.rounding import unit_in_last_place
from certify.exact.number import centre
from certify.exact.truth import Truth, less

Kind = Literal["absolute", "relative", "ulp"]


@dataclass(frozen=True)
class Allowed:
    """``bound``, times the size of the true value, or times the unit in its last place in a format."""

    bound: fmpq
    kind: Kind
    form: Format

    def least(self, true: arb) -> arb:
        """A bound from below of what is allowed, whichever point of the ball is true."""
        return self._at(true.abs_lower()).lower()

    def most(self, true: arb) -> arb:
        """A bound from above."""
        return self._at(true.abs_upper()).upper()

    def _at(self, size: arb) -> arb:
        match self.kind:
            case "absolute":
                return arb(self.bound)
            case "relative":
                return self.bound * size
        least = fmpq(self.form.least_subnormal.numerator, self.form.least_subnormal.denominator)
        if less(size, least) is Truth.YES:
            return arb(self.bound * least)
        exact = centre(size)
        unit = unit_in_last_place(Fraction(int(exact.p), int(exact.q)), self.form)
        return arb(self.bound * fmpq(unit.numerator, unit.denominator))

    @property
    def words(self) -> str:
        unit = {"absolute": "", "relative": " of the true value", "ulp": " ulp of the true value"}
        return f"{self.bound}{unit[self.kind]}"
