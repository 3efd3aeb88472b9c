"""The sweeps of the checker of differences: every operation encloses sharply, in its unit; every error counts wherever it matters."""

import itertools
import math
from fractions import Fraction

import pytest
from rounding_in_rationals import hull
from small_difference import decided

from certify.checker import difference as checker

ONE, HALF = checker.ONE, Fraction(1, 2)
UNITS = {"1": checker.NONE, "D": checker.GAP, "nu": checker.ORDER, "s0": checker.SMALL, "s1": checker.LARGE}
SIDES = [(low, high) for low in range(-3, 4) for high in range(low, 4)]


def grid(*numbers: str | Fraction) -> tuple[int, ...]:
    """The least interval that contains these numbers."""
    first, *_, last = map(Fraction, [numbers[0], *numbers])
    return math.floor(first * ONE), math.ceil(last * ONE)


# Intervals ---------------------------------------------------------------------------------------------------------------


def test_products_are_rounded_outward():
    for a, b in itertools.product(SIDES, SIDES):
        for one in (1, ONE // 2 + 1):
            low, high = hull(lambda p, q: Fraction(p * q, ONE), *(tuple(end * one for end in side) for side in (a, b)))
            assert checker.by(*(tuple(end * one for end in side) for side in (a, b))) == (math.floor(low), math.ceil(high))


@pytest.mark.parametrize("a", [("1/3", "1/3"), ("2/3", "5/7"), ("3", "7"), (Fraction(1, ONE), "1")])
def test_reciprocals_are_rounded_outward(a):
    low, high = grid(*a)
    assert checker.inverse((low, high)) == (math.floor(Fraction(ONE * ONE, high)), math.ceil(Fraction(ONE * ONE, low)))


@pytest.mark.parametrize("low", [0, -1])
def test_reciprocals_of_what_may_be_zero_are_refused(low):
    with pytest.raises(checker.Refused, match="^division by an interval that is not positive$"):
        checker.inverse((low, ONE))


def test_legs():
    assert checker.leg_of((0, 0)) == (ONE, ONE)
    assert checker.leg_of((ONE, ONE + 1)) == (0, 1)
    low, high = checker.leg_of(grid("3/5", "4/5"))
    for found, exact in ((low, "3/5"), (high - 1, "4/5")):
        assert abs(found - Fraction(exact) * ONE) <= 2
    assert low * low <= ONE * ONE - grid("4/5")[1] ** 2 < (low + 1) ** 2
    assert (high - 1) ** 2 <= ONE * ONE - grid("3/5")[0] ** 2 < high**2


def test_other_functions_of_intervals():
    assert checker.up(Fraction(1, 3)) == -(-ONE // 3)
    assert checker.up(Fraction(-1, 3)) == -(ONE // 3)
    assert checker.negative((-2, 3)) == (-3, 2)
    assert [checker.from_zero(a) for a in ((2, 3), (-3, -2), (-2, 3))] == [(0, 3), (-3, 0), (-2, 3)]
    assert checker.joined((1, 2, 3, 4, 5), (5, 3, 2, 1, 1)) == (6, 5, 5, 5, 6)
    assert checker.joined((1, 2, 3, 4, 5), (5, 3, 2, 1, 1), -1) == (-4, -1, 1, 3, 4)


@pytest.mark.parametrize("a", [(3, 5), (-5, 3), (-5, -3), (0, 0)])
@pytest.mark.parametrize("error", [0, 1, ONE // 3, ONE])
def test_relative_errors_widen_both_ends(a, error):
    below, above = (math.ceil(Fraction(abs(end) * error, ONE)) for end in a)
    assert checker.widened(a, error) == (a[0] - below, a[1] + above)


# Which results are exact ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", ["0", "1", "-3/8", "16777215", "-16777215/64", str(2**40)])
def test_constants_that_are_floats_are_exact(number):
    assert checker.relative_errors((("constant", Fraction(number)),), {}) == [0]


@pytest.mark.parametrize("number", ["16777217", "1/3", "-5/24", "-1/12", "3/5"])
def test_other_constants_are_within_501_thousandths(number):
    assert checker.relative_errors((("constant", Fraction(number)),), {}) == [math.ceil(Fraction(501, 500) * ONE / 2**24)]


@pytest.mark.parametrize(
    ("number", "exact"), [("1/2", True), ("-4", True), ("1", True), ("0", False), ("3", False), ("1/3", False), ("2/3", False)]
)
def test_products_with_powers_of_two_are_exact(number, exact):
    for args in ((0, 1), (1, 0)):
        program = (("constant", Fraction(number)), ("input", "nu"), ("mul", *args), ("div", *args), ("neg", 1))
        u = ONE >> 24
        assert checker.relative_errors(program, {"mul": HALF, "div": HALF})[1:] == [0, 0 if exact else u, u, 0]
        assert checker.relative_errors(program, {"mul": Fraction(3, 2), "div": HALF})[2] == 3 * u


def test_an_ulp_is_twice_u():
    assert checker.relative_errors((("input", "low"), ("input", "nu"), ("hypot", 0, 1)), {"hypot": Fraction(4, 3)}) == [
        0,
        0,
        -(-8 * ONE // 3 >> 24),
    ]


# Single operations ------------------------------------------------------------------------------------------------------------

BOX = (grid("3/5", "3/4"), grid("1/4", "4/5"), grid("1/3", "1/2"))
T, Q, EPS = (tuple(map(Fraction, side)) for side in (("3/5", "3/4"), ("1/4", "4/5"), ("1/3", "1/2")))


def sweep(text: str, box=BOX, kind=checker.Sweep, errors: dict | None = None) -> checker.Sweep:
    """Without errors, but for those of some places."""
    program = decided(text)[0]
    return kind(program, [(errors or {}).get(place, 0) for place in range(len(program))], box)


def close(found, expected, slack=64):
    """Around the expected interval, and hardly wider."""
    for side, (low, high) in zip(found, expected, strict=True):
        assert 0 <= low * ONE - side[0] <= slack
        assert 0 <= side[1] - high * ONE <= slack


def test_inputs_and_their_roots():
    values = sweep("a b nu hypot:0,2 hypot:1,2 mul:3,4 mul:5,0 mul:6,1").values[:5]
    assert [unit for unit, _ in values] == [UNITS[name] for name in ("s0", "s1", "nu", "s0", "s1")]
    assert values[0][1] == checker.leg_of(BOX[0])
    assert values[1][1] == checker.leg_of(checker.by(BOX[0], BOX[1]))
    assert [value for _, value in values[2:]] == [(ONE, ONE)] * 3


def test_constants_are_enclosed():
    assert sweep("-1/3").values == [(UNITS["1"], (-(ONE // 3) - 1, -(ONE // 3)))]
    assert sweep("-1/3", errors={0: ONE >> 24}).values == [(UNITS["1"], checker.widened((-(ONE // 3) - 1, -(ONE // 3)), ONE >> 24))]


def test_the_difference_and_the_sum_of_both_have_units_of_their_own():
    for kind, unit, value in (
        (checker.Sweep, (1, -1, 0, 0, 0), (ONE + BOX[1][0], ONE + BOX[1][1])),
        (checker.Underflow, UNITS["D"], (ONE, ONE)),
    ):
        assert sweep("a b nu sub:1,0", kind=kind).gap() == (unit, value)
        assert sweep("a b nu sub:1,0").values[-1] == ((1, -1, 0, 0, 0), (ONE + BOX[1][0], ONE + BOX[1][1]))
        assert sweep("a b nu sub:0,1").values[-1] == ((1, -1, 0, 0, 0), (-ONE - BOX[1][1], -ONE - BOX[1][0]))
    for text in ("a b nu add:1,0", "a b nu add:0,1"):
        assert sweep(text).values[-1] == ((0, 1, -1, -1, -1), (ONE, ONE))
    found = sweep("a b nu add:0,1", kind=checker.Underflow)
    low, high = checker.leg_of(BOX[0]), checker.leg_of(checker.by(BOX[0], BOX[1]))
    assert found.sum_of_both() == found.total([(UNITS["s0"], low), (UNITS["s1"], high)])


def test_powers_of_the_box():
    found = sweep("nu")
    close(
        [found.power((1, 2, 3)), found.power((0, 0, 0)), found.power((0, 1, 0))],
        [hull(lambda t, q, e: t * q**2 * e**3, T, Q, EPS), (1, 1), Q],
    )
    for powers in ((-1, 0, 0), (0, 0, checker.MAX_POWER + 1), (3, -2, 3)):
        with pytest.raises(checker.Refused, match="^a quantity is not bounded in the unit that it is needed in$"):
            found.power(powers)
    assert found.power((0, 0, checker.MAX_POWER)) == (0, 1)


def test_sums_are_in_the_least_unit():
    """nu + s0 = s0 (t + 1), s0 + s1 = s1 (q + 1), 1 + nu = nu (eps + 1), 2 nu s1 - s0 = s1 nu (2 - q eps)."""
    for text, unit, function in (
        ("a b nu hypot:0,2 add:2,3", "s0", lambda t, q, e: t + 1),
        ("a b nu hypot:0,2 hypot:1,2 add:4,3", "s1", lambda t, q, e: q + 1),
        ("a b nu 1 add:3,2", "nu", lambda t, q, e: e + 1),
        ("a b nu 1 sub:3,2", "nu", lambda t, q, e: e - 1),
        ("a b nu hypot:0,2 sub:2,3", "s0", lambda t, q, e: t - 1),
        ("a b nu hypot:1,2 sub:3,2", "s1", lambda t, q, e: 1 - t * q),
    ):
        found, value = sweep(text).values[-1]
        assert found == UNITS[unit]
        close([value], [hull(function, T, Q, EPS)])
    unit, value = sweep("a b nu 2 hypot:0,2 hypot:1,2 mul:2,3 mul:6,5 sub:7,4").values[-1]
    assert unit == checker.joined(UNITS["s1"], UNITS["nu"])
    close([value], [hull(lambda t, q, e: 2 - q * e, T, Q, EPS)])


def test_three_parts():
    found = sweep("nu")
    unit, value = found.total([(UNITS["nu"], (ONE, ONE)), (UNITS["s0"], (2 * ONE, 2 * ONE)), (UNITS["1"], (3 * ONE, 3 * ONE))])
    assert unit == UNITS["s0"]
    close([value], [hull(lambda t, e: t + 2 + 3 * e * t, T, EPS)])


@pytest.mark.parametrize("text", ["a b nu sub:1,0 add:3,2", "a b nu add:1,0 sub:3,2", "a b nu sub:1,0 add:1,0 sub:3,4"])
def test_sums_of_what_is_proportional_to_the_difference_and_what_is_not(text):
    with pytest.raises(checker.Refused, match="^a sum of quantities that are not in proportion to the difference alike$"):
        sweep(text)


def test_products_quotients_and_signs():
    text = "a b nu hypot:0,2 hypot:1,2 1/3 add:2,3 add:3,4 neg:6"
    for more, unit, function in (
        ("mul:6,7", (0, 0, -2, -1, -2), lambda t, q, e: (t + 1) * (q + 1)),
        ("div:6,7", (0, 0, 0, 1, 0), lambda t, q, e: (t + 1) / (q + 1)),
        ("div:5,6", (0, 0, 1, 0, 1), lambda t, q, e: Fraction(1, 3) / (t + 1)),
        ("mul:8,7", (0, 0, -2, -1, -2), lambda t, q, e: -(t + 1) * (q + 1)),
        ("div:8,7", (0, 0, 0, 1, 0), lambda t, q, e: -(t + 1) / (q + 1)),
    ):
        found, value = sweep(f"{text} {more}").values[-1]
        assert found == unit
        close([value], [hull(function, T, Q, EPS)])


@pytest.mark.parametrize(
    ("least", "normal"), [("1", True), ("1025/1024", True), ("4093/4096", True), ("1023/1024", False), ("1022/1024", False)]
)
@pytest.mark.parametrize(("root", "unit"), [(3, (0, 0, 1, 0, 1)), (4, (0, 0, 1, 1, 1))])
def test_reciprocals_of_roots_may_be_subnormal_within_3_halves_of_the_error(least, normal, root, unit):
    """1/s is 0.7 of the least normal number at least."""
    found = sweep(f"a b nu hypot:0,2 hypot:1,2 {least} div:5,{root}")
    assert found.values[-1][0] == unit
    assert found.normal == ({len(found.program) - 1} if normal else set())


def test_a_reciprocal_is_normal_only_if_it_is_everywhere():
    found = sweep("a b nu hypot:0,2 1 div:4,3", errors={2: ONE >> 9})
    assert found.normal == set()
    assert found.values[-1][1] == checker.inverse((ONE - (ONE >> 9), ONE + (ONE >> 9)))


def test_the_error_of_a_reciprocal():
    program = decided("a b nu hypot:0,2 1 div:4,3")[0]
    for error, wider in ((6, 9), (7, 11)):
        errors = [0] * (len(program) - 1) + [error]
        found = checker.Sweep(program, errors, BOX)
        assert (found.errors[-1], errors[-1]) == (wider, error)
        assert found.values[-1][1] == (ONE - wider, ONE + wider)
    assert checker.Sweep(decided("a b nu 1 div:3,2")[0], [0, 0, 6], BOX).errors == [0, 0, 6]


# Logarithms --------------------------------------------------------------------------------------------------------------------

LOG = "a b nu hypot:0,2 sub:1,0 add:1,0 hypot:1,2 add:3,6 div:5,7 mul:4,8 div:9,3 log1p:10"


@pytest.mark.parametrize("g", [("1/2", "3/4"), ("1", "1"), ("1/5", "6/5")])
def test_logarithms_and_their_slopes(g):
    """log(1 + z), z = (1 - q)/q*g, over z; and q times the slope is q/(q + (1 - q)*g), in the unit q."""
    found = sweep(LOG)
    place = len(found.program) - 1
    found.values[place - 1] = ((1, 0, 1, 0, 1), grid(*g))
    unit, value = found.log1p(place, place - 1)
    assert unit == (1, 0, 1, 0, 1)
    low, high = (Fraction(end) for end in g)
    slopes = [q + part * (1 - q) for q in Q for part in (low, high)]
    slope_unit, slope = found.slopes[place]
    assert slope_unit == (0, 0, 0, 1, 0)
    close([slope], [(1 / max(slopes), 1 / min(slopes))])
    p, q = Q
    above = min(Fraction(1), (1 + q / (q + (1 - q) * low)) / 2)
    below = 2 * p / (2 * p + (1 - p) * high)
    close([value], [(low * below, high * above)])


@pytest.mark.parametrize(
    ("unit", "value", "fits"), [("z", (1, ONE), True), ("z", (0, ONE), False), ("D", (1, ONE), False), ("1", (1, ONE), False)]
)
def test_the_argument_of_a_logarithm_is_the_difference_over_something_like_s0(unit, value, fits):
    found = sweep(LOG)
    place = len(found.program) - 1
    found.values[place - 1] = ({"z": (1, 0, 1, 0, 1)} | UNITS)[unit], value
    if fits:
        found.log1p(place, place - 1)
    else:
        with pytest.raises(checker.Refused, match="^the argument of a logarithm is not the difference over something like s0$"):
            found.log1p(place, place - 1)


def test_logarithms_to_the_last_unit():
    """Where g = 1, f = 1; 2q/(1 + q) is 2/3 for q = 1/2."""
    found = sweep(LOG, box=(BOX[0], grid("1/2"), BOX[2]))
    place = len(found.program) - 1
    found.values[place - 1] = ((1, 0, 1, 0, 1), (ONE, ONE))
    assert found.log1p(place, place - 1)[1] == ((ONE << 64) // (3 * ONE // 2 + 1), 3 * ONE // 4)
    assert found.slopes[place][1] == (ONE - 1, ONE)


# Derivatives -------------------------------------------------------------------------------------------------------------------


def test_partial_derivatives():
    text = "a b nu hypot:0,2 hypot:1,2 add:2,3 add:3,4"
    whole, minus = (checker.NONE, (ONE, ONE)), (checker.NONE, (-ONE, -ONE))
    for more, expected in (("add:5,6", [whole, whole]), ("sub:5,6", [whole, minus]), ("neg:6 add:5,7", [minus])):
        found = sweep(f"{text} {more}")
        assert found.partials(7) == expected
    found = sweep(f"{text} mul:5,6")
    (first, a), (second, b) = found.partials(len(found.program) - 1)
    assert (first, second) == (UNITS["s1"], UNITS["s0"])
    close([a, b], [hull(lambda q: 1 + q, Q), hull(lambda t: 1 + t, T)])
    found = sweep(f"{text} div:5,6")
    (first, a), (second, b) = found.partials(len(found.program) - 1)
    assert (first, second) == ((0, 0, 1, 1, 1), (0, 0, 1, 2, 1))
    close([a, b], [hull(lambda q: 1 / (1 + q), Q), hull(lambda t, q: -(1 + t) / (1 + q) ** 2, T, Q)])
    found = sweep(LOG)
    assert found.partials(len(found.program) - 1) == [found.slopes[len(found.program) - 1]]


def adjoints(text: str, **given) -> dict:
    found = sweep(text, **given)
    return {(place, op): derivative for place, op, _, derivative in found.adjoints()}


def test_derivatives_of_the_output():
    """Of 2*(nu + s0)/s1."""
    found = adjoints("a b nu hypot:0,2 hypot:1,2 add:2,3 div:5,4 add:6,6")
    assert found[7, "add"] == (checker.NONE, (ONE, ONE))
    assert found[6, "div"] == (checker.NONE, (2 * ONE, 2 * ONE))
    assert found[5, "add"][0] == (0, 0, 1, 1, 1)
    close([found[5, "add"][1]], [(2, 2)])
    assert found[4, "hypot"][0] == (0, 0, 1, 2, 1)
    close([found[4, "hypot"][1]], [hull(lambda t: -2 * (1 + t), T)])
    assert len(found) == 5


def test_a_product_may_be_fused_with_each_sum_that_it_enters():
    found = adjoints("a b nu 3 mul:2,3 add:4,3 sub:5,4 neg:4 add:6,7")
    ((_, low),) = [found[key] for key in found if key[1] == "mul"]
    assert low == (-2 * ONE, 0)


@pytest.mark.parametrize(
    ("op", "error", "bound"), [("mul", 1 << 30, 1 << 30), ("sub", 1 << 30, 1 << 30), ("div", 1 << 30, 1 << 30), ("neg", 1, 0)]
)
def test_the_bound_of_the_error(op, error, bound):
    """Every factor of s1 - s0 errs by itself, relatively."""
    text, box = "a b nu sub:1,0 add:1,0 hypot:0,2 hypot:1,2 add:5,6 div:4,7 mul:3,8", (BOX[0], grid("1/4"), BOX[2])
    errors = {place: error for place, node in enumerate(decided(text)[0]) if node[0] == op}
    assert bound <= sweep(text, box, errors=errors).bound() <= bound + 8


def test_the_bounds_of_all_errors_add_up():
    text, box = "a b nu sub:1,0 add:1,0 hypot:0,2 hypot:1,2 add:5,6 div:4,7 mul:3,8 div:9,5", (BOX[0], grid("1/4"), BOX[2])
    assert sweep(text, box).bound() == 0
    errors = dict.fromkeys((3, 8, 9, 10), 1 << 30)
    exact = 4 * T[1] * EPS[1] * 2**30
    assert exact <= sweep(text, box, errors=errors).bound() <= exact + 256


def test_nothing_is_asked_of_the_legs_of_a_root():
    assert len(list(sweep("a b nu hypot:2,0 add:3,2", (grid("1/2", "1"), *BOX[1:])).adjoints())) == 2


def test_an_error_that_is_not_in_proportion_to_the_difference_is_refused():
    with pytest.raises(checker.Refused, match="^an error is not in proportion to the difference$"):
        sweep("a b nu hypot:0,2 hypot:1,2 sub:4,3", errors={3: 1}).bound()


# Underflow ----------------------------------------------------------------------------------------------------------------------


def underflow(text: str, **given):
    return sweep(text, kind=checker.Underflow, **given)


@pytest.mark.parametrize(("number", "normal"), [("1/1024", False), ("1/1023", True), ("-1", False)])
def test_how_large_a_normal_number_is(number, normal):
    found = underflow(f"nu {number} mul:0,1")
    assert (2 in found.normal) is normal


def test_values_that_may_underflow_are_between_0_and_more_than_exact():
    for error, signed in ((0, False), (ONE >> 24, False), (1 + (ONE >> 24), True)):
        for text, exact in (("1/2048", "1/2048"), ("-1/2048", "-1/2048"), ("0", "0")):
            found = underflow(f"nu {text} mul:0,1", errors={2: error})
            low, high = checker.widened(grid(exact), error)
            extra = ONE >> 10
            assert found.values[2] == (
                UNITS["nu"],
                (min(low - (extra if signed or low < 0 else 0), 0), max(high + (extra if signed or high > 0 else 0), 0)),
            )


@pytest.mark.parametrize("value", [(-5, 7), (0, 1), (-1, 0)])
def test_signs_are_kept(value):
    below, above = ((end != 0) * (ONE >> 10) for end in value)
    assert underflow("nu 1/2048 mul:0,1").rounded(2, "mul", UNITS["nu"], value) == (UNITS["nu"], (value[0] - below, value[1] + above))


def test_large_powers_are_taken_into_the_value():
    """1/nu/nu is eps^2 at most."""
    unit, value = underflow("nu 1 div:1,0 div:2,0").values[-1]
    assert unit == checker.NONE
    close([value], [(0, Fraction(1025, 1024) * EPS[1] ** 2 + Fraction(1, 1024))])
    assert underflow("nu 1 div:1,0").values[-1][0] == (0, 0, 0, 0, 1)


def test_the_difference_is_at_most_s1():
    found = underflow("a b nu sub:1,0")
    assert found.values[-1] == (UNITS["D"], (0, ONE))
    assert found.passed((1, 0, 1, 0, 1), (3, 5)) == ((0, 0, 0, -1, 0), (3, 5))
    assert found.passed((0, 0, 1, 0, 1), (3, 5)) == ((0, 0, 1, 0, 1), (3, 5))
    assert sweep("nu").passed((1, 0, 1, 0, 1), (3, 5)) == ((1, 0, 1, 0, 1), (3, 5))


def test_logarithms_are_between_0_and_their_argument():
    found = underflow("nu 1/2 log1p:1")
    found.values[1] = checker.NONE, (0, 7)
    assert found.log1p(2, 1) == (checker.NONE, (0, 7))
    assert found.slopes[2] == (checker.NONE, (0, ONE))
    found.values[1] = checker.NONE, (-1, 7)
    with pytest.raises(checker.Refused, match="^the argument of a logarithm may be negative$"):
        found.log1p(2, 1)


@pytest.mark.parametrize(
    ("unit", "value", "fits"),
    [
        ("s1", (0, 181 * ONE // 64), True),
        ("s1", (0, 181 * ONE // 64 + 1), False),
        ("s1", (-181 * ONE // 64, 0), True),
        ("s1", (-181 * ONE // 64 - 1, 0), False),
        ("1", (0, ONE << 60), True),
        ("1", (0, (ONE << 60) + 1), False),
        ("nu", (0, 181 * ONE // 39), True),  # nu is at most 3/4*4/5*s1
        ("nu", (0, 181 * ONE // 38), False),
        ("s1*s1", (0, 1), False),
        ("nu/s0", (0, ONE << 60), True),
        ("1/s0", (0, ONE << 61), True),
    ],
)
def test_what_may_overflow(unit, value, fits):
    found = underflow("nu")
    units = UNITS | {"s1*s1": (0, 0, -2, -2, -2), "nu/s0": (0, 0, 1, 0, 0), "1/s0": (0, 0, 1, 0, 1)}
    if fits:
        found.fits(units[unit], value)
    else:
        with pytest.raises(checker.Refused, match="^a quantity may overflow$"):
            found.fits(units[unit], value)


def test_what_underflow_adds():
    """Of (1/nu)*3: 1/nu errs by w, and so does the product; c is 3 + 1. Of nu*(1/nu): nu + 1."""
    assert underflow("nu 1 div:1,0 3 mul:2,3").coefficients() == [3 * ONE + ONE, 0]
    c, d = underflow("nu 1 div:1,0 mul:0,2").coefficients()
    assert (c, d) == (ONE, ONE)
    c, d = underflow("nu 1 div:1,0 mul:0,2 mul:3,2").coefficients()
    assert d == 0
    assert 2 * ONE <= c - 2 * EPS[1] * ONE <= 3 * ONE


def test_what_underflow_adds_is_bounded_over_the_box():
    """(1/s0)^2, if only 1/s0 underflows: 2/s0 = 2 t eps."""
    found = underflow("a b nu hypot:0,2 1 div:4,3 mul:5,5")
    found.normal = set(range(len(found.program))) - {len(found.program) - 2}
    c, d = found.coefficients()
    assert d == 0
    assert 0 <= c - 2 * T[1] * EPS[1] * ONE <= 8


def test_a_quotient_by_the_sum_of_roots_is_multiplied_by_less_than_5_where_it_underflows():
    """(high - low)*((low + high)/(s0 + s1)): near low = high = 0 the quotient errs by w, times high - low < 5, and the product by w."""
    text, box = "a b nu sub:1,0 add:1,0 hypot:0,2 hypot:1,2 add:5,6 div:4,7 mul:3,8", (grid("3/5", "1"), grid("1/4", "1"), BOX[2])
    for place, factor, change in (
        (8, 5, ("", "")),
        (8, 5, ("sub:1,0", "sub:0,1")),
        (6, 5, ("div:4,7", "div:4,6")),
        (9, 1, ("", "")),
        (4, Fraction(4, 5), ("", "")),
    ):
        found = underflow(text.replace(*change) if change[0] else text, box=box)
        assert place not in found.normal
        found.normal = {*range(len(found.program))} - {place}
        c, d = found.coefficients()
        assert d == 0
        assert 0 <= c - factor * ONE <= 8
    for other in ("div:3,7 mul:4,8", "div:2,7 mul:3,8", "div:3,7 mul:3,8"):
        with pytest.raises(checker.Refused, match="^a quantity is not bounded in the unit that it is needed in$"):
            underflow(text.replace("div:4,7 mul:3,8", other), box=box).coefficients()
