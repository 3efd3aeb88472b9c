"""Both sides of each of the checker's conditions: what is just enough is accepted, and what just falls short is refused for it."""

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
    solution,
    supremum,
)

# Alternatives --------------------------------------------------------------------------------------------------------

BERNSTEIN = {"rule": "bernstein", "multipliers": ["1", "1"], "polynomials": [[1, -2], [-1, 3]], "tree": [-1, -1, 0, -1, 0, 1, 1]}
INTERVALS = {"rule": "intervals", "multipliers": ["1", "1"], "forms": ["1 - 2*v", "3*v - 1"], "tree": BERNSTEIN["tree"]}
EITHER = {"kind": "positive", "any_of": ["1 - 2*x", "3*x - 1"]}


@pytest.mark.parametrize("evidence", [BERNSTEIN, INTERVALS], ids=["bernstein", "intervals"])
def test_every_alternative_has_a_factor_and_a_form_and_is_defined(evidence):
    accepts(UNIT, ITSELF, (EITHER, evidence))
    forms = "polynomials" if "polynomials" in evidence else "forms"
    more = [*evidence[forms], [1] if forms == "polynomials" else "1"]
    only = {**evidence, "tree": [2]}  # the third form, which would be that of no alternative
    refuses("", UNIT, ITSELF, (EITHER, {**only, forms: more}))
    refuses("", UNIT, ITSELF, (EITHER, {**only, forms: more, "multipliers": ["1", "1", "1"]}))
    sure = {**evidence, "tree": [0], "multipliers": ["1"], forms: more[-1:]}
    accepts(UNIT, ITSELF, ({**EITHER, "any_of": ["1"]}, sure))
    for undefined in ("log(0 - x)", "(2*x - 1)/(2*x - 1)", "1 - 2*x"):  # beside one that is positive everywhere, by itself or with a form
        refuses("", UNIT, ITSELF, ({**EITHER, "any_of": ["1", undefined]}, sure))
    undefined = {**sure, "multipliers": ["1", "1"], forms: more[-1:] * 2}
    accepts(UNIT, ITSELF, ({**EITHER, "any_of": ["1", "x/x"]}, undefined))
    refuses("not defined by its form", UNIT, ITSELF, ({**EITHER, "any_of": ["1", "(2*x - 1)/(2*x - 1)"]}, undefined))


def test_only_a_single_inequality_is_a_fact():
    refuses("", UNIT, ITSELF, (EITHER, BERNSTEIN), combination("1 - 2*x + 3*x - 1", ("1", 0)))


@pytest.mark.parametrize(
    ("text", "form", "tree"),
    [("1/4 + (x - 1/2)**2", "1/4 + (v - 1/2)**2", [0]), ("1/4 - (x - 1/2)**3", "1/4 - (v - 1/2)**3", [0]), ("1/x", "1/v", [-1, 0, 0])],
)
def test_interval_values(text, form, tree):
    """(v - 1/2)**2 >= 0 on the whole interval, where v - 1/2 changes its sign; 1/v has no value on an interval that begins at 0."""
    if "/v" in form:
        refuses("contains zero", UNIT, ITSELF, intervals(text, form, tree))
    else:
        accepts(UNIT, ITSELF, intervals(text, form, tree))


CASES = [positive("1/4 - x*(1 - x)", [1, -4, 4], [-1, 0, 0], "4", "nonnegative"), supremum("C", "1/4", "1/4", "1/2", inequalities=(0,))]
PEAK = {**UNIT, "where": {"C": "sup(x*(1 - x))"}}


def test_every_alternative_that_cases_lead_to_is_defined():
    both = {**BERNSTEIN, "polynomials": [[[1, 0], [-2, 0]], [[-1, 0], [3, 0]]]}
    implied = (0, [["1", 0]]), (1, [["1", 0]])
    accepts(PEAK, ITSELF, *CASES, (EITHER, both), cases(["1 - 2*x", "3*x - 1", "x"], *implied, inequality=2))
    undefined = cases(["1 - 2*x", "3*x - 1", "log(0 - x)"], *implied, inequality=2)
    refuses("not defined by its form", PEAK, ITSELF, *CASES, (EITHER, both), undefined)


