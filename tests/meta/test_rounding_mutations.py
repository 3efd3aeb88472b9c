"""Rounding certificates with something changed are refused: programs, profiles, bounds, boxes; planted faults are not proved."""

import copy
import functools
import json
import operator
import re
from dataclasses import dataclass
from fractions import Fraction

import msgspec
import pytest

from certify.checker import rounding as checker
from certify.claims.certificate import certify_rounding
from certify.exact.program import Builder, Program, ProgramError
from certify.exact.rounding.search import Problem
from certify.exact.rounding.theorem import Missed
from certify.exact.rounding.violation import violation
from proofs.rounding import derivative, ratio

K = Fraction(41, 10)


@dataclass
class Case:
    data: dict

    def refusal(self, change):
        """What the checker says after a change, with a fresh digest."""
        data = copy.deepcopy(self.data)
        change(data)
        data["digest"] = checker.digest(data)
        with pytest.raises(checker.Refused) as refused:
            checker.check(data)
        return str(refused.value)


def case(statement):
    outcome = Problem(statement).prove()
    assert not isinstance(outcome, Missed)
    return Case(json.loads(msgspec.json.encode(certify_rounding("x", statement, outcome))))


@pytest.fixture(scope="module")
def plain():
    return case(ratio.theorem(1, "", "1", K, Fraction(1)))


@pytest.fixture(scope="module")
def squares():
    return case(ratio.theorem(2, "squares", "1", K, Fraction(1)))


@pytest.fixture(scope="module")
def slope():
    return case(derivative.theorem(1, "", Fraction(6), Fraction(2)))


@pytest.fixture(params=["plain", "squares", "slope"])
def any_case(request):
    return request.getfixturevalue(request.param)


def nodes(data):
    return data["theorem"]["program"]["nodes"]


def renumbered(data, place, shift):
    """References to nodes from ``place`` on, moved."""
    for node in nodes(data):
        node["args"] = [a + shift if a >= place else a for a in node.get("args", [])]
    for node in nodes(data):
        if not node["args"]:
            del node["args"]
    data["theorem"]["program"]["outputs"] = [a + shift if a >= place else a for a in data["theorem"]["program"]["outputs"]]


def test_the_certificates_are_accepted(any_case):
    checker.check(any_case.data)


def test_every_deleted_node_is_refused(any_case):
    for place in range(len(nodes(any_case.data))):

        def delete(data, place=place):
            del nodes(data)[place]
            renumbered(data, place + 1, -1)

        any_case.refusal(delete)


def test_every_operation_replaced_by_its_argument_is_refused(any_case):
    for place, node in enumerate(nodes(any_case.data)):
        for argument in node.get("args", []):

            def bypass(data, place=place, argument=argument):
                for later in nodes(data):
                    if "args" in later:
                        later["args"] = [argument if a == place else a for a in later["args"]]
                data["theorem"]["program"]["outputs"] = [argument if a == place else a for a in data["theorem"]["program"]["outputs"]]

            any_case.refusal(bypass)


def test_every_swap_of_a_difference_or_quotient_is_refused(any_case):
    for place, node in enumerate(nodes(any_case.data)):
        if node["op"] in ("sub", "div", "min"):
            any_case.refusal(lambda data, place=place: nodes(data)[place]["args"].reverse())


def test_every_other_operation_in_its_place_is_refused(any_case):
    for place, node in enumerate(nodes(any_case.data)):
        if node["op"] in checker.INFIX:
            for op in {*checker.INFIX, "hypot", "min"} - {node["op"]}:
                any_case.refusal(lambda data, place=place, op=op: nodes(data)[place].update(op=op))


def test_every_constant_wrong_in_its_last_digit_is_refused(any_case):
    for place, node in enumerate(nodes(any_case.data)):
        if node["op"] == "constant":
            for wrong in (Fraction(node["value"]) * (1 + Fraction(1, 2**60)), -Fraction(node["value"]), Fraction(node["value"]) + 1):
                any_case.refusal(lambda data, place=place, wrong=wrong: nodes(data)[place].update(value=str(wrong)))


def test_a_duplicated_rounding_is_refused_where_the_bound_is_sharp(plain):
    """The quotient of the leading term, times 1 by way of (q·3)·(1/3): two more roundings."""

    def twice(data):
        place = next(i for i, node in enumerate(nodes(data)) if node["op"] == "div" and nodes(data)[node["args"][0]]["op"] == "min")
        added = [
            {"op": "constant", "value": "3"},
            {"op": "mul", "args": [place, place + 1]},
            {"op": "constant", "value": "1/3"},
            {"op": "mul", "args": [place + 2, place + 3]},
        ]
        for later in nodes(data)[place + 1 :]:
            later["args"] = [a + 4 if a >= place else a for a in later.get("args", [])]
            if not later["args"]:
                del later["args"]
        nodes(data)[place + 1 : place + 1] = added
        data["theorem"]["program"]["outputs"] = [a + 4 for a in data["theorem"]["program"]["outputs"]]

    assert "the bound does not hold in the cell x/nu in [" in plain.refusal(twice)


