"""What may enter, what is refused, and serialisation without loss."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, fmpq, fmpz
from hypothesis import given
from hypothesis import strategies as st

from certify.exact.ball import working_precision
from certify.exact.number import DIGITS_LIMIT, brief, centre, exact, from_pairs, magnitude, pairs, show


@pytest.mark.parametrize(
    ("value", "rational"),
    [
        (3, Fraction(3)),
        (fmpz(3), Fraction(3)),
        (fmpq(10, 9), Fraction(10, 9)),
        (Fraction(-10, 9), Fraction(-10, 9)),
        ("10/9", Fraction(10, 9)),
        ("-3/6", Fraction(-1, 2)),
        ("+7", Fraction(7)),
        (" 7 ", Fraction(7)),
        ("0.1", Fraction(1, 10)),
        (".5", Fraction(1, 2)),
        ("5.", Fraction(5)),
        ("-2.5E-3", Fraction(-1, 400)),
        ("1e5", Fraction(10**5)),
        ("1e300", Fraction(10**300)),
        (0.1, Fraction(0.1)),
        (5e-324, Fraction(1, 2**1074)),
        (np.float64(0.1), Fraction(0.1)),
        (np.float32(0.1), Fraction(float(np.float32(0.1)))),
        (np.int64(-4), Fraction(-4)),
    ],
)
def test_exact(value, rational):
    assert exact(value) == fmpq(rational.numerator, rational.denominator)


@pytest.mark.parametrize(
    "value",
    ["", " ", "abc", "nan", "inf", "1/0", "1/-2", "1.5/2", "1_000", "١", "1e", "e5", ".", "1 2", "--1", "0x10", "1\n2",
     math.nan, math.inf, -math.inf, np.float32("nan"), True, None, [1], 1j, np.array([1, 2]), b"1", arb(1),
     "1e999999999", "-1e-999999999", "1e" + "9" * 5000, f"1e{DIGITS_LIMIT + 1}", "9" * 30_000, "9" * 50_000,
     "x" * 10**6, 10**30_000, Fraction(1, 10**30_000), fmpq(10) ** 30_000],
    ids=lambda v: type(v).__name__,
)  # fmt: skip
def test_refused_in_one_short_line(value):
    with pytest.raises(ValueError) as refusal:  # noqa: PT011 (the message is examined below)
        exact(value)
    message = str(refusal.value)
    assert "\n" not in message
    assert len(message) < 200
    assert "accepted" in message


@pytest.mark.skipif(np.finfo(np.longdouble).nmant == 52, reason="no wider floats here")
def test_a_float_that_is_no_double_is_not_rounded():
    assert exact(np.longdouble(0.5)) == fmpq(1, 2)
    with pytest.raises(ValueError, match="not a finite double"):
        exact(np.longdouble(1) / 3)


@given(st.fractions(), st.floats(allow_nan=False, allow_infinity=False))
def test_round_trip(rational, double):
    assert exact(show(exact(rational))) == exact(rational) == exact(str(rational))
    assert exact(double) == exact(Fraction(double))
    assert exact(repr(double)) == exact(Fraction(repr(double)))


@given(st.fractions(min_value=Fraction(1, 10**40)))
def test_magnitude_is_within_one_of_the_logarithm(rational):
    size = magnitude(exact(rational))
    assert fmpq(2) ** (size - 1) <= exact(rational) <= fmpq(2) ** (size + 1)


@given(st.fractions(), st.integers(0, 60), st.integers(2, 400), st.integers(2, 400))
def test_a_ball_is_written_down_exactly_and_read_back_as_one_around_it(rational, spread, written_at, read_at):
    with working_precision(written_at):
        ball = arb(exact(rational)) + arb(0, fmpq(2) ** -spread)
        text = json.dumps(pairs(ball))
    with working_precision(read_at):
        copy = from_pairs(json.loads(text))
    assert copy.mid().man_exp() == ball.mid().man_exp()
    assert copy.contains(ball)
    assert centre(ball.rad()) <= centre(copy.rad()) <= centre(ball.rad()) * (1 + fmpq(1, 2**28))
    assert centre(ball) == fmpq(pairs(ball)[0][0]) * fmpq(2) ** pairs(ball)[0][1]


@pytest.mark.parametrize("value", [arb("nan"), arb("inf"), arb.pos_inf()])
def test_only_finite_balls_are_written_down(value):
    with pytest.raises(ValueError, match="finite"):
        pairs(value)


def test_brief():
    assert brief(fmpq(1, 3)) == "1/3"
    assert len(brief(exact("1e5000"))) < 40
    assert brief("a\nb") == r"'a\nb'"
