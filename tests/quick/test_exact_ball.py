"""Precision is restored, accuracy is demanded, and only proven digits are shown."""

from decimal import Decimal

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from certify.exact.ball import (
    PrecisionError,
    accuracy,
    ball,
    bits_for,
    decimal,
    decimal_above,
    decimal_below,
    demand,
    working_precision,
)
from certify.exact.number import exact

BALLS = st.builds(
    lambda mid, exponent, spread: (arb(exact(mid)) + arb(0, fmpq(10) ** -spread)) * arb(fmpq(10) ** exponent),
    st.fractions(-1000, 1000, max_denominator=10**6), st.integers(-30, 30), st.integers(0, 40),
)  # fmt: skip


def ends(value: arb) -> tuple[fmpq, fmpq]:
    (m, e), (r, f) = value.mid().man_exp(), value.rad().man_exp()
    mid, rad = fmpq(m) * fmpq(2) ** int(e), fmpq(r) * fmpq(2) ** int(f)
    return mid - rad, mid + rad


def test_working_precision_is_restored():
    before = ctx.prec
    with working_precision(777):
        assert ctx.prec == 777
        with pytest.raises(ZeroDivisionError), working_precision(99):
            raise ZeroDivisionError
        assert ctx.prec == 777
    assert ctx.prec == before


@given(st.integers(15, 1000))
def test_bits_imply_digits(digits):
    assert 2 ** bits_for(digits) > 2 * 10**digits


def test_accuracy():
    with working_precision(200):
        assert accuracy(arb(1, fmpq(1, 10**20))) in (19, 20)
    assert accuracy(arb(0, 1)) == accuracy(arb("nan")) == accuracy(arb.pos_inf()) == accuracy(arb("inf")) == 0
    assert accuracy(arb(3)) > 10**9


@given(BALLS)
def test_accuracy_never_promises_too_much(value):
    low, high = ends(value)
    if digits := min(accuracy(value), 10**4):
        assert high - low <= abs(high + low) / fmpq(10) ** digits


def test_demand_raises_precision_until_the_digits_are_there():
    seen = []

    def cancelling(bits: int) -> arb:
        seen.append(ctx.prec)
        big = ball(10) ** 60
        return (big + ball("1/3")) - big

    value = demand(cancelling, 30, lambda: "a third")
    assert accuracy(value) >= 30
    assert value.overlaps(ball("1/3"))
    assert seen == sorted(set(seen))
    assert len(seen) > 1


def test_an_exact_ball_far_beyond_the_numbers_accepted_is_shown():
    text = decimal(arb(2) ** -90000, 15)
    assert text.endswith("e-27093")
    assert Decimal(text.partition("e")[0]) == round(Decimal(2) ** -90000 * Decimal(10) ** 27093, 14)


@pytest.mark.parametrize(("value", "shown"), [(arb(0, fmpq(1, 2)), "±0.51"), (arb("nan"), "no enclosure")])
def test_demand_gives_up_in_one_line(value, shown):
    with pytest.raises(PrecisionError, match="^the thing was not determined to 30 digits: .*" + shown):
        demand(lambda bits: value, 30, lambda: "the thing")


def test_infinities_are_not_accurate():
    with pytest.raises(PrecisionError):
        demand(lambda bits: arb.pos_inf(), 15, lambda: "infinity")


@given(BALLS, st.integers(1, 40))
def test_every_point_of_the_ball_rounds_to_the_digits_shown(value, digits):
    text, (low, high) = decimal(value, digits), ends(value)
    if text.startswith("±"):
        assert max(abs(low), abs(high)) <= exact(text[1:])
        return
    shown = Decimal(text)
    assert len(shown.as_tuple().digits) <= digits
    half = fmpq(10) ** int(shown.as_tuple().exponent) / 2
    assert exact(text) - half <= low <= high <= exact(text) + half


@given(BALLS, st.integers(1, 40))
def test_bounds_are_rounded_outward(value, digits):
    low, high = ends(value)
    assert exact(decimal_below(value, digits)) <= low <= high <= exact(decimal_above(value, digits))


@pytest.mark.parametrize(
    ("number", "digits", "text"),
    [("0", 30, "0"), ("1/2", 30, "0.5"), ("-1/2", 30, "-0.5"), ("100", 30, "100"), ("123456789", 3, "1.23e8"),
     ("1024", 30, "1024"), ("1/1024", 30, "0.0009765625"), ("1/65536", 30, "1.52587890625e-5")],
)  # fmt: skip
def test_exact_numbers_are_shown_in_full(number, digits, text):
    assert decimal(ball(number), digits) == text


def test_proven_digits_and_bounds():
    with working_precision(200):
        third = ball("1/3") + arb(0, fmpq(1, 10**8))
    assert decimal(third, 30) == "0.3333333"
    assert (decimal_below(third, 3), decimal_above(third, 3)) == ("0.333", "0.334")
    assert (decimal_below(-third, 3), decimal_above(-third, 3)) == ("-0.334", "-0.333")
    assert decimal(arb(0, fmpq(1, 8)), 30) == "±0.13"
    assert decimal(ball("1e300"), 5) == "1.0000e300"


@pytest.mark.parametrize("value", [arb("nan"), arb.pos_inf(), arb((1, 10**9))])
def test_what_cannot_be_shown_is_refused(value):
    with pytest.raises(ValueError, match=r"finite|exponent"):
        decimal(value, 10)
