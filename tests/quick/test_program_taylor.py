"""Series, discs and remainders of programs against values computed another way; exact identities; defects on intervals."""

import math
import random
from fractions import Fraction
from itertools import pairwise

import mpmath
import pytest
from flint import arb, fmpq

from certify.exact.ball import working_precision
from certify.exact.interpret import ball, disc, interval, series
from certify.exact.interpret.ball import constant
from certify.exact.interpret.branches import OpenChoice, pieces, resolved
from certify.exact.interpret.defect import Kind, beyond, enclosure, march, within
from certify.exact.interpret.identity import NotRational, is_derivative
from certify.exact.interpret.taylor import COARSE, FINE, Effort, expansions
from certify.exact.program import Builder, Program
from certify.exact.truth import Truth, less

HALF = fmpq(1, 2)
SAME_NAME = ("sqrt", "log", "exp", "sin", "cos", "tan", "atan", "sinh", "cosh", "tanh", "erf", "erfc", "expm1", "digamma")
COMPLEX = {
    **{op: getattr(mpmath, op) for op in SAME_NAME},
    "rsqrt": lambda z: 1 / mpmath.sqrt(z),
    "log1p": lambda z: mpmath.log(1 + z),
    "sigmoid": lambda z: 1 / (1 + mpmath.exp(-z)),
    "lgamma": mpmath.loggamma,
    "i0e": lambda z: mpmath.exp(-z) * mpmath.besseli(0, z),
    "i1e": lambda z: mpmath.exp(-z) * mpmath.besseli(1, z),
}
CENTRES = (Fraction(1, 3), Fraction(1), Fraction(7, 3), Fraction(12))


def unary(op: str) -> Program:
    builder = Builder()
    (x,) = builder.inputs("x")
    return builder.program(builder.call(op, x))


def written(write) -> Program:
    builder = Builder()
    (x,) = builder.inputs("x")
    return builder.program(*write(builder.call, x))


def closed_form(wrong=0, nu=63) -> Program:
    """F_R and A_R."""

    def write(call, x):
        s = call("hypot", x, nu)
        forward = s - nu * call("log", nu + s) - Fraction(1, 2) * call("log", s) + (3 * x * x - 2 * nu * nu) / (24 * s * s * s)
        return forward, x / (nu + s) - x / (2 * s * s) + x * (4 * nu * nu - x * x) / (8 * s * s * s * s * s) + wrong * x

    return written(write)


def test_every_operation_of_series_has_a_disc():
    assert set(series.OPERATIONS) == set(disc.OPERATIONS)
    assert {op for op in series.OPERATIONS if op in COMPLEX} == set(COMPLEX)


@pytest.mark.parametrize("op", sorted(COMPLEX))
@pytest.mark.parametrize("centre", CENTRES, ids=str)
def test_discs_contain_complex_values(op, centre):
    """At random points of the circle, by mpmath."""
    generator = random.Random(op + str(centre))
    for radius in (Fraction(1, 50), min(centre / 6, Fraction(1, 4))):
        found = disc.enclose(unary(op), "x", constant(centre), constant(radius), {})[0]
        assert found.centre.overlaps(ball.evaluate(unary(op), {"x": centre})[0])
        assert found.radius.is_finite()
        limit = mpmath.mpf(float(found.radius.upper())) * (1 + mpmath.mpf(2) ** -40)
        with mpmath.workdps(100):
            middle = mpmath.mpf(centre.numerator) / centre.denominator
            for _ in range(20):
                z = middle + mpmath.mpf(radius.numerator) / radius.denominator * mpmath.expjpi(2 * generator.random())
                assert abs(COMPLEX[op](z) - COMPLEX[op](middle)) <= limit


@pytest.mark.parametrize("op", ["sqrt", "log", "rsqrt", "lgamma", "i0e"])
def test_discs_that_touch_a_singularity_are_refused(op):
    for radius in (fmpq(1), fmpq(5, 4)):
        assert not disc.enclose(unary(op), "x", arb(1), arb(radius), {})[0].radius.is_finite()


