r"""Is one output of a program the derivative of another, exactly? Decided in rational functions, for programs with roots at most.

A root √(α²x² + β²) becomes rational at x = (β/α)·2m/(1 − m²), a root √(αx + β) at x = (m² − β)/α; further roots must then be of perfect
squares. Every node is a rational function of m with its derivative in x, or, for logarithms and inverse tangents, a derivative alone. An
identity of rational functions holds wherever both sides are defined.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn

from flint import arb, fmpq, fmpq_mpoly
from flint.utils.flint_exceptions import DomainError

from certify.exact.interpret.evaluate import Interpreter
from certify.exact.interpret.rational import constant, square_root
from certify.exact.program import Program, ProgramError
from certify.exact.rational import RationalFunction, ring
from certify.exact.truth import sign

MOST_NODES, HIGHEST_DEGREE = 500, 2000
RING = ring(("m",))
M = RING.gen(0)
Function = RationalFunction


class NotRational(ProgramError):
    """The program is not rational up to square roots of a kind that can be taken; the message says why."""


@dataclass(frozen=True)
class Jet:
    """A node's value, None where it is not rational, and its derivative in x."""

    value: Function | None
    slope: Function

    def known(self) -> Function:
        if self.value is None:
            raise NotRational("the value of a logarithm or an inverse tangent is used")
        return self.value


def is_derivative(program: Program, variable: str, at: fmpq, fixed: Mapping[str, fmpq]) -> bool:
    """Whether the second output is the derivative of the first, for all x; the program is free of choices.

    ``at`` is a point of a connected domain in which no root, but for the first one, is of zero. Raises NotRational.
    """
    if len(program.nodes) > MOST_NODES:
        raise NotRational(f"more than {MOST_NODES} operations")
    field = _Field(at)
    found = _walk(field, program, variable, fixed)
    value, supplied = (found[place] for place in program.outputs)
    difference = value.slope - supplied.known()
    return difference.above.is_zero()


def _walk(field: _Field, program: Program, variable: str, fixed: Mapping[str, fmpq]) -> list[Jet]:
    """Jets of all nodes; a walk that meets its first root begins again in the variable that makes it rational."""
    operations = {op: getattr(field, op) for op in OPERATIONS}
    walk = Interpreter("identity", operations, field.constant)
    while True:
        arguments = {name: field.constant(Fraction(int(value.p), int(value.q))) for name, value in fixed.items()}
        try:
            return walk.nodes(program, arguments | {variable: Jet(field.x, _number(1))})
        except _Parametrized:
            continue


class _Parametrized(Exception):
    """The field's x has changed."""


OPERATIONS = (
    *("neg", "add", "sub", "mul", "div", "fma", "sqrt", "rsqrt", "hypot", "pow"),
    *("log", "log1p", "atan"),
)