def test_weaker_profiles_are_refused(any_case):
    for op in any_case.data["theorem"]["profile"]["ulps"]:
        if op == "mul":
            continue

        def weaken(data, op=op):
            data["theorem"]["profile"]["ulps"][op] = "3"
            data["lemmas"] = checker.cited(data["theorem"])

        assert "does not hold" in any_case.refusal(weaken)
        assert f"no bound for {op}" in any_case.refusal(lambda data, op=op: data["theorem"]["profile"]["ulps"].pop(op))
    assert "half an ulp" in any_case.refusal(lambda data: data["theorem"]["profile"]["ulps"].update(mul="1/4"))


def test_that_hypot_is_monotone_is_needed(plain):
    assert "does not hold" in plain.refusal(lambda data: data["theorem"]["profile"].update(monotone=[]))


def test_the_cited_lemma_must_be_there(squares):
    assert "lemmas" in squares.refusal(lambda data: data.update(lemmas=[]))


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("k", "4", "does not hold"),
        ("k", "0", "does not hold"),
        ("k", "-1", "does not hold"),
        ("k", "4.1", "not a rational"),
        ("largest", "3/4", "does not hold"),
        ("largest", "0", "does not hold"),
        ("largest", "-1", "does not hold"),
        ("nu", "[1/4, oo)", "does not hold"),
        ("nu", "[1/4, 1/2]", "does not hold"),
        ("nu", "(0, oo)", "range"),
        ("nu", "[0, oo)", "range"),
        ("nu", "[2, 1]", "range"),
        ("unit", "1/s", "1/s without largest"),
        ("unit", "s", "unit"),
        ("formats", {}, "formats"),
        ("formats", {"float16": {"x_max": 60, "nu_max": 30}}, "formats"),
        ("formats", {"binary32": {"x_max": 66, "nu_max": 30}}, "x_max"),
        ("formats", {"binary32": {"x_max": 60, "nu_max": 45}}, "nu_max"),
        ("formats", {"binary32": {"x_max": 50, "nu_max": 28}}, "does not hold"),
        ("where", {}, "definition"),
    ],
)
def test_other_theorems_are_refused(plain, field, value, says):
    assert says in plain.refusal(lambda data: data["theorem"].update({field: value}))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("s", "sqrt(x**2 + 2*nu**2)"),
        ("t", "nu/(s + x)"),
        ("b1", "-t/3"),
        ("A", "w*(1/(1 + t) + eps*(b1 - eps*b2))"),
        ("x", "1"),
        ("A", "y"),
    ],
)
def test_another_function_is_refused(plain, name, text):
    plain.refusal(lambda data: data["theorem"]["where"].update({name: text}))


def test_every_other_tree_is_refused(plain):
    tree = plain.data["proof"]["tree"]
    for place, label in enumerate(tree):
        for other in {0, -1, -2, 1, -3} - {label}:

            def relabel(data, place=place, other=other):
                data["proof"]["tree"][place] = other

            if label == 0 or other not in (-1, -2):
                plain.refusal(relabel)
        plain.refusal(lambda data, place=place: data["proof"]["tree"].pop(place))
    plain.refusal(lambda data: data["proof"]["tree"].append(0))
    plain.refusal(lambda data: data["proof"].update(tree=[]))
    assert "does not hold" in plain.refusal(lambda data: data["proof"].update(tree=[0]))


@pytest.mark.parametrize("change", [{"format": "certify.rounding/2"}, {"proof": {}}, {"theorem": []}, {"claim": 3}, {"more": "1"}])
def test_other_certificates_are_refused(plain, change):
    plain.refusal(lambda data: data.update(change))


def planted(build):
    """The first ratio with another program in its place."""
    builder = Builder()
    x, nu, x_max = builder.inputs("x", "nu", "x_max")
    x = builder.call("min", x, x_max)
    statement = ratio.theorem(1, "", "", K, Fraction(1))
    return msgspec.structs.replace(statement, program=builder.program(build(builder, x, nu, builder.call("hypot", x, nu))))


