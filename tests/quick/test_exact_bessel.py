"""Certified Bessel quantities: identities, closed forms, limits, public failures, and every refusal."""

import doctest
import math
import sys
from itertools import pairwise

import pytest
from flint import arb

from certify.exact import bessel, closed_form
from certify.exact.ball import accuracy, ball, decimal, working_precision
from certify.exact.bessel import concentration, potential_difference, ratio, ratio_derivative
from certify.exact.debye import ladder_potential_difference
from certify.exact.number import centre, exact
from certify.exact.truth import Truth, less

TINY, HUGE = 5e-324, sys.float_info.max
ORDERS = [0, TINY, "1/2", 1, 1 + 2**-52, 63, "2047.1", 1e10, 1e300]
ARGUMENTS = [TINY, 1e-3, 1, 11, 1e3, 1e10, 1e300, HUGE]


def log_bessel(nu, x, digits=30) -> arb:
    """log I_ν(x) from the difference Φ(x) − Φ(0)."""
    with working_precision(400):
        order, argument = ball(nu), ball(x)
        return potential_difference(nu, 0, x, digits) + order * (argument / 2).log() - (order + 1).lgamma()


@pytest.mark.parametrize("module", [bessel, closed_form], ids=lambda m: m.__name__)
def test_examples_of_the_documentation(module):
    failures, tried = doctest.testmod(module)
    assert (failures, tried > 0) == (0, True)


@pytest.mark.parametrize("digits", [15, 60, 1000])
@pytest.mark.parametrize("nu", ORDERS)
def test_recurrence_at_the_accuracy_asked_for(nu, digits):
    """R_ν·(2(ν+1)/x + R_{ν+1}) = 1."""
    above = exact(nu) + 1
    for x in ARGUMENTS:
        here, there = ratio(nu, x, digits), ratio(above, x, digits)
        assert accuracy(here) >= digits
        with working_precision(4000):
            assert (here * (2 * above / ball(x) + there)).overlaps(arb(1))


@pytest.mark.parametrize("x", ARGUMENTS)
def test_half_an_order_is_elementary(x):
    """R_{1/2}(x) = coth x − 1/x, R′ = 1/x² − 1/sinh² x and Φ(x) = log(sinh x/x) + const, at enough precision."""
    with working_precision(9000):
        argument = ball(x)
        known = argument.coth() - 1 / argument
        slope = 1 / argument**2 - (1 / argument.sinh()) ** 2
        rise = (argument.sinh() / argument).log()
    assert ratio("1/2", x, 100).overlaps(known)
    assert ratio_derivative("1/2", x, 100).overlaps(slope)
    assert potential_difference("1/2", 0, x, 100).overlaps(rise)


@pytest.mark.parametrize("nu", ORDERS)
def test_the_derivative_is_the_slope_of_the_ratio(nu):
    """[R(x+h) − R(x)]/h lies in R′([x, x+h]), and R′ decreases."""
    for x in (1e-3, 1, 1e3, 1e10):
        start = exact(x)
        step = start / 10**6
        with working_precision(2500):
            slope = (ratio(nu, start + step, 400) - ratio(nu, start, 400)) / step
            upper, lower = (ratio_derivative(nu, at, 30) for at in (start, start + step))
        assert less(slope, lower) is not Truth.YES
        assert less(upper, slope) is not Truth.YES


def test_limits_at_zero():
    assert ratio(3, 0, 15).is_zero()
    assert concentration(3, 0, 15).is_zero()
    assert potential_difference(3, 0, 0, 15).is_zero()
    assert ratio_derivative(3, 0, 15).overlaps(ball("1/8"))
    with working_precision(200):
        assert (ratio(3, TINY, 30) / ball(TINY)).overlaps(ball("1/8"))


def test_the_ratio_stays_below_one_and_increases():
    assert [less(ratio(0, x, 1000), 1) for x in (1e100, 1e200)] == [Truth.YES, Truth.YES]
    with working_precision(3000):
        assert less(ratio(0, 1e100, 500), ratio(0, math.nextafter(1e100, 1e101), 500)) is Truth.YES


@pytest.mark.parametrize(
    ("nu", "resultant"),
    [(63, "1/2"), (0, "1e-300"), (0, "0.999999999999"), (1e10, 0.3), (0, 1 - 2**-53), (1e300, 0.9), ("1/3", TINY)],
)
def test_concentration_inverts_the_ratio(nu, resultant):
    kappa = concentration(nu, resultant, 40)
    assert accuracy(kappa) >= 40
    with working_precision(4000):
        margin = centre(kappa) / 10**40
        assert less(ratio(nu, centre(kappa) - margin, 1000), ball(resultant)) is Truth.YES
        assert less(ball(resultant), ratio(nu, centre(kappa) + margin, 1000)) is Truth.YES


