"""The checker of differences reads a program: its nodes, the choices between a and b, and the function that it computes."""

from fractions import Fraction
from math import isqrt, prod

import pytest
from small_difference import CHOICES, DELTA, LOGS, ROOTS, SIGNED, decided, nodes, refuses, sealed, theorem

from certify.checker import difference as checker

LOW, HIGH, NU = (("input", name) for name in ("low", "high", "nu"))

# Numbers -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["0", "-3/4", str(2**60), f"1/{2**60}", f"-1/{2**60}", "1/" + "1" * 18, "9" * 90 + "/" + "9" * 89, "0/" + "1" * 99]
)
def test_rational_numbers(text):
    assert checker.rational(text) == Fraction(text)


@pytest.mark.parametrize(
    "text", ["", "0.5", "1/-2", "+1", " 1", "1/", "\N{ARABIC-INDIC DIGIT ONE}", 1, None, ["1"], "1" * 100, "1/" + "1" * 100]
)
def test_what_is_no_rational_number(text):
    with pytest.raises(checker.Refused, match="^not a rational number: "):
        checker.rational(text)


def test_a_long_text_is_cut_in_the_refusal():
    with pytest.raises(checker.Refused, match=f"^not a rational number: {'x' * 80}$"):
        checker.rational("x" * 100)


@pytest.mark.parametrize("text", [str(2**60 + 1), f"-{2**60 + 1}", f"1/{2**60 + 1}", f"-1/{2**60 + 1}"])
def test_numbers_too_large_or_small(text):
    with pytest.raises(checker.Refused, match=f"^a number is too large or too small: {text}$"):
        checker.rational(text)


# Nodes ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("node", "says"),
    [
        ({"op": "input", "value": "c"}, "node 23: the inputs are a, b and nu"),
        ({"op": "input"}, "node 23: the inputs are a, b and nu"),
        ({"op": "input", "value": "a", "args": [0]}, "node 23: the inputs are a, b and nu"),
        ({"op": "constant", "value": "1", "args": [0]}, "node 23: the inputs are a, b and nu"),
        ({"op": "constant"}, "not a rational number: "),
        ({"op": "sqrt", "args": [0]}, "node 23: no operation sqrt on 1 arguments"),
        ({"op": "add", "args": [0]}, "node 23: no operation add on 1 arguments"),
        ({"op": "add"}, "node 23: no operation add on 0 arguments"),
        ({"op": "add", "args": [0, 1], "value": "1"}, "node 23: no operation add on 2 arguments"),
        ({"op": "add", "args": [0, 23]}, "node 23: the arguments are earlier nodes"),
        ({"op": "add", "args": [0, -1]}, "node 23: the arguments are earlier nodes"),
        ({"op": "neg", "args": ["0"]}, "node 23: the arguments are earlier nodes"),
    ],
)
def test_nodes_refused(node, says):
    refuses(says, program={"nodes": [*nodes(LOGS), node], "outputs": [22]})


@pytest.mark.parametrize("op", ["neg", "log1p", "select", "add", "sub", "mul", "div", "hypot", "min", "max", "less"])
def test_every_operation_has_its_number_of_arguments(op):
    number = {"neg": 1, "log1p": 1, "select": 3}.get(op, 2)
    for n in range(5):
        read = [{"op": "constant", "value": "3"}, {"op": op, "args": [0] * n}]
        if n == number:
            assert checker.read(read, [1]) == ([("constant", 3), (op, *[0] * n)], 1)
        else:
            with pytest.raises(checker.Refused, match=f"^node 1: no operation {op} on {n} arguments$"):
                checker.read(read, [1])


@pytest.mark.parametrize("outputs", [[], [24, 24]])
def test_one_output(outputs):
    refuses("a program has nodes, not too many, and one output", program={"nodes": nodes(SIGNED), "outputs": outputs})


@pytest.mark.parametrize("output", [-1, 25, "24"])
def test_the_output_is_a_node(output):
    refuses("the output is a node", program={"nodes": nodes(SIGNED), "outputs": [output]})


def test_how_many_nodes_a_program_has(monkeypatch):
    read = nodes("a b nu")
    monkeypatch.setattr(checker, "MAX_NODES", 3)
    assert checker.read(read, [0]) == ([("input", "a"), ("input", "b"), ("input", "nu")], 0)
    for wrong in ([], [*read, read[0]]):
        with pytest.raises(checker.Refused, match="^a program has nodes, not too many, and one output$"):
            checker.read(wrong, [0])