class _Field:
    """Q(m) with x in it, and the operations of programs on jets."""

    def __init__(self, at: fmpq) -> None:
        self.at = at
        self.x = _polynomial(M)
        self.m: arb | None = None

    def constant(self, value: Fraction) -> Jet:
        return Jet(_number(constant(value)), _number(0))

    def neg(self, a: Jet) -> Jet:
        return Jet(None if a.value is None else -a.value, -a.slope)

    def add(self, a: Jet, b: Jet) -> Jet:
        return _checked(Jet(None if a.value is None or b.value is None else a.value + b.value, a.slope + b.slope))

    def sub(self, a: Jet, b: Jet) -> Jet:
        return self.add(a, self.neg(b))

    def mul(self, a: Jet, b: Jet) -> Jet:
        for one, other in ((a, b), (b, a)):
            if one.value is not None and one.slope.above.is_zero() and other.value is None:
                return Jet(None, one.value * other.slope)
        return _checked(Jet(a.known() * b.known(), a.slope * b.known() + a.known() * b.slope))

    def div(self, a: Jet, b: Jet) -> Jet:
        return self.mul(a, self._inverse(b))

    def _inverse(self, b: Jet) -> Jet:
        value = b.known()
        if value.above.is_zero():
            raise NotRational("a division by zero")
        return Jet(_number(1) / value, -b.slope / (value * value))

    def fma(self, a: Jet, b: Jet, c: Jet) -> Jet:
        return self.add(self.mul(a, b), c)

    def pow(self, a: Jet, b: Jet) -> Jet:
        exponent = _rational_value(b)
        if exponent is None or exponent.q != 1 or not 0 < exponent.p <= 64:
            raise NotRational("pow with an exponent that is no whole number from 1 to 64")
        result = a
        for _ in range(int(exponent.p) - 1):
            result = self.mul(result, a)
        return result

    def log(self, a: Jet) -> Jet:
        return Jet(None, a.slope / a.known())

    def log1p(self, a: Jet) -> Jet:
        return Jet(None, a.slope / (a.known() + 1))

    def atan(self, a: Jet) -> Jet:
        return Jet(None, a.slope / (a.known() * a.known() + 1))

    def hypot(self, a: Jet, b: Jet) -> Jet:
        return self.sqrt(self.add(self.mul(a, a), self.mul(b, b)))

    def rsqrt(self, a: Jet) -> Jet:
        return self._inverse(self.sqrt(a))

    def sqrt(self, a: Jet) -> Jet:
        radicand = a.known()
        root = _perfect_root(radicand)
        if root is None:
            self._make_rational(radicand)
        value = self._positive(root)
        return _checked(Jet(value, a.slope / (value * 2)))

    def _make_rational(self, radicand: Function) -> NoReturn:
        """Choose x(m) such that the root of this polynomial in x = m is rational, and begin again. Raises NotRational."""
        if self.m is not None or not radicand.below.is_constant():
            raise NotRational("square roots of two kinds, or of a quotient")
        low, middle, high = (_coefficient(radicand, degree) for degree in range(3))
        if radicand.above.total_degree() == 1:
            self._linear(low, middle)
        elif radicand.above.total_degree() == 2 and middle == 0:
            self._quadratic(low, high)
        else:
            raise NotRational("a square root of a polynomial that is not αx + β or α²x² + β²")
        raise _Parametrized

    def _linear(self, low: fmpq, slope: fmpq) -> None:
        self.x = (_polynomial(M * M) - low) / slope
        self.m = arb(slope * self.at + low).sqrt()

    def _quadratic(self, low: fmpq, high: fmpq) -> None:
        try:
            alpha, beta = square_root(high), square_root(low)
        except ProgramError:
            raise NotRational("a square root of α²x² + β² with irrational α or β") from None
        below = _polynomial(1 - M * M)
        self.x = _polynomial(2 * M) * (beta / alpha) / below
        self.m = alpha * self.at / (beta + arb(alpha * alpha * self.at * self.at + beta * beta).sqrt())

    def _positive(self, root: Function) -> Function:
        """The one of ±root that is positive at the point of reference."""
        known = sign(_at(root, arb(self.at) if self.m is None else self.m))
        if not known:
            raise NotRational("a square root whose sign is not decided")
        return root if known > 0 else -root


def _checked(jet: Jet) -> Jet:
    functions = [jet.slope] if jet.value is None else [jet.value, jet.slope]
    if any(part.total_degree() > HIGHEST_DEGREE for each in functions for part in (each.above, each.below)):
        raise NotRational(f"rational functions of a degree beyond {HIGHEST_DEGREE}")
    return jet


def _polynomial(value: fmpq_mpoly) -> Function:
    return Function(value, RING.constant(1))


def _number(value: fmpq | int) -> Function:
    return _polynomial(RING.constant(value))


def _rational_value(jet: Jet) -> fmpq | None:
    value = jet.value
    if value is None or not (value.above.is_constant() and value.below.is_constant()):
        return None
    return _coefficient(value, 0)


def _coefficient(value: Function, degree: int) -> fmpq:
    """Of a polynomial."""
    return fmpq(value.above.to_dict().get((degree,), 0)) / fmpq(value.below.to_dict().get((0,), 1))


def _perfect_root(value: Function) -> Function | None:
    """A root of a rational function that is a perfect square; None where it is not."""
    leading = value.below.leading_coefficient()
    try:
        return Function((value.above / leading).sqrt(), (value.below / leading).sqrt())
    except DomainError:
        return None


def _at(value: Function, m: arb) -> arb:
    parts = []
    for part in (value.above, value.below):
        total = arb(0)
        for (degree,), coefficient in part.to_dict().items():
            term = arb(coefficient)
            for _ in range(degree):
                term = term * m
            total += term
        parts.append(total)
    return parts[0] / parts[1]
