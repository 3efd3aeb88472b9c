"""Enclosures computed in several ways, at random orders, arguments, precisions and depths, overlap.

Orders are tiny, huge, integer, half-integer, near-integer and arbitrary; the other ways are mpmath, Arb's Bessel
functions, the other continued fraction, and identities. The last tests plant faults, which the same checks must catch.
"""

import math
from fractions import Fraction

import mpmath
import pytest
from flint import arb, fmpq
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from mpmath.libmp import NoConvergence

from certify.exact import continued_fraction, potential
from certify.exact.ball import accuracy, ball, decimal, working_precision
from certify.exact.bessel import concentration, potential_difference, ratio, ratio_derivative
from certify.exact.continued_fraction import gauss, lower_quotient, perron, quotient, upper_quotient
from certify.exact.number import centre, exact
from certify.exact.potential import by_arb, by_debye, nearby
from certify.exact.truth import Truth, less

few = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def orders(largest: float) -> st.SearchStrategy[fmpq]:
    """Integers, half-integers, their neighbours, tiny and arbitrary orders up to ``largest``."""
    whole = st.integers(0, int(largest) - 1)
    nudge = st.integers(-60, -10).map(lambda e: Fraction(10) ** e)
    return st.one_of(
        whole,
        whole.map(lambda n: n + Fraction(1, 2)),
        st.builds(lambda n, d: n + d, whole, nudge),
        st.builds(lambda n, d: n + 1 - d, whole, nudge),
        st.floats(0, largest),
        st.floats(0, min(largest, 1e-300)),
        st.fractions(0, int(largest)),
    ).map(exact)


def arguments(smallest: float, largest: float) -> st.SearchStrategy[fmpq]:
    """Doubles on a linear and on a logarithmic scale, and rationals."""
    low, high = math.log2(smallest), math.log2(largest)
    scaled = st.builds(lambda e: min(max(smallest, 2.0**e), largest), st.floats(low, high))
    rational = st.fractions(Fraction(smallest), Fraction(largest))
    return st.one_of(st.floats(smallest, largest), scaled, rational).map(exact)


DOUBLES = arguments(5e-324, 1e308)
ALL_ORDERS = st.one_of(orders(3000), orders(1e300))
DIGITS = st.integers(15, 300)


def by_mpmath(nu: fmpq, x: fmpq, digits: int) -> arb:
    """mpmath's quotient with 30 digits to spare and a margin of ten: a second opinion, not an enclosure."""
    with mpmath.workdps(digits + 30):
        order, argument = (mpmath.mpf(int(q.p)) / int(q.q) for q in (nu, x))
        try:
            quotient = mpmath.besseli(order + 1, argument) / mpmath.besseli(order, argument)
        except NoConvergence:
            assume(False)
        _, mantissa, exponent, _ = quotient._mpf_
    value = arb((int(mantissa), int(exponent)))
    return value + value * arb(0, fmpq(10) ** -(digits + 10))


def arb_ratio(nu: fmpq, x: fmpq, digits: int) -> arb:
    with working_precision(4 * digits + 64):
        return ball(x).bessel_i(ball(nu + 1), scaled=True) / ball(x).bessel_i(ball(nu), scaled=True)


@few
@given(orders(200), arguments(1e-20, 300), DIGITS)
def test_ratio_and_mpmath(nu, x, digits):
    assert ratio(nu, x, digits).overlaps(by_mpmath(nu, x, digits))


@few
@given(orders(1000), DOUBLES, DIGITS)
def test_ratio_and_arb(nu, x, digits):
    assert ratio(nu, x, digits).overlaps(arb_ratio(nu, x, digits))


@few
@given(ALL_ORDERS, DOUBLES, st.integers(0, 60), st.integers(0, 60), st.integers(2, 2000))
def test_gauss_and_perron_at_any_depth_and_precision(nu, x, depth, other, bits):
    with working_precision(bits):
        assert gauss(nu, x, depth).overlaps(perron(nu, x, other))