# Suprema -------------------------------------------------------------------------------------------------------------


def test_the_numbers_of_a_supremum_are_written_without_names():
    """Else C = sup(x/2) <= x would follow from x - x/2 > 0 at every x; and a definition is no number that a reader sees."""
    theorem = {**UNIT, "where": {"q": "1/2", "C": "sup(x/2)"}}
    half, moving = positive("1/2 - x/2 + 1/100", [51, -50], [0], "100"), positive("x - x/2", [1], [0], "2/v")
    good = supremum("C", "1/4", "51/100", "1/2", inequalities=(0,))
    accepts(theorem, ITSELF, half, good)
    refuses("symbols known", theorem, ITSELF, moving, given(good, "0.high", "x"))
    for path, name in (("0.low", "q/2"), ("0.high", "q + 1/100"), ("1.point.v", "q"), ("1.point.v", "x")):
        refuses("symbols known", theorem, ITSELF, half, given(good, path, name))


def test_a_supremum_is_over_symbols_on_any_unit_interval():
    names = {"x": "(0, 1]", "y": "(0, 1)", "z": "[0, 1]"}
    theorem = {"domain": names, "derivatives": {"f": {}}, "where": {"C": "sup(x*y*z)"}}
    chart = {"symbols": {name: run("itself", f"v{name}") for name in names}}
    table = [[[1, 0], [0, 0]], [[0, 0], [0, -1]]]
    cap = positive("1 - x*y*z", table, [0], kind="nonnegative")
    step = supremum("C", "1/8", "1", inequalities=(0,))
    accepts(theorem, chart, cap, given(step, "1.point", dict.fromkeys(("vx", "vy", "vz"), "1/2")))
    for point in (dict.fromkeys(("vx", "vy"), "1/2"), dict.fromkeys(("vx", "vy", "vz", "f"), "1/2")):
        refuses("not inside the box", theorem, chart, cap, given(step, "1.point", point))


@pytest.mark.parametrize(
    ("expression", "cap", "low", "inside", "outside"),
    [
        ("x", positive("1 - x", [1, -1], [0], kind="nonnegative"), "99/100", "99/100", "1"),
        ("x", positive("1 - x", [1, -1], [0], kind="nonnegative"), "99/100", "199/200", "3/2"),
        ("1 - x", positive("1 - (1 - x)", [1], [0], "1/v"), "99/100", "1/100", "0"),
    ],
)
def test_a_point_is_inside_the_box_and_not_at_its_sides(expression, cap, low, inside, outside):
    """The symbols' intervals may be open, so at the sides nothing is reached."""
    theorem = {**UNIT, "where": {"C": f"sup({expression})"}}
    accepts(theorem, ITSELF, cap, supremum("C", low, "1", inside, inequalities=(0,)))
    refuses("not inside the box", theorem, ITSELF, cap, supremum("C", low, "1", outside, inequalities=(0,)))


ZERO = {**UNIT, "where": {"C": "sup(x - x)"}}
NOTHING = [positive("1 - (x - x)", [1], [0]), supremum("C", "0", "1", inequalities=(0,))]


def test_a_supremum_has_the_sign_of_its_lower_bound_and_no_more():
    """C = 0 lies between 0 and 1: C >= 0 follows, and C > 0, w > 0 and 1/C do not."""
    accepts(ZERO, ITSELF, *NOTHING, combination("C", ("C", -1), kind="nonnegative"))
    accepts(ZERO, ITSELF, *NOTHING, combination("C", ("w", -1), kind="nonnegative"))
    refuses("no term of the sum is positive", ZERO, ITSELF, *NOTHING, combination("C", ("C", -1)))
    refuses("no term of the sum is positive", ZERO, ITSELF, *NOTHING, combination("C", ("w", -1)))
    refuses("not defined by its form", ZERO, ITSELF, *NOTHING, combination("1/C", ("1/C", -1), kind="nonnegative"))
    above = [NOTHING[0], combination("1 - (x - x) + 1", ("2", -1)), supremum("C", "0 - 1", "1", inequalities=(0,))]
    refuses("not >= 0 by its form", ZERO, ITSELF, *above, combination("C", ("C", -1), kind="nonnegative"))


