"""The selector against the definition of its bounds, the claims that prove them, and the rigorous ratio."""

from fractions import Fraction

import pytest
from flint import fmpq

from certify.claims.registry import load
from certify.cli import main
from certify.exact.ball import working_precision
from certify.exact.bessel import ratio
from certify.exact.debye import ladder_ratio
from certify.exact.number import exact
from certify.exact.selector import ORDERS, best, certificates, choose
from certify.exact.truth import Truth, less

CLAIMS = load().claims


def test_every_certificate_is_a_claim_with_this_constant():
    for n in ORDERS:
        for certificate in certificates(n):
            constants = CLAIMS[certificate.claim].claim.constants
            assert fmpq(constants["C"].numerator, constants["C"].denominator) == certificate.constant
            least = constants.get("nu_min", Fraction(0))
            assert fmpq(least.numerator, least.denominator) == certificate.least


@pytest.mark.parametrize("nu", ["1/2", "1", "31", "255"])
@pytest.mark.parametrize(("low", "high"), [("0", None), ("0", "1/10"), ("3", "40"), ("1000", None), ("7", "7")])
def test_no_error_exceeds_the_best_bound(nu, low, high):
    with working_precision(400):
        for n in ORDERS:
            bound = best(n, nu=nu, low=low, high=high).bound
            start, end = exact(low), exact(high or "1e5")
            for x in (start + (end - start) * fmpq(k, 8) for k in range(9)):
                error = ratio(nu, x, 60) - ladder_ratio(n, nu, x, 60)
                assert less(abs(error), bound) is Truth.YES or (x == 0 and error == 0)


@pytest.mark.parametrize("p", [4, 64, 512, 4096])
@pytest.mark.parametrize("tolerance", ["1/20", "1e-4", "1e-9", "1e-14", "1e-25"])
def test_the_choice_is_the_smallest_order_that_suffices(p, tolerance):
    bounds = [best(n, p=p).square for n in ORDERS]
    good = [n for n in ORDERS if bounds[n] <= exact(tolerance) ** 2]
    if good:
        choice = choose(tolerance, p=p)
        assert choice.n == good[0]
        assert choice.square == bounds[choice.n]
    else:
        with pytest.raises(ValueError, match=rf"not attainable: .* \(n = {bounds.index(min(bounds))}, "):
            choose(tolerance, p=p)


def test_a_certificate_refuses_orders_below_its_range():
    with pytest.raises(ValueError, match=r"nu = 1: ladder\.pointwise\.4 holds for nu >= 2"):
        certificates(4)[1].square(fmpq(1), fmpq(0), None)


def test_a_range_of_large_x_needs_a_smaller_order():
    assert choose("1e-14", p=64, low=100).n < choose("1e-14", p=64).n
    assert choose("1e-14", p=64, low=100, high=200).certificate.form == "pointwise"


def test_a_tolerance_that_equals_a_bound_is_attained():
    (uniform, *_) = certificates(3)
    assert choose(uniform.constant / fmpq(7) ** 5, nu=7).n <= 3


def test_a_smaller_range_needs_no_larger_order():
    for low, high in [("100", None), ("0", "1/100"), ("31", "62")]:
        assert choose("1e-9", nu=31, low=low, high=high).n <= choose("1e-9", nu=31).n


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: choose(0, nu=31), "tolerance = 0: tolerance > 0"),
        (lambda: choose("-1e-3", nu=31), "tolerance > 0 is accepted"),
        (lambda: choose("1e-15", nu=31), "not attainable: the smallest bound of n = 0 to 8 is 5.419e-15"),
        (lambda: choose(2, nu="1/5"), "says more than 0 < R < 1"),
        (lambda: choose(1, nu=0), "nu > 0 is accepted"),
        (lambda: choose(1, nu=-1), "nu = -1"),
        (lambda: choose(1), "one of them"),
        (lambda: choose(1, nu=1, p=4), "one of them"),
        (lambda: choose(1, p=1), "p ≥ 2"),
        (lambda: choose("1e-3", nu=3, low=4, high=3), "from 4 to 3 is empty"),
        (lambda: choose("1e-3", nu=3, low=-1), "low = -1"),
        (lambda: best(9, nu=3), "n = 9: certificates exist for n = 0 to 8"),
        (lambda: best(-1, nu=3), "n = -1: certificates exist"),
        (lambda: best(True, nu=3), "n = True: certificates exist"),
        (lambda: best(1.0, nu=3), "n = 1.0: certificates exist"),  # pyright: ignore[reportArgumentType]
    ],
)
def test_refusals_are_one_line_and_name_what_is_accepted(call, complaint):
    with pytest.raises(ValueError, match=complaint) as refusal:
        call()
    assert "\n" not in str(refusal.value)


def test_on_the_command_line(capsys):
    assert main(["enclose", "--p", "64", "--choose", "1e-10"]) == 0
    out, _ = capsys.readouterr()
    assert out.splitlines()[1].split() == ["n", *out.splitlines()[1].split()[1:-1], str(choose("1e-10", p=64).n)]
    assert main(["enclose", "--p", "64", "--choose", "1e-30"]) == 4
    _, err = capsys.readouterr()
    assert "not attainable" in err
    assert err.count("\n") == 1
