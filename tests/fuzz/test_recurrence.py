"""Random orders, starts and arguments from 1e-300 to 1e300: one recurrence in three arithmetics."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
from flint import arb, fmpq
from hypothesis import example, given, settings
from hypothesis import strategies as st

from certify.exact import recurrence
from certify.exact.ball import working_precision
from certify.exact.number import exact

UNIT = Fraction(1, 2**53)

arguments = st.floats(-300, 300).map(lambda exponent: float(np.float64(10.0) ** exponent))
real_orders = st.fractions(0, 40, max_denominator=12)
steps = st.integers(0, 60)


def relative(realized: float, truth: Fraction) -> Fraction:
    return abs(Fraction(realized) - truth) / abs(truth) if truth else abs(Fraction(realized))


def sharp(value: fmpq) -> arb:
    with working_precision(3000):
        return arb(value)


def as_fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))


@settings(max_examples=60, deadline=None)
@given(real_orders, steps, arguments, st.integers(30, 300))
def test_ratio(nu, count, x, bits):
    start = nu + count
    truth = recurrence.ratio(nu, start, exact(x))
    assert truth >= 0
    assert (truth == 0) == (count == 0)
    with working_precision(bits):
        enclosure = recurrence.ratio(nu, start, arb(x))
    assert enclosure.contains(sharp(truth))
    assert relative(recurrence.ratio(nu, start, x), as_fraction(truth)) <= 6 * (count + 2) * UNIT


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 25), steps, arguments, st.integers(30, 300))
@example(nu=1, count=2, x=1e9, bits=30)  # 2 + y_1 = O(1/x²): no digit of the sum is right, only its size
def test_rational_part_of_the_derivative(nu, count, x, bits):
    start = nu + count
    truth = recurrence.excess(nu, start, exact(x))
    assert truth <= 0
    with working_precision(bits):
        enclosure = recurrence.excess(nu, start, arb(x))
    assert enclosure.contains(sharp(truth))
    r = [recurrence.ratio(i, start, exact(x)) for i in range(nu + 1)]
    size = sum((2 * a * b / exact(x) for a, b in pairwise(r)), fmpq(0))
    assert abs(Fraction(float(recurrence.excess(nu, start, x))) - as_fraction(truth)) <= 6 * (start + 2) * UNIT * as_fraction(size)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 25), steps, st.floats(-6, 8).map(lambda exponent: 10.0**exponent))
def test_derivative_and_potential_in_floats(nu, count, x):
    start = nu + count
    truth = recurrence.enclose_derivative(nu, start, x, 30)
    with working_precision(120):
        gap = abs(arb(recurrence.derivative(nu, start, x)) / truth - 1)
    assert float(gap) < 6 * (start + 2) * (nu + 2) * float(UNIT)
