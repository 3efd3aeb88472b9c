"""The checker's rules: each accepts a small true certificate, and refuses one false certificate for every hypothesis of it."""

from typing import Any

import pytest
from small_certificates import (
    AXIS,
    ITSELF,
    LEVELLED,
    ODDS,
    OSCILLATION,
    RELAX,
    UNIT,
    accepts,
    barrier,
    bound,
    cases,
    combination,
    difference,
    given,
    identity,
    intervals,
    positive,
    refuses,
    run,
    sealed,
    solution,
    supremum,
)

from certify.checker import checker
from certify.checker.checker import LEMMAS, Refused, check, digest

ROOT = {"domain": {"x": "(0, oo)"}, "where": {"s": "sqrt(x**2 + 1)"}}
CIRCLE = {"symbols": {"x": run("stereographic", "m")}, "roots": {"s": "(1 + m**2)/(1 - m**2)"}}


# Identities ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("(x + 1)**2", "x**2 + 2*x + 1"),
        ("1/(x + 1) - 1/(x + 2)", "1/((x + 1)*(x + 2))"),
        ("diff(x**7, x)", "7*x**6"),
        ("diff(log(x + s), x)", "1/s"),
        ("diff(diff(s, x), x)", "1/s**3"),
        ("-x**2", "0 - x*x"),
        ("x/2/3", "x/6"),
    ],
)
def test_identities(left, right):
    assert accepts(ROOT, CIRCLE, identity(left, right))[-1] == f"{left} = {right}, wherever both are defined"
    refuses("not an identity", ROOT, CIRCLE, identity(left, f"{right} + 1/1000000"))


@pytest.mark.parametrize("step", [1, 2, 30])
def test_no_polynomial_hides_its_values_from_an_identity(step):
    zeros = "*".join(f"(x - 2**{n})" for n in range(step, 12 * step, step))  # at the powers of two, where identities are looked at
    chart = {"symbols": {"x": run("itself", "v")}}
    refuses("not an identity", AXIS, chart, identity(zeros, "0"))
    refuses("not an identity", AXIS, chart, identity(f"({zeros})/(x**13 + 1)*(x**2 + 1)/(x**2 + 1)", "0"))


@pytest.mark.parametrize(
    "text",
    [
        "diff(x, q)",  # not a symbol of the domain
        "diff(s, s)",
        "diff(Y, x)",  # a solution, whose derivative is its equation, not 0
        "0*nonsense",
        "m - m",  # the chart's variable
        "x - x # + 1",
        "ｘ - x",  # NFKC would make one symbol of two
        "0x10 - 16",
        "1_0 - 10",
        "1e1 - 10",
        "True - 1",
        "x**0 - 1",
        "x**-1 - 1/x",
        "x**x",
        "[x][0] - x",
        "(x, x)",
        "lambda - lambda",
        "log - log",
        "abs(x) - x",
        "diff(x, x, x)",
        "diff(x, 1)",
        "x if 1 else x",
        "x == x",
        "1/(x - x)",
        "0/(x - x)",
        "log(x,) - log(x,)",
        "diff(x,,x) - 1",
        "log(x) - log(x)*1",
        "",
    ],
)
def test_what_is_no_identity_in_known_symbols(text):
    theorem = {**ROOT, "solutions": {"Y": solution("0 - Y")}}
    refuses("", theorem, CIRCLE, identity(text, "0"))


# Names, definitions and charts ---------------------------------------------------------------------------------------

TRIVIAL = identity("1", "1")


@pytest.mark.parametrize(
    ("theorem", "chart"),
    [
        ({"where": {"x": "1"}}, {}),
        ({"derivatives": {"x": {}}}, {}),
        ({"where": {"a": "a + 1"}}, {}),
        ({"where": {"a": "b", "b": "x"}}, {}),
        ({"where": {"log": "x"}}, {}),
        ({"where": {"a b": "x"}}, {}),
        ({"where": {"a": "sqrt(x) + sqrt(x)"}}, {"roots": {"a": "2*v"}}),
        ({"where": {"a": "sqrt(x**2)"}}, {"roots": {"a": "0 - v/(1 - v)"}}),
        ({"where": {"a": "sqrt(x**2)"}}, {"roots": {"a": "2*v/(1 - v)"}}),
        ({"where": {"a": "sqrt(x**2)"}}, {"roots": {"a": "a"}}),
        ({"where": {"a": "sqrt(x**2)", "b": "a"}}, {"roots": {"a": "b"}}),
        ({"where": {"a": "sqrt(x**2)"}}, {}),
        ({"where": {"a": "sqrt((x - 1)/(x - 1))"}}, {"roots": {"a": "1"}}),  # no root where x = 1
        ({"where": {"a": "sqrt(1 + log(0 - x) - log(0 - x))"}}, {"roots": {"a": "1"}}),
        ({}, {"roots": {"a": "v"}}),
        ({"domain": {"x in (0, 1) and every y": "(0, oo)"}}, {"symbols": {"x in (0, 1) and every y": run("odds", "v")}}),
        ({"domain": {"x": "(0, x]"}}, {"symbols": {"x": run("multiple", "v", "x")}}),
        ({"domain": {"x": "(0, y]", "y": "(0, oo)"}}, {"symbols": {"x": run("multiple", "v", "y"), "y": run("odds", "w")}}),
        ({"domain": {"x": "(0, 2]"}}, {"symbols": {"x": run("multiple", "v", "1")}}),
        ({"domain": {"x": "[0, oo)"}}, {"symbols": {"x": run("odds", "v")}}),
        ({"domain": {"x": "(1, oo)"}}, {"symbols": {"x": run("reciprocal", "v", "1")}}),
        ({"domain": {"x": "[0, oo)"}}, {"symbols": {"x": run("reciprocal", "v", "0")}}),
        ({"domain": {"x": "(0, -1]"}}, {"symbols": {"x": run("multiple", "v", "-1")}}),
        *(({"domain": {"x": interval}}, {"symbols": {"x": run("itself", "v")}})
          for interval in ("(1, 0]", "(1, 1)", "[oo, 1)", "(0, oo]", "]0, 1]", "(0,1]", "(0, 1e3]", "(0.5, 1)", "{0, 1}", "(0, 1/0]", "")),
        ({}, {"symbols": {"x": run("odds", "x")}}),
        ({}, {"symbols": {"x": run("odds", "1")}}),
        ({}, {"symbols": {"x": run("odds", "v", "1) + (x")}}),
        ({}, {"symbols": {"x": run("logarithm", "v")}}),
        ({}, {"symbols": {}}),
        ({"derivatives": {"I": {"I": "1"}}}, {}),
        ({"solutions": {"Y": {"variable": "z"}}}, {}),
    ],
)
def test_names_definitions_and_charts_refused(theorem, chart):
    if "solutions" in theorem:
        theorem = {"solutions": {"Y": {**solution("0 - Y"), **theorem["solutions"]["Y"]}}}
    refuses("", {**AXIS, **theorem}, {**ODDS, **chart}, TRIVIAL)


