"""Which closed form is chosen, and that the choice is the selector's."""

from fractions import Fraction
from itertools import pairwise
from math import inf, nextafter

import pytest
import torch
from flint import arb, fmpq

from certify.exact import selector
from certify.exact.ball import working_precision
from certify.exact.bessel import ratio as exact_ratio
from certify.exact.debye import ladder_ratio
from certify.exact.number import exact
from certify.exact.truth import Truth, less
from certify.vmf import plan as planning
from certify.vmf import ratio
from certify.vmf.plan import LEAST, SHARE, accuracy, plan, unit


def asked(quantity="ratio", dtype=torch.float64, nu=None, p=None, order=None, tol=None):
    return plan(quantity, dtype, nu, p, order, tol)


@pytest.mark.parametrize("p", [128, 512, 2048, 10**6])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_full_accuracy_is_the_least_order_that_the_selector_certifies(p, dtype):
    request = asked(p=p, dtype=dtype)
    assert request == planning.Plan(p / 2 - 1, selector.choose(SHARE * unit(dtype), p=p).n, 0)


def test_a_tolerance_pays_for_rounding_first():
    """What A_2 and rounding amount to together buys A_2; A_2's own bound alone does not."""
    assert asked(p=512, tol=accuracy(p=512, order=2).total).order == 2
    assert asked(p=512, tol=accuracy(p=512, order=2).formula).order == 3


def test_bounds_are_rounded_upward():
    found = accuracy(p=512, order=1)
    square = selector.best(1, p=512).square
    assert exact(found.formula) ** 2 >= square
    assert exact(nextafter(found.formula, 0)) ** 2 < square * (1 + fmpq(1, 2**50))
    assert found.total > found.formula < inf


@pytest.mark.parametrize("nu", [0, Fraction(1, 2), 3, 31])
def test_the_bound_of_a_descent_holds_where_it_is_largest(nu):
    """A_8 at ν + m, m steps down in balls, against R_ν: at most u/8 everywhere, and with four steps fewer more than that somewhere."""
    steps = asked(nu=nu).steps
    allowed = float(SHARE * unit(torch.float64))
    assert largest_error(nu, steps) <= allowed
    assert steps <= 4 or largest_error(nu, steps - 4) > allowed


def largest_error(nu, steps: int) -> float:
    points = [fmpq(2) ** k / 2 for k in range(-2, 18)]
    with working_precision(200):
        return max(abs(float(descended(exact(nu), x, steps) - exact_ratio(nu, x, 40))) for x in points)


def descended(nu: fmpq, x: fmpq, steps: int) -> arb:
    value = ladder_ratio(8, nu + steps, x, 40)
    for i in range(steps, 0, -1):
        value = 1 / (2 * (nu + i) / x + value)
    return value


@pytest.mark.parametrize("nu", [Fraction(1, 10), Fraction(17, 10), Fraction(203, 10), Fraction(277, 5)])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_an_order_that_is_rounded_adds_2u_at_most(nu, dtype):
    """ν + i + 1 is off by (ν + (ν+i+1))u; where c_i = 2(ν+i+1) is off by δ relatively, R_i is by R_i (1 − R_i R_{i+1}) δ absolutely."""
    steps = max(asked(nu=nu, dtype=dtype).steps, 1)
    off = [1 + exact(nu / (nu + i)) for i in range(1, steps + 1)]
    with working_precision(100):
        for low, high in pairwise(fmpq(33, 32) ** k for k in range(-120, 450)):
            R = [(exact_ratio(exact(nu) + i, low), exact_ratio(exact(nu) + i, high)) for i in range(steps + 1)]
            error = off[-1] * order_slope(exact(nu) + steps, low)
            for i in range(steps - 1, -1, -1):
                error = R[i][1] ** 2 * error + off[i] * R[i][1] * (1 - R[i][0] * R[i + 1][0])
            assert less(error, exact(planning.INEXACT)) is Truth.YES


def order_slope(nu: fmpq, x: fmpq) -> arb:
    """About |ν ∂R_ν/∂ν|."""
    step = nu / 2**20
    found = (exact_ratio(nu, x) - exact_ratio(nu + step, x)) * 2**20
    assert less(found, fmpq(1, 3)) is Truth.YES
    return arb(fmpq(1, 3))


@pytest.mark.parametrize(
    ("nu", "dtype"), [("1/10", torch.float32), ("31/10", torch.float64), ("631/10", torch.float32), ("1001/10", torch.float64)]
)
def test_orders_that_are_no_numbers_of_the_format_are_within_the_accuracy_stated(nu, dtype):
    assert accuracy(dtype, nu=nu).total - accuracy(dtype, nu=nu).formula > 6 * float(unit(dtype))
    x = (float(Fraction(nu)) * torch.logspace(-3, 3, 150, dtype=torch.float64)).to(dtype)
    total = accuracy(dtype, nu=nu).total
    with working_precision(100):
        for found, point in zip(ratio(x, nu=nu).tolist(), x.tolist(), strict=True):
            assert less(abs(exact_ratio(exact(nu), exact(point)) - exact(found)), exact(total)) is Truth.YES


def test_on_cuda_rounding_costs_more():
    cpu, cuda = (accuracy(p=512, order=1, device=device) for device in ("cpu", "cuda"))
    assert cuda.formula == cpu.formula
    u = Fraction(unit(torch.float64))
    for found, k in ((cpu, Fraction(41, 10)), (cuda, Fraction(103, 10))):
        assert Fraction(found.total) - Fraction(found.formula) == pytest.approx(float(k * u), rel=1e-4)
    tol = Fraction(cpu.total)
    assert asked(p=512, tol=tol).order == 1
    assert plan("ratio", torch.float64, None, 512, None, tol, "cuda").order == 2
    with pytest.raises(ValueError, match="not attainable in float64 on cuda"):
        plan("ratio", torch.float64, None, 512, None, 5e-16, "cuda")
    with pytest.raises(ValueError, match="device mps: rounding errors are bounded on cpu and cuda"):
        accuracy(p=512, device="mps")


def test_orders_below_their_range_are_answered_by_a_descent():
    for n, least in enumerate(LEAST):
        assert asked(nu=least, order=n).steps == 0
        assert asked(nu=least - Fraction(1, 4), order=n).steps > 0


def test_potentials_are_certified_before_the_descent():
    for p in (2, 64):
        request = asked("potential", p=p)
        assert selector.best(8, nu=exact(request.nu) + request.steps).square <= exact(SHARE * unit(torch.float64)) ** 2


def test_the_least_tolerance_is_named_and_attainable():
    with pytest.raises(ValueError, match=r"not attainable in float64 on cpu: (\S+) is") as refusal:
        asked(p=64, tol="1e-16")
    named = str(refusal.value).split(": ")[-1].split()[0]
    assert asked(p=64, tol=named).steps > 0


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.int64])
def test_accuracy_is_about_formats_of_computation(dtype):
    with pytest.raises(ValueError, match="format of computation"):
        accuracy(dtype, p=64)