def test_potential_differences_add_up_and_change_sign():
    points = [0, TINY, 1, math.nextafter(1, 2), 50, 1e4, 1e10, HUGE]
    for nu in (0, "7/3", 1e4, 1e150):
        steps = [potential_difference(nu, a, b, 60) for a, b in pairwise(points)]
        assert all(accuracy(step) >= 60 for step in steps)
        with working_precision(400):
            assert sum(steps, arb(0)).overlaps(potential_difference(nu, 0, HUGE, 60))
        assert (-potential_difference(nu, 50, 1, 60)).overlaps(potential_difference(nu, 1, 50, 60))


@pytest.mark.parametrize("a", [1.0, 1e3, 1e8, 1e300])
def test_neighbouring_doubles(a):
    """Φ(b) − Φ(a) lies between (b − a)·R(a) and (b − a)·R(b): R increases."""
    b = math.nextafter(a, math.inf)
    for nu in (0, 1000, 10**6):
        with working_precision(2000):
            width = ball(b) - ball(a)
            difference = potential_difference(nu, a, b, 100)
            assert less(difference, width * ratio(nu, a, 400)) is not Truth.YES
            assert less(width * ratio(nu, b, 400), difference) is not Truth.YES
            assert accuracy(difference) >= 100


# Inputs at which public software fails (nan, inf, 0 or wrong digits), with values by Arb.


def test_scaled_bessel_functions_where_scipy_returns_nan_or_zero():
    with working_precision(400):
        scaled = [(log_bessel(nu, x) - ball(x)).exp() for nu, x in ((1, 1.40625e9), (31, 1.08e9), (63, 1.7261))]
    assert [decimal(value, n) for value, n in zip(scaled, (17, 8, 17), strict=True)] == [
        "1.0638460807867949e-5", "1.2139422e-5", "8.4809925263952266e-93",
    ]  # fmt: skip
    assert decimal(ratio(63, 1.7261), 17) == "0.013482742560285447"


def test_bessel_functions_beyond_the_range_or_the_convergence_of_public_software():
    assert decimal(log_bessel(140, 3), 17) == "-498.43922246143007"
    assert decimal(log_bessel(2047, 20470), 17) == "20361.850258948603"
    with working_precision(200):
        assert decimal(log_bessel(700, 720).exp(), 17) == "1.9259188809960415e172"


def test_von_mises_fisher_density_that_scipy_makes_infinite():
    """p = 1024, κ = 50, at the mean direction: κ + ν log κ − (p/2) log 2π − log I_ν(κ)."""
    with working_precision(200):
        density = 50 + 511 * ball(50).log() - 512 * (2 * arb.pi()).log() - log_bessel(511, 50)
    assert decimal(density, 17) == "2141.8080429171403"


def test_concentration_of_a_mean_resultant_of_one_half():
    assert decimal(concentration(63, "1/2"), 12) == "85.0678771917"


REFUSED = [
    (ratio, (-1, 1), "nu = -1: nu ≥ 0 is accepted"),
    (ratio, (1, "-1e-300"), "x = about -1.00000e-300"),
    (ratio, (math.nan, 1), "nan is not a finite double"),
    (ratio, (1, math.inf), "inf is not a finite double"),
    (ratio, (1, "abc"), "'abc' is not a number"),
    (ratio, (1, "1e999999999"), "exponent"),
    (ratio, (1, 1, 14), "digits = 14: 15 to 1000 are accepted"),
    (ratio, (1, 1, 1001), "digits = 1001: 15 to 1000 are accepted"),
    (ratio, (1, 1, 10**5000), "digits = "),
    (ratio, (1, 1, 30.0), "digits must be an integer, not a float"),
    (ratio_derivative, (-0.5, 1), "nu = -1/2"),
    (ratio_derivative, (1, -1), "x = -1"),
    (ratio_derivative, (1, 1, 0), "digits = 0"),
    (potential_difference, (-1, 0, 1), "nu = -1"),
    (potential_difference, (1, -1, 1), "a = -1: a ≥ 0"),
    (potential_difference, (1, 1, -1), "b = -1: b ≥ 0"),
    (potential_difference, (1, 0, 1, -3), "digits = -3"),
    (concentration, (-1, 0.5), "nu = -1"),
    (concentration, (1, 1), "resultant = 1: 0 ≤ resultant < 1"),
    (concentration, (1, "1.0000001"), "resultant = 10000001/10000000"),
    (concentration, (1, -0.25), "resultant = -1/4"),
    (concentration, (1, None), "NoneType is not a number"),
    (concentration, (1, 0.5, 2000), "digits = 2000"),
]


@pytest.mark.parametrize(("function", "arguments", "message"), REFUSED)
def test_bad_input_is_refused_in_one_line_that_names_it(function, arguments, message):
    with pytest.raises(ValueError, match=r"^[^\n]{1,200}$") as refusal:
        function(*arguments)
    assert message in str(refusal.value)


@pytest.mark.parametrize("difference", [potential_difference, lambda *point, digits: ladder_potential_difference(1, *point, digits=digits)])
def test_a_descending_difference_is_as_accurate_as_the_ascending_one(difference):
    """Arb rounds a negation to the working precision of the moment."""
    up, down = difference(7, 2, 3, digits=100), difference(7, 3, 2, digits=100)
    assert accuracy(down) >= 100
    assert (up + down).contains(0)