@pytest.mark.parametrize("interval", ["(0, 1]", "[1/2, oo)", "(-oo, oo)", "(-oo, -1/2]", "[-3, 4]"])
def test_any_interval_runs_over_itself(interval):
    accepts({"domain": {"x": interval}}, {"symbols": {"x": run("itself", "v")}}, identity("x - x", "0"))


def test_definitions_of_definitions_and_opaque_functions():
    theorem = {**AXIS, "where": {"a": "x*I", "b": "a**2"}, "derivatives": {"I": {"x": "J"}, "J": {"x": "I - J/x"}}}
    accepts(theorem, ODDS, identity("diff(b, x)", "2*a*(I + x*J)"), identity("diff(diff(I, x), x)", "I - J/x"))
    refuses("", theorem, ODDS, identity("diff(b, x)", "2*a*I"))
    refuses("", given(theorem, "derivatives.I", {}), ODDS, identity("diff(I, x)", "0"))


# Positivity on the unit box ------------------------------------------------------------------------------------------


SQUARE = positive("3*x**2 - 3*x + 1", [1, -3, 3], [-1, 0, 0])  # its least value is 1/4, at 1/2


def test_bernstein():
    assert accepts(UNIT, ITSELF, SQUARE)[-1] == "3*x**2 - 3*x + 1 > 0"
    accepts(UNIT, ITSELF, positive("x/(1 + x)", [0, 1], [0], "1 + v", "nonnegative"))
    accepts(UNIT, ITSELF, positive("x/(1 + x)", [1], [0], "(1 + v)/v"))
    double = {"domain": {"x": "(0, 1]", "y": "(0, 1)"}}, {"symbols": {"x": run("itself", "u"), "y": run("itself", "v")}}
    accepts(*double, positive("x*(1 - y)**3", [[1, -1]], [0], "1/(u*(1 - v)**2)", "nonnegative"))
    accepts(*double, positive("1 + x - y", [[1, -1], [1, 0]], [0], kind="nonnegative"))


@pytest.mark.parametrize("tree", [[], [0], [-1, 0], [-1, 0, 0, 0], [-1, 1, 1], [-2, 0, 0], [-1, -1, 0, 0, -1, 0, -7]])
def test_trees_that_do_not_show_positivity(tree):
    refuses("", UNIT, ITSELF, positive("3*x**2 - 3*x + 1", [1, -3, 3], tree))


@pytest.mark.parametrize(
    ("theorem", "chart", "step"),
    [
        (UNIT, ITSELF, positive("x", [0, 1], [0])),  # zero at the face x = 0 of the box
        (UNIT, ITSELF, positive("1 - x", [1], [0], "1/(1 - v)")),  # v = 1 belongs to the box
        (UNIT, ITSELF, positive("4*x**2 - 4*x + 1", [1, -4, 4], [-1, 0, 0])),
        (UNIT, ITSELF, positive("1", [1, 1], [0])),
        (UNIT, ITSELF, positive("x", [1], [0], "1/v - v + v")),  # not positive by its form
        (UNIT, ITSELF, positive("0 - x", [1], [0], "0 - 1/v")),
        (AXIS, {"symbols": {"x": run("itself", "v")}}, positive("2 - x", [2, -1], [0])),  # not the unit box
        (AXIS, ODDS, positive("(x - 1)**2", [2, -8, 8], [0], "(1 - v)**2*(1 + (1/(x - 1))**2)")),
        (AXIS, ODDS, positive("(x - 1)/(x - 1)", [1], [0])),  # undefined at x = 1
        (AXIS, ODDS, positive("1 - m**2", [1], [0])),
        (UNIT, ITSELF, positive("v", [1], [0], "1/v")),  # the chart's variable is no symbol of the theorem
        (UNIT, ITSELF, positive("1", [True], [0])),
        (UNIT, ITSELF, positive("1", [[1]], [0])),
        (UNIT, ITSELF, positive("1", [], [0])),
        (UNIT, ITSELF, positive("1", [1], [0], kind="identity")),
        *((AXIS, ODDS, positive(f"1 + diff({text}, x)", [1], [0])) for text in ("0/(x - 1)", "log(0 - 1)", "1/0", "0*log(x - 5)")),
    ],
)
def test_positivity_refused(theorem, chart, step):
    refuses("", theorem, chart, step)


# A chart with a variable on the unit box, one that runs elsewhere, an opaque function and a solution.
MIXED = {
    "domain": {"p": "(0, oo)", "c": "[2, oo)", "x": "(0, oo)"},
    "derivatives": {"f": {"x": "f"}},
    "solutions": {"Y": {"variable": "x", "equation": "1 - 2*Y", "below": "1", "damping": "2", "is": "y", "source": "here"}},
}
MIXED_CHART = {"symbols": {"p": run("odds", "u"), "c": run("itself", "w"), "x": run("odds", "v")}}


def test_positivity_beside_what_runs_elsewhere():
    accepts(MIXED, MIXED_CHART, positive("(p + 1)*(2*x + 3)", [[3, -1]], [0], "(1 - u)*(1 - v)"))
    accepts(MIXED, MIXED_CHART, positive("p + 1 + f - f + Y - Y + 0*c", [[1]], [0], "1 - u"))
    for text in ("p + c", "p + f", "p + Y", "p + 1 + c - 2", "c - 2", "p - c"):
        refuses("", MIXED, MIXED_CHART, positive(text, [[1]], [0], "1 - u"))
    for bad in ([[[1]], [[1]]], [[[3, -1]]], [3, -1]):  # tables have the axes of the unit box
        refuses("", MIXED, MIXED_CHART, positive("(p + 1)*(2*x + 3)", bad, [0], "(1 - u)*(1 - v)"))
    accepts(MIXED, MIXED_CHART, intervals("x + 1", "1", [0], "1 - v"))
    refuses("", MIXED, MIXED_CHART, intervals("c", "w", [0]))
    refuses("", MIXED, MIXED_CHART, intervals("Y + 1", "Y + 1", [0]))