# Inductions ----------------------------------------------------------------------------------------------------------


def induction(state: dict, phases: list, first: list, next: list, goes_on: tuple = ()) -> tuple[dict, dict]:
    statement = {"kind": "induction", "state": state, "goes_on": list(goes_on), "phases": phases}
    return statement, {"rule": "induction", "first": first, "next": next}


def test_an_equation_follows_from_equations_only():
    """From 1 > 0, with the coefficient 1, the first step would say 1 = 0; from a > 0, with the coefficient 1, the next would say a = 0."""
    refuses("from equations only", {}, {}, induction({"a": ["1", "1"]}, [["a = 0"]], [[["1", -1]]], [[[["1", 0]]]]))
    phases = [["a > 0", "b = 0"]]
    first, one = [[["1", -1]], []], [["1", -1]]
    refuses("from equations only", {}, {}, induction({"a": ["1", "1"], "b": ["0", "a"]}, phases, first, [[one, [["1", 0]]]]))
    accepts({}, {}, induction({"a": ["1", "1"], "b": ["0", "7*b"]}, phases, first, [[one, [["7", 1]]]]))


def test_the_first_members_must_have_the_first_relations():
    """a = 0, 1, 2, ...: a >= 0 holds from the beginning, a > 0 does not, though each next member has it."""
    accepts({}, {}, induction({"a": ["0", "a + 1"]}, [["a >= 0"]], [[]], [[[["1", 0], ["1", -1]]]]))
    refuses("no term of the sum is positive", {}, {}, induction({"a": ["0", "a + 1"]}, [["a > 0"]], [[]], [[[["1", 0], ["1", -1]]]]))


def test_first_members_are_defined_and_of_any_sign():
    accepts(UNIT, ITSELF, induction({"a": ["-1", "a"]}, [["a + 1 = 0"]], [[]], [[[["1", 0]]]]))
    refuses("not defined by its form", UNIT, ITSELF, induction({"a": ["0/(2*x - 1)", "a"]}, [["a = 0"]], [[]], [[[["1", 0]]]]))


def test_an_induction_begins_with_a_relation():
    for phases, first, next in (([[]], [], [[]]), ([[], ["a > 0"]], [], [[[["1", 0]]], []]), ([], [], [])):
        refuses("", {}, {}, induction({"a": ["1", "a"]}, phases, first, next))
    refuses("relation to begin with", {}, {}, induction({"a": ["1", "a"]}, [[]], [], [[]]))


def turning(*numbers: int) -> list:
    return [f"{name} - {number} = 0" for name, number in zip("abc", numbers, strict=True)]


def test_phases_follow_each_other_in_their_order():
    """(a, b, c) = (1, 2, 3), then (2, 3, 1), then (3, 1, 2): the second triple is not the third."""
    state = {"a": ["1", "b"], "b": ["2", "c"], "c": ["3", "a"]}
    proofs = [[[["1", 1]], [["1", 2]], [["1", 0]]]] * 3
    accepts({}, {}, induction(state, [turning(1, 2, 3), turning(2, 3, 1), turning(3, 1, 2)], [[], [], []], proofs))
    refuses("not the sum", {}, {}, induction(state, [turning(1, 2, 3), turning(3, 1, 2), turning(2, 3, 1)], [[], [], []], proofs))


@pytest.mark.parametrize("relation", ["a > 0 ", "a > 00", "a > 1", "a < 0", "a == 0", "a >= a", "a != 0", "a", "a >", "> 0", "a>0", ""])
def test_what_is_no_relation(relation):
    refuses("", {}, {}, induction({"a": ["1", "a"]}, [[relation]], [[["1", -1]]], [[[["1", 0]]]]))