@pytest.mark.parametrize("effort", [FINE, COARSE, Effort(5, 2)], ids=str)
@pytest.mark.parametrize("op", sorted(COMPLEX))
def test_remainders_hold(op, effort):
    """Value and derivative at random real points lie within the remainder of the polynomial; a hundredth of it would not do everywhere."""
    generator = random.Random(op)
    with working_precision(200):
        for centre in (fmpq(1, 2), fmpq(11, 3)):
            radius = fmpq(1, 40)
            ((value, slope),) = expansions(unary(op), "x", centre, radius, {}, effort)
            for _ in range(5):
                h = radius * fmpq(generator.randint(-1000, 1000), 1000)
                exact = series.expand(unary(op), "x", arb(centre + h), {}, 2)[0]
                for expansion, true in ((value, exact[0]), (slope, exact[1])):
                    polynomial = sum((a * arb(h) ** k for k, a in enumerate(expansion.coefficients) if k), expansion.coefficients[0])
                    assert less(expansion.tail, abs(polynomial - true)) is not Truth.YES
                    assert expansion.enclosure().overlaps(true)


def test_a_remainder_is_not_much_larger_than_needed():
    """1/(1 − x) about 0 with R = 8r, M the largest of |1/(1 − z) − 1|: the first neglected term is at least M q^n/8."""
    program = written(lambda call, x: (1 / (1 - x),))
    ((value, _),) = expansions(program, "x", fmpq(0), fmpq(1, 16), {}, Effort(6, 8))
    neglected = sum((fmpq(1, 16) ** k for k in range(5, 40)), fmpq(0))
    assert less(value.tail, 1000 * neglected) is Truth.YES
    assert less(value.tail, neglected) is Truth.NO


def test_series_of_composed_functions():
    """exp(−x) I₀(x) at x = 2 + h against its values at shifted points."""
    program = written(lambda call, x: (call("log", call("i0e", x * x)), call("digamma", 1 + x)))
    with working_precision(200):
        coefficients = series.expand(program, "x", arb(2), {}, 30)
        h = arb(fmpq(1, 100))
        shifted = ball.evaluate(program, {"x": fmpq(201, 100)})
        for row, true in zip(coefficients, shifted, strict=True):
            total = sum((a * h**k for k, a in enumerate(row) if k), row[0])
            assert less(abs(total - true), fmpq(1, 10**30)) is Truth.YES


# Choices ----------------------------------------------------------------------------------------------------------------


def clamp(call, x):
    inside = call("max", call("min", x, 1), -1)
    return inside, call("select", call("less", x, 1), call("select", call("less", -1, x), 1, 0), 0)


def test_choices_are_made_on_boxes():
    program = written(clamp)
    inside, above = (resolved(program, interval.box({"x": side})) for side in ((0, "1/2"), (2, 3)))
    assert [node.op for node in inside.nodes] == ["input", "constant"]
    assert ball.evaluate(above, {"x": 5}) == (1, 0)
    assert ball.evaluate(inside, {"x": 5}) == (5, 1)
    with pytest.raises(OpenChoice, match="open"):
        resolved(program, interval.box({"x": (0, 2)}))


@pytest.mark.parametrize("op", ["abs", "sign", "i0e", "i1e"])
@pytest.mark.parametrize("side", [(1, 2), (-2, -1)])
def test_mirrored_functions(op, side):
    with working_precision(100):
        program = resolved(unary(op), interval.box({"x": side}))
        assert program.nodes[-1].op != "abs"
        x = fmpq(sum(side), 2)
        assert ball.evaluate(program, {"x": x})[0].overlaps(ball.evaluate(unary(op), {"x": x})[0])


def test_pieces_cover_the_box():
    found = pieces(written(clamp), interval.box({"x": (-3, 4)}), fmpq(1, 2**20))
    sides = sorted(box["x"] for box in [*(box for box, _ in found.closed), *found.open])
    assert sides[0][0] == -3
    assert sides[-1][1] == 4
    assert all(left[1] == right[0] for left, right in pairwise(sides))
    assert all(abs(abs(low) - 1) < fmpq(1, 1000) for low, _ in (box["x"] for box in found.open))


# Identities -------------------------------------------------------------------------------------------------------------


def test_the_closed_form_is_coherent_exactly():
    assert is_derivative(closed_form(), "x", fmpq(10), {})
    assert not is_derivative(closed_form(wrong=Fraction(1, 10**30)), "x", fmpq(10), {})