def test_suprema_are_over_the_unit_box():
    theorem = {"domain": {"c": "[2, oo)", "x": "(0, 1]"}, "where": {"C": "sup(x*(1 - x))"}}
    chart = {"symbols": {"c": run("itself", "w"), "x": run("itself", "v")}}
    cap = positive("1/3 - x*(1 - x)", [1, -3, 3], [-1, 0, 0], "3")
    step = given(supremum(inequalities=(0,)), "1.point", {"v": "3/5", "w": "1/2"})
    refuses("unit box", theorem, chart, cap, step)
    opaque = {"domain": {"x": "(0, 1]"}, "derivatives": {"f": {}}, "where": {"C": "sup(x*(1 - x) + f - f)"}}
    refuses("", opaque, {"symbols": {"x": run("itself", "v")}}, cap, supremum(inequalities=(0,)))


def test_one_of_several():
    statement = {"kind": "positive", "any_of": ["1 - 2*x", "3*x - 1"]}
    evidence = {"rule": "bernstein", "multipliers": ["1", "1"], "polynomials": [[1, -2], [-1, 3]], "tree": [-1, -1, 0, 0, 1]}
    refuses("does not show", UNIT, ITSELF, (statement, evidence))  # 1 - 2x vanishes at the end of [0, 1/2]
    evidence["tree"] = [-1, -1, 0, -1, 0, 1, 1]
    assert accepts(UNIT, ITSELF, (statement, evidence))[-1] == "1 - 2*x > 0 or 3*x - 1 > 0"
    for tree in ([-1, -1, 0, -1, 1, 1, 1], [-1, -1, 0, -1, 0, 1, 2]):
        refuses("", UNIT, ITSELF, (statement, {**evidence, "tree": tree}))


def test_ragged_polynomials():
    double = {"domain": {"x": "(0, 1]", "y": "(0, 1]"}}, {"symbols": {"x": run("itself", "u"), "y": run("itself", "v")}}
    for table in ([[1], [0, -2]], [[1, 0], [0]], [[1], []], [[1, 0], 1], [[], []], [], 1, [[1, "x"], [0, 0]], {"0": [1]}):
        refuses("", *double, positive("1 - 2*y*x", table, [0]))
    refuses("table of integers", *double, positive("1", [["1"]], [0]))


def test_intervals():
    accepts(UNIT, ITSELF, intervals("3 - x - x**2", "3 - v - v**2", [0]))
    accepts(UNIT, ITSELF, intervals("1/x", "1", [0], "v"))
    accepts(UNIT, ITSELF, intervals("x**2 - x + 1", "v**2 - v + 1", [-1, 0, 0]))
    for form, tree in [("v**2 - v + 1", [0]), ("1 + (1 - v/2)/(v - 1/2)", [0]), ("x**2 - x + 2", [-1, 0, 0]), ("v**2 - v + 1", [-1, 0])]:
        refuses("", UNIT, ITSELF, intervals("x**2 - x + 1", form, tree))
    refuses("contains zero", UNIT, ITSELF, intervals("1", "(v - 1/2)**3/(v - 1/2)**3", [0]))
    refuses("does not show", UNIT, ITSELF, intervals("2*x - 1", "2*v - 1", [-1, 0, 0]))
    refuses("does not show", UNIT, ITSELF, intervals("(2*x - 1)**2", "(2*v - 1)**2", [-1, 0, 0]))


# Sums ----------------------------------------------------------------------------------------------------------------


def test_combination():
    weak = positive("(1 - 2*x)**2", [1, -4, 4], [-1, 0, 0], kind="nonnegative")
    accepts(UNIT, ITSELF, SQUARE, weak, combination("x*(3*x**2 - 3*x + 1) + 2*(1 - 2*x)**2", ("x", 0), ("2", 1)))
    accepts(UNIT, ITSELF, SQUARE, weak, combination("(1 - 2*x)**4 + 1/x", ("(1 - 2*x)**2", 1), ("1/v", -1)))
    accepts(UNIT, ITSELF, weak, combination("x*(1 - 2*x)**2", ("x", 0), kind="nonnegative"))
    for step in [
        combination("2*(1 - 2*x)**2", ("2", 1)),  # >= 0 only
        combination("(1 - 2*x)**2*(3*x**2 - 3*x + 1)", ("(1 - 2*x)**2", 0)),  # a coefficient that may vanish
        combination("(x - 1)*(3*x**2 - 3*x + 1)", ("x - 1", 0)),
        combination("0 - 3*x**2 + 3*x - 1", ("0 - 1", 0), kind="nonnegative"),
        combination("x*(3*x**2 - 3*x + 2)", ("x", 0)),
        combination("3*x**2 - 3*x + 1", ("1", 3)),
        combination("3*x**2 - 3*x + 1", ("1", 2)),  # itself
        combination("3*x**2 - 3*x + 1", ("1", -2)),
        combination("3*x**2 - 3*x + 1", ("1", True)),
        combination("(1 - 2*x)**2/(2*x - 1)**2", ("1/(2*x - 1)**2", 1), kind="nonnegative"),
        combination("1", ("1", -1), ("(1/(2*x - 1))**2 - (1/(2*x - 1))**2", -1)),
    ]:
        refuses("", UNIT, ITSELF, SQUARE, weak, step)


# Induction -----------------------------------------------------------------------------------------------------------

PARITY = {
    "kind": "induction",
    "state": {"j": ["M", "j - 1"], "u": ["0", "1/(2*j + x**2*u)"], "v": ["t", "1/(2*j + x**2*v)"]},
    "goes_on": ["j"],
    "phases": [["u >= 0", "v > 0", "v - u > 0"], ["u >= 0", "v > 0", "u - v > 0"]],
}
U, V = "(2*j + x**2*u)", "(2*j + x**2*v)"
TURN = [[[f"1/{U}", -1]], [[f"1/{V}", -1]], [[f"x**2/({U}*{V})", 2]]]
STEPS = {"rule": "induction", "first": [[], [["t", -1]], [["t", -1]]], "next": [TURN, TURN]}
RECURRENCE = {"domain": {"x": "(0, oo)", "M": "[0, oo)", "t": "(0, oo)"}}
FREE = {"symbols": {name: run("itself", f"{name}_") for name in ("x", "M", "t")}}