def test_a_sequence_has_no_sign_but_that_of_the_relations():
    """a = -1 at every member, so that b = 0, -1, -2, ... falls; an equation is no sign either."""
    def falling(relation: str, first: str) -> tuple[dict, dict]:
        state = {"a": [first, "a"], "b": ["0", "b + a"]}
        begin = [["1", -1]] if relation == "a > 0" else []
        return induction(state, [[relation, "b >= 0"]], [begin, []], [[[["1", 0]], [["1", 1], ["a", -1]]]])

    accepts({}, {}, falling("a > 0", "1"))
    accepts({}, {}, falling("a >= 0", "0"))
    refuses("not >= 0 by its form", {}, {}, falling("a = 0", "0"))
    refuses("not >= 0 by its form", {}, {}, falling("a + 1 = 0", "-1"))


def test_a_relation_that_is_not_strict_gives_no_positive_coefficient():
    """a = 0 at every member, so that b = 1, 0, ... does not stay positive."""
    def product(relation: str, first: str) -> tuple[dict, dict]:
        begin = [["1", -1]] if relation == "a > 0" else []
        return induction({"a": [first, "a"], "b": ["1", "a"]}, [[relation, "b > 0"]], [begin, [["1", -1]]], [[[["1", 0]], [["a", -1]]]])

    accepts({}, {}, product("a > 0", "1"))
    refuses("no term of the sum is positive", {}, {}, product("a >= 0", "0"))


# Barriers ------------------------------------------------------------------------------------------------------------

FROM_ZERO = [combination("diff(x, x) - (1 - 2*x)", ("2*x", -1)), barrier("below", "x", "0")]  # x starts at 0 as y does, and is above it


def test_a_barrier_from_zero_above_the_solution_is_positive_by_its_form_or_by_a_step():
    """f decreases in y > 0, so B must be known to be there; 2*x - x/(1 + x) is, and its form does not say it."""
    accepts(RELAX, ODDS, *FROM_ZERO)
    wall = "2*x - x/(1 + x)"
    residual = positive(f"diff({wall}, x) - (1 - 2*({wall}))", [4, -1, 1], [0], "(1 - v)/v")
    accepts(RELAX, ODDS, residual, positive(wall, [1, 1], [0], "(1 - v)/v"), barrier("below", wall, "0"))
    refuses("does not start where it must", RELAX, ODDS, residual, barrier("below", wall, "0"))
    weak = positive(wall, [0, 1, 1], [0], "1 - v", "nonnegative")
    refuses("does not start where it must", RELAX, ODDS, residual, weak, barrier("below", wall, "0"))


def test_a_barrier_may_have_a_root_that_is_positive_up_to_zero():
    theorem = {**RELAX, "where": {"s": "sqrt(x**2 + 1)"}}
    chart = {"symbols": {"x": run("stereographic", "m")}, "roots": {"s": "(1 + m**2)/(1 - m**2)"}}
    wall = "1/2 + s"  # s' - 1 + 2*(1/2 + s) = x/s + 2*s
    accepts(theorem, chart, combination(f"diff({wall}, x) - (1 - 2*({wall}))", ("x/s + 2*s", -1)), barrier("below", wall, "3/2"))


ESCAPE = "5/4*(x/(1 + x)) - 1"  # starts at -1; with v = x/(1 + x): f - B' = 7/4 - 5*v**2/4, and -B = 1 - 5*v/4
RISING = f"0 - (diff({ESCAPE}, x) - (1 - 2*({ESCAPE})))"


def alternatives(*texts: str, forms: list, multipliers: list, tree: list) -> tuple[dict, dict]:
    evidence = {"rule": "bernstein", "multipliers": multipliers, "polynomials": forms, "tree": tree}
    return {"kind": "positive", "any_of": [*texts]}, evidence


