"""Discs in the complex plane about real centres: how far each node moves while the variable runs over a disc, and that it is analytic.

A disc (c, r) holds all z with |z − c| ≤ r. The image of a disc under a function f whose Taylor coefficients about c are bounded by those
of ±g lies within g(r) − g(0) of f(c): √c − √(c − r) for the square root, −log(1 − r/c) for the logarithm, e^c(e^r − 1) for exp. Others
are bounded by r·sup|f′|;
|(exp(−z) I_n(z))′| ≤ exp(−ρ)(I₀(ρ) − I₁(ρ)) for n = 0, 1 and Re z ≥ ρ, by I_n(z) = π⁻¹ ∫₀^π exp(z cos θ) cos nθ dθ.
A radius that is not finite says that nothing is shown: a root or logarithm of a disc that touches zero, a pole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from flint import acb, arb

from certify.exact.interpret import ball
from certify.exact.interpret.evaluate import Interpreter
from certify.exact.program import Program
from certify.exact.truth import Truth, positive


class Disc(NamedTuple):
    """All z with |z − centre| ≤ radius; the centre is a real ball."""

    centre: arb
    radius: arb


def enclose(program: Program, variable: str, at: arb, radius: arb, fixed: Mapping[str, arb]) -> list[Disc]:
    """Discs that contain the outputs for all complex values of the variable within ``radius`` of ``at``."""
    arguments = {name: Disc(value, arb(0)) for name, value in fixed.items()} | {variable: Disc(at, radius)}
    return list(DISC.outputs(program, arguments))


def _constant(value: Fraction) -> Disc:
    return Disc(ball.constant(value), arb(0))


def _neg(a: Disc) -> Disc:
    return Disc(-a.centre, a.radius)


def _add(a: Disc, b: Disc) -> Disc:
    return Disc(a.centre + b.centre, (a.radius + b.radius).upper())


def _mul(a: Disc, b: Disc) -> Disc:
    radius = abs(a.centre) * b.radius + abs(b.centre) * a.radius + a.radius * b.radius
    return Disc(a.centre * b.centre, radius.upper())


def _inverse(a: Disc) -> Disc:
    size = a.centre.abs_lower()
    return Disc(1 / a.centre, _where(size - a.radius, a.radius / (size * (size - a.radius))))


def _div(a: Disc, b: Disc) -> Disc:
    return _mul(a, _inverse(b))


def _where(condition: arb, radius: arb) -> arb:
    """The radius where the condition is positive."""
    return radius.upper() if positive(condition) is Truth.YES else arb.nan()


def _sqrt(a: Disc) -> Disc:
    least = a.centre.lower() - a.radius
    return Disc(a.centre.sqrt(), _where(least, a.centre.lower().sqrt() - least.sqrt()))


def _rsqrt(a: Disc) -> Disc:
    least = a.centre.lower() - a.radius
    return Disc(a.centre.rsqrt(), _where(least, least.rsqrt() - a.centre.lower().rsqrt()))


def _log(a: Disc) -> Disc:
    least = a.centre.lower() - a.radius
    return Disc(a.centre.log(), _where(least, -(-(a.radius / a.centre.lower())).log1p()))


def _log1p(a: Disc) -> Disc:
    return Disc(a.centre.log1p(), _log(Disc(1 + a.centre, a.radius)).radius)


def _exp(a: Disc) -> Disc:
    return Disc(a.centre.exp(), (a.centre.exp() * a.radius.expm1()).upper())


def _expm1(a: Disc) -> Disc:
    return Disc(a.centre.expm1(), _exp(a).radius)


def _periodic(function: Callable[[arb], arb], other: Callable[[arb], arb]) -> Callable[[Disc], Disc]:
    """sin, cos, sinh, cosh, by their addition theorems; ``other`` is the derivative up to its sign."""

    def apply(a: Disc) -> Disc:
        value, slope = abs(function(a.centre)), abs(other(a.centre))
        return Disc(function(a.centre), (value * (a.radius.cosh() - 1) + slope * a.radius.sinh()).upper())

    return apply


def _sigmoid(a: Disc) -> Disc:
    return _inverse(_add(_constant(Fraction(1)), _exp(_neg(a))))


def _tanh(a: Disc) -> Disc:
    return Disc(a.centre.tanh(), 2 * _sigmoid(Disc(2 * a.centre, 2 * a.radius)).radius)


def _atan(a: Disc) -> Disc:
    distance = (1 + a.centre * a.centre).sqrt() - a.radius
    return Disc(a.centre.atan(), _where(distance, a.radius / (distance * distance)))


def _gaussian(function: Callable[[arb], arb]) -> Callable[[Disc], Disc]:
    """erf and erfc: |f′(z)| = 2/√π exp(−Re z²), Re z² ≥ max(|c| − r, 0)² − r²."""

    def apply(a: Disc) -> Disc:
        nearest = (a.centre.abs_lower() - a.radius).max(arb(0))
        slope = 2 / arb.pi().sqrt() * (a.radius * a.radius - nearest * nearest).exp()
        return Disc(function(a.centre), (a.radius * slope).upper())

    return apply


def _gamma(function: Callable[[arb], arb], complex_function: Callable[[acb], acb]) -> Callable[[Disc], Disc]:
    """log Γ and its derivative right of the imaginary axis, from the square around the disc."""

    def apply(a: Disc) -> Disc:
        around = arb(0, a.radius.upper())
        value = complex_function(acb(a.centre + around, around)) - function(a.centre)
        return Disc(function(a.centre), _where(a.centre.lower() - a.radius, value.abs_upper()))

    return apply


def _bessel(function: Callable[[arb], arb]) -> Callable[[Disc], Disc]:
    def apply(a: Disc) -> Disc:
        least = (a.centre.lower() - a.radius).lower()
        slope = ball.bessel_i0e(least) - ball.bessel_i1e(least)
        return Disc(function(a.centre), _where(least, a.radius * slope))

    return apply


def _pow(a: Disc, b: Disc) -> Disc:
    if b.radius.is_zero() and (exponent := ball.whole_exponent(b.centre)) is not None:
        return _whole(a, exponent)
    return _exp(_mul(b, _log(a)))


def _whole(a: Disc, exponent: int) -> Disc:
    if exponent < 0:
        return _inverse(_whole(a, -exponent))
    result = _constant(Fraction(1))
    for _ in range(exponent):
        result = _mul(result, a)
    return result


OPERATIONS: dict[str, Callable[..., Disc]] = {
    "neg": _neg,
    "add": _add,
    "sub": lambda a, b: _add(a, _neg(b)),
    "mul": _mul,
    "div": _div,
    "fma": lambda a, b, c: _add(_mul(a, b), c),
    "sqrt": _sqrt,
    "rsqrt": _rsqrt,
    "hypot": lambda a, b: _sqrt(_add(_mul(a, a), _mul(b, b))),
    "pow": _pow,
    "log": _log,
    "log1p": _log1p,
    "exp": _exp,
    "expm1": _expm1,
    "sin": _periodic(arb.sin, arb.cos),
    "cos": _periodic(arb.cos, arb.sin),
    "sinh": _periodic(arb.sinh, arb.cosh),
    "cosh": _periodic(arb.cosh, arb.sinh),
    "tan": lambda a: _div(OPERATIONS["sin"](a), OPERATIONS["cos"](a)),
    "tanh": _tanh,
    "sigmoid": _sigmoid,
    "atan": _atan,
    "erf": _gaussian(arb.erf),
    "erfc": _gaussian(arb.erfc),
    "lgamma": _gamma(arb.lgamma, acb.lgamma),
    "digamma": _gamma(arb.digamma, acb.digamma),
    "i0e": _bessel(ball.bessel_i0e),
    "i1e": _bessel(ball.bessel_i1e),
}
DISC = Interpreter("disc", OPERATIONS, _constant)
