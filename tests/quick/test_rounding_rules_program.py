"""The checker of rounding certificates reads a program: which nodes round, how they scale, what is never smaller; and what it refuses."""

import re
from fractions import Fraction

import pytest
from small_rounding import BASE, ROOT, ULPS, accepts, nodes, read, refuses, theorem

from certify.checker import rounding as checker

HALF = Fraction(1, 2)


# Numbers ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "number"), [("-12", Fraction(-12)), ("3/4", Fraction(3, 4)), ("9" * 500, Fraction(10**500 - 1))])
def test_rational_numbers(text, number):
    assert checker.rational(text) == number


@pytest.mark.parametrize("text", ["", "1.5", "+1", "1e3", "1/-2", " 1", "1_0", "2/", "nan", "9" * 501])
def test_what_is_no_rational_number(text):
    with pytest.raises(checker.Refused, match="^not a rational number: "):
        checker.rational(text)


def test_a_long_text_is_cut_in_the_refusal():
    with pytest.raises(checker.Refused, match=f"^not a rational number: {'9' * 80}$"):
        checker.rational("9" * 600)


@pytest.mark.parametrize("number", ["1", "-1", "2", "1/2", "-1/1024", "1024"])
def test_powers_of_two(number):
    assert checker.power_of_two(Fraction(number))


@pytest.mark.parametrize("number", ["0", "3", "1/3", "-3/2", "2/3", "7"])
def test_other_numbers_are_no_powers_of_two(number):
    assert not checker.power_of_two(Fraction(number))


# Which results are exact -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", ["0", "-5/16", "16777215", "16777215/4", str((2**24 - 1) * 2**20), str(2**25)])
def test_constants_that_are_floats_are_exact(number):
    assert read(number).nodes[8] == ("constant", (), 0, (), None, Fraction(number), False)


@pytest.mark.parametrize("number", ["16777217", "-16777217/4", "1/3", "3/5", "5/3"])
def test_other_constants_round(number):
    assert read(number).nodes[8] == ("constant", (), 0, (), checker.CONSTANT, Fraction(number), False)


def test_the_coarsest_format_decides_which_constants_are_floats():
    assert read("16777217", digits=25).nodes[8].ulps is None


@pytest.mark.parametrize("number", [str(2**60 - 1), f"1/{2**60 - 1}", str(1 - 2**60)])
def test_constants_not_too_far_from_1(number):
    assert read(number).nodes[8].value == Fraction(number)


@pytest.mark.parametrize("number", [str(2**60), f"1/{2**60}", str(-(2**60))])
def test_constants_too_far_from_1(number):
    with pytest.raises(checker.Refused, match="^node 8: a constant that is too far from 1$"):
        read(number)


@pytest.mark.parametrize("text", ["1/2 mul:4,8", "-4 mul:8,4", "1 mul:4,8"])
def test_products_with_powers_of_two_are_exact(text):
    assert read(text).nodes[9].ulps is None
    assert read(text, mul="1").nodes[9].ulps == 1


@pytest.mark.parametrize("text", ["3 mul:4,8", "0 mul:4,8", "1/2 div:4,8", "1/2 add:4,8", "1 mul:4,1", "1 mul:4,3"])
def test_other_results_round(text):
    assert read(text).nodes[9].ulps == HALF


def test_products_with_the_order_are_exact_if_it_is_a_power_of_two():
    assert [node.ulps for node in read("mul:3,1 mul:1,4 mul:3,4 div:4,1", exact=True).nodes[8:]] == [None, None, HALF, HALF]
    assert read("mul:3,1").nodes[8].ulps == HALF
    assert read("mul:3,1", exact=True, mul="3/2").nodes[8].ulps == Fraction(3, 2)


@pytest.mark.parametrize("op", ["add", "sub", "mul", "div", "hypot"])
def test_every_operation_rounds_as_its_profile_says(op):
    assert read(f"{op}:3,1", **{op: "7/3"}).nodes[8].ulps == Fraction(7, 3)


# Degrees -----------------------------------------------------------------------------------------------------------------