def test_from_below_the_escape_is_to_numbers_below_zero():
    either = alternatives(RISING, f"0 - ({ESCAPE})", forms=[[7, 0, -5], [4, -5]], multipliers=["4", "4"], tree=[-1, 1, 0])
    accepts(RELAX, ODDS, either, barrier("above", ESCAPE, "1", ["1", "1"]))
    ceiling = alternatives(RISING, f"0 - (({ESCAPE}) - 1)", forms=[[7, 0, -5], [8, -5]], multipliers=["4", "4"], tree=[-1, 1, 0])
    refuses("not the inequality needed", RELAX, ODDS, ceiling, barrier("above", ESCAPE, "1", ["1", "1"]))


def test_there_is_no_third_way_for_a_barrier():
    """1 > 0 beside the residual and the escape says nothing; without the escape the residual alone must be positive."""
    falling = "1/4"  # B' - f = -1/2
    needed = [f"diff({falling}, x) - (1 - 2*({falling}))", f"{falling} - 1"]
    anything = alternatives(*needed, "1", forms=[[-1], [-3], [1]], multipliers=["2", "4", "1"], tree=[2])
    accepts(RELAX, ODDS, anything)
    refuses("no such inequality", RELAX, ODDS, anything, barrier("below", falling, "1/4", ["1", "1", "1"]))
    refuses("no such inequality", RELAX, ODDS, anything, barrier("below", falling, "1/4", ["1", "1"]))


@pytest.mark.parametrize("wall", ["5/6 + I - I", "5/6 + x/x - 1", "5/6 + log(x) - log(x)", "5/6 + Y - Y"])
def test_a_barrier_that_may_be_singular_is_refused_as_such(wall):
    theorem = {**RELAX, "derivatives": {"I": {"x": "0"}}}
    refuses("may be singular at x = 0", theorem, ODDS, combination("1", ("1", -1)), barrier("below", wall, "5/6"))


def test_the_start_of_a_barrier_has_the_distance_given():
    for side, wall, start in (("below", "5/6", "5/6"), ("above", "-1/5", "1/5")):
        sign = "" if side == "below" else "0 - "
        shown = combination(f"{sign}(diff({wall}, x) - (1 - 2*({wall})))", ("2/3" if side == "below" else "7/5", -1))
        accepts(RELAX, ODDS, shown, barrier(side, wall, start))
        for other in ("0", "1/6", "-5/6" if side == "below" else "-1/5", "x"):
            refuses("", RELAX, ODDS, shown, barrier(side, wall, other))


# Bounds and integration ----------------------------------------------------------------------------------------------

Y_BELOW = [combination("diff(7/6, x) - (1 - 2*(7/6))", ("4/3", -1)), barrier("below", "7/6", "7/6")]
Y_ABOVE = [combination("0 - (diff(-1/6, x) - (1 - 2*(-1/6)))", ("4/3", -1)), barrier("above", "-1/6", "1/6", inequality=2)]


@pytest.mark.parametrize(
    ("candidate", "radius"),
    [("1/2", "2/3"), ("2/3 - 1/6", "2/3"), ("1/2", "1 - 1/3"), ("0 - 1/2 + 1", "2/3")],
)
def test_a_bound_has_any_candidate_and_radius_that_are_defined(candidate, radius):
    accepts(RELAX, ODDS, *Y_BELOW, *Y_ABOVE, bound(candidate, radius))


@pytest.mark.parametrize(
    ("path", "value"), [("candidate", "1/2 + 0/(x - 1)"), ("radius", "2/3 + 0/(x - 1)"), ("solution", "Y + 0/(x - 1)")]
)
def test_all_parts_of_a_bound_are_defined(path, value):
    refuses("not defined by its form", RELAX, ODDS, *Y_BELOW, *Y_ABOVE, given(bound(), f"0.{path}", value))


def test_a_bound_is_strict():
    """Y - 1/2 <= 2/3 and >= -2/3 would be weaker than the bound says."""
    def weaker(kinds: tuple[str, str]) -> list[tuple[dict, dict]]:
        below, above = ("2/3 - (Y - 1/2)", ("1", 1)), ("2/3 + (Y - 1/2)", ("1", 3))
        return [combination(text, term, kind=kind) for (text, term), kind in zip((below, above), kinds, strict=True)]

    accepts(RELAX, ODDS, *Y_BELOW, *Y_ABOVE, *weaker(("positive", "positive")), bound(below=4, above=5))
    for kinds in (("nonnegative", "positive"), ("positive", "nonnegative")):
        refuses("does not show", RELAX, ODDS, *Y_BELOW, *Y_ABOVE, *weaker(kinds), bound(below=4, above=5))


