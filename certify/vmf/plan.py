"""Which closed form at which order serves a request: exact decisions from the proved constants, made once for each request.

``Plan(nu, order, steps)`` stands for A_n at ν where ``steps`` is 0. Below the range in which the programs of A_n round well (``LEAST``),
and where no A_n with n ≤ 8 is accurate enough at ν itself, it is A_8 at ν + m and m steps down (``vmf.descent``). The error E of A_n at
N = ν + m (``exact.selector``) becomes, as each step R = 1/(c/x + R₊) has |R − R̂| = R R̂ |R₊ − R̂₊|,

    E Π_{i<m} R_{ν+i}² (1 + o(1)),   R_μ(x) ≤ x/(μ+½+√((μ+½)²+x²))   (exact.continued_fraction);

the bound of E falls with x and that of the product grows, so that their values at the ends of intervals bound the product between.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import inf, nextafter
from typing import Literal

import torch
from flint import arb, fmpq

from certify.exact import selector
from certify.exact.ball import decimal_above, working_precision
from certify.exact.domain import ladder_order, positive
from certify.exact.domain import order as exact_order
from certify.exact.number import Number, brief, centre, exact
from certify.exact.program import nearest
from certify.exact.truth import Truth, less
from certify.vmf.coefficients import SIGNIFICANT_BITS
from certify.vmf.kernel import NU_MAX
from certify.vmf.resolved import resolved

LEAST = tuple(Fraction(text) for text in ("1/2", "1", "3/2", "2", "5/2", "3", "7/2", "4", "5"))
"""For each n the orders from which A_n is evaluated at ν itself: below, the rounding errors of its polynomials are more than u."""

START = Fraction(6)
"""The orders N from which descents start, as the claims rounding.descent ask."""

ROUNDING = {"cpu": Fraction(41, 10), "cuda": Fraction(103, 10)}
"""Units u that the rounding of a program adds to the error of its formula: claims rounding.ratio.n, .squares and rounding.descent on CPUs,
.cuda and .cuda_compiled, whose profiles have a worse `hypot` and quotient, on CUDA; 1/40 more for what A_n changes beyond X_MAX, or for
the hundredth by which a descent may enlarge the error of A_8."""

INEXACT = Fraction(2)
"""Units u more where ν or ν + steps is no number of the format and is rounded: |ν ∂R_ν/∂ν| < 1/3, and each step has c_i in error by 2u.
Evaluated in balls by tests at some orders, not proved."""

SHARE = Fraction(1, 8)
"""Full accuracy is a formula in error by at most this share of u = 2^−53 or 2^−24."""

_BITS = 64
_STEP = fmpq(33, 32)

Quantity = Literal["ratio", "potential"]


@dataclass(frozen=True)
class Plan:
    """A_n at ν + steps, and so many steps down to ν."""

    nu: float
    order: int
    steps: int


@dataclass(frozen=True)
class Accuracy:
    """What a request is answered by: |A_n − R_ν| ≤ ``formula`` is proved, and as computed the error is ≤ ``total``, both rounded up.

    ``total`` rests on the claims of ``ROUNDING``, and on ``INEXACT`` where ν or ν + steps is no number of the format.
    """

    order: int
    steps: int
    formula: float
    total: float


def accuracy(
    dtype: torch.dtype = torch.float64,
    *,
    p: Number | None = None,
    nu: Number | None = None,
    order: int | None = None,
    tol: Number | None = None,
    device: str = "cpu",
) -> Accuracy:
    """How accurately ``ratio`` answers, in the format of computation ``dtype`` on a "cpu" or on "cuda"; raises ValueError as it does.

    >>> accuracy(p=512, order=1)
    Accuracy(order=1, steps=0, formula=5.033116976125322e-09, total=5.033117431316762e-09)
    """
    if dtype not in SIGNIFICANT_BITS:
        raise ValueError(f"{dtype} is no format of computation: torch.float64 and torch.float32 are")
    request = plan("ratio", dtype, nu, p, order, tol, device)
    with working_precision(_BITS):
        share, at = exact(SHARE * unit(dtype)), exact_order(nu, p)
        formula = arb(share) if request.steps else selector.best(request.order, nu=at).bound
        rounding = _rounding(dtype, at, request.steps, device)
        return Accuracy(request.order, request.steps, _above(formula), _above(formula + rounding))


def _above(value: arb) -> float:
    """A float that is at least the value."""
    return nextafter(float(centre(value.upper())), inf)


def _rounding(dtype: torch.dtype, nu: fmpq, steps: int, device: str) -> fmpq:
    """What the rounding of the program, and of ν itself, adds to the error of the formula."""
    if device not in ROUNDING:
        raise ValueError(f"device {device}: rounding errors are bounded on {' and '.join(ROUNDING)}")
    orders = (Fraction(int(at.p), int(at.q)) for at in (nu, nu + steps))
    rounded = any(nearest(at, SIGNIFICANT_BITS[dtype]) != at for at in orders)
    return exact((ROUNDING[device] + INEXACT * rounded) * unit(dtype))


def unit(dtype: torch.dtype) -> Fraction:
    """u, half the distance from 1 to the next larger number of the format that is computed in."""
    return Fraction(1, 2 ** SIGNIFICANT_BITS[dtype])


@resolved
def plan(
    quantity: Quantity,
    dtype: torch.dtype,
    nu: Number | None,
    p: Number | None,
    order: int | None,
    tol: Number | None,
    device: str = "cpu",
) -> Plan:
    """The plan for a request computed in ``dtype``, float64 or float32.

    ``order`` asks for A_n, n = 0 … 8. ``tol`` asks for |result − R_ν(x)| ≤ tol at every x ≥ 0, rounding on the ``device`` included (for a
    potential: for an error of the formula of at most tol |b − a|). Neither asks for full accuracy. ν is rounded to the format. Raises
    ValueError unless one of nu ≥ 0 and p ≥ 2 is given, for another order, and for a tolerance that is not attainable, naming the smallest
    that is, or on a device for which no rounding error is bounded.
    """
    if order is not None and tol is not None:
        raise ValueError("give order or tol, not both")
    n, allowed = None if order is None else ladder_order(order), None if tol is None else positive("tol", tol)
    return _plan(quantity, dtype, _order(nu, p, dtype), n, allowed, device)


@cache
def _plan(quantity: Quantity, dtype: torch.dtype, nu: fmpq, order: int | None, tol: fmpq | None, device: str) -> Plan:
    accurate = exact(SHARE * unit(dtype))
    if order is not None:
        selector.uniform(order)
        return Plan(float(nu), order, 0) if nu >= exact(LEAST[order]) else _descent(quantity, nu, accurate)
    best = _closed_form(nu, accurate) or _descent(quantity, nu, accurate)
    if tol is None:
        return best
    rounding = _rounding(dtype, nu, best.steps, device)
    if tol < accurate + rounding:
        with working_precision(_BITS):
            least = decimal_above(arb(accurate + rounding), 4)
        where = f"{str(dtype).removeprefix('torch.')} on {device}"
        raise ValueError(f"tol = {brief(tol)} is not attainable in {where}: {least} is")
    return _closed_form(nu, tol - rounding) or best


def _order(nu: Number | None, p: Number | None, dtype: torch.dtype) -> fmpq:
    if isinstance(nu, torch.Tensor):
        if nu.requires_grad:
            raise ValueError("nu requires grad: derivatives in the order are not provided; pass a number")
        raise ValueError("nu is a tensor: a number is accepted, one for the whole call")
    at = exact_order(nu, p)
    if at > exact(NU_MAX[dtype]):
        raise ValueError(f"nu = {brief(at)}: at most {NU_MAX[dtype]:g} is accepted in {str(dtype).removeprefix('torch.')}")
    return at


def _closed_form(nu: fmpq, allowed: fmpq) -> Plan | None:
    """The smallest n with A_n within ``allowed`` of R_ν at every x."""
    for n, least in enumerate(LEAST):
        if nu >= exact(least) and selector.best(n, nu=nu).square <= allowed**2:
            return Plan(float(nu), n, 0)
    return None


@cache
def _descent(quantity: Quantity, nu: fmpq, allowed: fmpq) -> Plan:
    """A_8 and the fewest steps after which its error is at most ``allowed``."""
    n = selector.ORDERS[-1]
    steps = max(1, int((exact(START) - nu).ceil()))
    while not _suffices(quantity, n, nu, steps, allowed):
        steps += 1
    return Plan(float(nu), n, steps)


def _suffices(quantity: Quantity, n: int, nu: fmpq, steps: int, allowed: fmpq) -> bool:
    """Whether the bound of the error after the descent is at most ``allowed`` at every x; of a potential, before it."""
    if quantity == "potential":
        return selector.best(n, nu=nu + steps).square <= allowed**2
    with working_precision(_BITS):
        return all(less(_error(n, nu, steps, low, high), allowed) is Truth.YES for low, high in _intervals(n, nu + steps, allowed))


def _intervals(n: int, at: fmpq, allowed: fmpq) -> list[tuple[fmpq, fmpq | None]]:
    """Intervals that cover x ≥ 0: the last one, open, is where the error at N is at most ``allowed`` already."""
    ends = [fmpq(0), at / 4]
    while selector.best(n, nu=at, low=ends[-1]).square > allowed**2 / 4:
        ends.append(ends[-1] * _STEP)
    return [*pairwise(ends), (ends[-1], None)]


def _error(n: int, nu: fmpq, steps: int, low: fmpq, high: fmpq | None) -> arb:
    """A bound of |R_ν − R̂_ν| for low ≤ x ≤ high."""
    error = arb(selector.best(n, nu=nu + steps, low=low, high=high).square).sqrt()
    for i in range(steps - 1, -1, -1):
        upper = arb(1) if high is None else high / (nu + i + fmpq(1, 2) + ((nu + i + fmpq(1, 2)) ** 2 + arb(high) ** 2).sqrt())
        error = error * upper * upper / (1 - error * upper)
    return error
