"""The checker of rounding certificates compares a program with the function that it computes: at enough points, with true derivatives."""

from fractions import Fraction

import pytest
from small_rounding import ROOT, accepts, read, refuses

from certify.checker import rounding as checker

QUOTIENT = f"{ROOT} div:3,4"


def graph(**where: str) -> checker.Graph:
    return checker.Graph([], {"s": checker.ROOT, **where})


# Degrees -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "across", "along"),
    [
        ("x", 1, 1),  # 2 nu m/(1 - m^2)
        ("s", 2, 1),
        ("nu", 0, 1),
        ("7", 0, 0),
        ("-x", 1, 1),
        ("x/s", 1, 0),
        ("nu/s", 2, 0),
        ("1/x", 2, 0),
        ("x*nu", 1, 2),
        ("x**3", 3, 3),
        ("s**2", 4, 2),
        ("x*x*x/x", 2, 2),
        ("x + s", 2, 1),
        ("s - x", 2, 1),
        ("x - nu", 2, 1),
        ("nu - 1", 0, 1),
        ("x - 1", 2, 1),
        ("1/x + 1/s**2", 6, 1),
        ("(x - 1)*(x + 1)", 4, 2),
        ("(x + s)/(x + s)", 2, 0),
        ("1/(x - 1)", 2, 0),
        ("diff(x, x)", 2, 0),
        ("diff(s, x)", 3, 0),
        ("diff(nu, x)", 4, 0),
        ("diff(a, x)", 3, 1),
        ("diff(b, x)", 3, 1),
        ("diff(w, x)*nu", 6, 0),
        ("diff(nu, x)*s", 2, 1),
    ],
)
def test_degrees_of_numerators(text, across, along):
    found = graph(a="x + 1", b="nu*(x + 1)", w="x/s", f=text)
    assert found.degrees(found.names["f"]) == [across, along]


def test_the_degrees_of_a_program():
    found = checker.Graph(read("mul:3,3 mul:1,1 add:8,9 sqrt:10 div:3,11 1/2 add:12,13").nodes, {"s": checker.ROOT})
    assert [found.degrees(place) for place in (3, 1, 4, 8, 10, 11, 12, 13, 14)] == [
        [1, 1], [0, 1], [2, 1], [2, 2], [4, 2], [2, 1], [1, 0], [0, 0], [2, 0],
    ]  # fmt: skip


# Values --------------------------------------------------------------------------------------------------------------------

DERIVATIVES = [
    ("x", "1"),
    ("nu", "0"),
    ("7", "0"),
    ("s", "x/s"),
    ("-x", "-1"),
    ("x + s", "1 + x/s"),
    ("x - s", "1 - x/s"),
    ("x*s", "s + x**2/s"),
    ("x/s", "nu**2/s**3"),
    ("s**3", "3*x*s"),
    ("x**1", "1"),
    ("1/(nu + s)", "-x/(s*(nu + s)**2)"),
    ("(2 - 3)*nu/(x*x)", "2*nu/x**3"),
]


@pytest.mark.parametrize(("text", "slope"), DERIVATIVES)
def test_derivatives(text, slope):
    found = graph(a=text, b="diff(a, x)", c=slope)
    found.sloped |= set(range(found.names["a"] + 1))
    values = found.values(Fraction(1, 3), Fraction(5, 2))
    assert values[found.names["b"]][0] == values[found.names["c"]][0]


@pytest.mark.parametrize(("text", "slope"), DERIVATIVES)
def test_the_function_may_be_a_derivative(text, slope):
    where = {"s": checker.ROOT, "a": text, "b": "diff(a, x)"}
    accepts(QUOTIENT, where=where | {"f": f"x/s + b - ({slope})"})
    refuses("the program is not the function", QUOTIENT, where=where | {"f": f"x/s + b - ({slope}) + 1/10**9"})


def test_second_derivatives_are_not_known():
    refuses("malformed", QUOTIENT, where={"s": checker.ROOT, "a": "diff(s, x)", "b": "diff(a, x)", "f": "x/s + b - b"})


