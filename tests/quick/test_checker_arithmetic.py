"""The checker's arithmetic against its definitions: numbers, intervals, Bernstein coefficients, the tree that tiles a box; prices."""

import itertools
import operator
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import comb, prod
from typing import Any

import pytest

from certify.checker import checker
from certify.checker.checker import Interval, Node, Refused

OPERATIONS: dict[str, Callable] = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": Fraction, "**": operator.pow}
ENDS = [-2, Fraction(-1, 2), 0, Fraction(1, 3), 1, 5]
INTERVALS = [Interval(*ends) for ends in itertools.combinations_with_replacement(ENDS, 2)]


@pytest.fixture(autouse=True)
def work_for_every_test(monkeypatch):
    monkeypatch.setattr(checker, "LEFT", [checker.MAX_WORK])


# Numbers and intervals -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("op", ["+", "-", "*", "/"])
def test_interval_arithmetic_is_sharp(op):
    """The four operations are monotone in either operand, so the extreme values are among those at the ends."""
    for a, b in itertools.product(INTERVALS, INTERVALS):
        if op == "/" and b.low <= 0 <= b.high:
            with pytest.raises(Refused, match="contains zero"):
                checker.on_intervals(op, a, b)
        else:
            values = [OPERATIONS[op](p, q) for p, q in itertools.product(a, b)]
            assert checker.on_intervals(op, a, b) == (min(values), max(values))


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_interval_powers_are_sharp(n):
    """v**n is monotone on either side of 0, so its extreme values are among those at the ends and at 0."""
    for a in INTERVALS:
        values = [p**n for p in (*a, *([0] if a.low <= 0 <= a.high else []))]
        assert checker.exactly("**", a, n) == (min(values), max(values))


def test_a_number_is_an_interval_of_one_point():
    assert checker.exactly("+", Interval(0, 1), 2) == checker.on_intervals("+", Interval(0, 1), Interval(2, 2))
    assert checker.exactly("-", 2, Interval(0, 1)) == checker.on_intervals("-", Interval(2, 2), Interval(0, 1))


def bits(number: Any) -> int:
    return number.numerator.bit_length() + number.denominator.bit_length()


@pytest.mark.parametrize(
    ("op", "a", "b"), [("+", 100, 27), ("-", 3, Fraction(1, 7)), ("*", 100, 99), ("/", 22, 7), ("**", Fraction(2, 3), 5), ("**", 10, 3)]
)
def test_numbers_have_so_many_digits_and_no_more(op, a, b, monkeypatch):
    """A power is refused by its operand, before anything is multiplied."""
    needed = b * bits(a) if op == "**" else bits(OPERATIONS[op](a, b))
    monkeypatch.setattr(checker, "MAX_BITS", needed)
    assert checker.exactly(op, a, b) == OPERATIONS[op](a, b)
    monkeypatch.setattr(checker, "MAX_BITS", needed - 1)
    with pytest.raises(Refused, match="too many digits"):
        checker.exactly(op, a, b)


def test_a_power_is_refused_before_it_is_found(monkeypatch):
    monkeypatch.setattr(checker, "FUNCTIONS", {})
    with pytest.raises(Refused, match="too many digits"):
        checker.exactly("**", 2, checker.MAX_BITS)


@pytest.mark.parametrize(
    ("interval", "level"),
    [
        ("(0, 1)", 2), ("(0, oo)", 2), ("[1/9, 1]", 2), ("(1/9, oo)", 2), ("[2, 3]", 2),
        ("[0, 1)", 1), ("[0, oo)", 1), ("[0, 1/9]", 1),
        ("(-1, 1)", 0), ("[-1/9, oo)", 0), ("(-oo, oo)", 0), ("(-oo, 1]", 0), ("(-2, -1)", 0),
    ],
)  # fmt: skip
def test_levels_of_intervals(interval, level):
    """2 if all numbers of the interval are > 0, 1 if all are >= 0, else 0."""
    assert checker.level(interval) == level


