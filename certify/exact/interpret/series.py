"""Power series about a point: the coefficients of every node to a given order, in balls, for programs without choices.

Functions that python-flint does not have for series are composed with their expansion about the constant term. exp(−x) I₀(x) comes from the
differential equation x w″ + w′ = x w of I₀.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from flint import arb, arb_series, ctx

from certify.exact.interpret import ball
from certify.exact.interpret.evaluate import Interpreter
from certify.exact.program import Program
from certify.exact.truth import sign


class _order:
    """Context in which python-flint keeps so many coefficients."""

    def __init__(self, order: int) -> None:
        self.order, self.former = order, ctx.cap

    def __enter__(self) -> None:
        self.former, ctx.cap = ctx.cap, self.order

    def __exit__(self, *error: object) -> None:
        ctx.cap = self.former


def expand(program: Program, variable: str, at: arb, fixed: Mapping[str, arb], order: int) -> list[list[arb]]:
    """For each output its coefficients 0 … order − 1 about ``at`` in the variable; not finite where nothing is known."""
    with _order(order):
        arguments = {name: arb_series([value]) for name, value in fixed.items()} | {variable: arb_series([at, 1])}
        found = SERIES.outputs(program, arguments)
        return [[*each.coeffs(), *[arb(0)] * (order - len(each.coeffs()))] for each in found]


def _constant(value: Fraction) -> arb_series:
    return arb_series([ball.constant(value)])


def _first(a: arb_series) -> arb:
    return a[0]


def composed(expansion: Callable[[arb], arb_series]) -> Callable[[arb_series], arb_series]:
    """f(a) from the expansion of f about the constant term of a."""

    def apply(a: arb_series) -> arb_series:
        return expansion(_first(a))(_with_first(a, arb(0)))

    return apply


def _div(a: arb_series, b: arb_series) -> arb_series:
    return a / b if sign(_first(b)) else arb_series([arb.nan()])


def _with_first(series: arb_series, first: arb) -> arb_series:
    """The series with its constant term, of which there is a better enclosure, exchanged."""
    coefficients = series.coeffs()
    return arb_series([first, *coefficients[1:]])


def _expm1(a: arb_series) -> arb_series:
    return _with_first(a.exp(), _first(a).expm1())


def _log1p(a: arb_series) -> arb_series:
    return _with_first((1 + a).log(), _first(a).log1p())


def _sinh(a: arb_series) -> arb_series:
    grown = _expm1(a)
    return (grown + _div(grown, 1 + grown)) / 2


def _cosh(a: arb_series) -> arb_series:
    return (a.exp() + (-a).exp()) / 2


def _tanh(a: arb_series) -> arb_series:
    grown = _expm1(2 * a)
    return _div(grown, grown + 2)


def _sigmoid(a: arb_series) -> arb_series:
    return _div(arb_series([1]), 1 + (-a).exp())


def _digamma(at: arb) -> arb_series:
    with _order(ctx.cap + 1):
        return arb_series([at, 1]).lgamma().derivative()


def _power(a: arb_series, b: arb_series) -> arb_series:
    if len(b.coeffs()) <= 1 and (exponent := ball.whole_exponent(_first(b))) is not None:
        return _whole(a, exponent)
    return (b * a.log()).exp()


def _whole(a: arb_series, exponent: int) -> arb_series:
    if exponent < 0:
        return _div(arb_series([1]), _whole(a, -exponent))
    result = arb_series([1])
    for _ in range(exponent):
        result = result * a
    return result


def _bessel(at: arb) -> list[arb]:
    """Coefficients of exp(−at) I₀(at + h), one more than is kept."""
    found = [ball.bessel_i0e(at), ball.bessel_i1e(at)]
    for k in range(ctx.cap - 1):
        before = found[k - 1] if k else arb(0)
        found.append((at * found[k] + before - (k + 1) * (k + 1) * found[k + 1]) / (at * ((k + 2) * (k + 1))))
    return found


def _decay() -> arb_series:
    return arb_series([0, -1]).exp()


def _i0e(at: arb) -> arb_series:
    return arb_series(_bessel(at)) * _decay()


def _i1e(at: arb) -> arb_series:
    coefficients = _bessel(at)
    return arb_series([k * each for k, each in enumerate(coefficients)][1:]) * _decay()


OPERATIONS: dict[str, Callable[..., arb_series]] = {
    "neg": lambda a: -a,
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": _div,
    "fma": lambda a, b, c: a * b + c,
    "hypot": lambda a, b: (a * a + b * b).sqrt(),
    "pow": _power,
    **{op: getattr(arb_series, op) for op in ("sqrt", "rsqrt", "exp", "log", "sin", "cos", "tan", "atan", "erf", "erfc", "lgamma")},
    "expm1": _expm1,
    "log1p": _log1p,
    "sinh": _sinh,
    "cosh": _cosh,
    "tanh": _tanh,
    "sigmoid": _sigmoid,
    "digamma": composed(_digamma),
    "i0e": composed(_i0e),
    "i1e": composed(_i1e),
}
SERIES = Interpreter("series", OPERATIONS, _constant)