DEGREES = [
    ("add:3,4", 0, 1, (0, 0)),
    ("sub:5,4", 0, 1, (1, 0)),
    ("add:4,5", 0, 1, (0, 1)),
    ("mul:4,4 add:8,4", 0, 2, (0, 1)),
    ("sub:7,5", 0, 0, (1, 0)),
    ("add:7,7", 0, -1, (0, 0)),
    ("mul:3,4", 0, 2, (0,)),
    ("mul:5,5", 0, 0, (0,)),
    ("div:3,4", 0, 0, (0,)),
    ("div:3,5", 0, 1, (0,)),
    ("div:6,4", 0, -1, (0,)),
    ("div:5,4", 0, 0, (1,)),
    ("div:5,4", -1, -1, (0,)),
    ("mul:7,7", 0, 0, (2,)),
    ("mul:7,7", -1, -1, (1,)),
    ("div:7,4", 0, 0, (2,)),
    ("div:7,4", -1, -1, (1,)),
    ("div:4,7", 0, 2, (0,)),
    ("mul:7,7 mul:8,7", -1, -1, (1,)),
    ("mul:4,4 div:7,8", -1, -1, (2,)),
]


@pytest.mark.parametrize(("text", "unit", "degree", "lift"), DEGREES)
def test_degrees(text, unit, degree, lift):
    assert read(text, unit).nodes[-1][2:4] == (degree, lift)


@pytest.mark.parametrize(
    ("text", "unit", "says"),
    [
        ("add:7,4", 0, "node 8: a sum of quantities that scale too differently"),
        ("mul:4,4 sub:6,8", 0, "node 9: a sum of quantities that scale too differently"),
        ("mul:4,4 div:6,8", 0, "node 9 scales like s^-2: it may overflow, or is too far from a number"),
        ("mul:4,4 div:7,8", 0, "node 9 scales like s^-3: it may overflow, or is too far from a number"),
        ("mul:4,4 mul:8,4", 0, "node 9 scales like s^3: it may overflow, or is too far from a number"),
    ],
)
def test_degrees_refused(text, unit, says):
    with pytest.raises(checker.Refused, match=f"^{re.escape(says)}$"):
        read(text, unit)


# What is never smaller ------------------------------------------------------------------------------------------------------


def test_a_root_that_is_monotone_or_correctly_rounded_is_above_both_legs():
    assert read("", hypot="1").above == {1: {1}, 3: {3}, 4: {4}}
    assert read("", hypot="1/2").above == {1: {1}, 3: {3}, 4: {1, 3, 4}}
    assert read("", hypot="1", monotone=True).above == {1: {1}, 3: {3}, 4: {1, 3, 4}}


@pytest.mark.parametrize("loose", [None, "mul", "add", "sqrt"])
def test_a_root_of_squares_is_above_both_legs_if_all_is_correctly_rounded(loose):
    program = read("mul:3,3 mul:1,1 add:8,9 sqrt:10", monotone=True, **({loose: "1"} if loose else {}))
    assert program.above[11] == ({11} if loose else {1, 3, 11})


def test_a_sum_is_above_its_parts_and_above_all_that_they_are_above():
    assert read("add:4,1").above[8] == {1, 3, 4, 8}
    assert read("add:3,1 add:8,4", hypot="1").above[9] == {1, 3, 4, 8, 9}
    assert 8 not in read("add:4,1", add="1").above
    assert 8 not in read("sub:4,1").above
    assert 8 not in read("add:4,5").above  # x/s may be anything, as computed
    assert 8 not in read("mul:4,1").above


def test_a_sum_may_be_above_all_that_there_is():
    sum_of_both = "x nu x_max min:0,2 add:3,1 div:3,4"
    program = checker.Program(theorem(sum_of_both)["program"], theorem("")["profile"], 24, False, 0)
    assert program.above == {1: {1}, 3: {3}, 4: {1, 3, 4}}
    assert program.nodes[5].capped


@pytest.mark.parametrize(
    ("text", "capped"),
    [("div:3,4", True), ("div:1,4", True), ("div:4,4", True), ("div:4,3", False), ("div:3,5", False), ("mul:3,4", False)],
)
def test_quotients_by_what_is_above_are_at_most_1(text, capped):
    assert read(text).nodes[8].capped is capped
    assert not read(text, div="1").nodes[8].capped