@pytest.mark.parametrize("interval", ["(1, 0]", "[1, 1]", "(1, 1)", "[2/4, 1/2]", "(0, oo]", "[-oo, 0)", "(0,1)", "(0, 1.5)", "(a, 1)", ""])
def test_what_is_no_interval(interval):
    with pytest.raises(Refused, match="not a nonempty interval with rational ends"):
        checker.level(interval)


@pytest.mark.parametrize(
    "value",
    [1, -5, "", "x y", [], {}, [1, ["a"], {"b": [2]}], {"a": {"b": "c"}}],
)
def test_plain_data(value):
    assert checker.plain(value)


@pytest.mark.parametrize("value", [None, True, 1.5, float("nan"), (1,), b"x", "\n", "\x7f", "é", object()])
def test_data_that_are_not_plain_are_found_at_any_depth(value):
    assert not checker.plain(value)
    for nested in ([value], [1, value], {"a": value}, {"a": 1, "b": [value]}, {"a": [{"b": value}]}):
        assert not checker.plain(nested)


@pytest.mark.parametrize("key", [1, None, True, "\n", "é"])
def test_names_of_members_are_plain_strings_too(key):
    assert checker.plain({key: 1}) is (key == 1 and key is not True)
    assert not checker.plain({"a": {"\n": 1}})


# Expressions ---------------------------------------------------------------------------------------------------------


def value(node: Any, at: dict) -> Any:
    return OPERATIONS[node[0]](value(node[1], at), value(node[2], at)) if isinstance(node, tuple) else at.get(node, node)


OPERANDS = [0, 1, 2, "x", Node(("+", "x", 1))]


@pytest.mark.parametrize("op", OPERATIONS)
def test_simplified_expressions_have_the_values_of_the_full_ones(op):
    second = {"**": [0, 1, 2], "/": OPERANDS[1:]}.get(op, OPERANDS)
    for a, b in itertools.product(OPERANDS, second):
        for x in (Fraction(2, 7), 3):
            assert value(checker.build(op, a, b), {"x": x}) == value((op, a, b), {"x": x})


@pytest.mark.parametrize(
    ("op", "a", "b", "result"),
    [
        ("*", 0, "x", 0), ("*", "x", 0, 0), ("/", 0, "x", 0),
        ("+", "x", 0, "x"), ("-", "x", 0, "x"), ("*", "x", 1, "x"), ("/", "x", 1, "x"), ("**", "x", 1, "x"),
        ("+", 0, "x", "x"), ("*", 1, "x", "x"), ("**", "x", 0, 1),
    ],
)  # fmt: skip
def test_simplifications(op, a, b, result):
    assert checker.build(op, a, b) == result


@pytest.mark.parametrize(
    ("op", "a", "b"),
    [("-", 0, "x"), ("/", 1, "x"), ("/", "x", 0), ("-", 1, "x"), ("+", "x", 1), ("-", "x", 1), ("**", "x", 2), ("log", "x", 1)],
)
def test_what_is_not_simplified(op, a, b):
    built = checker.build(op, a, b)
    assert isinstance(built, Node)
    assert built == (op, a, b)


def test_equal_expressions_have_equal_hashes():
    one, two = (Node(("+", Node(("*", 2, "x")), 1)) for _ in range(2))
    assert one == two
    assert len({one: 1, two: 2}) == 1
    assert {one: 1}.get(Node(("+", Node(("*", 2, "y")), 1))) is None


def test_substitution_is_of_all_names_at_once_and_leaves_numbers_alone():
    node = Node(("+", Node(("*", "a", 1)), Node(("**", "b", 2))))
    assert checker.substitute(node, {"a": "b", "b": "a", 1: "never", "c": 5}) == ("+", ("*", "b", 1), ("**", "a", 2))


# Polynomials on the unit box -----------------------------------------------------------------------------------------