def naive(builder, x, nu, s):
    """x/(ν+s) − x/(2s²) + x(4ν² − x²)/(8s⁵), as printed."""
    s2 = s * s
    return x / (nu + s) - x / (2 * s2) + x * (4 * (nu * nu) - x * x) / (8 * (s2 * s2 * s))


def float32_constant(builder, x, nu, s):
    """The ladder's program with 1/8 … but 3/5 rounded to 24 bits in place of 5/8."""
    e = 1 / s
    y = x * e
    v = y * y
    return x / (nu + s) - (y * e) * (e * (v * Fraction(round(Fraction(5, 8) * 2**24) + 1, 2**24) - Fraction(1, 2)) + Fraction(1, 2))


def test_the_printed_formula_may_overflow_where_x_is_large():
    outcome = Problem(planted(naive)).prove()
    assert isinstance(outcome, Missed)
    assert re.fullmatch(r"node \d+, mul, scales like s\^3 and may overflow there", outcome.why)
    assert outcome.m[1] == 1
    assert outcome.cell["x/nu"].endswith("inf]")


def test_the_printed_formula_is_refused_by_the_checker(plain):
    program = json.loads(msgspec.json.encode(planted(naive).program))
    said = plain.refusal(lambda data: data["theorem"].update(program=program))
    assert re.match(r"node \d+ scales like s\^3: it may overflow, or is too far from a number", said)


def test_an_unbounded_scale_is_refused(plain):
    with pytest.raises(ProgramError, match=r"node \d+: mul scales like s\^9, too far from a number"):
        Problem(planted(lambda builder, x, nu, s: functools.reduce(operator.mul, [s] * 9)))
    program = json.loads(msgspec.json.encode(planted(lambda builder, x, nu, s: functools.reduce(operator.mul, [s] * 9)).program))
    assert re.match(r"node \d+ scales like s\^3: it may overflow", plain.refusal(lambda data: data["theorem"].update(program=program)))


def test_a_constant_off_by_a_float_is_another_function(plain):
    program = json.loads(msgspec.json.encode(planted(float32_constant).program))
    said = plain.refusal(lambda data: data["theorem"].update(program=program))
    assert said.startswith("the program is not the function in the cell x/nu in [")


def test_a_cancelling_order_of_operations_is_undecided_and_names_the_cell():
    """Twice the ratio minus the ratio: the same function, with larger errors."""

    def cancelling(builder, x, nu, s):
        e = 1 / s
        y = x * e
        v = y * y
        value = x / (nu + s) - (y * e) * (e * (v * Fraction(5, 8) - Fraction(1, 2)) + Fraction(1, 2))
        return 3 * value - 2 * value

    statement = msgspec.structs.replace(planted(cancelling), k="7")
    outcome = Problem(statement).prove()
    assert isinstance(outcome, Missed)
    assert outcome.bound > 7
    assert 0 <= outcome.m[0] < outcome.m[1] <= 1


def test_a_constant_off_by_a_float_is_found_where_it_matters():
    outcome = Problem(planted(float32_constant)).prove()
    assert isinstance(outcome, Missed)
    assert outcome.why.startswith("the program is not the function: they differ at x/(nu + s) = 1/2")
    assert outcome.m[0] <= 1 / 2 <= outcome.m[1]
    witness = violation(planted(float32_constant))
    assert witness is not None
    assert witness["format"] == "binary64"
    assert Fraction(witness["error in u"]) > 10**6


@pytest.mark.parametrize("k", ["2", "3", "37/10"])
def test_a_bound_below_what_is_seen_is_refuted_with_floats(k):
    witness = violation(ratio.theorem(1, "", "", Fraction(k), Fraction(1)))
    assert witness is not None
    x, nu = Fraction(witness["x"]), Fraction(witness["nu"])
    assert float(x) == x
    assert nu >= 1
    assert Fraction(witness["error in u"]) > Fraction(k)


def test_no_violation_of_what_is_proved():
    assert violation(ratio.theorem(1, "", "", ratio.SHARP, Fraction(1))) is None


def test_operations_without_a_bound_and_ranges_are_refused_by_name():
    from certify.exact.profile import IEEE, ProfileError
    from certify.exact.rounding.theorem import assumed

    program = ratio.theorem(1, "", "", K, Fraction(1)).program
    with pytest.raises(ProfileError, match="profile ieee has no bound for hypot"):
        assumed(program, [IEEE])
    with pytest.raises(ValueError, match="nu_min = 0: orders from"):
        ratio.theorem(1, "", "", K, Fraction(0))
    with pytest.raises(ValueError, match="k = 0"):
        ratio.theorem(1, "", "", Fraction(0), Fraction(1))
    with pytest.raises(ProgramError, match="the outputs must be nodes"):
        Program(program.nodes, ())
