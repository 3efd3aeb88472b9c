"""Straight-line programs as data, and each interpreter at points where the answer is known another way."""

from fractions import Fraction

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from certify.exact.ball import working_precision
from certify.exact.debye import ladder_ratio
from certify.exact.format import FORMATS, format_of
from certify.exact.interpret import ball, interval, plain, rational, rounding
from certify.exact.profile import IEEE, NUMPY, PROFILES, Profile, ProfileError
from certify.exact.program import OPERATIONS, Builder, Node, Program, ProgramError, Value, nearest
from certify.exact.truth import Truth, less, sign


def closed_form(correction: Fraction = Fraction(5, 8)) -> Program:
    """A_R(x) = x/(ν+s) − (y/s)(½ + (⅛ − ⅝t²)/s), t = ν/s, y = x/s."""
    builder = Builder()
    x, nu = builder.inputs("x", "nu")
    s = builder.call("hypot", x, nu)
    e = 1 / s
    t, y = nu * e, x * e
    return builder.program(x / (nu + s) - y * e * (Fraction(1, 2) + e * (Fraction(1, 8) - correction * t * t)))


def unary(op: str) -> Program:
    builder = Builder()
    (x,) = builder.inputs("x")
    return builder.program(builder.call(op, x))


def test_equal_nodes_are_shared_and_the_digest_forgets_the_order_of_writing():
    first, second = Builder(), Builder()
    x, y = first.inputs("x", "y")
    a, b = second.inputs("x", "y")
    unused, quotient = a * b * 7, b / 3
    assert first.program((x + y) * (y / 3) + (x + y)).digest == second.program((a + b) * quotient + (a + b)).digest
    assert unused.place < quotient.place
    assert first.program(x + y).digest != first.program(y + x).digest
    assert first.program(3 * x + 1).digest == first.program(1 + x * 3).digest
    assert first.program(1 - x).digest != first.program(x - 1).digest


def test_canonical_form_has_the_same_values():
    program = closed_form()
    at = {"x": 3, "nu": 4}
    assert rational.evaluate(program.canonical(), at) == rational.evaluate(program, at)
    assert program.canonical().canonical() == program.canonical()


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(1, 10**9))
def test_nearest_is_what_the_machine_rounds_to(numerator, denominator):
    value = Fraction(numerator) / denominator
    if abs(value) > Fraction(2) ** -1000:
        assert nearest(value, 53) == Fraction(value.numerator / value.denominator)


def test_rounded_constants():
    rounded = closed_form().rounded()
    constants = [Fraction(node.value) for node in rounded.nodes if node.op == "constant"]
    assert Fraction(1, 2) in constants
    assert all(value.denominator & (value.denominator - 1) == 0 for value in constants)
    assert closed_form(Fraction(1, 3)).rounded().digest == closed_form(Fraction(1 / 3)).digest


@pytest.mark.parametrize(
    "nodes",
    [
        (Node("input", value="x"), Node("add", (0, 1))),
        (Node("input", value="x"), Node("input", value="x")),
        (Node("constant", value="2/4"),),
        (Node("constant", value="0.1"),),
        (Node("constant", value="1/0"),),
        (Node("input", value="x"), Node("cube", (0,))),
        (Node("input", value="x"), Node("add", (0,))),
        (Node("input"),),
    ],
)
def test_data_that_are_no_program(nodes):
    with pytest.raises(ProgramError):
        Program(nodes, (0,))


def test_inputs_are_checked():
    for values in ({"x": 1}, {"x": 1, "nu": 2, "z": 3}):
        with pytest.raises(ProgramError, match="needed"):
            rational.evaluate(closed_form(), values)


@pytest.mark.parametrize("x", ["1e-3", "3", "12", "1e9"])
def test_closed_form_against_the_ladder(x):
    with working_precision(200):
        value = ball.evaluate(closed_form(), {"x": x, "nu": 5})[0]
        assert value.overlaps(ladder_ratio(1, 5, x, 40))
        assert not ball.evaluate(closed_form(Fraction(5, 9)), {"x": x, "nu": 5})[0].overlaps(ladder_ratio(1, 5, x, 40))


def test_rational_values_where_the_root_is_rational():
    exact = rational.evaluate(closed_form(), {"x": 3, "nu": 4})[0]
    x, nu, s = fmpq(3), fmpq(4), fmpq(5)
    assert exact == x / (nu + s) - x / (2 * s**2) + x * (4 * nu**2 - x**2) / (8 * s**5)
    with pytest.raises(ProgramError, match="irrational"):
        rational.evaluate(closed_form(), {"x": 1, "nu": 1})
    with pytest.raises(ProgramError, match="zero"):
        rational.evaluate(closed_form(), {"x": 0, "nu": 0})


