"""The finite-start backward recurrence: R̃_{ν,M}, Φ̃_{ν,M} and Φ̃′_{ν,M} in balls, exact rationals and FP64.

With b_M = 1, b_{M+1} = 0 and b_{i−1} = (2i/x) b_i + b_{i+1}, where M − ν is a whole number ≥ 0:

- R̃(x) = b_{ν+1}/b_ν for real ν ≥ 0;
- Φ̃(x) = log I₀(x) + log(b_ν/b_0) − ν log x and its derivative Φ̃′, for whole ν.

All is written in r_i = b_i/b_{i−1} = 1/(2i/x + r_{i+1}), r_{M+1} = 0, and in y_i = x (log(r_{i+1}/x))′, for which
y_{i−1} = −r_i r_{i+1} (2 + y_i): every term keeps its sign, r_i r_{i+1} < 1 and −2 < y_i ≤ 0, so that the relative errors of r_i,
and the errors of y_{i−1} relative to 2 r_i r_{i+1}, grow at most in proportion to M, and no r_i leaves the range of FP64 while
1e-300 ≤ x ≤ 1e300. Relative to y_{i−1} itself nothing is promised: at large x and M − i even, 2 + y_i cancels.

One loop serves three arithmetics. x may be exact (``fmpq``, int, Fraction or decimal string), a ball (``arb``, enclosed
at the working precision) or FP64 (a float or an array). All functions raise ValueError, naming the argument, for
ν < 0, for M − ν not a whole number ≥ 0, for ν not whole where Φ̃ is concerned, and for x not positive and finite.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
from flint import arb, fmpq

from certify.exact.ball import ball, demand
from certify.exact.errors import NotAccepted
from certify.exact.number import Number, brief, exact, show
from certify.exact.truth import Truth, positive

FLOATS = (float, np.ndarray, np.floating)


def ratio(nu: Number, start: Number, x: Any) -> Any:
    """R̃_{ν,M}(x), M = ``start``; zero for M = ν."""
    order, first = _orders(nu, start)
    x = _argument(x)
    r = x * 0
    for following in islice(_ratios(first, x), int(first - order)):
        r = following
    return r


def quotient(nu: Number, start: Number, x: Any) -> Any:
    """b_ν/(x^ν b_0) = exp(Φ̃)/I₀(x), a rational function of x. FP64 underflows where its logarithm is below −745."""
    order, first = _whole_orders(nu, start)
    x = _argument(x)
    product = x * 0 + 1
    for r in islice(_ratios(first, x), first - order, first):
        product = product * (r / x)
    return product


def potential(nu: Number, start: Number, x: Any) -> Any:
    """Φ̃_{ν,M}(x), in balls or FP64."""
    order, first = _whole_orders(nu, start)
    x = _transcendental(x)
    total = _log_bessel_i0(x)
    for r in islice(_ratios(first, x), first - order, first):
        total = total + _log_quotient(r, x)
    return total


def excess(nu: Number, start: Number, x: Any) -> Any:
    """Φ̃′_{ν,M}(x) − I₁(x)/I₀(x) = (1/x) Σ_{i<ν} y_i ≤ 0, a rational function of x."""
    order, first = _whole_orders(nu, start)
    x = _argument(x)
    scale = np.minimum(x, 1.0) if isinstance(x, FLOATS) else 1  # r_i r_{i+1} ~ x² would underflow
    total = scaled = above = x * 0
    for i, r in zip(range(first, 0, -1), _ratios(first, x), strict=False):
        scaled = -r * (above / scale) * (2 + scale * scaled)
        above = r
        if i <= order:
            total = total + scaled
    return total * (scale / x)


def derivative(nu: Number, start: Number, x: Any) -> Any:
    """Φ̃′_{ν,M}(x), in balls or FP64."""
    return _bessel_ratio_0(_transcendental(x)) + excess(nu, start, x)


def enclose_ratio(nu: Number, start: Number, x: Number, digits: int) -> arb:
    """R̃_{ν,M}(x) for exact x to ``digits`` correct digits."""
    return demand(lambda bits: ratio(nu, start, ball(x)), digits, lambda: f"the recurrence's ratio at x = {brief(exact(x))}")


def enclose_derivative(nu: Number, start: Number, x: Number, digits: int) -> arb:
    """Φ̃′_{ν,M}(x) for exact x to ``digits`` correct digits."""
    name = "the derivative of the finite forward"
    return demand(lambda bits: derivative(nu, start, ball(x)), digits, lambda: f"{name} at x = {brief(exact(x))}")


def enclose_difference(nu: Number, start: Number, a: Number, b: Number, digits: int) -> arb:
    """Φ̃_{ν,M}(b) − Φ̃_{ν,M}(a) for exact a and b to ``digits`` correct digits; exactly zero for a = b."""
    if exact(a) == exact(b):
        return arb(0)
    return demand(
        lambda bits: potential(nu, start, ball(b)) - potential(nu, start, ball(a)),
        digits,
        lambda: f"the finite forward between {brief(exact(a))} and {brief(exact(b))}",
    )


def _ratios(start: fmpq | int, x: Any) -> Iterator[Any]:
    """r_M, r_{M−1}, … without end."""
    order: Any = float(start) if isinstance(x, FLOATS) else start
    unit, r = 2 / x, x * 0
    while True:
        r = 1 / (order * unit + r)
        yield r
        order = order - 1


def _log_quotient(r: Any, x: Any) -> Any:
    """log(r/x), in FP64 without underflow."""
    if isinstance(x, arb):
        return (r / x).log()
    return np.log(r / np.minimum(x, 1.0)) - np.log(np.maximum(x, 1.0))


def _log_bessel_i0(x: Any) -> Any:
    if isinstance(x, arb):
        return x.bessel_i(0, scaled=True).log() + x
    from scipy.special import i0e

    return np.log(i0e(x)) + x


def _bessel_ratio_0(x: Any) -> Any:
    if isinstance(x, arb):
        return x.bessel_i(1, scaled=True) / x.bessel_i(0, scaled=True)
    from scipy.special import i0e, i1e

    return i1e(x) / i0e(x)


def _argument(x: Any) -> Any:
    """x as given in balls and FP64, and as ``fmpq`` otherwise."""
    if isinstance(x, arb):
        accepted = x.is_finite() and positive(x) is Truth.YES
    elif isinstance(x, FLOATS):
        accepted = bool(np.all((x > 0) & np.isfinite(x)))
    else:
        x = exact(x)
        accepted = x > 0
    if not accepted:
        raise NotAccepted(f"x = {_shown(x)}: the recurrence needs finite x > 0")
    return x


def _transcendental(x: Any) -> Any:
    x = _argument(x)
    if isinstance(x, fmpq):
        raise NotAccepted(f"x = {show(x)}: Φ̃ is not rational; give x as a ball or a float, or ask for its rational part")
    return x


def _shown(x: Any) -> str:
    return brief(x) if isinstance(x, fmpq | float) else " ".join(str(x).split())[:40]


def _orders(nu: Number, start: Number) -> tuple[fmpq, fmpq]:
    order, first = exact(nu), exact(start)
    if order < 0:
        raise NotAccepted(f"nu = {brief(order)}: the recurrence needs nu >= 0")
    if first < order or (first - order).q != 1:
        raise NotAccepted(f"M = {brief(first)}: M - nu must be a whole number >= 0 (nu = {brief(order)})")
    return order, first


def _whole_orders(nu: Number, start: Number) -> tuple[int, int]:
    order, first = _orders(nu, start)
    if order.q != 1:
        raise NotAccepted(f"nu = {brief(order)}: the finite forward is normalised at order 0 and needs a whole nu")
    return int(order), int(first)
