"""Rational functions in several variables over Q, in lowest terms."""

from __future__ import annotations

from dataclasses import dataclass

from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx


def ring(variables: tuple[str, ...]) -> fmpq_mpoly_ctx:
    """The ring Q[variables]."""
    return fmpq_mpoly_ctx.get(variables, Ordering.lex)


@dataclass(frozen=True, slots=True)
class RationalFunction:
    """above / below, polynomials over Q without a common factor."""

    above: fmpq_mpoly
    below: fmpq_mpoly

    @classmethod
    def of(cls, above: fmpq_mpoly, below: fmpq_mpoly) -> RationalFunction:
        """The quotient in lowest terms; ZeroDivisionError where ``below`` is the zero polynomial."""
        if below.is_zero():
            raise ZeroDivisionError("division by an expression that is identically zero")
        common = above.gcd(below)
        return cls(above / common, below / common)

    def coerce(self, other: RationalFunction | int | fmpq) -> RationalFunction:
        if isinstance(other, RationalFunction):
            return other
        context = self.above.context()
        return RationalFunction(context.constant(other), context.constant(1))

    def __add__(self, other: RationalFunction | int | fmpq) -> RationalFunction:
        other = self.coerce(other)
        return RationalFunction.of(self.above * other.below + other.above * self.below, self.below * other.below)

    def __neg__(self) -> RationalFunction:
        return RationalFunction(-self.above, self.below)

    def __sub__(self, other: RationalFunction | int | fmpq) -> RationalFunction:
        return self + (-self.coerce(other))

    def __mul__(self, other: RationalFunction | int | fmpq) -> RationalFunction:
        other = self.coerce(other)
        return RationalFunction.of(self.above * other.above, self.below * other.below)

    def __truediv__(self, other: RationalFunction | int | fmpq) -> RationalFunction:
        other = self.coerce(other)
        return RationalFunction.of(self.above * other.below, self.below * other.above)

    def __pow__(self, n: int) -> RationalFunction:
        return RationalFunction(self.above**n, self.below**n)

    def __radd__(self, other: int | fmpq) -> RationalFunction:
        return self + other

    def __rsub__(self, other: int | fmpq) -> RationalFunction:
        return self.coerce(other) - self

    def __rmul__(self, other: int | fmpq) -> RationalFunction:
        return self * other

    def __rtruediv__(self, other: int | fmpq) -> RationalFunction:
        return self.coerce(other) / self

    def derivative(self, variable: str) -> RationalFunction:
        """The partial derivative."""
        above, below = self.above, self.below
        return RationalFunction.of(above.derivative(variable) * below - above * below.derivative(variable), below * below)