@pytest.mark.parametrize("op", [op for op, arity in OPERATIONS.items() if arity == 1])
def test_intervals_contain_balls(op):
    program = unary(op)
    for low, high in (("1/10", "1/2"), ("1", "3"), ("2", "40"), ("-2", "3"), ("-7/2", "-13/4")):
        wide = interval.evaluate(program, interval.box({"x": (low, high)}))[0]
        for k in range(5):
            at = fmpq(*map(int, (Fraction(low) + (Fraction(high) - Fraction(low)) * k / 4).as_integer_ratio()))
            inside = ball.evaluate(program, {"x": at})[0]
            assert not wide.is_finite() or not inside.is_finite() or wide.contains(inside.mid()) or wide.overlaps(inside)


@pytest.mark.parametrize("op", ["exp", "log", "i0e", "i1e", "tanh", "lgamma", "sqrt", "erfc"])
def test_intervals_of_special_functions_stay_narrow(op):
    """Within four times the variation between the end points; Arb's ball of exp(−x) I₀(x) on [9.9, 10.1] keeps one digit."""
    program = unary(op)
    low, high = (ball.evaluate(program, {"x": x})[0] for x in ("9.9", "10.1"))
    wide = interval.evaluate(program, interval.box({"x": ("9.9", "10.1")}))[0]
    assert less(2 * wide.rad(), 4 * abs(high - low)) is Truth.YES


def test_the_sign_by_bisection():
    """x² − x + ¼ + 1/100 > 0, seen after subdivision."""
    builder = Builder()
    (x,) = builder.inputs("x")
    program = builder.program(x * x - x + Fraction(26, 100))
    on = interval.box({"x": (0, 1)})
    assert sign(interval.evaluate(program, on)[0]) is None
    assert interval.proved_sign(program, on).value == 1
    negative = interval.proved_sign(builder.program(x * x - x + Fraction(24, 100)), on, most=500)
    assert negative.value is None
    assert negative.undecided is not None


def test_a_choice_that_is_open_encloses_both():
    builder = Builder()
    (x,) = builder.inputs("x")
    program = builder.program(builder.call("select", x, Fraction(2), Fraction(5)))
    value = interval.evaluate(program, interval.box({"x": (-1, 1)}))[0]
    assert value.contains(arb(2))
    assert value.contains(arb(5))
    assert interval.evaluate(program, interval.box({"x": (0, 0)}))[0] == 5
    with pytest.raises(ProgramError, match="choice is open|derivative"):
        rounding.bound(program, interval.box({"x": (-1, 1)}), IEEE)


@pytest.mark.parametrize("op", [op for op in OPERATIONS if op not in ("fma", "rsqrt")])
def test_numpy_and_balls_agree(op):
    builder = Builder()
    names = ("x", "y", "z")[: OPERATIONS[op]]
    values: list[Value] = list(builder.inputs(*names))
    program = builder.program(builder.call(op, *values))
    at = dict(zip(names, (1.25, 0.75, 2.5), strict=False))
    computed = float(plain.execute(program, at)[0])
    exact = ball.evaluate(program, at)[0]
    assert less(abs(exact - arb(computed)), abs(exact) * arb(fmpq(1, 2**48)) + arb(fmpq(1, 2**60))) is Truth.YES


def test_torch_as_the_array_library():
    torch = pytest.importorskip("torch")
    at = {"x": 3.0, "nu": 4.0}
    computed = plain.execute(closed_form(), at, "float32", (torch, torch.special))[0]
    assert computed.dtype == torch.float32
    assert abs(float(computed) - float(plain.execute(closed_form(), at, "float32")[0])) <= 2.0**-23


def test_operations_unknown_to_an_interpreter_are_named():
    builder = Builder()
    (x,) = builder.inputs("x")
    fused = builder.program(builder.call("fma", x, x, x))
    with pytest.raises(ProgramError, match="node 1: the plain interpreter has no operation fma"):
        plain.execute(fused, {"x": np.float64(1)})
    with pytest.raises(ProgramError, match="the rational interpreter has no operation erf"):
        rational.evaluate(unary("erf"), {"x": 1})


# Rounding ---------------------------------------------------------------------------------------------------------------


def on(program: Program, assumed: Profile = IEEE, form: str = "binary64", stored: str | None = None, **sides) -> Fraction:
    return rounding.bound(program, interval.box(sides), assumed, form, stored)[0].units(FORMATS[form])


def expression(write) -> Program:
    builder = Builder()
    return builder.program(write(*builder.inputs("x", "y")))


def test_one_operation_is_half_an_ulp():
    """On [1, 2) half an ulp is u; the sum of numbers in [1, 2) is below 4, half an ulp of which is 2u."""
    square = expression(lambda x, y: x * y)
    assert on(square, x=(1, "5/4"), y=(1, "5/4")) == 1
    assert on(square, x=(1, "3/2"), y=(1, "3/2")) == 2
    assert on(square, x=1, y=(1, 2)) == 0