@pytest.mark.parametrize(
    ("inequalities", "radius"),
    [([], "0"), ([8], "1/(1 + x)"), ([8, 9], "1"), ([8, 9, 10], "1 + x/(1 + x)"), ([8, 9, 10, 11, 8], "2")],
)
def test_both_ranges_have_two_ends(inequalities, radius):
    step = given(given(OSCILLATION[-1], "1.inequalities", inequalities), "0.radius", radius)
    refuses("", LEVELLED, ODDS, *OSCILLATION[:-1], step)


def test_a_radius_is_any_expression_of_its_value_that_is_defined():
    for radius in ("2", "3 - 1", "2 + x - x", "4/2"):
        accepts(LEVELLED, ODDS, *OSCILLATION[:-1], given(OSCILLATION[-1], "0.radius", radius))
    for radius in ("2 + 0/(x - 1)", "2 + log(x - 5) - log(x - 5)"):
        refuses("not defined by its form", LEVELLED, ODDS, *OSCILLATION[:-1], given(OSCILLATION[-1], "0.radius", radius))


def test_the_rest_may_have_any_sign():
    """log(1 + x) + 1 and -x/(1 + x) have the sum that log(1 + x) and 1/(1 + x) have."""
    a, potential, rest = "x/(1 + x)**2", "1 + log(1 + x)", "0 - x/(1 + x)"
    steps = [*OSCILLATION]
    steps[5] = identity(f"diff(({potential}) + ({rest}), x)", a)
    steps[7] = difference(f"({potential}) + ({rest})", "0 - 1/(1 + x)")
    steps[8] = combination("0 - x/(1 + x) - (0 - 1)", ("1/(1 + x)", -1))
    steps[9] = combination("0 - (0 - x/(1 + x))", ("x/(1 + x)", -1))
    step = given(given(steps[-1], "0.potential", potential), "1.rest", rest)
    accepts(LEVELLED, ODDS, *steps[:-1], step)
    refuses("end of a range", LEVELLED, ODDS, *steps[:-1], given(step, "1.inequalities", [9, 8, 10, 11]))


# Sums ----------------------------------------------------------------------------------------------------------------


def test_the_number_one_is_a_positive_fact_and_no_other_number_before_the_first():
    accepts(AXIS, ODDS, combination("x", ("x", -1)))
    for number in (-2, 0, 1, "-1", [-1]):
        refuses("", AXIS, ODDS, combination("x", ("x", number)))


def test_what_a_sum_shows_is_defined():
    """(x - 1)/(x - 1) = 1*1 as rational functions, and at x = 1 it is no number."""
    accepts(AXIS, ODDS, combination("(x + 1)/(x + 1)", ("1", -1)))
    refuses("not defined by its form", AXIS, ODDS, combination("(x - 1)/(x - 1)", ("1", -1)))
    statement = {"kind": "barrier", "solution": "Y", "side": "above", "function": "0*(x/(x - 1))"}
    refuses("not defined by its form", RELAX, ODDS, (statement, {"rule": "combination", "terms": [["Y", -1]]}))
    accepts(RELAX, ODDS, ({**statement, "function": "0*(x/(x + 1))"}, {"rule": "combination", "terms": [["Y", -1]]}))


def test_solution_facts_are_six_strings():
    for change in ({"note": "x"}, {"below": 1}, {"source": []}):
        refuses("facts on Y are not the six", {**AXIS, "solutions": {"Y": {**solution("1 - 2*Y"), **change}}}, ODDS, identity("1", "1"))
    for key in solution("0"):
        facts = {name: fact for name, fact in solution("1 - 2*Y").items() if name != key}
        refuses("facts on Y are not the six", {**AXIS, "solutions": {"Y": facts}}, ODDS, identity("1", "1"))