@few
@given(ALL_ORDERS, DOUBLES)
def test_the_four_bounds(nu, x):
    """Both bounds in use, and x/(ν+1+√((ν+1)²+x²)) ≤ R ≤ x/(ν+√((ν+2)²+x²))."""
    with working_precision(3000):
        y, order, argument = quotient(nu, x, 2900), ball(nu), ball(x)
        below = [lower_quotient(order, argument), order + ((order + 2) ** 2 + argument**2).sqrt()]
        above = [upper_quotient(order, argument), order + 1 + ((order + 1) ** 2 + argument**2).sqrt()]
        assert Truth.YES not in [less(y, bound) for bound in below] + [less(bound, y) for bound in above]


@few
@given(ALL_ORDERS, DOUBLES, DIGITS)
def test_identities(nu, x, digits):
    """R_ν(2(ν+1)/x + R_{ν+1}) = 1 and R_ν′ = R_ν(1/x + R_{ν+1} − R_ν), each to the digits asked for."""
    here, above, slope = ratio(nu, x, digits), ratio(nu + 1, x, digits), ratio_derivative(nu, x, digits)
    assert min(accuracy(v) for v in (here, above, slope)) >= digits
    with working_precision(4 * digits + 5000):
        assert (here * (2 * (nu + 1) / ball(x) + above)).overlaps(arb(1))
        assert slope.overlaps(here * (1 / ball(x) + above - here))


@few
@given(ALL_ORDERS, DOUBLES, DOUBLES)
def test_the_ratio_increases_with_the_argument_and_decreases_with_the_order(nu, x, other):
    low, high = min(x, other), max(x, other)
    assert less(ratio(nu, high), ratio(nu, low)) is not Truth.YES
    assert less(ratio(nu, x), ratio(nu + exact("1e-3"), x)) is not Truth.YES


@few
@given(ALL_ORDERS, DOUBLES, st.integers(15, 100))
def test_more_digits_lie_within_fewer(nu, x, digits):
    for function in (ratio, ratio_derivative):
        coarse, fine = function(nu, x, digits), function(nu, x, digits + 60)
        assert coarse.contains(fine)
    assert potential_difference(nu, 0, x, digits).contains(potential_difference(nu, 0, x, digits + 60))


@few
@given(orders(500), arguments(1e-300, 500), arguments(1e-300, 500), st.integers(20, 400))
def test_three_routes_to_the_potential(nu, a, b, bits):
    assume(a != b)
    low, high = min(a, b), max(a, b)
    with working_precision(bits + 50):
        routes = [nearby(nu, low, high, bits), by_arb(nu, low, high), by_debye(nu, low, high, bits)]
    assert routes[0].overlaps(routes[1])
    assert routes[1].overlaps(routes[2])
    assert routes[2].overlaps(routes[0])


@few
@given(ALL_ORDERS, arguments(1e-5, 1e308), st.fractions(Fraction(1, 100), 100), st.integers(20, 200))
def test_series_and_expansion_at_large_orders(nu, a, terms, bits):
    """b is chosen so that the multiplication series peaks near ``terms``."""
    b = fmpq(math.isqrt(int((a * a + 2 * exact(terms) * (2 * nu + 2 + a)).ceil())) + 1)
    assume(b > a)
    with working_precision(bits + 50):
        assert nearby(nu, a, b, bits).overlaps(by_debye(nu, a, b, bits))


@few
@given(ALL_ORDERS, DOUBLES, DOUBLES, st.integers(15, 60))
def test_the_potential_difference_lies_between_its_slopes(nu, a, b, digits):
    """(b−a)·R(a) ≤ Φ(b) − Φ(a) ≤ (b−a)·R(b)."""
    assume(a != b)
    low, high = min(a, b), max(a, b)
    value = potential_difference(nu, low, high, digits)
    assert accuracy(value) >= digits
    with working_precision(2500):
        width = ball(high - low)
        assert less(value, width * ratio(nu, low, digits)) is not Truth.YES
        assert less(width * ratio(nu, high, digits), value) is not Truth.YES


