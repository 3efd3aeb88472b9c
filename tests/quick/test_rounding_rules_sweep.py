"""The sweeps of the checker of rounding certificates: every operation encloses sharply, every rounding costs what ROUNDING.md says."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import pytest
from rounding_in_rationals import hull, sweeps
from small_rounding import read, theorem

from certify.checker import rounding as checker

HALF = Fraction(1, 2)
SIDES = [(low, high) for low in range(-3, 4) for high in range(low, 4)]


# Intervals of integers ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bits", [0, 1, 2])
def test_products_are_rounded_outward(bits):
    for a, b in itertools.product(SIDES, SIDES):
        low, high = hull(lambda p, q: Fraction(p * q, 1 << bits), a, b)
        assert checker.times(a, b, bits) == (math.floor(low), math.ceil(high))


@pytest.mark.parametrize("bits", [0, 1, 2])
def test_quotients_are_rounded_outward(bits):
    for a, b in itertools.product(SIDES, [(low, high) for low, high in SIDES if low > 0]):
        low, high = hull(lambda p, q: Fraction(p << bits, q), a, b)
        assert checker.over(a, b, bits) == (math.floor(low), math.ceil(high))


@pytest.mark.parametrize("low", [0, -1])
def test_quotients_by_what_may_be_zero_are_refused(low):
    with pytest.raises(checker.Refused, match="^division by an interval that is not positive$"):
        checker.over((1, 1), (low, 2), 4)


@pytest.mark.parametrize(("number", "ends"), [("1/3", (5, 6)), ("-1/3", (-6, -5)), ("3/8", (6, 6)), ("0", (0, 0))])
def test_numbers_are_rounded_outward(number, ends):
    assert checker.scaled(Fraction(number), 4) == ends


@pytest.mark.parametrize(
    ("interval", "cap", "size"),
    [((-3, 2), None, 3), ((-2, 3), None, 3), ((1, 3), 2, 2), ((1, 3), 4, 3), ((-3, 2), 1, 3), ((-3, -2), None, 3)],
)
def test_magnitudes(interval, cap, size):
    assert checker.magnitude(interval, cap) == size


@pytest.mark.parametrize(("size", "correct", "loose"), [(1, 1, 1), (2, 1, 2), (3, 2, 2), (4, 2, 4), (5, 4, 4), (8, 4, 8), (0, 1, 1)])
def test_binades(size, correct, loose):
    assert checker.binade(size, HALF) == correct
    assert checker.binade(size, Fraction(1)) == loose


# One operation ------------------------------------------------------------------------------------------------------------

BITS = 72
ONE = 1 << BITS


def sweep(text: str = "", slack: Counter | None = None, bits: int = BITS, **given) -> checker.Sweep:
    return checker.Sweep(read(text, **given), bits, Counter() if slack is None else slack)


def grid(*numbers: str) -> tuple[int, ...]:
    return tuple(int(Fraction(number) * ONE) for number in numbers)


def close(found, expected):
    """Around the expected interval, and hardly wider."""
    for side, (low, high) in zip(found, expected, strict=True):
        assert 0 <= low * ONE - side[0] <= 256
        assert 0 <= side[1] - high * ONE <= 256


OPERATIONS = {
    "add": (lambda a, b: a + b, lambda a, b: 1, lambda a, b: 1),
    "sub": (lambda a, b: a - b, lambda a, b: 1, lambda a, b: -1),
    "mul": (lambda a, b: a * b, lambda a, b: b, lambda a, b: a),
    "div": (lambda a, b: a / b, lambda a, b: 1 / b, lambda a, b: -a / (b * b)),
}
F = (Fraction(1, 5), Fraction(3, 7))
PAIRS = [
    ((Fraction(-2, 3), Fraction(5, 3)), (Fraction(1, 7), Fraction(4, 3))),
    ((Fraction(1, 9), Fraction(1, 3)), (Fraction(2, 7), Fraction(3))),
]


@pytest.mark.parametrize("op", OPERATIONS)
@pytest.mark.parametrize("lift", [0, 1, 2])
@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_products_and_sums_with_their_derivatives(op, lift, a, b):
    if op in ("add", "sub"):
        lifts = [(0, 0), (1, 0), (0, 1)][lift]
        parts = [lambda p, q, f, o=o, lifts=lifts: o(p * f ** lifts[0], q * f ** lifts[1]) for o in OPERATIONS[op][:1]]
        parts += [lambda p, q, f, n=n, lifts=lifts: OPERATIONS[op][n + 1](p, q) * f ** lifts[n] for n in (0, 1)]
    else:
        lifts = (lift,)
        parts = [lambda p, q, f, o=o: o(p, q) * f**lift for o in OPERATIONS[op]]
    node = checker.Node(op, (0, 0), 0, lifts, HALF)
    enclosed = [tuple(checker.scaled(end, BITS)[side] for side, end in enumerate(ends)) for ends in (a, b, F)]
    value, cap, partials = sweep().value(node, [(enclosed[0], 0, None), (enclosed[1], 0, None)], enclosed[2], {})
    assert cap is None
    close([value, *partials], [hull(part, a, b, F) for part in parts])


def test_leaves():
    lengths, f = {"x'": (1, 2), "nu": (3, 4)}, (5, 6)
    value = sweep().value
    assert value(checker.Node("x'", (), 1), [], f, lengths) == ((1, 2), None, ())
    assert value(checker.Node("nu", (), 1), [], f, lengths) == ((3, 4), None, ())
    assert value(checker.Node("x_max", (), None), [], f, lengths) == ((0, 0), None, ())
    third = checker.Node("constant", (), 0, (), None, Fraction(1, 3))
    assert value(third, [], f, lengths) == (checker.scaled(Fraction(1, 3), BITS), None, ())
    root = checker.Node("hypot", (3, 1), 1, (), HALF)
    assert value(root, [((1, 1), 0, None)] * 2, f, lengths) == ((ONE, ONE), None, ((0, ONE), (0, ONE)))


def test_the_sum_of_squares_is_1_up_to_the_errors_of_the_squares():
    found = sweep(mul="5/2", slack=Counter({2: 7})).value(checker.Node("squares", (5, 6), 2, (0, 0), HALF), [], F, {})
    width = (5 << (BITS - 24)) + 28
    assert found == ((ONE - width, ONE + width), None, ((ONE, ONE), (ONE, ONE)))


def test_roots():
    (low, high), cap, [slope] = sweep().value(checker.Node("sqrt", (7,), 1, (), HALF), [(grid("1/3", "5/3"), 0, None)], F, {})
    assert cap is None
    for root, end in ((low, grid("1/3")[0]), (high - 1, grid("5/3")[0])):
        assert root * root <= end * ONE < (root + 1) ** 2
    assert slope == (ONE * ONE // (2 * high), -(-ONE * ONE // (2 * low)))


@pytest.mark.parametrize(
    ("degree", "ulps", "cap_of_a", "b", "cap"),
    [
        (0, HALF, 9, (0, 5), 9),
        (0, HALF, None, (0, 5), None),
        (0, HALF, 9, (-1, 5), None),
        (0, Fraction(1), 9, (0, 5), None),
        (1, HALF, 9, (0, 5), None),
    ],
)
def test_a_difference_is_capped_as_its_first_part_is_if_the_second_is_not_negative(degree, ulps, cap_of_a, b, cap):
    for op, expected in (("sub", cap), ("add", None)):
        node = checker.Node(op, (0, 0), degree, (0, 0), ulps)
        assert sweep().value(node, [((1, 2), 0, cap_of_a), (b, 0, 11)], F, {})[1] == expected


def test_a_quotient_by_what_is_above_is_capped_by_1():
    arguments = [((1, 2), 0, 3), ((4, 5), 0, 7)]
    for op, capped, cap in (("div", True, ONE), ("div", False, None), ("mul", False, None)):
        assert sweep().value(checker.Node(op, (0, 0), 0, (0,), HALF, None, capped), arguments, (6, 7), {})[1] == cap


# What a rounding costs -------------------------------------------------------------------------------------------------------


def test_roundoff_is_2_ulps_u_and_rounded_up():
    one = sweep(bits=24)
    assert [one.roundoff(HALF, size) for size in (0, 1, 2, 1 << 24)] == [0, 1, 1, 1]
    assert [one.roundoff(Fraction(4, 3), size) for size in (1 << 24, 3 << 24, (3 << 24) + 1)] == [3, 8, 9]
    assert sweep(bits=24, digits=20).roundoff(HALF, 1 << 24) == 16


def test_exact_results_cost_nothing():
    assert sweep().error(None, ONE, 0, F) == 0
    assert checker.Sweep(read(""), BITS, None).error(HALF, ONE, 0, F) == 0


U = 1 << (BITS - 24)


@pytest.mark.parametrize(
    ("ulps", "size", "degree", "f", "cost"),
    [
        (HALF, "1", 0, ("0", "1"), U // 2),  # at most 1, by the binade below
        (HALF, "17/16", 0, ("0", "1"), U),
        (HALF, "15/8", 0, ("0", "1"), U),
        (Fraction(1), "1", 0, ("0", "1"), 2 * U),
        (Fraction(1), "15/16", 0, ("0", "1"), U),
        (HALF, "3/4", 0, ("1/2", "1/2"), U // 2),
        (HALF, "3/4", 2, ("1/2", "1/2"), 3 * U // 4),  # relatively
        (HALF, "3/4", 1, ("0", "1/2"), 3 * U // 4),  # s has no bound
        (HALF, "3/4", -1, ("0", "1/2"), 3 * U // 4),
        (HALF, "3/4", 1, ("1/2", "1/2"), U // 2),  # 3/2, below 2
        (HALF, "3/4", 1, ("1/4", "1/2"), 3 * U // 4),  # up to 3, s at least 2
        (HALF, "17/16", 1, ("1/2", "1/2"), U),
        (HALF, "15/16", 1, ("3/8", "1/2"), 15 * U // 16),
        (HALF, "15/16", 1, ("1/2", "5/8"), 5 * U // 8),  # at most 15/8, s at least 8/5
        (HALF, "3/4", -1, ("1/2", "5/8"), U // 2),  # at most 15/32, s at most 2
        (HALF, "15/16", -1, ("1/2", "5/8"), 15 * U // 16),  # at most 75/128
        (HALF, "3/4", -1, ("1/2", "1/2"), U // 2),
        (HALF, "7/8", -1, ("9/16", "9/16"), 4 * U // 9),
        (HALF, "1", -1, ("1/2", "1/2"), U // 2),  # 1/2, exactly
        (Fraction(1), "1", -1, ("1/2", "1/2"), 2 * U),
    ],
)
def test_what_a_rounding_costs(ulps, size, degree, f, cost):
    [size], f = grid(size), grid(*f)
    assert cost <= sweep().error(ulps, size, degree, f) <= cost + 2


def test_the_least_scale_that_is_not_zero():
    """2^72*3/4 is below 2^72."""
    assert sweep().error(HALF, *grid("3/4"), 1, (1, 1)) == U // 2


# The forward sweep ------------------------------------------------------------------------------------------------------------

X, T, EPS = grid("1/3", "1/2"), grid("3/4", "4/5"), grid("1/4", "1/2")


def forward(text: str, place: int = -1, **given):
    return sweep(text, **given).forward(X, T, EPS)[place]


def test_lengths_and_their_root():
    assert [forward("", place)[0] for place in range(5)] == [(0, 0), T, (0, 0), X, (ONE - U, ONE + U)]


@pytest.mark.parametrize(
    ("text", "op", "ends"),
    [
        ("0 mul:5,8", "mul", (0, 0)),
        ("1 sub:8,8", "sub", (0, 0)),
        ("3 1 mul:8,9", "mul", (3 * ONE, 3 * ONE)),
        ("-3 5 mul:8,9", "mul", (-15 * ONE, -15 * ONE)),
    ],
)
def test_what_is_correctly_rounded_keeps_its_sign(text, op, ends):
    """Within 9 and the error otherwise."""
    slack = Counter({0: 9})
    for ulps in ("1/2", "1"):
        value, error = forward(text, slack=slack, **{op: ulps})[:2]
        below, above = ends[0] - error - 9, ends[1] + error + 9
        if ulps == "1/2":
            below, above = max(below, 0) if ends[0] >= 0 else below, min(above, 0) if ends[1] <= 0 else above
        assert value == (below, above)


def test_exact_results_keep_their_sign_and_no_more():
    for side in ((0, 0), (0, 1), (-1, 0)):
        assert sweep().forward(side, T, EPS)[3][0] == side


def test_underflow_widens_all_but_constants():
    third = checker.scaled(Fraction(1, 3), BITS)
    error = -(-2 * 501 * (ONE >> 2) // (1000 << 24))
    for slack in (Counter(), Counter({0: 9})):
        assert forward("1/3", slack=slack)[:2] == ((third[0] - error, third[1] + error), error)
        assert forward("", 1, slack=Counter({1: 5}))[0] == (T[0] - 5, T[1] + 5)


# Both sweeps --------------------------------------------------------------------------------------------------------------------

PROGRAMS = [
    ("div:3,4", {}),
    ("div:3,4", {"hypot": "1", "div": "3/2"}),
    ("add:1,4 div:3,8 3/5 mul:10,9 sub:9,11 mul:12,12", {}),
    ("mul:5,7 mul:5,5 5/8 mul:9,10 1/2 sub:11,12 mul:7,13 add:14,12 mul:8,15 add:1,4 div:3,17 sub:18,16", {"hypot": "1"}),
    ("mul:3,3 mul:1,1 add:8,9 sqrt:10 div:3,11 -7/3 mul:13,12 add:14,12", {"mul": "1"}),
    ("mul:3,3 mul:1,1 add:8,9 sqrt:10 3 mul:12,11", {}),
    ("mul:3,1 sub:1,3 mul:9,9 add:8,10 sub:11,4 mul:4,4 div:12,13", {}),
    ("sub:5,5 div:1,4 sub:9,5 sub:9,8", {"mul": "2"}),
    ("div:1,4 sub:5,8 -3 mul:10,9", {"sub": "1"}),
    ("mul:3,7 mul:8,7 div:7,1 add:9,10 sub:10,11", {"mul": "1/2"}),
    ("5/3 div:8,4 div:9,4 1/3 sub:7,11", {}),
]
BOXES = [
    (("1/3", "1/2"), ("3/4", "4/5"), ("1/4", "1/2")),
    (("0", "1/8"), ("7/8", "1"), ("0", "1/4")),
    (("3/5", "5/8"), ("4/5", "4/5"), ("5/9", "5/8")),
]


@pytest.mark.parametrize("box", BOXES)
@pytest.mark.parametrize(("text", "ulps"), PROGRAMS)
def test_both_sweeps_in_integers_and_in_rationals(text, ulps, box):
    program = read(text, **ulps)
    program.output = len(program.nodes) - 1
    sides = [tuple(map(Fraction, side)) for side in box]
    total, size = sweeps(program, *sides, Fraction(1, 2**24))
    found = checker.Sweep(program, BITS, Counter())
    swept = found.forward(*((checker.scaled(a, BITS)[0], checker.scaled(b, BITS)[1]) for a, b in sides))
    assert 0 <= found.backward(swept) - total * ONE <= 2**12
    value, _, cap, _ = swept[-1]
    assert 0 <= checker.magnitude(value, cap) - size * ONE <= 2**12


def test_derivatives_add_up_exactly():
    """By hand: of (a - b)*1, the errors being 3 and 5."""
    found = sweep("sub:3,1")
    found.program.output = 8
    values: list = [(None, 0, None, ())] * 9
    values[1], values[3] = (None, 5 * ONE, None, ()), (None, 3 * ONE, None, ())
    values[8] = None, 0, None, ((ONE, ONE), (-ONE, -ONE))
    assert found.backward(values) == 8 * ONE


def test_a_constant_may_come_first():
    stated = theorem("1/3 x nu x_max min:1,3 hypot:4,2 div:4,5 mul:6,0")
    program = checker.Program(stated["program"], stated["profile"], 24, False, 0)
    sides = [tuple(map(Fraction, side)) for side in BOXES[0]]
    found = checker.Sweep(program, BITS, Counter())
    total, _ = sweeps(program, *sides, Fraction(1, 2**24))
    assert 0 <= found.backward(found.forward(X, T, EPS)) - total * ONE <= 2**12


# Underflow and overflow -----------------------------------------------------------------------------------------------------------


def test_underflow_is_charged_at_every_use_and_once_for_the_output():
    half = (ONE // 2, ONE // 2)
    for slack in (Counter(), Counter({0: 10, 1: 1000, 2: 10**6, -1: 10**9})):
        found = sweep("1 add:1,8", slack=slack)
        found.program.output = 9
        values = found.forward(X, (ONE, ONE), half)
        assert found.backward(values) == values[9][1] + (1005 if slack else 0) + (1000 if slack else 0)


def test_underflow_is_charged_wherever_the_output_depends_on_it():
    found = sweep("-1 mul:1,8", slack=Counter({0: 10, 1: 1000}))
    found.program.output = 9
    values = found.forward(X, (ONE, ONE), (0, ONE))
    assert values[9][1] == 0
    assert found.backward(values) == 1000 + 1000 + 10 * (ONE + 1000) // ONE + 1


@pytest.mark.parametrize(
    ("text", "degree"),
    [
        (f"{2**59} 2 mul:8,9", 0),
        (f"{2**59} 2 mul:8,9 mul:10,4", 1),
        (f"{2**59} -2 mul:8,9", 0),
        ("8 mul:4,4 mul:8,9", 2),
        (f"{2**59} 2 mul:8,9 div:10,4", -1),
    ],
)
def test_overflow(text, degree):
    less = text.replace(str(2**59), str(15 * 2**55)).replace("8 mul", "15/2 mul")
    sweep(less, unit=-1).forward(X, T, EPS)
    with pytest.raises(checker.Refused, match=rf"^node \d+, which scales like s\^({degree}|0), may overflow$"):
        sweep(text, unit=-1).forward(X, T, EPS)