def test_lengths_on_the_curve():
    found = graph(f="x")
    m, nu = Fraction(1, 3), Fraction(5, 2)
    values = found.values(m, nu)
    x, s = values[found.names["x"]][0], values[found.names["s"]][0]
    assert (x, s) == (nu * 2 * m / (1 - m**2), nu * (1 + m**2) / (1 - m**2))
    assert s**2 == x**2 + nu**2
    assert m == x / (nu + s)


def test_values_of_programs():
    nodes = read("mul:3,3 mul:1,1 add:8,9 sqrt:10 sub:11,4 -1/3 mul:13,1").nodes
    found = checker.Graph(nodes, {"s": checker.ROOT})
    values = [value for value, _ in found.values(Fraction(1, 2), Fraction(3))]
    x, s = Fraction(4), Fraction(5)
    assert values[: len(nodes)] == [x, 3, x, x, s, x / s, 1, 1 / s, 16, 9, 25, 5, 0, Fraction(-1, 3), -1]


@pytest.mark.parametrize("f", ["2*x", "2**11*x/2**11", "1/(x*2**11)*x**2*2**11"])
def test_values_have_a_largest_size(f, monkeypatch):
    monkeypatch.setattr(checker, "MAX_BITS", 14)
    graph(f=f).values(Fraction(1, 2), Fraction(3))
    for larger in ("2**14", "1/2**14", f"{f} + 2**13 + 2**13"):
        with pytest.raises(checker.Refused, match="^a value is too large to be evaluated$"):
            graph(f=larger).values(Fraction(1, 2), Fraction(3))


# Where they differ -----------------------------------------------------------------------------------------------------------


def differ(f: str, low: str = "0", high: str = "1"):
    """From the quotient x/s, with 1/nu from low to high."""
    nodes = read("").nodes
    return checker.Graph(nodes, {"s": checker.ROOT, "f": f}).differ(5, (Fraction(low), Fraction(high)))


def test_the_function_itself():
    assert differ("x/s") is None
    assert differ("(x/s)*(x + s)/(s + x)") is None


@pytest.mark.parametrize(
    ("f", "point"),
    [
        ("2*x/s", (Fraction(1, 2), Fraction(1))),
        ("x/s + (5*x - 4*s)/nu", (Fraction(1, 3), Fraction(1))),  # at m = 1/2 x = 4, nu = 3, s = 5
        ("x/s + 7 - 5*nu/s - 5*x/s", (Fraction(1, 4), Fraction(1))),  # a multiple of (m - 1/2)*(m - 1/3)/(1 + m^2), of degree 2
        ("x/s + (nu - 1)*(nu - 2)", (Fraction(1, 2), Fraction(1, 3))),
        ("x/s + nu*(nu - 1)", (Fraction(1, 2), Fraction(1, 2))),
    ],
)
def test_one_point_more_than_the_degrees(f, point):
    assert differ(f) == point


@pytest.mark.parametrize(("k", "seen"), [(2, True), (7, True), (8, False)])
def test_no_point_more_than_needed(k, seen):
    """Where the definition divides by zero: the degree in m is 5 for any k, so 1/2, ..., 1/7 are looked at."""
    f = f"x/s*((x/(nu + s) - 1/{k})/(x/(nu + s) - 1/{k}))"
    if seen:
        with pytest.raises(ZeroDivisionError):
            differ(f)
    else:
        assert differ(f) is None


@pytest.mark.parametrize(("k", "seen"), [(1, True), (2, True), (3, False)])
def test_no_order_more_than_needed(k, seen):
    """The degree in nu is 1."""
    f = f"x/s*((nu - {k})/(nu - {k}))"
    if seen:
        with pytest.raises(ZeroDivisionError):
            differ(f)
    else:
        assert differ(f) is None


def test_orders_are_looked_at_in_their_range():
    assert differ("x/s + (nu - 2)*(nu - 12/5)", "1/3", "1/2") == (Fraction(1, 2), Fraction(1, 3))
    assert differ("x/s + nu - 2", "1/3", "1/2") == (Fraction(1, 2), Fraction(1, 2))
    assert differ("x/s + nu - 2", "1/2", "1/2") is None
    assert differ("x/s + nu - 3", "1/2", "1/2") == (Fraction(1, 2), Fraction(1))