def test_induction():
    assert "as long as j > 0; then at every member, alternately," in accepts(RECURRENCE, FREE, (PARITY, STEPS))[-1]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("0.phases.0.2", "u - v > 0"),
        ("0.phases.1.2", "u - v >= 0"),
        ("0.phases", [["u >= 0", "v > 0", "v - u > 0"]]),
        ("0.phases", []),
        ("0.phases.0", []),
        ("0.phases.0", {"u >= 0": 1, "v > 0": 1, "v - u > 0": 1}),
        ("0.phases.0.0", "u < 0"),
        ("0.phases.0.0", "u >= 1"),
        ("0.phases.0.0", "u > 0 > 0"),
        ("0.goes_on", []),
        ("0.goes_on", [1]),
        ("0.goes_on", "j"),
        ("0.state.u", ["0", "1/(2*j + x**2*u)", "0"]),
        ("0.state.u", ["u", "1/(2*j + x**2*u)"]),
        ("0.state.u", ["0", "1/(2*j - x**2*u)"]),
        ("0.state.u", ["0", "diff(u, x)"]),
        ("0.state.t", ["0", "0"]),
        ("0.state.x_", ["0", "0"]),
        ("0.state.log", ["0", "0"]),
        ("0.state.a b", ["0", "0"]),
        ("0.state.j", "Mj"),
        ("1.first.1", [["0", -1]]),
        ("1.first.1", [["t", 0]]),
        ("1.first", [[], [["t", -1]]]),
        ("1.next", [TURN]),
        ("1.next.1", [*TURN, TURN[0]]),
        ("1.next.0.2", [[f"x**2/({U}*{V})", 1]]),
        ("1.next.0.2", [[f"x**2/({U}*{V})", 7]]),
        ("1.next.0.2", [[f"(u - v)/({U}*{V})", 2]]),
    ],
)
def test_inductions_refused(path, value):
    refuses("", RECURRENCE, FREE, given((PARITY, STEPS), path, value))


def test_an_equation_multiplied_by_an_undefined_number_proves_nothing():
    state = {"a": ["1", "1"], "b": ["0", "5"]}
    statement = {"kind": "induction", "state": state, "goes_on": [], "phases": [["a - 1 = 0", "b = 0"]]}
    evidence = {"rule": "induction", "first": [[], []], "next": [[[], [["5/(a - 1)", 0]]]]}
    refuses("not defined by its form", {}, {}, (statement, evidence))


def test_what_may_be_undefined_at_a_member():
    evidence = {"rule": "induction", "first": [[]], "next": [[[]]]}
    for state, phase in [({"a": ["1", "(a - 1)/(a - 1)"]}, "a - 1 = 0"), ({"a": ["1", "1"]}, "(a - 1)/(a - 2) = 0")]:
        refuses("by", {}, {}, ({"kind": "induction", "state": state, "goes_on": [], "phases": [[phase]]}, evidence))


def test_relations_vouch_for_denominators_but_not_for_their_own():
    state = {"a": ["1", "a + 1"], "b": ["1", "b*a/(a + 1)"]}
    statement = {"kind": "induction", "state": state, "goes_on": [], "phases": [["b - 1/a = 0", "a > 0"]]}
    evidence = {"rule": "induction", "first": [[], [["1", -1]]], "next": [[[["a/(a + 1)", 0]], [["1", -1], ["1", 1]]]]}
    accepts({}, {}, (statement, evidence))
    own = {"kind": "induction", "state": {"a": ["1", "a"]}, "goes_on": [], "phases": [["1/a > 0"]]}
    refuses("not defined", {}, {}, (own, {"rule": "induction", "first": [[["1", -1]]], "next": [[[["1", 0]]]]}))


# Barriers ------------------------------------------------------------------------------------------------------------


# y' = 1 - 2y, y = (1 - exp(-2x))/2 from 0: below 1/2 + 1/3, above -1/5 and above x/(1 + 2x), which starts at 0
UPPER = [combination("diff(5/6, x) - (1 - 2*(5/6))", ("2/3", -1)), barrier("below", "5/6", "5/6")]
LOWER = [combination("0 - (diff(-1/5, x) - (1 - 2*(-1/5)))", ("7/5", -1)), barrier("above", "-1/5", "1/5")]
FROM_ZERO = [
    combination("(1 - 2*(x/(1 + 2*x))) - diff(x/(1 + 2*x), x)", ("2*x/(1 + 2*x)**2", -1)),
    barrier("above", "x/(1 + 2*x)", "0"),
]


def test_barriers():
    assert accepts(RELAX, ODDS, *UPPER)[-1] == "Y is below 5/6"
    assert accepts(RELAX, ODDS, *LOWER)[-1] == "Y is above -1/5"
    assert accepts(RELAX, ODDS, *FROM_ZERO)[-1] == "Y is above x/(1 + 2*x)"
    twice = [combination("2*x*(diff(5/6, x) - (1 - 2*(5/6)))", ("4*x/3", -1)), barrier("below", "5/6", "5/6", ["2*x"])]
    accepts(RELAX, ODDS, *twice)


def test_an_escape_may_stand_in_for_the_residual():
    """y' = 4(1 - y)/(1 + x)**2 from 0 lies below 1, and below (5 - x)/4 + x = 5/4 + 3x/4 by its escape alone."""
    theorem = {**AXIS, "solutions": {"Y": solution("4*(1 - Y)/(1 + x)**2", damping="4/(1 + x)**2")}}
    wall = "1/2 + 3*x"
    statement = {"kind": "positive", "any_of": [f"diff({wall}, x) - 4*(1 - ({wall}))/(1 + x)**2", f"({wall}) - 1"]}
    # at x = v/(1 - v): the residual is 3 - 4(1/2 - 3x)(1 - v)**2, the escape times 2(1 - v) is 7v - 1
    polynomials = [[1, 16, -14], [-1, 7]]
    evidence = {"rule": "bernstein", "multipliers": ["1", "2*(1 - v)"], "polynomials": polynomials, "tree": [-1, 0, 1]}
    steps = [(statement, evidence), barrier("below", wall, "1/2", ["1", "1"])]
    accepts(theorem, ODDS, *steps)
    refuses("not the inequality needed", given(theorem, "solutions.Y.below", "2"), ODDS, *steps)
    refuses("", theorem, ODDS, steps[0], barrier("below", wall, "1/2"))