# Choices ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "low", "strict", "name"),
    [
        ("a b nu min:0,1", "a", True, "low"),
        ("a b nu min:1,0", "a", True, "low"),
        ("a b nu max:0,1", "a", True, "high"),
        ("a b nu max:1,0", "b", True, "high"),
        ("a b nu min:0,1", "b", True, "low"),
        ("a b nu less:0,1 select:3,0,1", "a", True, "low"),
        ("a b nu less:0,1 select:3,0,1", "b", True, "low"),
        ("a b nu less:1,0 select:3,0,1", "a", True, "high"),
        ("a b nu less:0,1 select:3,0,1", "a", False, "high"),
        ("a b nu less:1,0 select:3,0,1", "a", False, "high"),
        ("a", "a", True, "low"),
        ("a", "b", True, "high"),
        ("b", "a", True, "high"),
        ("b", "b", True, "low"),
    ],
)
def test_choices(text, low, strict, name):
    assert decided(text, low, strict) == ((("input", name),), 1)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a b nu min:0,2", "node 3: min is of a and b"),
        ("a b nu max:1,1", "node 3: max is of a and b"),
        ("a b nu less:0,0", "node 3: less is of a and b"),
        ("a b nu less:2,1", "node 3: less is of a and b"),
        ("a b nu less:0,1 min:3,1", "node 4: min is of a and b"),
        ("a b nu hypot:0,2 max:3,1", "node 4: max is of a and b"),
        ("a b nu less:0,1 add:3,0", "node 4: the outcome of a comparison is for choices only"),
        ("a b nu less:0,1 neg:3", "node 4: the outcome of a comparison is for choices only"),
        ("a b nu select:0,1,2", "node 3: a choice is between a < b and b < a"),
        ("a b nu select:2,1,0", "node 3: a choice is between a < b and b < a"),
        ("a b nu 1 select:3,1,0", "node 4: a choice is between a < b and b < a"),
    ],
)
def test_choices_refused(text, says):
    with pytest.raises(checker.Refused, match=f"^{says}$"):
        decided(text)


def test_what_is_left_of_a_program():
    assert decided("a b nu hypot:0,2 hypot:1,2 sub:4,3") == ((LOW, HIGH, NU, ("hypot", 0, 2), ("hypot", 1, 2), ("sub", 4, 3)), 1)
    assert decided("a b nu 5 add:3,3 hypot:1,2") == ((HIGH, NU, ("hypot", 0, 1)), 1)
    assert decided("1/2 3 mul:1,0") == ((("constant", Fraction(1, 2)), ("constant", 3), ("mul", 1, 0)), 1)
    assert decided("a b nu sub:1,0 neg:3") == ((LOW, HIGH, ("sub", 1, 0)), -1)
    assert decided("a b nu sub:1,0 neg:3 neg:4") == ((LOW, HIGH, ("sub", 1, 0)), 1)
    assert decided("a b nu neg:2 add:3,0") == ((LOW, NU, ("neg", 1), ("add", 2, 0)), 1)
    shared = decided("a b nu 7 div:3,2 select:6,0,1".replace(" select:6,0,1", " mul:4,4 add:5,4"))
    assert shared == ((NU, ("constant", 7), ("div", 1, 0), ("mul", 2, 2), ("add", 3, 2)), 1)


def test_the_sign_of_the_difference():
    assert [decided(SIGNED, low, strict)[1] for low, strict in (("a", True), ("b", True), ("a", False))] == [1, -1, 1]
    assert decided(SIGNED, "a", False)[0] == decided(SIGNED, "b")[0] == decided(SIGNED)[0]
    for text in (LOGS, f"{LOGS} neg:22", f"{LOGS} neg:22 select:3,22,23", f"{CHOICES} sub:1,0"):
        refuses("the sign is not that of b - a", text)


# The function ------------------------------------------------------------------------------------------------------------------

# low, high, nu, s0, s1, L1, L0: with 5^2 + 12^2 = 13^2, 9^2 + 12^2 = 15^2; the logarithms are free
POINT = tuple(map(Fraction, (5, 9, 12, 13, 15, "7/3", "11/5")))


def at(polynomial: dict) -> Fraction:
    return sum((c * prod(x**n for x, n in zip(POINT, powers, strict=True)) for powers, c in polynomial.items()), Fraction(0))


