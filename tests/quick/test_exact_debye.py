"""The ladder: its polynomials against their definitions, its closed forms, and its values in balls."""

import math
from itertools import pairwise

import pytest
from flint import arb_series, fmpq, fmpq_poly, fmpq_series

from certify.exact import closed_form as closed_form_module
from certify.exact.ball import PrecisionError, accuracy, ball, working_precision
from certify.exact.bessel import potential_difference, ratio
from certify.exact.debye import closed_form, ladder_potential_difference, ladder_ratio
from certify.exact.debye_polynomials import (
    debye_polynomial,
    potential_polynomial,
    ratio_polynomial,
    variation_bound,
)
from certify.exact.truth import Truth, less

T = fmpq_poly([0, 1])
ONE = fmpq_poly([1])
TRIPLES = [(3, 4, 5), (5, 12, 13), (21, 20, 29), (1, 0, 1), (fmpq(8, 7), fmpq(15, 7), fmpq(17, 7))]


def expansion(n: int) -> dict[int, tuple[fmpq_poly, fmpq_poly]]:
    """c in A_n(νz) = √(1−t²)·c, by powers of ε = 1/ν: pairs of c·(1+t) and c′·(1+t)²."""
    polynomials = {k: ratio_polynomial(k) for k in range(1, n + 2)}
    rest = {k: (b * (1 + T), b.derivative() * (1 + T) ** 2) for k, b in polynomials.items()}
    return {0: (ONE, -ONE), **rest}


def riccati_residual(n: int) -> dict[int, fmpq_poly]:
    """(1+t)²·E, E = 1 − (2+ε)/z·a − a² − ε da/dz for a = w·c, w² = 1−t², z = w/t, da/dz = t³c − t²w²c′."""
    c, w2 = expansion(n), 1 - T**2
    residual = dict.fromkeys(range(2 * n + 3), fmpq_poly())
    residual[0] += (1 + T) ** 2
    for i, (value, slope) in c.items():
        residual[i] -= 2 * T * value * (1 + T)
        residual[i + 1] -= (T + T**3) * value * (1 + T) - T**2 * w2 * slope
        for j, (other, _) in c.items():
            residual[i + j] -= w2 * value * other
    return residual


@pytest.mark.parametrize("n", range(9))
def test_the_riccati_residual_vanishes_to_the_order_of_the_ladder(n):
    """E = Σ_{j=m}^{2n+2} ε^j E_j with m = n+2, E_m = 2 b_m and E_j divisible by t^j."""
    for j, coefficient in riccati_residual(n).items():
        if j < n + 2:
            assert coefficient.is_zero()
        assert all(c == 0 for c in coefficient.coeffs()[:j])
    assert riccati_residual(n)[n + 2] == 2 * ratio_polynomial(n + 2) * (1 + T) ** 2


def test_the_potential_polynomials_are_the_logarithm_of_debyes():
    """log Σ U_k(t) ε^k = Σ D_k(t) ε^k as power series, at more rational t than the degrees 3k."""
    length = 9
    for i in range(3 * length):
        t = fmpq(i + 1, 3 * length + 1)
        series = fmpq_series([debye_polynomial(k)(t) for k in range(length)], prec=length).log().coeffs()
        assert series[1:] == [potential_polynomial(k)(t) for k in range(1, length)]


def test_polynomials_that_dlmf_prints():
    """DLMF 10.41.10."""
    assert debye_polynomial(1) == (3 * T - 5 * T**3) / 24
    assert debye_polynomial(2) == (81 * T**2 - 462 * T**4 + 385 * T**6) / 1152
    assert debye_polynomial(3) == (30375 * T**3 - 369603 * T**5 + 765765 * T**7 - 425425 * T**9) / 414720


@pytest.mark.parametrize("k", range(1, 13))
def test_shape_of_the_polynomials(k):
    assert ratio_polynomial(k)(1) == fmpq((-1) ** k, 2)
    assert potential_polynomial(k).derivative() * T**2 == -ratio_polynomial(k + 1)
    for family, degree in ((ratio_polynomial, 3 * k - 2), (potential_polynomial, 3 * k), (debye_polynomial, 3 * k)):
        coefficients = family(k).coeffs()
        assert len(coefficients) == degree + 1
        assert all(c == 0 for j, c in enumerate(coefficients) if j < k or (j - k) % 2)
    samples = [debye_polynomial(k)(fmpq(i, 50)) for i in range(51)]
    assert sum(abs(b - a) for a, b in pairwise(samples)) <= variation_bound(k)


@pytest.mark.parametrize(("nu", "x", "s"), TRIPLES)
def test_the_first_rung_is_the_papers_pair(nu, x, s):
    values = {"nu": fmpq(nu), "x": fmpq(x), "s": fmpq(s)}
    paper = x / fmpq(nu + s) - x / (2 * fmpq(s) ** 2) + x * (4 * nu**2 - x**2) / (8 * fmpq(s) ** 5)
    assert eval(closed_form(1).ratio, values) == paper
    _, tail = closed_form(1).potential.split("log(s)/2")
    assert eval("0" + tail, values) == (3 * x**2 - 2 * nu**2) / (24 * fmpq(s) ** 3)
    assert closed_form(1).potential.startswith("s - nu*log(nu + s) - log(s)/2")