def test_operations_without_rounding_errors():
    assert on(expression(lambda x, y: x * 2 - y / 4), x=(1, "9/8"), y=(8, 9)) == 0
    assert on(expression(lambda x, y: x - y), x=(1, "3/2"), y=(1, "3/2")) == 0
    assert on(expression(lambda x, y: x - y), x=(1, 3), y=(1, "3/2")) > 0


def test_errors_of_arguments_are_carried():
    """(xy)·16: the error of the product, times 16; a cancellation keeps the error of its arguments."""
    assert 16 <= on(expression(lambda x, y: x * y * 16), x=(1, "5/4"), y=(1, "5/4")) < 16 + Fraction(1, 2**99)
    cancelled = on(expression(lambda x, y: x * y - 1), x=(1, "1001/1000"), y=(1, "1001/1000"))
    assert 1 <= cancelled < Fraction(11, 10)


def test_a_fused_product_has_an_error_for_each_use():
    """xy − xy: one common error cancels; two different ones, as with one fused use, do not."""
    program = expression(lambda x, y: (x * y + 1) - x * y)
    contracted = Profile("contracted", "", IEEE.ulps, contracts=True)
    sides = {"x": (1, "5/4"), "y": (1, "5/4")}
    assert on(program, contracted, **sides) == on(program, **sides) + 2


def test_subnormal_results_and_flushing():
    tiny = {"x": ("1e-300", "1e-300"), "y": ("1e-20", "1e-20")}
    product = expression(lambda x, y: x * y)
    exact_sides = interval.box({name: (float(low), float(low)) for name, (low, _) in tiny.items()})
    binary64 = format_of("binary64")
    assert rounding.bound(product, exact_sides, IEEE)[0].error == binary64.least_subnormal / 2
    flushed = Profile("flushed", "", IEEE.ulps, flushes=("binary64",))
    found = rounding.bound(product, exact_sides, flushed)[0].error
    assert float(Fraction(str(exact_sides["x"][0] * exact_sides["y"][0]))) > 0
    assert found >= Fraction(1e-300) * Fraction(1e-20)


@pytest.mark.parametrize(("form", "stored"), [("binary64", None), ("binary32", None), ("binary32", "bfloat16"), ("binary32", "float16")])
def test_closed_form_in_every_format(form, stored):
    """A few units in the last place; storage in a narrower format adds half an ulp of that format."""
    assumed = Profile("hypot", "", {f: IEEE.ulps[f] | {"hypot": "1/2"} for f in IEEE.formats}, hypot_monotone=True)
    sides = interval.box({"x": (100, 101), "nu": 63})
    found = rounding.bound(closed_form(), sides, assumed, form, stored)[0]
    assert Fraction(1, 2) < found.units(FORMATS[form]) - (FORMATS[stored].unit / FORMATS[form].unit / 2 if stored else 0) < 4


def test_a_wrong_constant_is_seen_as_error():
    """A constant that binary32 cannot hold costs more there than in binary64."""
    program = expression(lambda x, y: x + y * Fraction(0.1))
    sides = {"x": (1, "5/4"), "y": (1, "5/4")}
    assert on(program, form="binary32", **sides) > on(program, form="binary64", **sides)


def test_refusals_of_the_rounding_interpreter():
    product = expression(lambda x, y: x * y)
    with pytest.raises(ProgramError, match="overflow in binary32"):
        on(product, form="binary32", x=("1e30", "1e30"), y=("1e9", "1e9"))
    with pytest.raises(ProfileError, match="profile ieee has no bound for exp in binary64"):
        on(unary("exp"), x=(0, 1))
    with pytest.raises(ProfileError, match="no bounds for bfloat16"):
        on(product, form="bfloat16", x=1, y=1)
    with pytest.raises(ValueError, match="binary64, binary32"):
        on(product, form="binary128", x=1, y=1)
    with pytest.raises(ProgramError, match="no finite enclosure of div"):
        on(expression(lambda x, y: x / y), x=1, y=(-1, 1))
    with pytest.raises(ProgramError, match="ends before it begins"):
        interval.box({"x": (2, 1)})


def test_profiles_are_complete_data():
    for each in PROFILES.values():
        assert each.source
        assert each.formats
        for form in each.formats:
            assert all(each.bound(op, form) >= Fraction(1, 2) for op in ("add", "mul", "div", "sqrt"))
    with pytest.raises(ProfileError, match="numpy"):
        NUMPY.bound("abacus", "binary64")
    assert NUMPY.bound("neg", "binary64") == 0


def test_towers_of_exponentials_are_refused_not_written_down():
    builder = Builder()
    (x,) = builder.inputs("x")
    value = x
    for _ in range(4):
        value = builder.call("exp", value)
    with pytest.raises(ProgramError, match="too large or too small"):
        rounding.bound(builder.program(1 / value), interval.box({"x": (3, 4)}), NUMPY, "binary64")