# Each keeps the shape of a proof and breaks one hypothesis of the comparison lemma.
BROKEN = [
    ("another equation", {"solutions": {"Y": solution("2 - 2*Y", damping="2")}}, ODDS, UPPER),
    ("the other side", {}, ODDS, [UPPER[0], barrier("above", "5/6", "5/6")]),
    ("no side", {}, ODDS, [UPPER[0], barrier("beside", "5/6", "5/6")]),
    ("another wall", {}, ODDS, [UPPER[0], barrier("below", "4/6", "4/6")]),
    ("another start", {}, ODDS, [UPPER[0], barrier("below", "5/6", "4/6")]),
    ("a start of zero", {}, ODDS, [UPPER[0], barrier("below", "5/6", "0")]),
    ("no factor", {}, ODDS, [UPPER[0], barrier("below", "5/6", "5/6", [])]),
    ("a negative factor", {}, ODDS, [combination("5/3 - 1", ("2/3", -1)), barrier("below", "1/6", "1/6", ["0 - 1"])]),
    ("a weak inequality", {}, ODDS, [combination(UPPER[0][0]["any_of"][0], ("2/3", -1), kind="nonnegative"), UPPER[1]]),
    ("a step to come", {}, ODDS, [barrier("below", "5/6", "5/6", inequality=1), UPPER[0]]),
    ("itself", {}, ODDS, [UPPER[0], barrier("below", "5/6", "5/6", inequality=1)]),
    ("a step before the first", {}, ODDS, [UPPER[0], barrier("below", "5/6", "5/6", inequality=-1)]),
    ("another solution", {}, ODDS, [UPPER[0], given(barrier("below", "5/6", "5/6"), "0.solution", "Z")]),
    ("x from 1 on", {"domain": {"x": "[1, oo)"}}, {"symbols": {"x": run("reciprocal", "v")}}, UPPER),
    ("x by itself", {}, {"symbols": {"x": run("itself", "v")}}, UPPER),
    ("no damping", {"solutions": {"Y": solution("1 - 2*Y", damping="3")}}, ODDS, FROM_ZERO),
    ("growth", {"solutions": {"Y": solution("1 + 2*Y", damping="0 - 2")}}, ODDS, FROM_ZERO),
]


@pytest.mark.parametrize(("theorem", "chart", "steps"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN])
def test_barriers_refused(theorem, chart, steps):
    refuses("", {**RELAX, **theorem}, chart, *steps)


GROW = {**AXIS, "solutions": {"Y": {**solution("2*Y/x", below="1 + 3*x**2"), "is": "3*x**2"}}}
CROSSED = combination("diff(x**2 + x**3, x) - 2*(x**2 + x**3)/x", ("x**2", -1))


@pytest.mark.parametrize("start", ["0", "x", "x**2 + x**3", "v", "1 - 1/(1 + x)"])
def test_a_start_that_vanishes_is_no_start(start):
    """y = 3x² solves y' = 2y/x; x² + x³ has a positive residual and starts at 0 as y does, and y is not below it."""
    refuses("", GROW, ODDS, CROSSED, barrier("below", "x**2 + x**3", start))


def test_parameters_must_not_depend_on_the_variable():
    """At fixed nu the inequality is known for x >= nu only; y = x/(1 + x) is above nu/4 - x/9 + ... near 0 or not: nothing follows."""
    theorem = {"domain": {"x": "(0, oo)", "nu": "(0, x]"}, "solutions": {"Y": solution("1 - 2*Y", damping="2")}}
    chart = {"symbols": {"x": run("odds", "v"), "nu": run("multiple", "u", "x")}}
    refuses("held fixed", theorem, chart, *UPPER)


SINGULAR = {"domain": {"x": "(0, oo)"}, "solutions": {"Y": solution("1 - 2*Y", damping="2")}}


@pytest.mark.parametrize(
    ("where", "roots", "wall"),
    [
        ({"r": "sqrt(1 + 2*x/x**2 + x/x**3)"}, {"r": "(x + 1)/x"}, "5/6"),  # a root that is singular at 0
        ({"q": "x**2", "r": "sqrt(q)"}, {"r": "x"}, "5/6"),  # one that vanishes there
        ({}, {}, "5/6 + x/x - 1"),
        ({"q": "1/x"}, {}, "5/6 + q - q"),
        ({}, {}, "5/6 + log(x) - log(x)"),
        ({}, {}, "5/6 + I - I"),
    ],
)
def test_a_barrier_must_be_smooth_up_to_zero(where, roots, wall):
    theorem = {**SINGULAR, "where": where, "derivatives": {"I": {"x": "0"}} if "I" in wall else {}}
    step = combination(f"diff({wall}, x) - (1 - 2*({wall}))", ("2/3", -1))
    refuses("", theorem, {**ODDS, "roots": roots}, step, barrier("below", wall, "5/6"))


# Bounds and integration ----------------------------------------------------------------------------------------------


WALLS = [
    combination("diff(1/2 + 2/3, x) - (1 - 2*(1/2 + 2/3))", ("4/3", -1)),
    barrier("below", "1/2 + 2/3", "7/6"),
    combination("0 - (diff(1/2 - 2/3, x) - (1 - 2*(1/2 - 2/3)))", ("4/3", -1)),
    barrier("above", "1/2 - 2/3", "1/6", inequality=2),
]


PRIMITIVES = {"F": "x/2", "G": "2*x/3", "P": "x/2 + 1/x - 1/x", "L": "x/2 + log(x - 5) - log(x - 5)", "N": "x/2 + log(0 - x) - log(x)"}
PRIMITIVE = {**RELAX, "where": PRIMITIVES}
SLOPES = [identity("diff(F, x)", "1/2"), identity("diff(G, x)", "2/3")]


def test_enclosure_and_integration():
    assert accepts(RELAX, ODDS, *WALLS, bound())[-1] == "|Y - (1/2)| < 2/3"
    lines = accepts(PRIMITIVE, ODDS, *WALLS, bound(), *SLOPES, difference())
    assert lines[-1].startswith("|[Y(b) - Y(a)] - [F(b) - F(a)]| <= |G(b) - G(a)| for a, b >= 0, where Y' = Y")


@pytest.mark.parametrize(
    "step",
    [
        bound(radius="1/3"),
        bound(candidate="1/3"),
        bound(candidate="1/2 + 0/(x - 1)"),
        bound(below=3, above=1),
        bound(below=-3),
        bound(below=0),
        ({"kind": "barrier", "solution": "Y", "side": "below", "function": "0"}, {"rule": "enclosure", "below": 1, "above": 3}),
        (
            {"kind": "barrier", "solution": "Y", "side": "below", "function": "0", "candidate": "1/2", "radius": "2/3"},
            {"rule": "enclosure", "below": 1, "above": 3},
        ),
        ({"kind": "bound", "solution": "Y", "candidate": "0", "radius": "1/9", "side": "below", "function": "5/6"}, UPPER[1][1]),
        ({**PARITY, "kind": "positive", "any_of": ["0 - 1"]}, STEPS),
        (bound()[0] | {"kind": "barrier"}, bound()[1]),
        bound(below=-1),
    ],
)
def test_bounds_refused(step):
    refuses("", RELAX, ODDS, *WALLS, step)