def value(text: str) -> Fraction:
    """Of the last node at the point."""
    operations = {
        "add": lambda x, y: x + y,
        "sub": lambda x, y: x - y,
        "mul": lambda x, y: x * y,
        "div": lambda x, y: x / y,
        "neg": lambda x: -x,
    }
    operations |= {"hypot": lambda x, y: Fraction(isqrt(int(x * x + y * y))), "min": min, "max": max, "less": lambda x, y: x < y}
    values: list = []
    for node in nodes(text):
        if node["op"] in ("input", "constant"):
            values.append(
                {"a": POINT[0], "b": POINT[1], "nu": POINT[2]}[node["value"]] if node["op"] == "input" else Fraction(node["value"])
            )
        else:
            values.append(operations[node["op"]](*(values[a] for a in node["args"])))
    return values[-1]


@pytest.mark.parametrize(
    "more",
    [
        "add:6,7",
        "sub:6,7",
        "mul:6,7 mul:8,8",
        "div:6,7",
        "neg:6 sub:8,2",
        "mul:4,4 mul:5,5 add:8,9",
        "mul:4,5 mul:8,8 mul:9,9",
        "add:4,5 mul:8,8 mul:9,8",
        "mul:5,5 mul:8,5",
        "add:6,7 div:4,8",
        "div:4,5",
        "div:5,4 mul:8,8",
        "3/7 div:8,6 div:2,7 sub:9,10",
        "3/7 div:8,6 add:6,2 div:9,10 sub:11,9 neg:12 div:4,13",
        "add:6,2 div:4,8 div:5,8 sub:9,10",
        "add:6,2 div:4,8 div:5,8 add:9,10",
        "add:6,2 add:7,2 div:4,8 div:5,9 sub:10,11",
        "add:6,2 add:7,2 div:4,8 div:5,9 mul:10,11",
        "add:6,2 div:8,7 div:9,6 0 mul:11,10 add:10,12",
        "div:6,2 2 div:9,8",
        "mul:6,6 mul:5,5 sub:8,9",
    ],
)
def test_the_program_as_a_fraction(more):
    text = f"{ROOTS} {more}"
    numerator, denominator = checker.function(decided(text)[0])
    assert at(numerator) == value(text) * at(denominator)
    assert at(denominator) != 0
    assert all(f[0] in (0, 1) and f[1] in (0, 1) and c for part in (numerator, denominator) for f, c in part.items())


def test_equal_functions_are_equal_polynomials():
    def difference(more):
        return checker.function(decided(f"{ROOTS} {more}")[0])[0]

    assert difference("mul:4,4 mul:2,2 add:8,9 mul:7,7 sub:10,11") == {}
    assert difference("mul:5,5 mul:2,2 add:8,9 mul:6,6 sub:10,11") == {}
    assert difference("mul:5,5 mul:2,2 add:8,9 mul:7,7 sub:10,11") != {}
    assert difference("div:6,2 mul:8,2 sub:9,6") == {}


def test_a_common_denominator_is_kept():
    text = f"{ROOTS} add:6,2 div:4,8 div:5,8 add:9,10"
    assert checker.function(decided(text)[0]) == (checker.plus(checker.HIGH, checker.LOW), checker.plus(checker.NU, checker.S0))


def test_a_quotient_by_one_term_has_no_denominator():
    one = {(0,) * 7: Fraction(1)}
    assert checker.function(decided(f"{ROOTS} mul:6,2 3 mul:8,9 div:5,10")[0]) == ({(1, 0, -1, -1, 0, 0, 0): Fraction(1, 3)}, one)
    assert checker.reciprocal(checker.LOW, checker.UNITY) == (checker.UNITY, checker.LOW)
    assert checker.reciprocal(checker.HIGH, checker.NU) == (checker.NU, checker.HIGH)
    assert checker.reciprocal(checker.plus(checker.NU, checker.S0), checker.S1) == (checker.S1, checker.plus(checker.NU, checker.S0))


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ("hypot:6,2", "hypot is of nu and of the smaller or the larger of a and b"),
        ("hypot:2,2", "hypot is of nu and of the smaller or the larger of a and b"),
        ("hypot:4,5", "hypot is of nu and of the smaller or the larger of a and b"),
        ("1 hypot:8,2", "hypot is of nu and of the smaller or the larger of a and b"),
        ("log1p:2", "a logarithm is not of (nu + s1)/(nu + s0), nor of s1/s0"),
        ("sub:6,7 div:8,7 log1p:9", "a logarithm is not of (nu + s1)/(nu + s0), nor of s1/s0"),
        ("sub:7,6 add:2,7 div:8,9 log1p:10", "a logarithm is not of (nu + s1)/(nu + s0), nor of s1/s0"),
    ],
)
def test_functions_refused(more, says):
    with pytest.raises(checker.Refused) as refusal:
        checker.function(decided(f"{ROOTS} {more}")[0])
    assert str(refusal.value) == says


