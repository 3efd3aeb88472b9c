"""Random programs, interpreted in several ways: the results contain each other, and rounding stays within its bound."""

from fractions import Fraction

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from certify.exact.ball import working_precision
from certify.exact.interpret import ball, interval, plain, rational, rounding
from certify.exact.profile import NUMPY, ProfileError
from certify.exact.program import Builder, Program, ProgramError, Value
from certify.exact.truth import Truth, less

few = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])

UNARY = ("neg", "abs", "sqrt", "exp", "expm1", "log", "log1p", "tanh", "erf", "erfc", "i0e")
BINARY = ("add", "sub", "mul", "div", "hypot", "min", "max")
RATIONAL = ("neg", "abs", "add", "sub", "mul", "div", "min", "max")


@st.composite
def programs(draw, operations: tuple[str, ...]) -> Program:
    """A program of up to twelve operations on two inputs and constants."""
    builder = Builder()
    values: list[Value] = list(builder.inputs("x", "y"))
    for _ in range(draw(st.integers(1, 12))):
        op = draw(st.sampled_from(operations))
        constant = st.fractions(-4, 4, max_denominator=30)
        chosen = [draw(st.one_of(st.sampled_from(values), constant)) for _ in range(1 if op in UNARY else 2)]
        values.append(builder.call(op, *chosen))
    return builder.program(values[-1])


def floats(dtype: str) -> st.SearchStrategy[float]:
    width = 64 if dtype == "float64" else 32
    number = st.floats(-50, 50, width=width)
    return number.filter(lambda x: x == 0 or abs(x) > 1e-30)


@few
@given(programs(RATIONAL), st.fractions(-50, 50), st.fractions(-50, 50))
def test_rational_lies_in_ball_and_interval(program, x, y):
    at = {"x": x, "y": y}
    try:
        exact = rational.evaluate(program, at)[0]
    except ProgramError:
        assume(False)
    with working_precision(80):
        assert ball.evaluate(program, at)[0].overlaps(arb(exact))
    wide = interval.box({"x": (x - 1, x + 1), "y": (y, y + Fraction(1, 7))})
    value = interval.evaluate(program, wide)[0]
    assert not value.is_finite() or value.overlaps(arb(exact))


@few
@given(programs((*UNARY, *BINARY)), st.fractions(-9, 9), st.fractions(-9, 9), st.fractions(0, 1), st.fractions(0, 1))
def test_ball_lies_in_interval(program, x, y, right, up):
    inside = ball.evaluate(program, {"x": x + right / 3, "y": y + up / 2})[0]
    value = interval.evaluate(program, interval.box({"x": (x, x + right), "y": (y, y + up)}))[0]
    assert not value.is_finite() or not inside.is_finite() or value.overlaps(inside)


@few
@given(programs((*UNARY, *BINARY)), st.data(), st.sampled_from([("float64", "binary64"), ("float32", "binary32")]))
def test_rounding_stays_within_its_bound(program, data, kinds):
    dtype, form = kinds
    ends = {name: data.draw(st.lists(floats(dtype), min_size=2, max_size=2).map(sorted)) for name in "xy"}
    near = interval.box({name: (low, min(high, low + abs(low) / 16)) for name, (low, high) in ends.items()})
    try:
        bound = rounding.bound(program, near, NUMPY, form)[0]
    except (ProgramError, ProfileError):
        assume(False)
    for end in (0, 1):
        at = {name: float(Fraction(int(side[end].p), int(side[end].q))) for name, side in near.items()}
        at = {name: float(np.float32(value)) if dtype == "float32" else value for name, value in at.items()}
        if not all(low <= fmpq(*at[name].as_integer_ratio()) <= high for name, (low, high) in near.items()):
            continue
        with np.errstate(all="ignore"):
            computed = fmpq(*float(plain.execute(program, at, dtype)[0]).as_integer_ratio())
        assert bound.value.contains(computed)
        with working_precision(200):
            exact = ball.evaluate(program, at)[0]
            assert less(rational.constant(bound.error), abs(exact - computed)) is not Truth.YES


def test_the_bound_of_a_rounded_constant_and_sum():
    """1 + ⅓: the constant is off by 2^−54/3, the sum by half an ulp at most; a quarter of an ulp is refuted by what is computed."""
    builder = Builder()
    (x,) = builder.inputs("x")
    program = builder.program(x + Fraction(1, 3))
    computed = fmpq(*float(plain.execute(program, {"x": 1.0})[0]).as_integer_ratio())
    off = Fraction(str(abs(rational.evaluate(program, {"x": 1})[0] - computed)))
    found = rounding.bound(program, interval.box({"x": 1}), NUMPY)[0]
    constant = abs(Fraction(1 / 3) - Fraction(1, 3))
    assert constant + Fraction(1, 2**53) <= found.error <= (constant + Fraction(1, 2**53)) * (1 + Fraction(1, 2**60))
    assert Fraction(1, 2**54) < off <= found.error


@pytest.mark.parametrize("form", ["binary64", "binary32"])
def test_every_operation_of_the_profile_has_bounds(form):
    assert all(NUMPY.bound(op, form) > 0 for op in (*BINARY[:5], "sqrt", "exp", "expm1", "log", "log1p", "tanh", "erf", "i0e"))