@pytest.mark.parametrize(
    ("left", "step"),
    [
        ("diff(F, x)", difference(bound=3)),
        ("diff(F, x)", difference(potential_slope=4)),
        ("diff(F, x)", difference(majorant_slope=5)),
        ("diff(F, x)", difference("x")),
        ("diff(F, x)", difference(majorant="F")),
        ("diff(P, x)", difference("P")),  # singular at 0
        ("diff(L, x)", difference("L")),  # undefined below 5
        ("diff(N, x)", difference("N")),  # undefined everywhere
        ("diff(F, x) + diff(1, x)", difference("F, x) + diff(1")),
        ("x - x + diff(F, x)", difference()),
    ],
)
def test_integrations_refused(left, step):
    refuses("", PRIMITIVE, ODDS, *WALLS, bound(), identity(left, "1/2"), SLOPES[1], step)


FROM_ZERO_LATER = [FROM_ZERO[0], barrier("above", "x/(1 + 2*x)", "0", inequality=1)]

# Facts on solutions: weaker bounds, derivatives --------------------------------------------------------------------


def beyond(function: str, side: str = "below", *terms: tuple[str, int], solution: str = "Y") -> tuple[dict, dict]:
    statement = {"kind": "barrier", "solution": solution, "side": side, "function": function}
    return statement, {"rule": "combination", "terms": [list(term) for term in terms]}


def test_weaker_bounds():
    gap = combination("1 - 5/6", ("1/6", -1))
    assert accepts(RELAX, ODDS, *UPPER, gap, beyond("1", "below", ("1", 1), ("1", 2)))[-1] == "Y is below 1"
    accepts(RELAX, ODDS, beyond("0", "above", ("Y", -1)))
    for step in [
        beyond("4/6", "below", ("1", 1), ("0 - 1", 2)),
        beyond("1", "above", ("1", 1), ("1", 2)),
        beyond("1", "beside", ("1", 1), ("1", 2)),
        beyond("1", "below", ("1", 1), ("1", 0)),
        beyond("1", "below", ("1", 1), ("1", 3)),
        beyond("1", "below", ("1 - Y", -1)),
        beyond("1", "below", ("1", 1), ("1", 2), solution="x"),
        beyond("1", "below", ("1", 1), ("1", 2), solution="Z"),
        given(beyond("1", "below", ("1", 1), ("1", 2)), "0.any_of", ["1"]),
    ]:
        refuses("", RELAX, ODDS, *UPPER, gap, step)


# x/(1 + 2x) < y < 5/6 give -2/3 < y' = 1 - 2y < 1
SLOPE = [
    *UPPER,
    FROM_ZERO[0],
    barrier("above", "x/(1 + 2*x)", "0", inequality=2),
    combination("1 - (diff(Y, x) - diff(1/2, x))", ("2", 3), ("2*x/(1 + 2*x)", -1)),
    combination("1 + (diff(Y, x) - diff(1/2, x))", ("2", 1), ("1/3", -1)),
]


def slope(solution="diff(Y, x)", candidate="diff(1/2, x)", radius="1", below=4, above=5) -> tuple[dict, dict]:
    statement = {"kind": "bound", "solution": solution, "candidate": candidate, "radius": radius}
    return statement, {"rule": "enclosure", "below": below, "above": above}


def test_bounds_of_derivatives():
    assert accepts(RELAX, ODDS, *SLOPE, slope())[-1] == "|diff(Y, x) - (diff(1/2, x))| < 1"
    for changed in ("1 - 3*Y", "1 + 2*Y", "1 - 2*Y + x"):
        refuses("", {**RELAX, "solutions": {"Y": solution(changed, damping="2")}}, ODDS, *SLOPE, slope())
    wrong = [slope("Y"), slope("diff(Y, x)", "x"), slope(radius="1/2"), slope(below=5), slope(above=4), slope(below=1)]
    for step in wrong:
        refuses("", RELAX, ODDS, *SLOPE, step)
    refuses("", RELAX, ODDS, *SLOPE, difference(bound=6))


def test_a_solution_in_a_statement_is_a_positive_number_that_moves_as_its_equation_says():
    accepts(RELAX, ODDS, identity("diff(Y**2, x)", "2*Y*(1 - 2*Y)"), combination("Y/x", ("Y/x", -1)))
    two = {**AXIS, "domain": {"p": "(0, oo)", "x": "(0, oo)"}, "solutions": RELAX["solutions"]}
    chart = {"symbols": {"p": run("odds", "w"), "x": run("odds", "v")}}
    accepts(two, chart, identity("diff(p*Y, x)", "p*(1 - 2*Y)"))
    refuses("", two, chart, identity("diff(p*Y, p)", "Y"))  # Y may depend on p
    for step in [
        combination("1 - Y", ("1 - Y", -1)),
        identity("diff(Y, x)", "0"),
        identity("diff(Y, x)", "1 - Y"),
        barrier("below", "Y + 1", "1"),
    ]:
        refuses("", RELAX, ODDS, step)
    refuses("", {**RELAX, "domain": {"x": "[0, 1]"}}, {"symbols": {"x": run("itself", "v")}}, combination("Y", ("Y", -1)))


def test_what_a_step_has_shown_has_a_sign_from_then_on():
    shown, used = SQUARE, combination("1/(3*x**2 - 3*x + 1)", ("1/(3*x**2 - 3*x + 1)", -1))
    accepts(UNIT, ITSELF, shown, used)
    refuses("", UNIT, ITSELF, used, shown)
    weak = positive("(1 - 2*x)**2", [1, -4, 4], [-1, 0, 0], kind="nonnegative")
    refuses("", UNIT, ITSELF, weak, combination("1/(1 - 2*x)**2", ("1/(1 - 2*x)**2", -1)))
    either = {"kind": "positive", "any_of": ["1 - 2*x", "3*x - 1"]}, {
        "rule": "bernstein",
        "multipliers": ["1", "1"],
        "polynomials": [[1, -2], [-1, 3]],
        "tree": [-1, -1, 0, -1, 0, 1, 1],
    }
    accepts(UNIT, ITSELF, either)
    refuses("", UNIT, ITSELF, either, combination("1 - 2*x", ("1 - 2*x", -1)))


def test_the_damping_is_positive_for_all_numbers_and_not_for_the_solution_only():
    theorem = given(RELAX, "solutions.Y.damping", "2 + Y - Y")
    refuses("damping", theorem, ODDS, combination("2 + Y - Y", ("2", -1)), *FROM_ZERO_LATER)
    accepts(RELAX, ODDS, combination("2 + Y - Y", ("2", -1)), *FROM_ZERO_LATER)


