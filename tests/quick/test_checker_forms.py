"""Expressions and charts as the checker reads them: the grammar, the levels of FORMAT.md § 2, the symbols, maps and roots of § 4."""

import itertools

import pytest
from small_certificates import run, solution

from certify.checker import checker
from certify.checker.checker import Refused, Setting

DOMAIN = {"p": "(0, oo)", "q": "(0, 1]", "n": "[0, 1]", "z": "(-oo, oo)", "x": "(0, oo)"}
CHART = {
    "p": run("odds", "u"),
    "q": run("itself", "q_"),
    "n": run("itself", "n_"),
    "z": run("itself", "z_"),
    "x": run("stereographic", "v"),
}


@pytest.fixture(autouse=True)
def work_for_every_test(monkeypatch):
    monkeypatch.setattr(checker, "LEFT", [checker.MAX_WORK])


def setting(**given) -> Setting:
    """Symbols of every level, an opaque function f, a solution Y, a definition a and a root s."""
    full = {
        "domain": DOMAIN,
        "where": {"a": "p + 1", "s": "sqrt(x**2 + 1)"},
        "derivatives": {"f": {"x": "f*x"}},
        "solutions": {"Y": solution("1 - 2*Y", damping="2")},
        "symbols": CHART,
        "roots": {"s": "(1 + v**2)/(1 - v**2)"},
    }
    return Setting(**full | given)


# The grammar ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("x", "x"),
        ("12", 12),
        (" x ", "x"),
        ("-x", ("-", 0, "x")),
        ("--x", ("-", 0, ("-", 0, "x"))),
        ("x + z - 1", ("-", ("+", "x", "z"), 1)),
        ("x*z/2", ("/", ("*", "x", "z"), 2)),
        ("x - (z - 1)", ("-", "x", ("-", "z", 1))),
        ("-x**2", ("-", 0, ("**", "x", 2))),
        ("(-x)**2", ("**", ("-", 0, "x"), 2)),
        ("x**(3)", ("**", "x", 3)),
        ("log(x)", ("log", "x", 1)),
        ("log(log(x) + 1)", ("log", ("+", ("log", "x", 1), 1), 1)),
        ("diff(x*z, z)", "x"),
        ("diff(Y, x)", ("-", 1, ("*", 2, "Y"))),
        ("diff(f, x)", ("*", "f", "x")),
        ("diff(x**3, x)", ("*", 3, ("**", "x", 2))),
        ("diff(x**2, x)", ("*", 2, "x")),
        ("diff(x/p, x)", ("/", 1, "p")),
        ("diff(x/z, x)", ("/", ("/", 1, "z"), ("-", 2, 1))),  # z may be 0, and 2 - 1 has level 0
        ("diff(log(x), x)", ("/", 1, "x")),
        ("diff(s, x)", ("/", ("*", 2, "x"), ("*", 2, "s"))),
        ("diff(s, z)", 0),
    ],
)
def test_what_a_text_stands_for(text, node):
    """``diff`` stands for the expression that the rules of differentiation give, without products with a factor 0."""
    assert setting().parse(text) == node


NO_EXPRESSIONS = [
    *("", " ", "x +", "x z", "2 x", "x**y", "x**z", "x**-1", "x**0", "x**(1/2)", "x**1**2", "+x", "x//2", "x%2", "~x", "x.y", "x[0]"),
    *("f(x)", "log", "log()", "log(x, z)", "log x", "diff(x)", "diff(x, x, x)", "diff(x, z + 1)", "diff(x, f)", "diff(x, Y)", "diff(x, v)"),
    *("sqrt(x)", "sup(x)", "oo", "u", "unknown", "1.5", "1e3", "0x1", "1_000", "x = 1", "x < 1", "x and z", "not x", "lambda: x", "'x'"),
    *("diff(f, z)", "diff(Y, z)", "x if x else z", "*x", "x;z", "(", ")", "x)(z", "(x", "True", "None", "{x}", "{}", "[]", "()"),
    *("x, z", "(x,)", "log(x,)", "log(x , )", "diff(x, x,)", "x\n", "x\t", "é"),
]


