"""The finite-start recurrence against its definition, against itself in other arithmetics, and against R_ν."""

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, fmpq

from certify.exact import bessel, recurrence
from certify.exact.ball import working_precision
from certify.exact.number import exact
from certify.exact.truth import Truth, less, sign

ORDERS = [(0, 1), (1, 1), (1, 2), (2, 4), (3, 6), (3, 7), (4, 7), (7, 20), (16, 32)]
ARGUMENTS = [1e-300, 1e-20, 0.3, 1.0, 7.5, 100.0, 1e9, 1e300]


def definition(order: int, start: int, x: Fraction) -> list[Fraction]:
    """b_0, …, b_{M+1} as the paper defines them."""
    b = {start: Fraction(1), start + 1: Fraction(0)}
    for i in range(start, 0, -1):
        b[i - 1] = 2 * i / x * b[i] + b[i + 1]
    return [b[i] for i in range(start + 2)]


def as_fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))


@pytest.mark.parametrize(("nu", "start"), ORDERS)
@pytest.mark.parametrize("x", [Fraction(1, 3), Fraction(5), Fraction(10**6)])
def test_rational_ratio_and_quotient_are_the_definition(nu, start, x):
    b = definition(nu, start, x)
    assert as_fraction(recurrence.ratio(nu, start, x)) == b[nu + 1] / b[nu]
    assert as_fraction(recurrence.quotient(nu, start, x)) == b[nu] / (b[0] * x**nu)


@pytest.mark.parametrize(("nu", "start"), ORDERS)
@pytest.mark.parametrize("x", [Fraction(1, 3), Fraction(5), Fraction(10**6)])
def test_excess_is_the_logarithmic_derivative_of_the_definition(nu, start, x):
    """Dual numbers over Q: b and b′ together give (log(b_ν/(b_0 x^ν)))′ exactly."""
    b = {start: (Fraction(1), Fraction(0)), start + 1: (Fraction(0), Fraction(0))}
    for i in range(start, 0, -1):
        (here, slope), (above, slope_above) = b[i], b[i + 1]
        b[i - 1] = (2 * i / x * here + above, 2 * i / x * slope - 2 * i / x**2 * here + slope_above)
    expected = b[nu][1] / b[nu][0] - b[0][1] / b[0][0] - nu / x
    assert as_fraction(recurrence.excess(nu, start, x)) == expected


@pytest.mark.parametrize("start", [("1/2", "9/2"), ("10/9", "28/9"), ("1/3", "1/3")])
def test_ratio_at_real_orders_is_the_continued_fraction(start):
    nu, first = map(exact, start)
    x, r, order = fmpq(7, 5), fmpq(0), first
    while order > nu:
        r, order = 1 / (2 * order / x + r), order - 1
    assert recurrence.ratio(nu, first, x) == r


@pytest.mark.parametrize(("nu", "start"), ORDERS)
@pytest.mark.parametrize("x", ARGUMENTS)
def test_balls_contain_the_rationals(nu, start, x):
    for function in (recurrence.ratio, recurrence.excess, recurrence.quotient):
        with working_precision(100):
            enclosure = function(nu, start, arb(x))
        with working_precision(3000):
            assert enclosure.contains(arb(function(nu, start, exact(x)))), function


@pytest.mark.parametrize(("nu", "start"), ORDERS)
def test_floats_are_within_a_few_roundings_a_step(nu, start):
    x = np.array(ARGUMENTS)
    for function in (recurrence.ratio, recurrence.excess):
        realized = function(nu, start, x)
        for point, value in zip(x, realized, strict=True):
            truth = as_fraction(function(nu, start, exact(float(point))))
            assert abs(Fraction(float(value)) - truth) <= 6 * (start + 2) * Fraction(1, 2**53) * abs(truth)


@pytest.mark.parametrize(("nu", "start"), ORDERS)
@pytest.mark.parametrize("x", ARGUMENTS)
def test_parity_of_the_error(nu, start, x):
    """Theorem 1: sign(R̃ − R) = (−1)^(M−ν+1)."""
    with working_precision(4000):
        error = recurrence.ratio(nu, start, exact(x)) - bessel.ratio(nu, x, 1000)
    assert sign(error) in ((-1) ** (start - nu + 1), None)
    if start - nu < 12 and x < 1e3 and x > 1e-2:
        assert sign(error) is not None


@pytest.mark.parametrize(("nu", "start"), [(1, 2), (3, 6), (4, 8), (63, 126)])
@pytest.mark.parametrize("x", ["1/100", "3", "1000", "1e7"])
def test_derivative_is_the_limit_of_difference_quotients(nu, start, x):
    step = exact(x) / fmpq(10) ** 30
    quotient = recurrence.enclose_difference(nu, start, exact(x) - step, exact(x) + step, 120)
    derivative = recurrence.enclose_derivative(nu, start, x, 120)
    with working_precision(500):
        gap = abs(quotient / (2 * step) / derivative - 1)
    assert less(gap, fmpq(1, 10**55)) is Truth.YES


def test_potential_is_the_quotient_and_log_i0():
    with working_precision(200):
        x = arb(fmpq(22, 7))
        expected = x.bessel_i(0).log() + recurrence.quotient(5, 11, x).log()
        assert recurrence.potential(5, 11, x).overlaps(expected)


@pytest.mark.parametrize("x", [1e-300, 1e-3, 2.0, 50.0, 1e6, 1e300])  # r/x underflows at the last
def test_potential_in_floats(x):
    truth = float(recurrence.potential(63, 126, arb(x)))
    assert recurrence.potential(63, 126, x) == pytest.approx(truth, rel=1e-12)


def test_high_concentration_follows_the_parity_of_the_order():
    """Claims.md §4: R̃ ~ 2x/((ν+1)(3ν+1)) for odd ν and ν(3ν+2)/(2x) for even ν, M = 2ν."""
    odd, even = recurrence.ratio(63, 126, fmpq(10) ** 40), recurrence.ratio(64, 128, fmpq(10) ** 40)
    assert abs(odd * 64 * 190 / (2 * fmpq(10) ** 40) - 1) < fmpq(1, 10**60)
    assert abs(even * 2 * fmpq(10) ** 40 / (64 * 194) - 1) < fmpq(1, 10**60)


def test_start_at_the_order_gives_zero():
    assert recurrence.ratio(3, 3, fmpq(2)) == 0
    assert np.all(recurrence.ratio(3, 3, np.ones(2)) == 0)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((5, 3, 1), "M = 3"),
        ((1.5, 2, 1), "M = 2"),
        ((-1, 3, 1), "nu = -1"),
        ((3, 6, 0), "x = 0"),
        ((3, 6, -1.0), "x = -1.0"),
        ((3, 6, math.nan), "x = nan"),
        ((3, 6, np.array([1.0, math.inf])), "finite x > 0"),
        ((3, 6, arb(0, 1)), "finite x > 0"),
        ((3, 6, "one"), "'one'"),
    ],
)
def test_bad_arguments_are_named_on_one_line(arguments, complaint):
    with pytest.raises(ValueError, match=complaint) as refusal:
        recurrence.ratio(*arguments)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("function", [recurrence.quotient, recurrence.potential, recurrence.excess, recurrence.derivative])
def test_the_finite_forward_needs_a_whole_order(function):
    with pytest.raises(ValueError, match="whole nu"):
        function("1/2", "5/2", arb(1))


def test_rational_arguments_have_no_logarithm():
    with pytest.raises(ValueError, match="not rational"):
        recurrence.potential(1, 2, fmpq(1))