def test_what_is_shown_for_positive_arguments_is_not_shown_at_zero():
    """y' = −y/(x(1 + x)) + 1/(1 + x)², y = x/(1 + x)², and a wall that is singular at 0, where a step has shown it to be positive."""
    theorem = {**RELAX, "where": {"W": "1/x"}}
    steps = [combination("W", ("1/x", -1)), combination("diff(W, x) - (1 - 2*W)", ("1", -1))]
    refuses("", theorem, ODDS, *steps)
    refuses("singular", theorem, ODDS, steps[0], barrier("below", "W", "1"))


def test_oscillations():
    assert accepts(LEVELLED, ODDS, *OSCILLATION)[-1].startswith("|[Y(b) - Y(a)] - [F(b) - F(a)]| <= 2 for all a, b >= 0")
    for path, value in [
        ("0.radius", "1"),
        ("0.potential", "x/2"),
        ("0.solution", "Z"),
        ("1.rest", "0 - 1/(1 + x)"),
        ("1.difference", 4),
        ("1.inequalities", [9, 8, 10, 11]),
        ("1.inequalities", [8, 9, 10]),
        ("1.inequalities", [8, 9, 10, 12]),
        ("1.inequalities", [8, 9, 10, 7]),
    ]:
        refuses("", LEVELLED, ODDS, *OSCILLATION[:-1], given(OSCILLATION[-1], path, value))


def test_the_ends_of_a_range_are_constants():
    for k, moving, sum_of_lengths in ((9, "1 + x - 1/(1 + x)", "2 + x"), (10, "0 - 1/(1 + x) - (0 - 1 - x)", "2 + x")):
        steps = [*OSCILLATION]
        steps[k] = combination(moving, ("x*(2 + x)/(1 + x)", -1), kind="nonnegative")
        refuses("end of a range", LEVELLED, ODDS, *steps)
        refuses("end of a range", LEVELLED, ODDS, *steps[:-1], given(steps[-1], "0.radius", sum_of_lengths))


# Suprema -------------------------------------------------------------------------------------------------------------

PEAK = {"domain": {"x": "(0, 1]"}, "where": {"C": "sup(x*(1 - x), 1/8*x)", "D": "sup(C*x)", "q": "2*C"}}


CAPS = [
    positive("1/3 - x*(1 - x)", [1, -3, 3], [-1, 0, 0], "3"),
    positive("1/3 - 1/8*x", [8, -3], [0], "24"),
]
# sup C*x = C <= 1/3 as C - C*x >= 0; a point of the box at which w, too, could be chosen would say 1/3*x of it
LINEAR = positive("1/3 - C*x", [[25, 0], [-18, -7]], [0], "75", kind="nonnegative")


def test_suprema():
    lines = accepts(PEAK, ITSELF, *CAPS, supremum())
    assert "with C = sup(x*(1 - x), 1/8*x), the supremum over all of these" in lines
    assert lines[-1] == "6/25 <= C <= 1/3"
    accepts(PEAK, ITSELF, *CAPS, supremum(), positive("C + x - x*x", [[18 + 0, 7], [75, 0], [-75, 0]], [-1, 0, 0], "75"))
    accepts(PEAK, ITSELF, *CAPS, supremum(), identity("diff(q*x, x)", "2*C"), combination("q", ("q", -1)))


@pytest.mark.parametrize(
    "step",
    [
        supremum(low="1/4"),  # it is 1/4, but not at this point
        supremum(high="1/4"),
        supremum(high="x"),
        supremum(high="C"),
        supremum(low="1e9999999999"),
        supremum(low="0.24"),
        supremum(point="1e9999999999"),
        supremum(point="1"),
        supremum(point="3/2"),
        supremum(variable="v"),
        supremum(variable="x"),
        supremum(variable="w w"),
        supremum(inequalities=(0,)),
        supremum(inequalities=(1, 0)),
        supremum(symbol="x"),
        supremum(symbol="q"),
    ],
)
def test_suprema_refused(step):
    refuses("", PEAK, ITSELF, *CAPS, step)


def test_a_supremum_is_unknown_before_its_step_and_found_once():
    refuses("", PEAK, ITSELF, *CAPS, positive("C", [18, 7], [0], "75"), supremum())
    refuses("", PEAK, ITSELF, *CAPS, supremum(), supremum(variable="w2"))
    refuses("", {**PEAK, "where": {"C": "sup()"}}, ITSELF, TRIVIAL)


def test_the_supremum_of_another_supremum_is_not_reached_where_that_one_is_only_possible():
    accepts(PEAK, ITSELF, *CAPS, supremum(), LINEAR)
    for point in ({"v": "99/100", "w": "99/100"}, {"v": "99/100"}):
        step = given(supremum("D", "3/10", "1/3", variable="z", inequalities=(3,)), "1.point", point)
        refuses("", PEAK, ITSELF, *CAPS, supremum(), LINEAR, step)


def test_cases():
    either = {"kind": "positive", "any_of": ["1 - 2*x", "3*x - 1"]}, {
        "rule": "bernstein",
        "multipliers": ["1", "1"],
        "polynomials": [[[1, 0], [-2, 0]], [[-1, 0], [3, 0]]],
        "tree": [-1, -1, 0, -1, 0, 1, 1],
    }
    steps = [*CAPS, supremum(), either]
    one = [["1", 0], ["1", 1]]  # 1 - 2x + (C - x(1 - x))
    good = cases(["1 - 3*x + x**2 + C", "3*x - 1"], (0, one), (1, [["1", 0]]))
    assert accepts(PEAK, ITSELF, *steps, good)[-1] == "1 - 3*x + x**2 + C > 0 or 3*x - 1 > 0"
    for bad in [
        cases(["1 - 3*x + x**2 + C", "3*x - 1"], (0, one)),
        cases(["1 - 3*x + x**2 + C", "3*x - 1"], (0, one), (0, [["1", 0]])),
        cases(["1 - 3*x + x**2 + C", "3*x - 1"], (0, one), (-1, [["1", 0]])),
        cases(["1 - 3*x + x**2 + C", "3*x - 1", "nonsense"], (0, one), (1, [["1", 0]])),
        cases(["1 - 3*x + x**2 + C", "3*x - 1"], (0, [["1", 1], ["1", 0], ["0 - 1", 1]]), (1, [["1", 0]])),
        cases(["C - x*(1 - x)", "3*x - 1"], (0, [["1", 1]]), (1, [["1", 0]])),  # >= 0 only
        cases(["1 - 3*x + x**2 + C", "3*x - 1"], (0, one), (1, [["1", 0]]), inequality=2),
        cases(["1 - 3*x + x**2 + C", "3*x - 1"], (0, one), (1, [["1", 0]]), inequality=4),
    ]:
        refuses("", PEAK, ITSELF, *steps, bad)