@pytest.mark.parametrize("text", NO_EXPRESSIONS)
def test_what_is_no_expression(text):
    """Refused in words, or found to be malformed: never taken for another expression."""
    with pytest.raises((Refused, SyntaxError, KeyError)):
        setting().parse(text)


def test_exponents_and_texts_have_limits(monkeypatch):
    here = setting()
    assert here.parse(f"x**{checker.MAX_EXPONENT}") == ("**", "x", checker.MAX_EXPONENT)
    with pytest.raises(Refused, match="small integer > 0"):
        here.parse(f"x**{checker.MAX_EXPONENT + 1}")
    text = "x + 1"
    monkeypatch.setattr(checker, "MAX_TEXT", len(text))
    here.parse(text)
    with pytest.raises(Refused, match="not an expression"):
        here.parse(text + "0")


def test_the_variables_of_the_chart_are_no_names_of_the_theorem():
    here = setting()
    assert here.form("u + n_") == ("+", "u", "n_")
    for text in ("u", "n_", "x + v"):
        with pytest.raises(Refused, match="symbols known"):
            here.parse(text)


# Levels --------------------------------------------------------------------------------------------------------------

ATOMS = {"p": 2, "q": 2, "n": 1, "z": 0, "f": 0, "Y": 2, "a": 2, "s": 2, "3": 2, "0": 1, "1/z": -1, "u": 2, "n_": 1, "z_": 0}
SUMS = {"+": lambda a, b: max(a, b) if min(a, b) >= 1 else min(a, b, 0), "-": lambda a, b: min(a, b, 0), "*": min}
RULES = {**SUMS, "/": lambda a, b: a if b == 2 else -1}


@pytest.mark.parametrize("op", RULES)
def test_levels_of_the_four_operations(op):
    here = setting()
    for (left, a), (right, b) in itertools.product(ATOMS.items(), ATOMS.items()):
        assert here.sign(here.form(f"({left}){op}({right})")) == RULES[op](a, b), (left, right)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 400])
def test_levels_of_powers(n):
    here = setting()
    for text, level in ATOMS.items():
        expected = -1 if level < 0 else max(level, 1) if n % 2 == 0 else level
        assert here.sign(here.form(f"({text})**{n}")) == expected, text


def test_levels_of_logarithms():
    here = setting()
    for text, level in ATOMS.items():
        assert here.sign(here.form(f"log({text})")) == (0 if level == 2 else -1), text


@pytest.mark.parametrize(("number", "level"), [(7, 2), (1, 2), (0, 1), (-1, 0), (-7, 0)])
def test_levels_of_integers(number, level):
    assert setting().sign(number) == level


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("1 - u", 2), ("1 - u**2", 2), ("1 - u**7", 2), ("1 - v", 2),  # u and v run over (0, 1)
        ("1 - q_", 0), ("1 - n_", 0), ("1 - n_**2", 0), ("1 - q", 0), ("1 - p", 0),  # these reach 1
        ("2 - u", 0), ("1 - 2*u", 0), ("1 - u*u", 0), ("1 + u", 2), ("1 - (1 - u)", 0), ("u - 1", 0), ("1 - (2*u)**2", 0), ("0 - u", 0),
    ],
)  # fmt: skip
def test_levels_of_one_minus_a_variable(text, level):
    here = setting()
    assert here.sign(here.form(text)) == level


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("diff(p**2, p)", 2), ("diff(n**2/2, n)", 1), ("diff(z, z)", 2), ("diff(z, p)", 1),
        ("diff(1/z, z)", -1), ("diff(1/z, p)", -1), ("diff(log(z), p)", -1),
    ],
)  # fmt: skip
def test_levels_of_derivatives(text, level):
    """That of the expression it stands for; but -1 where there is nothing to differentiate."""
    here = setting()
    assert here.sign(here.parse(text)) == level


@pytest.mark.parametrize(("least", "message"), [(0, "1/z is not defined"), (1, "z is not >= 0"), (2, "n is not > 0")])
def test_an_expression_that_must_have_a_level(least, message):
    here, text = setting(), message.split()[0]
    for level, other in ((-1, "1/z"), (0, "z"), (1, "n"), (2, "p")):
        if level >= least:
            assert here.parse(other, least=least) == here.form(other, least=least) == here.parse(other)
    for read in (here.parse, here.form):
        with pytest.raises(Refused, match=f"{message} by its form"):
            read(text, least=least)