# p = sum of table[i][j]... u**i*v**j..., in one, two and three variables, of different degrees along different axes
TABLES: dict[int, Any] = {1: [5, -7, 0, 3], 2: [[1, -2, 3], [4, 0, -6]], 3: [[[1, 2], [-3, 4], [0, 5]], [[-6, 7], [8, -9], [10, -11]]]}


def entries(table: Any, dimension: int) -> Iterator[tuple[tuple[int, ...], int]]:
    if dimension == 0:
        yield (), table
        return
    for i, part in enumerate(table):
        yield from (((i, *index), number) for index, number in entries(part, dimension - 1))


def evaluate(table: Any, point: tuple) -> Any:
    return sum(number * prod(v**i for v, i in zip(point, index, strict=True)) for index, number in entries(table, len(point)))


def points(dimension: int) -> list[tuple]:
    return list(itertools.product((-1, 0, Fraction(1, 3), 2, 3), repeat=dimension))


def degree(table: Any, axis: int) -> int:
    return degree(table[0], axis - 1) if axis else len(table) - 1


@pytest.mark.parametrize("dimension", TABLES)
def test_a_table_stands_for_its_polynomial(dimension):
    names = ["u", "v", "w"][:dimension]
    node = checker.polynomial(TABLES[dimension], names)
    assert all(value(node, dict(zip(names, point, strict=True))) == evaluate(TABLES[dimension], point) for point in points(dimension))


def test_the_shift_of_a_polynomial():
    line = TABLES[1]
    assert all(evaluate(checker.shifted(line), (v,)) == evaluate(line, (v + 1,)) for (v,) in points(1))
    assert checker.shifted([7]) == [7]


@pytest.mark.parametrize(("dimension", "axis"), [(d, axis) for d in TABLES for axis in range(d)])
def test_the_halves_of_a_box(dimension, axis):
    """2**n*p at v/2 and at (v + 1)/2, with n the degree along the axis."""
    table = TABLES[dimension]
    lower, upper = checker.halves(table, axis)
    for point in points(dimension):
        for half, move in ((lower, 0), (upper, 1)):
            moved = (*point[:axis], Fraction(point[axis] + move) / 2, *point[axis + 1 :])
            assert evaluate(half, point) == 2 ** degree(table, axis) * evaluate(table, moved)


@pytest.mark.parametrize("dimension", TABLES)
def test_the_least_bernstein_coefficient(dimension):
    """v**j = sum over i >= j of C(i, j)/C(n, j)*B_i(v), where B_i(v) = C(n, i)*v**i*(1 - v)**(n - i)."""
    table = TABLES[dimension]
    degrees = [degree(table, axis) for axis in range(dimension)]
    scaled = [
        sum(
            number * prod(Fraction(comb(i, j), comb(n, j)) * comb(n, i) for i, j, n in zip(at, index, degrees, strict=True))
            for index, number in entries(table, dimension)
        )
        for at in itertools.product(*(range(n + 1) for n in degrees))
    ]
    assert checker.least(table, dimension) == min(scaled)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_the_halves_of_a_box_of_intervals(axis):
    box = (Interval(0, 1), Interval(Fraction(1, 4), Fraction(1, 2)), Interval(0, Fraction(1, 8)))
    low, high = box[axis]
    middle = (low + high) / Fraction(2)
    halves = [(*box[:axis], half, *box[axis + 1 :]) for half in (Interval(low, middle), Interval(middle, high))]
    assert checker.bisect(box, axis) == halves


def leaves(tree: list[int], dimension: int = 1) -> list[tuple[int, tuple]]:
    """The leaves of a tree, with their parts of the unit box, in the order in which they are looked at."""
    seen = []
    checker.tile(tree, lambda _: (Interval(0, 1),) * dimension, checker.bisect, lambda k, box: seen.append((k, box)) is None)
    return seen


