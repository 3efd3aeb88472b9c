"""Certificates written by hand: false theorems that would follow from a rule applied where it does not hold, and numbers without end."""

import functools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from certify.checker import difference
from certify.checker import rounding as checker

HYPOT = [
    {"op": "input", "value": "x"},
    {"op": "input", "value": "nu"},
    {"op": "input", "value": "x_max"},
    {"op": "min", "args": [0, 2]},
    {"op": "hypot", "args": [3, 1]},
]
QUOTIENT = [*HYPOT, {"op": "div", "args": [3, 4]}]
"""x/s."""
CORRECT = dict.fromkeys(("add", "sub", "mul", "div", "hypot", "sqrt"), "1/2")


def check(nodes: list[dict[str, Any]], where: dict[str, str], tree: tuple[int, ...] = (0,), **changes: Any) -> None:
    """The last node computes the last definition within 5 u, for nu >= 1 in binary32; raises Refused."""
    theorem = {
        "program": {"nodes": nodes, "outputs": [len(nodes) - 1]},
        "where": {"s": checker.ROOT, **where},
        "nu": "[1, oo)",
        "formats": {"binary32": {"x_max": 60, "nu_max": 30}},
        "profile": {"name": "by hand", "ulps": CORRECT, "monotone": []},
        "k": "5",
        "unit": "1",
        "largest": "",
    }
    data: dict[str, Any] = {"format": checker.FORMAT, "claim": "by hand", "theorem": theorem | changes, "proof": {"tree": list(tree)}}
    data["lemmas"] = checker.cited(data["theorem"])
    checker.check(data | {"digest": checker.digest(data)})


def refused(*args: Any, **changes: Any) -> str:
    with pytest.raises(checker.Refused) as refusal:
        check(*args, **changes)
    return str(refusal.value)


def test_the_quotient_is_accepted():
    check(QUOTIENT, {"f": "x/s"})


def test_the_largest_value_is_not_that_of_its_product_with_s():
    """nu/s^2 is 2 at x = 0, nu = 1/2; s times it is 1 at most."""
    nodes = [*HYPOT, {"op": "constant", "value": "1"}, {"op": "div", "args": [5, 4]}]
    nodes += [{"op": "mul", "args": [1, 6]}, {"op": "mul", "args": [7, 6]}]
    inverse_square = {"f": "nu/(s*s)"}
    check(nodes, inverse_square, nu="[1/2, oo)", unit="1/s", k="20")
    assert "largest" in refused(nodes, inverse_square, nu="[1/2, oo)", unit="1/s", k="20", largest="101/100")


def test_a_difference_is_as_large_as_what_is_taken_away():
    """x/s is at most 1, and so is x/s - b for b >= 0; but x/s - 10 x/s rounds as numbers up to 9 do."""
    nodes = [*QUOTIENT, {"op": "constant", "value": "10"}, {"op": "mul", "args": [5, 6]}, {"op": "sub", "args": [5, 7]}]
    tree = functools.reduce(lambda half, _: (-1, *half, *half), range(10), (0,))
    x, nu = np.float32(63.94028), np.float32(3.141466)
    quotient = x / np.float32(np.hypot(float(x), float(nu)))
    error = abs(float(quotient - np.float32(10) * quotient) + 9 * float(x) / float(np.hypot(float(x), float(nu)))) * 2**24
    assert error > 23.4
    assert "does not hold in the cell" in refused(nodes, {"f": "x/s - 10*x/s"}, tree, k="117/5")
    check(nodes, {"f": "x/s - 10*x/s"}, tree, k="31")


@pytest.mark.parametrize("output", [-1, -2, 6, True, "5"])
def test_the_output_is_a_node(output):
    """Python would count from the end, and take the function for the program."""
    assert refused(QUOTIENT, {"f": "17*x/s"}, program={"nodes": QUOTIENT, "outputs": [output]}, k="1/10")


def test_a_half_is_a_half_however_it_is_written():
    """The lemma about squares is cited where it is used."""
    squares = [*HYPOT[:4], *({"op": "mul", "args": [a, a]} for a in (3, 1)), {"op": "add", "args": [4, 5]}, {"op": "sqrt", "args": [6]}]
    nodes = [*squares, {"op": "div", "args": [3, 7]}]
    for half in ("1/2", "2/4"):
        theorem = {"program": {"nodes": nodes}, "profile": {"ulps": CORRECT | {"mul": half}}}
        assert checker.cited(theorem) == [checker.SQUARES]


def test_a_product_with_a_power_of_two_is_exact_only_if_it_is_correctly_rounded():
    """Within 3 ulps of a float are other floats: x/s = 3/4 may become 3/4 + 6u."""
    nodes = [*QUOTIENT, {"op": "constant", "value": "1"}, {"op": "mul", "args": [5, 6]}]
    loose = {"name": "by hand", "ulps": CORRECT | {"mul": "3"}, "monotone": []}
    check(nodes, {"f": "x/s"})
    assert "does not hold" in refused(nodes, {"f": "x/s"}, profile=loose)
    check(nodes, {"f": "x/s"}, profile=loose, k="8")


def test_so_it_is_in_differences():
    program = (("constant", Fraction(1, 2)), ("input", "nu"), ("mul", 0, 1))
    assert difference.relative_errors(program, {"mul": Fraction(1, 2)})[2] == 0
    assert difference.relative_errors(program, {"mul": Fraction(1)})[2] == 2 * difference.ONE >> difference.BITS


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ({"z": "(((2**100)**100)**100)**100", "f": "x/s*z/z"}, "a value is too large"),
        ({"z": "((nu/s)**100)**100", "f": "x/s*z/z"}, "a value is too large"),
        ({"z": "((1 + nu)**100 + 1)**100", "f": "x/s*z"}, "too large"),
        ({"z": "2**101", "f": "x/s*z/z"}, "not an expression"),
        ({"z0": "2**100", **{f"z{i + 1}": f"z{i}*z{i}" for i in range(40)}, "f": "x/s*z40/z40"}, "a value is too large"),
        ({**{f"z{i}": "nu+nu" for i in range(20_000)}, "f": "x/s"}, "too long"),
    ],
)
def test_definitions_that_would_never_be_evaluated(where, words):
    assert words in refused(QUOTIENT, where)


def test_a_program_that_squares_again_and_again():
    nodes = [*HYPOT, {"op": "constant", "value": str(2**59)}]
    nodes += [{"op": "mul", "args": [place, place]} for place in range(5, 45)]
    assert "node 6, which scales like s^0, may overflow" in refused([*nodes, {"op": "div", "args": [3, 4]}], {"f": "x/s"})