@few
@given(ALL_ORDERS, arguments(1e-300, 0.999999), st.integers(15, 100))
def test_concentration_inverts_the_ratio(nu, resultant, digits):
    kappa = centre(concentration(nu, resultant, digits))
    with working_precision(4 * digits + 200):
        margin = kappa / fmpq(10) ** (digits - 1)
        assert less(ratio(nu, kappa - margin, digits + 30), ball(resultant)) is Truth.YES
        assert less(ball(resultant), ratio(nu, kappa + margin, digits + 30)) is Truth.YES


@few
@given(st.text(max_size=12) | st.text("0123456789.eE+-/ ", max_size=12))
def test_any_text_is_a_number_or_refused_in_one_line(text):
    try:
        assert exact(text) == exact(str(exact(text)))
    except ValueError as refusal:
        assert "\n" not in str(refusal)  # noqa: PT017 (both outcomes are right)


@few
@given(ALL_ORDERS, DOUBLES, DIGITS)
def test_digits_shown_are_digits_of_the_value(nu, x, digits):
    shown = decimal(ratio(nu, x, digits), digits)
    assert ratio(nu, x, digits + 40).overlaps(ball_around(shown))


def ball_around(text: str) -> arb:
    """The numbers that round to this decimal."""
    mantissa, _, exponent = text.partition("e")
    unit = fmpq(10) ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
    with working_precision(4000):
        return ball(text) + arb(0, 1) * ball(unit / 2)


# Planted faults -----------------------------------------------------------------------------------------------------

FAULTS = [
    ("gauss_tail", lambda order, x: lower_quotient(order, x)),
    ("gauss_tail", lambda order, x: upper_quotient(order, x)),
    ("perron_tail", lambda v, x, k: arb(0)),
    ("perron_tail", lambda v, x, k: x * (2 * v + (2 * k - 1)) / (2 * v + k)),
]


@pytest.mark.parametrize(("name", "narrow"), FAULTS)
def test_a_tail_that_is_too_narrow_is_caught_by_the_other_fraction(monkeypatch, name, narrow):
    deep = {"gauss_tail": (3, 200), "perron_tail": (200, 3)}[name]
    with working_precision(300):
        assert gauss(fmpq(5), fmpq(7), deep[0]).overlaps(perron(fmpq(5), fmpq(7), deep[1]))
        monkeypatch.setattr(continued_fraction, name, narrow)
        assert not gauss(fmpq(5), fmpq(7), deep[0]).overlaps(perron(fmpq(5), fmpq(7), deep[1]))


@pytest.mark.parametrize("name", ["variation_bound", "debye_polynomial"])
def test_a_wrong_expansion_is_caught_by_the_other_routes(monkeypatch, name):
    right = getattr(potential, name)
    wrong = {"variation_bound": lambda k: right(k) / 10**6, "debye_polynomial": lambda k: right(k) * (1 + k)}[name]
    with working_precision(300):
        known = by_arb(fmpq(40), fmpq(3), fmpq(50))
        assert by_debye(fmpq(40), fmpq(3), fmpq(50), 40).overlaps(known)
        monkeypatch.setattr(potential, name, wrong)
        assert not by_debye(fmpq(40), fmpq(3), fmpq(50), 40).overlaps(known)


def test_a_series_cut_too_early_is_wide_or_refused_but_never_wrong(monkeypatch):
    with working_precision(300):
        known = by_arb(fmpq(4), fmpq(3), fmpq(20))
        for count in range(1, 40):
            monkeypatch.setattr(potential, "_terms", lambda *_, count=count: count)
            value = nearby(fmpq(4), fmpq(3), fmpq(20), 100)
            assert not value.is_finite() or value.overlaps(known)