# The file ------------------------------------------------------------------------------------------------------------


def test_every_statement_must_be_the_statement_of_a_step():
    theorem = {**UNIT, "statements": [{"kind": "positive", "any_of": ["3*x**2 - 3*x"]}]}
    refuses("not established", theorem, ITSELF, SQUARE)
    refuses("not established", {**UNIT, "statements": []}, ITSELF, SQUARE)
    refuses("not established", {**UNIT, "statements": "positive"}, ITSELF, SQUARE)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("format", "certify.certificate/2"),
        ("claim", 1),
        ("lemmas", ["another lemma"]),
        ("lemmas", [*LEMMAS.values()]),
        ("comment", ""),
        ("theorem.assumptions", ["x > 1"]),
        ("theorem.statements.0.any_of", "x"),
        ("theorem.statements.0.note", ""),
        ("proof.note", ""),
        ("proof.steps.0.note", ""),
        ("proof.steps.0.evidence.note", ""),
        ("proof.steps.0.evidence.any_of", ["1"]),
        ("proof.steps.0.evidence.rule", "agree"),
        ("proof.steps.0.evidence.rule", "__init__"),
        ("proof.steps.0.evidence.tree.0", True),
        ("proof.steps.0.evidence.tree.0", 0.0),
        ("proof.steps.0.evidence.tree.0", None),
        ("proof.steps.0.evidence.tree.0", float("nan")),
        ("proof.steps.0.statement.any_of", ["x\n"]),
        ("proof.chart.note", {}),
    ],
)
def test_other_fields_and_types_are_refused(path, value):
    data = given(sealed(UNIT, ITSELF, SQUARE), path, value)
    data["digest"] = digest(data)
    with pytest.raises(Refused):
        check(data)


@pytest.mark.parametrize(
    ("field", "step"),
    [
        ("any_of", SQUARE),
        ("any_of", combination("x", ("x", -1))),
        ("goes_on", ({"kind": "induction", "state": {"a": ["1", "a - 1"]}, "goes_on": ["a - 1"], "phases": [["a > 0"]]},
                     {"rule": "induction", "first": [[["1", -1]]], "next": [[[["1", 1]]]]})),
    ],
)  # fmt: skip
def test_a_statement_says_itself_what_it_says(field, step):
    """Without its field goes_on the induction would say that a = 1, a - 1, ... stay > 0."""
    statement, evidence = step
    accepts(UNIT, ITSELF, step)
    hidden = {key: part for key, part in statement.items() if key != field}, {**evidence, field: statement[field]}
    refuses("field of the statement", UNIT, ITSELF, hidden)
    refuses("field of the statement", UNIT, ITSELF, (hidden[0], evidence))
    refuses("field of the statement", UNIT, ITSELF, ({**statement, "note": "x"}, evidence))


@pytest.mark.parametrize("part", ["symbols", "roots"])
def test_the_chart_stands_in_the_proof(part):
    data = sealed(UNIT, ITSELF, SQUARE)
    data["theorem"][part] = data["proof"]["chart"].pop(part)
    data["digest"] = digest(data)
    with pytest.raises(Refused, match="a proof is a chart and steps"):
        check(data)


def test_the_digest_must_be_that_of_the_content():
    with pytest.raises(Refused, match="digest"):
        check(given(sealed(UNIT, ITSELF, SQUARE), "claim", "another"))


@pytest.mark.parametrize("data", [None, 0, "", [], {}, {"digest": 0}, [[]], {"format": []}])
def test_other_values_are_refused(data):
    with pytest.raises(Refused):
        check(data)


def doubling(depth: int) -> dict:
    return {"a0": "x", **{f"a{k + 1}": f"a{k}*a{k}" for k in range(depth)}}


@pytest.mark.parametrize(
    ("where", "step"),
    [
        ({}, identity("(((2**400)**400)**400)**400", "1")),
        ({}, identity("(x**400)**400", "x")),
        (doubling(60), identity("a60", "x")),
        (doubling(60), combination("a60", ("a60", -1))),
        ({f"a{k}": "x" for k in range(600)}, TRIVIAL),
        ({}, identity("diff(" * 30 + "x/(1 + x)" + ", x)" * 30, "0")),
        ({}, identity("(" * 5000 + "x" + ")" * 5000, "x")),
        ({}, identity("-" * 15000 + "x", "x")),
        ({}, identity("+".join(["x"] * 9000), "9000*x")),
        ({}, identity("9" * 19000, "x")),
        ({}, identity("x" * 19000 + "#", "x")),
        ({}, identity("x + " * 9000 + "x", "x")),
        ({}, combination(f"diff(diff({'*'.join(['x'] * 150)}, x), x)", ("1", -1))),  # few nodes, and large as a tree
        ({}, combination("1", *[("1", -1)] * 20_000)),
        ({"a": "((x + 1)**400 + 1)**400 + 1"}, identity("*".join(f"(a**90 + {k})" for k in range(1, 300)), "0")),
        ({"a": "(((x + 1)**400 + 1)**400 + 1)**90"}, identity("*".join(f"(a + {k})" for k in range(1, 300)), "0")),
    ],
)
def test_work_is_bounded(where, step, monkeypatch):
    monkeypatch.setattr(checker, "MAX_WORK", 1_000_000)
    refuses("", {**AXIS, "where": where}, ODDS, step)


BOXES = [([1] + [0] * 30_000, [0]), ([1] + [0] * 500, [0]), ([1, 1], [-1] * 30_000), ([1], [-1, 0] * 30_000)]


@pytest.mark.parametrize(("polynomial", "tree"), BOXES)
def test_boxes_are_bounded(polynomial, tree, monkeypatch):
    monkeypatch.setattr(checker, "MAX_WORK", 1_000_000)
    refuses("", UNIT, ITSELF, positive("1", polynomial, tree))


def test_many_short_lines_are_work(monkeypatch):
    """A table of six axes, each of degree 1, on 64 boxes."""
    monkeypatch.setattr(checker, "MAX_WORK", 200_000)
    names = [f"x{k}" for k in range(6)]
    theorem, chart = {"domain": dict.fromkeys(names, "(0, 1]")}, {"symbols": {name: run("itself", f"v{name}") for name in names}}
    table: Any = 1
    for _ in names:
        table = [table, table]
    text = "*".join(f"(1 + {name})" for name in names)
    deep = [0]
    for axis in range(6):
        deep = [-1 - axis, *deep, *deep]
    accepts(theorem, chart, positive(text, table, [0]))
    refuses("more work", theorem, chart, positive(text, table, deep))