def test_what_is_looked_at_has_a_bound(monkeypatch):
    """Nodes: 8 of the program, x, nu, s, the quotient, the sum, and the difference from the program."""
    nodes = len(read("").nodes) + 6
    for most, refused in ((3 * 2 * nodes - 1, True), (3 * 2 * nodes, False)):
        monkeypatch.setattr(checker, "MAX_WORK", most)
        if refused:
            with pytest.raises(checker.Refused, match="^the degrees are too large$"):
                differ("x/s + nu")
        else:
            assert differ("x/s + nu") == (Fraction(1, 2), Fraction(1))


# Definitions -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "f", ["x/s", "(x)/s", "-(-x/s)", "x/ s", "1*x/s", "x/s + 0", "x**100/x**99/s", "2*x/(2*s)", "- -x/s", "x*2/s - x/s"]
)
def test_expressions(f):
    accepts(QUOTIENT, f)


@pytest.mark.parametrize(
    "f",
    [
        "x/s + 0.0", "x/s*True", "x**0*x/s", "x**-1*x*x/s", "x**x/x**x*x/s", "x**101/x**100/s", "sqrt(x)/s", "x//s", "x % s", "+x/s", "y/s",
        "eps*x/s",
        "f", "x/s # f", "x/s\\n", "diff(f, x)", "diff(x*x, x)", "diff(x)", "diff(x, x, x)", "diff(x, nu)",
        "diff(s, x,)*0 + x/s if x else 1",
        "",
        "x/s*(lambda: 1)()", "x/s*1_0/1_0", "x/s*1e0", "x/s.real", "(x, s)", "x/s == x/s", "dif(s, x)", "s(s, x)", "diff(s, x, y=x)",
    ],
)  # fmt: skip
def test_what_is_no_expression(f):
    refuses("", QUOTIENT, f)


@pytest.mark.parametrize("f", ["x if x else s", "x, s", "log(x)", "x == s", "x**s", "nu*t", "x**101", "x**0", "diff(x*x, x)", "1 + abs"])
def test_expressions_are_refused_in_words(f):
    refuses("not an expression", QUOTIENT, f)


@pytest.mark.parametrize("name", ["x", "nu", "sqrt", "diff", "u", "x_max", "v0", "v12", "a b", "1a", "", "a'", "s.t"])
def test_names_refused(name):
    refuses("not a name, or one with another meaning", QUOTIENT, where={"s": checker.ROOT, name: "1", "f": "x/s"})


@pytest.mark.parametrize("name", ["t", "b1", "A", "s_2", "nux", "xs", "different", "sqrt2", "v", "v1a", "u1"])
def test_names(name):
    accepts(QUOTIENT, where={"s": checker.ROOT, name: "x", "f": f"{name}/s"})


@pytest.mark.parametrize(
    "where", [{}, {"f": "x/s", "s": checker.ROOT}, {"s": "sqrt(nu**2 + x**2)", "f": "x/s"}, {"r": checker.ROOT, "f": "x/r"}]
)
def test_the_first_definition_is_that_of_s(where):
    refuses(f"the first definition is s = {checker.ROOT}", QUOTIENT, where=where)


def test_s_alone_is_a_function():
    assert checker.Graph(read("").nodes, {"s": checker.ROOT}).differ(4, (Fraction(0), Fraction(1))) is None


def test_how_long_definitions_are(monkeypatch):
    monkeypatch.setattr(checker, "MAX_TEXT", 22)
    accepts(QUOTIENT, "x/s+nu-nu")  # 6 nodes, x, nu, s and 3 operations
    accepts(QUOTIENT, "x/s" + " " * 19)
    refuses("not an expression", QUOTIENT, "x/s" + " " * 20)
    refuses("the definitions are too long", QUOTIENT, "x/s+1-1+1-1+1-1")


def test_an_expression_is_cut_in_the_refusal():
    refuses(f"not an expression: {'0.0+' * 20}", QUOTIENT, "0.0+" * 30)