# Programs refused -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x nu x_max hypot:0,1", "node 3: x and x_max may be used in min(x, x_max) only"),
        ("x nu x_max add:1,2", "node 3: x and x_max may be used in min(x, x_max) only"),
        ("x nu x_max min:0,1", "node 3: not x, x_max, nu, min(x, x_max)"),
        ("x nu x_max min:2,0", "node 3: not x, x_max, nu, min(x, x_max)"),
        (f"{ROOT} hypot:4,1", "node 5: not a root of squares of min(x, x_max), nu"),
        (f"{ROOT} hypot:3,3", "node 5: not a root of squares of min(x, x_max), nu"),
        (f"{ROOT} sqrt:4", "node 5: not a root of squares of min(x, x_max), nu"),
        (f"{ROOT} mul:3,3 mul:1,1 sub:5,6 sqrt:7", "node 8: not a root of squares of min(x, x_max), nu"),
        (f"{ROOT} mul:3,3 sqrt:5", "node 6: not a root of squares of min(x, x_max), nu"),
        (f"{ROOT} mul:3,1 mul:1,1 add:5,6 sqrt:7", "node 8: not a root of squares of min(x, x_max), nu"),
        (f"{ROOT} mul:3,1 mul:3,1 add:5,6 sqrt:7", "node 8: not a root of squares of min(x, x_max), nu"),
        (f"{ROOT} div:3,3 div:1,1 add:5,6 sqrt:7", "node 8: not a root of squares of min(x, x_max), nu"),
        (f"{ROOT} mul:3,3 add:5,1 sqrt:6", "node 7: not a root of squares of min(x, x_max), nu"),
        (f"{ROOT} log1p:4", "node 5: no operation on earlier nodes"),
        (f"{ROOT} add:4", "node 5: no operation on earlier nodes"),
        (f"{ROOT} add:4,5", "node 5: no operation on earlier nodes"),
        (f"{ROOT} add:-1,4", "node 5: no operation on earlier nodes"),
        (f"{ROOT} div:3,4 mul:5,5 sub:5,6 mul:6,5", "a product that is added has another use, in which it may be rounded otherwise"),
        (f"{ROOT} div:3,4 mul:5,5 add:6,6", "a product that is added has another use, in which it may be rounded otherwise"),
        (f"{ROOT} mul:3,3 mul:1,1 add:5,6 sqrt:7 div:5,6 div:3,8", "a product that is added has another use, in which"),
        (ROOT, "the output does not scale as the bound does"),
        (f"{ROOT} 1 div:5,4", "the output does not scale as the bound does"),
    ],
)
def test_programs_refused(text, says):
    refuses(says, text)


@pytest.mark.parametrize(
    ("node", "says"),
    [
        ({"op": "input"}, "node 5: not a node"),
        ({"op": "constant", "value": ""}, "node 5: not a node"),
        ({"op": "constant", "value": "1", "args": [4]}, "node 5: not a node"),
        ({"op": "constant", "value": "1", "unit": "1"}, "node 5: not a node"),
        ({"op": "add", "args": [3, 4], "value": "1"}, "node 5: not a node"),
        ({"op": "input", "value": "y"}, "node 5: not x, x_max, nu"),
        ({"op": "input", "args": [4]}, "node 5: no operation on earlier nodes"),
        ({"op": "constant", "value": "pi"}, "not a rational number: pi"),
    ],
)
def test_nodes_refused(node, says):
    refuses(says, ROOT, program={"nodes": [*nodes(ROOT), node, *nodes("div:3,4")], "outputs": [6]})


def test_what_a_node_does_not_have_may_be_empty():
    every = [{"args": [], "value": ""} | node for node in nodes(BASE)]
    accepts(BASE, program={"nodes": every, "outputs": [5]})


@pytest.mark.parametrize("op", ["add", "sub", "mul", "div", "hypot"])
def test_every_operation_needs_a_bound(op):
    ulps = {name: "1/2" for name in ULPS if name != op}
    place = 4 if op == "hypot" else 5
    refuses(f"node {place}: the profile has no bound for {op}", f"{ROOT} {op}:3,1", profile={"name": "", "ulps": ulps, "monotone": []})


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"ulps": ULPS | {"fma": "499/1000"}}, "no operation that rounds is within less than half an ulp"),
        ({"monotone": ["add"]}, "hypot alone may be assumed to be at least its arguments"),
        ({"monotone": ["hypot", "hypot"]}, "hypot alone may be assumed to be at least its arguments"),
        ({"name": 1}, "no profile"),
        ({"more": "1"}, "no profile"),
    ],
)
def test_profiles_refused(change, says):
    refuses(says, BASE, program={"nodes": nodes(BASE), "outputs": [5]}, profile=theorem("")["profile"] | change)


def test_how_many_nodes_a_program_has(monkeypatch):
    monkeypatch.setattr(checker, "MAX_NODES", 6)
    accepts(f"{ROOT} div:3,4")
    refuses("no profile", f"{ROOT} 1 div:3,4")
    refuses("", "", program={"nodes": [], "outputs": [0]})


@pytest.mark.parametrize("output", [-1, 6, True, "5"])
def test_the_output_is_a_node(output):
    refuses("", f"{ROOT} div:3,4", program={"nodes": nodes(f"{ROOT} div:3,4"), "outputs": [output]})