# Charts --------------------------------------------------------------------------------------------------------------

MAPS = [
    ("itself", "[-1, 2]", "1", "v", "[-1, 2]", 0, False),
    ("itself", "[0, oo)", "1", "v", "[0, oo)", 1, False),
    ("multiple", "(0, 3*p]", "3*p", "(3*p)*v", "(0, 1]", 2, False),
    ("reciprocal", "[p + 1, oo)", "p + 1", "(p + 1)/v", "(0, 1]", 2, False),
    ("stereographic", "(0, oo)", "p", "p*(2*v/(1 - v**2))", "(0, 1)", 2, True),
    ("odds", "(0, oo)", "2", "2*(v/(1 - v))", "(0, 1)", 2, True),
]


@pytest.mark.parametrize(("map", "interval", "scale", "meaning", "own", "level", "starts"), MAPS)
def test_maps(map, interval, scale, meaning, own, level, starts):
    """A symbol is its expression in its variable, has the level of the variable's interval, and goes to 0 with it where it begins at 0."""
    here = Setting({"p": "(0, oo)", "x": interval}, {}, {}, {}, {"p": run("odds", "u"), "x": run(map, "v", scale)}, {})
    assert here.meaning["x"] == here.form(meaning)
    assert here.variables == {"u": "(0, 1)", "v": own}
    assert here.levels["x"] == here.levels["v"] == level
    assert here.starts == ({"p": "u", "x": "v"} if starts else {"p": "u"})


@pytest.mark.parametrize(
    ("map", "interval", "scale"),
    [
        ("multiple", "(0, z]", "z"), ("multiple", "(0, 0]", "0"), ("reciprocal", "[n, oo)", "n"),
        ("odds", "(0, oo)", "z"), ("odds", "(0, oo)", "n"),
        ("odds", "(0, oo)", "x"), ("odds", "(0, oo)", "f"), ("odds", "(0, oo)", "1/z"), ("itself", "(0, 1)", "0"), ("odds", "(0, oo)", "u"),
    ],
)  # fmt: skip
def test_a_scale_is_positive_by_its_form_and_of_symbols_before(map, interval, scale):
    domain = {"p": "(0, oo)", "n": "[0, 1]", "z": "(-oo, oo)", "x": interval}
    charts = {"p": run("odds", "u"), "n": run("itself", "n_"), "z": run("itself", "z_"), "x": run(map, "v", scale)}
    with pytest.raises(Refused, match="by its form|symbols known|nonempty"):
        Setting(domain, {}, {"f": {}}, {}, charts, {})