def test_roots_are_of_nu_and_one_leg_in_any_order():
    assert checker.function(decided("a b nu hypot:2,0")[0]) == (checker.S0, checker.UNITY)
    assert checker.function(decided("a b nu hypot:1,2")[0]) == (checker.S1, checker.UNITY)
    assert checker.function(decided("a b nu hypot:2,1")[0]) == (checker.S1, checker.UNITY)


def test_logarithms():
    assert checker.function(decided(f"{ROOTS} sub:7,6 add:2,6 div:8,9 log1p:10")[0]) == (checker.L1, checker.UNITY)
    assert checker.function(decided(f"{DELTA} add:2,6 div:12,13 log1p:14")[0]) == (checker.L1, checker.UNITY)
    assert checker.function(decided(f"{DELTA} div:12,6 log1p:13")[0]) == (checker.L0, checker.UNITY)


def test_the_potential():
    """At the point, with D_1 = t/8 - 5t^3/24 and D_2 = 3 t^2."""
    _, _, nu, s0, s1, along, log = POINT

    def rest(s):
        t = nu / s
        return (t / 8 - 5 * t**3 / 24) / nu + 3 * t**2 / nu**2

    assert at(checker.potential([["1/8", "-5/24"], ["3"]])) == s1 - s0 - nu * along - log / 2 + rest(s1) - rest(s0)
    assert at(checker.potential([])) == s1 - s0 - nu * along - log / 2


def test_another_function_is_refused():
    refuses("the program is not F(b) - F(a)", SIGNED.replace(" 1/2 ", " 1/3 "))
    refuses("the program is not F(b) - F(a)", debye=[["0", "1"]])
    refuses("the bound does not hold", debye=[["0", "0"]], k="1")


@pytest.mark.parametrize(
    ("more", "accepted"),
    [
        ("neg:22 less:0,1 select:3,23,22 select:24,22,25", True),  # a < b, b < a, or neither
        ("neg:22 less:0,1 select:3,23,19 select:24,22,25", False),
        ("neg:22 less:0,1 select:3,23,22 select:24,19,25", False),
        ("neg:22 less:0,1 select:3,19,22 select:24,22,25", False),
    ],
)
def test_the_function_is_that_for_every_order_of_a_and_b(more, accepted):
    """Node 19 is the constant 1/2."""
    if accepted:
        checker.check(sealed(theorem(f"{LOGS} {more}")))
    else:
        refuses("", f"{LOGS} {more}")


def test_polynomials_have_a_largest_size(monkeypatch):
    def power(bits):
        return {(0, 0, 1, 0, 0, 0, 0): Fraction(2**bits - 1), (0,) * 7: Fraction(1)}

    monkeypatch.setattr(checker, "MAX_BITS", 5)
    monkeypatch.setattr(checker, "MAX_TERMS", 4)
    three = power(1) | {(0, 0, 2, 0, 0, 0, 0): Fraction(1)}
    assert len(checker.times(power(5), power(5))) == 3
    for p, q in ((power(6), power(1)), (power(1), power(6)), ({(0,) * 7: Fraction(1, 33)}, power(1)), (three, power(1)), (power(1), three)):
        with pytest.raises(checker.Refused, match="^the program is too large as a function$"):
            checker.times(p, q)


def test_sums_and_products_of_polynomials():
    nu, s0, two = checker.NU, checker.S0, {(0,) * 7: Fraction(2)}
    assert checker.plus(nu, nu, -1) == {}
    assert checker.plus(nu, s0) == nu | s0
    assert checker.plus(nu, nu) == checker.times(nu, two)
    assert checker.plus({}, nu, 3) == {next(iter(nu)): 3}
    assert checker.times(checker.plus(nu, s0), checker.plus(nu, s0, -1)) == checker.plus(checker.times(nu, nu), checker.times(s0, s0), -1)
    for leg, root in ((checker.LOW, checker.S0), (checker.HIGH, checker.S1)):
        square = checker.plus(checker.times(root, root), checker.times(nu, nu), -1)
        assert checker.times(leg, leg) == square
        assert checker.times(checker.times(leg, checker.L1), checker.times(leg, nu)) == checker.times(square, checker.times(nu, checker.L1))