@pytest.mark.parametrize("n", [0, 1, 2, 3, 8, 12])
def test_closed_forms_balls_and_derivative_agree(n):
    """At x the closed form of F_n, expanded in x + h, has the derivative A_n; both agree with the values in balls."""
    form = closed_form(n)
    for nu, x in (("10/9", "1/3"), (63, 100), ("255.5", "1e3")):
        with working_precision(400):
            h = arb_series([ball(x), 1], prec=2)
            symbols = {"nu": ball(nu), "x": h, "s": (ball(nu) ** 2 + h * h).sqrt(), "log": lambda u: u.log()}
            rung, start = eval(form.ratio, dict(symbols))[0], eval(form.potential, dict(symbols))
            symbols |= {"x": ball(0), "s": ball(nu)}
            rise = start[0] - eval(form.potential, symbols)
        assert start[1].overlaps(rung)
        assert ladder_ratio(n, nu, x, 60).overlaps(rung)
        assert ladder_potential_difference(n, nu, 0, x, 60).overlaps(rise)


def size(polynomial: fmpq_poly) -> fmpq:
    """A bound of |polynomial| on [0, 1]."""
    return sum((abs(c) for c in polynomial.coeffs()), fmpq(0))


@pytest.mark.parametrize("n", range(9))
def test_the_error_is_of_the_order_of_the_next_rung(n):
    """|R − A_n| ≈ |w·b_{n+2}|/ν^(n+2) and |ΔΦ − ΔF_n| ≈ |ΔD_{n+1}|/ν^(n+1): twice the terms' sizes bound them."""
    nu = 500
    with working_precision(400):
        for x in (1, 50, 1000, 1e5):
            error = ladder_ratio(n, nu, x, 60) - ratio(nu, x, 60)
            assert less(abs(error), 2 * size(ratio_polynomial(n + 2)) / nu ** (n + 2)) is Truth.YES
            gap = ladder_potential_difference(n, nu, 0, x, 60) - potential_difference(nu, 0, x, 60)
            assert less(abs(gap), 2 * size(potential_polynomial(n + 1)) / nu ** (n + 1)) is Truth.YES


@pytest.mark.parametrize("digits", [15, 1000])
def test_values_have_the_digits_asked_for_everywhere(digits):
    for nu in (5e-324, "1/2", 63, 1e300):
        for x in (5e-324, 1, 1e5, 1.7e308):
            assert accuracy(ladder_ratio(1, nu, x, digits)) >= digits
            assert accuracy(ladder_potential_difference(1, nu, x, math.nextafter(x, math.inf), digits)) >= digits
    assert ladder_ratio(1, 63, 0).is_zero()
    assert ladder_potential_difference(1, 63, 7, 7).is_zero()
    with working_precision(99):
        assert (-ladder_potential_difference(1, 63, 9, 7)).overlaps(ladder_potential_difference(1, 63, 7, 9))


def test_a_value_that_is_zero_has_no_relative_digits():
    """1/(1+t) = t/(2ν) at ν = 12/25, x = 16/25, where s = 4/5."""
    with pytest.raises(PrecisionError, match=r"A_0 at nu = 12/25, x = 16/25 was not determined to 30 digits.*±"):
        ladder_ratio(0, "12/25", "16/25")


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (ladder_ratio, (1, 0, 1), "nu = 0: nu > 0 is accepted"),
        (ladder_ratio, (1, -1, 1), "nu = -1"),
        (ladder_ratio, (1, 1, -1), "x = -1"),
        (ladder_ratio, (-1, 1, 1), "n = -1: 0 to 100 are accepted"),
        (ladder_ratio, (1.5, 1, 1), "n must be an integer"),
        (ladder_ratio, (1, 1, 1, 1001), "digits = 1001"),
        (ladder_ratio, (1, "nan", 1), "'nan' is not a number"),
        (ladder_potential_difference, (1, 0, 1, 2), "nu = 0"),
        (ladder_potential_difference, (1, 1, -1, 2), "a = -1"),
        (ladder_potential_difference, (1, 1, 1, math.inf), "inf is not"),
        (closed_form, (101,), "n = 101"),
        (closed_form, (None,), "n must be an integer"),
    ],
)
def test_bad_input_is_refused_in_one_line_that_names_it(function, arguments, message):
    with pytest.raises(ValueError, match=r"^[^\n]{1,200}$") as refusal:
        function(*arguments)
    assert message in str(refusal.value)


def test_a_wrong_polynomial_is_noticed(monkeypatch):
    """The comparison of closed forms with balls refuses a corrupted D_1."""
    monkeypatch.setattr(closed_form_module, "potential_polynomial", lambda k: potential_polynomial(k) + T**k)
    with pytest.raises(AssertionError):
        test_closed_forms_balls_and_derivative_agree(1)