@pytest.mark.parametrize(
    ("write", "expected"),
    [
        (lambda call, x: (call("sqrt", 2 * x + 1), 1 / call("sqrt", 2 * x + 1)), True),
        (lambda call, x: (call("sqrt", 2 * x + 1), -1 / call("sqrt", 2 * x + 1)), False),
        (lambda call, x: (call("rsqrt", x), -1 / (2 * x * call("sqrt", x))), True),
        (lambda call, x: (call("sqrt", (x + 1) * (x + 1)), x - x + 1), True),
        (lambda call, x: (call("atan", x / 3), 3 / (9 + x * x)), True),
        (lambda call, x: (call("log1p", x * x) * 5 - call("log", x), 10 * x / (1 + x * x) - 1 / x), True),
        (lambda call, x: (call("pow", x, 5) / 5, x * x * x * x), True),
        (lambda call, x: (call("fma", x, x, x), 2 * x + 1), True),
        (lambda call, x: (call("fma", x, x, x), 2 * x), False),
    ],
)
def test_identities(write, expected):
    assert is_derivative(written(write), "x", fmpq(2), {}) is expected


@pytest.mark.parametrize(
    "write",
    [
        lambda call, x: (call("sqrt", x) + call("sqrt", x + 1), x),
        lambda call, x: (call("sqrt", x * x + 2), x),
        lambda call, x: (call("sqrt", x * x * x), x),
        lambda call, x: (call("log", x) * x, call("log", x) + 1),
        lambda call, x: (call("pow", x, x), x),
        lambda call, x: (x / (x - x), x),
    ],
)
def test_what_is_not_rational_is_refused(write):
    with pytest.raises(NotRational):
        is_derivative(written(write), "x", fmpq(2), {})


# Defects ----------------------------------------------------------------------------------------------------------------

SMALL = within(fmpq(3, 10**16), fmpq(0))


def test_the_closed_form_on_five_decades():
    (stretch,) = march(closed_form(), "x", (fmpq(1, 1000), fmpq(10) ** 5), {}, SMALL, 2000)
    assert stretch.kind is Kind.AT_MOST
    assert (stretch.low, stretch.high) == (fmpq(1, 1000), fmpq(10) ** 5)
    assert stretch.bound is not None
    assert 0 <= stretch.bound <= fmpq(3, 10**16)
    assert 100 < stretch.boxes < 600


def test_a_planted_defect_is_bounded_from_below():
    """x·10⁻⁶ added to the derivative: at least 10⁻⁶ from 2 on, and within the tolerance nowhere there."""
    program = closed_form(wrong=Fraction(1, 10**6))
    (stretch,) = march(program, "x", (fmpq(2), fmpq(50)), {}, beyond(fmpq(1, 10**6)), 500)
    assert stretch.kind is Kind.AT_LEAST
    assert all(each.kind is Kind.AT_LEAST for each in march(program, "x", (fmpq(1), fmpq(50)), {}, SMALL, 500))
    assert any(each.kind is Kind.OPEN for each in march(program, "x", (fmpq(1), fmpq(50)), {}, beyond(fmpq(2, 10**6)), 300))


def test_kinks_and_singularities_stay_open():
    program = written(lambda call, x: (call("sqrt", x) + call("abs", x - 1), 1 / (2 * call("sqrt", x)) + call("sign", x - 1)))
    found = march(program, "x", (fmpq(0), fmpq(4)), {}, within(fmpq(1, 10**9), fmpq(0)), 3000)
    opened = [each for each in found if each.kind is Kind.OPEN]
    assert [each.kind for each in found] == [Kind.OPEN, Kind.AT_MOST, Kind.OPEN, Kind.AT_MOST]
    assert opened[0].low == 0
    assert opened[1].low <= 1 <= opened[1].high
    assert all(each.high - each.low < fmpq(1, 10**9) for each in opened)


def test_a_clamp_of_the_supplied_derivative_is_no_kink_of_the_forward():
    """x²/2 with min(x, 1): the defect on [1/2, 3/2] is enclosed though the minimum is open there."""
    program = written(lambda call, x: (x * x / 2, call("min", x, 1)))
    defect, supplied = enclosure(program, "x", fmpq(1, 2), fmpq(3, 2), {})
    assert defect.is_finite()
    assert supplied.is_finite()
    assert defect.contains(-HALF)
    assert defect.contains(arb(0))


def test_an_attempt_limit_leaves_the_rest_open():
    found = march(closed_form(), "x", (fmpq(1), fmpq(10) ** 5), {}, SMALL, 20)
    assert found[-1].kind is Kind.OPEN
    assert found[-1].high == 10**5
    assert found[-1].boxes == 0


def test_nothing_is_proved_where_the_program_is_undefined():
    program = written(lambda call, x: (call("log", x), 1 / x))
    found = march(program, "x", (fmpq(-1), fmpq(-2)), {}, SMALL, 200)
    assert {each.kind for each in found} == {Kind.OPEN}
    assert math.isclose(float(found[0].high.p) / float(found[0].high.q), -1)