def test_a_theorem_has_so_many_names_and_no_more(monkeypatch):
    """Those of symbols, their variables, definitions, opaque functions and solutions."""
    names = len(DOMAIN) + len(CHART) + len(["a", "s", "f", "Y"])
    monkeypatch.setattr(checker, "MAX_NAMES", names)
    setting()
    monkeypatch.setattr(checker, "MAX_NAMES", names - 1)
    with pytest.raises(Refused, match="two meanings, or is no name"):
        setting()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"where": {"a": "1", "s": "sqrt(x**2 + 1)", "p": "1"}}, "two meanings"),
        ({"where": {"s": "sqrt(x**2 + 1)", "u": "1"}}, "two meanings"),
        ({"derivatives": {"x": {}}}, "two meanings"),
        ({"derivatives": {"v": {}}}, "two meanings"),
        ({"derivatives": {"Y": {}}}, "two meanings"),
        ({"solutions": {"s": solution("1")}}, "two meanings"),
        ({"symbols": {**CHART, "q": run("itself", "u")}}, "two meanings"),
        ({"symbols": {**CHART, "q": run("itself", "z")}}, "two meanings"),
        ({"where": {"s": "sqrt(x**2 + 1)", "1a": "1"}}, "no name"),
        ({"where": {"s": "sqrt(x**2 + 1)", "sup": "1"}}, "no name"),
        ({"derivatives": {"diff": {}}}, "no name"),
        ({"derivatives": {"fé": {}}}, "no name"),
        ({"solutions": {"oo": solution("1")}}, "no name"),
        ({"symbols": {**CHART, "q": run("itself", "q'")}}, "no name"),
        ({"symbols": {name: CHART[name] for name in "pqnz"}}, "every symbol of the domain"),
        ({"domain": {name: DOMAIN[name] for name in "pqnx"}}, "every symbol of the domain"),
        ({"symbols": {**CHART, "q": run("multiple", "q_", "2")}}, r"covers \(0, 2\], not \(0, 1\]"),
        ({"derivatives": {"f": {"x": "1", "a": "1"}}}, "symbols of the domain"),
        ({"derivatives": {"f": {"Y": "1"}}}, "symbols of the domain"),
        ({"derivatives": {"f": {"x": "a"}}}, "symbols known"),
        ({"derivatives": {"f": {"x": "Y"}}}, "symbols known"),
        ({"derivatives": {"f": {"x": "u"}}}, "symbols known"),
        ({"where": {"a": "Y", "s": "sqrt(x**2 + 1)"}}, "symbols known"),
        ({"where": {"a": "b", "b": "1", "s": "sqrt(x**2 + 1)"}}, "symbols known"),
        ({"where": {"a": "u", "s": "sqrt(x**2 + 1)"}}, "symbols known"),
        ({"where": {"s": "sqrt(x**2 + 1)", "C": "sup(x, u)"}}, "symbols known"),
        ({"where": {"s": "sqrt(x**2 + 1)", "C": "sup()"}}, "symbols known"),
        ({"where": {"s": "sqrt(x**2 + 1, x)"}}, "symbols known"),
        ({"where": {"s": "2*sqrt(x**2 + 1)"}}, "symbols known"),
        ({"roots": {}}, "every square root"),
        ({"roots": {"s": "(1 + v**2)/(1 - v**2)", "t": "1"}}, "every square root"),
        ({"where": {"s": "x**2 + 1"}}, "every square root"),
        ({"roots": {"s": "0 - (1 + v**2)/(1 - v**2)"}}, "not > 0 by its form"),
        ({"roots": {"s": "(1 + v**2)/(1 - v**2) + 1"}}, "not the root"),
        ({"where": {"s": "sqrt((x**2 + 1)*z/z)"}}, "not the root"),
        ({"solutions": {"Y": solution("1", variable="z")}}, "no symbol > 0"),
        ({"solutions": {"Y": solution("1", variable="n")}}, "no symbol > 0"),
        ({"solutions": {"Y": solution("1", variable="f")}}, "no symbol > 0"),
        ({"solutions": {"Y": solution("1", variable="u")}}, "no symbol > 0"),
        ({"solutions": {"Y": solution("1", variable="s")}}, "no symbol > 0"),
        ({"solutions": {"Y": solution("1", below="Y")}}, "symbols known"),
        ({"solutions": {"Y": solution("Z"), "Z": solution("1")}}, "symbols known"),
        ({"solutions": {"Y": solution("1"), "Z": solution("1", damping="Y")}}, "symbols known"),
        ({"solutions": {"Y": solution("u")}}, "symbols known"),
    ],
)
def test_what_a_theorem_and_its_chart_must_be(given, message):
    with pytest.raises(Refused, match=message):
        setting(**given)


def test_definitions_may_use_what_stands_before_them():
    """Symbols, opaque functions, definitions, roots and suprema; slopes may use all opaque functions."""
    where = {"a": "p + f", "s": "sqrt(x**2 + 1)", "b": "a*s", "C": "sup(p/(1 + p), a)", "d": "C + b + s"}
    here = setting(where=where, derivatives={"f": {"x": "g"}, "g": {"x": "f", "z": "x*g"}}, solutions={"Y": solution("d - Y", below="d")})
    assert here.suprema == {"C": [("/", "p", ("+", 1, "p")), "a"]}
    assert here.parse("diff(g, z)") == ("*", "x", "g")
    assert here.slopes["Y"] == {"x": ("-", "d", "Y")}
    assert here.levels["Y"] == here.levels["s"] == 2