def test_a_tree_tiles_the_box_in_preorder_lower_half_first():
    half, quarter, whole = Fraction(1, 2), Fraction(1, 4), Interval(0, 1)
    assert leaves([3]) == [(3, (whole,))]
    assert leaves([-1, -1, 0, 1, 2]) == [(0, ((0, quarter),)), (1, ((quarter, half),)), (2, ((half, 1),))]
    assert leaves([-2, 0, -1, 1, 2], 2) == [(0, (whole, (0, half))), (1, ((0, half), (half, 1))), (2, ((half, 1), (half, 1)))]


@pytest.mark.parametrize(
    ("tree", "message"),
    [([], "does not tile"), ([-1, 0], "does not tile"), ([0, 0], "more entries"), ([-1, 0, 0, 0], "more entries")],
)
def test_a_tree_is_used_up_exactly(tree, message):
    with pytest.raises(Refused, match=message):
        leaves(tree)


@pytest.mark.parametrize("failing", [0, 1, 2])
def test_every_leaf_must_hold(failing):
    with pytest.raises(Refused, match="does not show"):
        checker.tile([-1, -1, 0, 1, 2], lambda _: ((0, 1),), lambda box, _: [box, box], lambda k, _: k != failing)


def test_a_leaf_is_halved_only_as_often_as_leaves_below_it_ask_for_it():
    """The forms of other leaves are not looked at: halving them, too, would cost as many times more as there are forms."""
    asked = []
    checker.tile([-1, 1, -1, 0, 0], lambda k: asked.append(k) or ((0, 1),), lambda box, _: [box, box], lambda _k, _box: True)
    assert asked == [1, 0]


# Work ----------------------------------------------------------------------------------------------------------------


def spent(action: Callable[[], object]) -> int:
    before = checker.LEFT[0]
    action()
    return before - checker.LEFT[0]


def test_the_last_unit_of_work_may_be_spent_and_no_more():
    checker.LEFT[0] = 10
    checker.spend(10)
    assert checker.LEFT[0] == 0
    with pytest.raises(Refused, match="more work"):
        checker.spend(1)


SUM, TABLE = Node(("+", Node(("*", "x", 2)), 1)), TABLES[3]


@pytest.mark.parametrize(
    ("action", "units"),
    [
        (lambda: checker.exactly("*", 3, 5), 1),  # a number of less than 64 bits
        (lambda: checker.exactly("+", 2**62 - 1, 0), 1),
        (lambda: checker.exactly("+", 2**63 - 1, 0), 2),  # 63 bits and one of the denominator
        (lambda: checker.exactly("+", 2**639 - 1, 0), 11),
        (lambda: checker.substitute(SUM, {}), 2 * 10),  # two operations
        (lambda: checker.merge({0: 1, 1: 2}, {1: -2, 2: 3}), 3),  # three factors
        (lambda: checker.polynomial(TABLE, ["u", "v", "w"]), (1 + 2 + 2 * 3 + 2 * 3 * 2) * 10),  # tables within tables, and numbers
        (lambda: checker.bisect(((0, 1), (0, 1), (0, 1)), 1), 3 + 2),  # intervals copied, and two operations
        (lambda: checker.tile([-1, 0, 0], lambda _: 0, lambda part, _: [part, part], lambda _k, _part: True), 3 * 50),
    ],
)
def test_prices(action, units):
    """MAX_WORK is about a minute at these prices: at lower ones a certificate could hold its reader for longer."""
    assert spent(action) == units


@pytest.mark.parametrize("line", [[1], [3, -1] * 40, [2**5000, 1, 0]])
def test_a_change_of_a_line_costs_as_its_additions_do(line):
    """About n**2 of them, of numbers of so many bits, and what Python adds to each line and number."""
    n, size = len(line), max(number.bit_length() for number in line)
    price = n * (n + 64) * (size + 512) >> 14
    assert spent(lambda: checker.along(line, 0, list)) == 10 + price
    assert spent(lambda: checker.along([line] * 3, 1, list)) == 10 + 3 * (10 + price)
    columns = [[number] * 2 for number in line]
    assert spent(lambda: checker.along(columns, 0, list)) == 10 + 2 * (10 + price)