def test_a_root_may_be_given_by_roots_before_it():
    here = setting(where={"s": "sqrt(x**2 + 1)", "t": "sqrt(s**4)"}, roots={"s": "(1 + v**2)/(1 - v**2)", "t": "s**2"})
    assert here.equal("t", here.parse("x**2 + 1"))


def test_a_radicand_need_only_be_defined():
    """(x + 2)**2 - 4*x - 3 = x**2 + 1 > 0, which its form does not say; that it is a square of a positive number says it."""
    here = setting(where={"s": "sqrt((x + 2)**2 - 4*x - 3)"})
    assert (here.sign(here.roots["s"]), here.sign("s")) == (0, 2)
    with pytest.raises(Refused, match="not the root"):
        setting(where={"s": "sqrt((x**2 + 1)*(x - 1)/(x - 1))"})


# Settings derived from others ----------------------------------------------------------------------------------------


def test_an_extended_setting_knows_free_symbols_and_forgets_what_steps_have_shown():
    here = setting()
    here.shown[here.parse("z**3")] = 2
    other = here.extended({"z": 1}, ["j", "k"])
    assert other.names == {*here.names, "j", "k"}
    assert other.variables == {**here.variables, "j": "", "k": ""}
    assert other.levels == {**here.levels, "z": 1}
    assert (here.sign(here.parse("z**3")), other.sign(here.parse("z**3"))) == (2, 1)
    assert here.levels["z"] == 0
    assert "j" not in here.names


def test_a_closed_setting_is_one_for_the_whole_axis():
    """x >= 0, and opaque functions and solutions need not even be defined at 0."""
    here = setting()
    here.shown["z"] = 2
    closed = here.closed("x")
    levels = {"x": 1, "f": -1, "Y": -1, "p": 2, "s": 2, "a": 2, "z": 0}
    assert {name: closed.sign(name) for name in levels} == levels


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"domain": {"x": "(0, oo)", **DOMAIN}, "symbols": {"x": CHART["x"], **CHART}}, "put it last"),
        ({"symbols": {**CHART, "x": run("itself", "v")}, "where": {}, "roots": {}}, "put it last"),
        ({"where": {"s": "sqrt(x**2)"}, "roots": {"s": "2*v/(1 - v**2)"}}, "a root may vanish at x = 0"),
        ({"where": {"s": "sqrt(1/x**2)"}, "roots": {"s": "(1 - v**2)/(2*v)"}}, "a root may vanish at x = 0"),
    ],
)
def test_a_setting_that_cannot_be_closed(given, message):
    with pytest.raises(Refused, match=message):
        setting(**given).closed("x")


@pytest.mark.parametrize(
    ("statement", "fact"),
    [
        ({"kind": "positive", "any_of": ["p"]}, ("p", ">")),
        ({"kind": "nonnegative", "any_of": ["p"]}, ("p", ">=")),
        ({"kind": "positive", "any_of": ["p", "x"]}, None),
        ({"kind": "positive", "any_of": ["p"], "low": "0"}, None),
        ({"kind": "identity", "left": "p", "right": "p"}, None),
        ({"kind": "supremum", "symbol": "C", "low": "0", "high": "1"}, None),
        ({"kind": "barrier", "solution": "Y", "side": "below", "function": "p"}, (("-", "p", "Y"), ">")),
        ({"kind": "barrier", "solution": "Y", "side": "above", "function": "p"}, (("-", "Y", "p"), ">")),
        ({"kind": "barrier", "solution": "Y", "side": "beside", "function": "p"}, None),
        ({"kind": "barrier", "solution": "p", "side": "below", "function": "p"}, None),
    ],
)
def test_facts(statement, fact):
    """A single inequality, as an expression and its relation to 0."""
    assert setting().fact(statement) == fact


def test_facts_are_defined():
    for statement in ({"kind": "positive", "any_of": ["1/z"]}, {"kind": "barrier", "solution": "Y", "side": "below", "function": "1/z"}):
        with pytest.raises(Refused, match="not defined by its form"):
            setting().fact(statement)
