"""Rational functions in the checker: a form stands for its function, a divisor that is 0 is found, a zero is told from what is small."""

from collections.abc import Callable
from fractions import Fraction
from math import isqrt

import pytest

from certify.checker import checker
from certify.checker.checker import Functions, Refused, Setting

POINTS = [(Fraction(1, 3), Fraction(1, 2)), (Fraction(2, 7), Fraction(3, 5)), (Fraction(5, 8), Fraction(1, 9))]


@pytest.fixture(autouse=True)
def work_for_every_test(monkeypatch):
    monkeypatch.setattr(checker, "LEFT", [checker.MAX_WORK])


def setting(**given) -> Setting:
    """x and y on the unit interval, each by itself over u and v."""
    empty = {"domain": {"x": "(0, 1]", "y": "(0, 1)"}, "where": {}, "derivatives": {}, "solutions": {}, "roots": {}}
    charts = {name: {"map": "itself", "variable": variable, "scale": "1"} for name, variable in (("x", "u"), ("y", "v"))}
    return Setting(**empty | given, symbols=charts)


def spent(action: Callable[[], object]) -> int:
    before = checker.LEFT[0]
    action()
    return before - checker.LEFT[0]


TEXTS = [
    "x", "3", "-5", "0", "x + y", "x - y", "x*y", "x/y", "(x + y)**3", "x**2*y - x*y**2", "x/(x + y) + y/(x + 2*y)", "x + x",
    "x - x", "2*x/3 - 4*y/9", "(x - 1)/(y - 1)**2 - 5/(y - 1)", "0*x + y", "x + 0*y", "(x*y)**2 + x**2*y**2", "x**2 - x**2/2",
    "(x - x)**3", "7/(2*x)**2",
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_a_form_has_the_values_of_its_function(text):
    """A number times a product of powers of factors, each with its value at the point; no power is 0, and 0 has no factors."""
    here = setting()
    node = here.form(text)
    functions = Functions(here, {})
    number, product = functions.function(node)
    assert all(product.values())
    assert number or not product
    for u, v in POINTS:
        value, factors = Fraction(number), values(functions, {"u": u, "v": v})
        for f, power in product.items():
            value *= factors[f] ** power
        assert value == here.value(node, {"u": u, "v": v})


def values(functions: Functions, at: dict) -> list[Fraction]:
    found: list[Fraction] = []
    for content in functions.factors:
        terms = [(1, ())] if isinstance(content, str) else content
        value = Fraction(0)
        for number, product in terms:
            term = Fraction(number)
            for f, power in product:
                term *= found[f] ** power
            value += term
        found.append(Fraction(at[content]) if isinstance(content, str) else value)
    return found


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("x", (1, {0: 1})),
        ("x + x", (2, {0: 1})),
        ("x - x", (0, {})),
        ("x + 0*y", (1, {0: 1})),
        ("0*x - x", (-1, {0: 1})),
        ("x/2 - 1/3*x", (Fraction(1, 6), {0: 1})),
        ("2/x**3", (2, {0: -3})),
        ("x/x", (1, {})),
    ],
)
def test_what_is_one_term_stays_one_term(text, form):
    here = setting()
    assert Functions(here, {}).function(here.form(text)) == form


def test_common_factors_stand_in_front_of_a_sum():
    """4*u**2*v/3 + 6*u/(3*v**2) = 2*u/(3*v**2) * (2*u*v**3 + 3)"""
    here = setting()
    functions = Functions(here, {})
    number, product = functions.function(here.form("4*x**2*y/3 + 6*x/(3*y**2)"))
    assert number == Fraction(2, 3)
    assert product == {0: 1, 1: -2, 2: 1}
    assert [*functions.factors] == ["u", "v", ((2, ((0, 1), (1, 3))), (3, ()))]


@pytest.mark.parametrize(
    "zero",
    ["(x + 1)**2 - x**2 - 2*x - 1", "x*(x + y) - x**2 - x*y", "(x*(x + 1) - x**2 - x)**3", "1/(x + 1) - 1/x + 1/(x*(x + 1))", "0"],
)
def test_zero_is_found_and_no_divisor(zero):
    here = setting()
    assert here.equal(here.form(zero), 0)
    assert not here.equal(here.form(f"{zero} + 1/1000000"), 0)
    for text in ("1/{0}", "0/{0}", "0*(1/{0})", "0*(1/{0} + 1/(x + 3))", "0*(1/(x + 3) + 1/{0})", "{0}/{0}"):
        with pytest.raises(Refused, match="division by zero"):
            here.equal(here.form(text.format(f"({zero})")), here.form("x - x"))


@pytest.mark.parametrize("text", ["x", "x - 1", "x - y", "x*y - 1/1000", "x/(y - 1)", "x - x**2", "1", "x - 2*y", "x - 4", "y - 3*x**2"])
def test_what_is_not_zero_everywhere_is_not_zero(text):
    here = setting()
    assert not here.equal(here.form(text), 0)


@pytest.mark.parametrize(
    ("text", "v", "u"),
    [
        ("3*x*y - 5*x", 3 + 5, lambda v: 3 * v + 5),  # the factors u and 3*v - 5
        ("x - y**2", 1 + 1, lambda v: 1 + v**2),
        ("x*y/(2*x - 7*y)", 2 + 7, lambda v: 2 + 7 * v),  # where a divisor is to be not 0, too
    ],
)
def test_where_a_polynomial_is_looked_at(text, v, u):
    """The last variable, at the first power of two above the sum of the integers without signs, the others at 1; then the one before."""
    points = []

    class Looking(Functions):
        def values(self, point, sign):
            points.append(dict(point))
            return super().values(point, sign)

    here = setting()
    assert not Looking(here, {}).zero(here.form(text))
    at = 2 ** v.bit_length()
    assert points == [{"u": 1, "v": 1}, {"u": 1, "v": at}, {"u": 2 ** u(at).bit_length(), "v": at}]


def test_values_may_be_fixed():
    """Where a variable is fixed an expression is a function of the others."""
    here = setting()
    assert here.equal(here.form("x + y - 1/2"), here.form("y"), u=Fraction(1, 2))
    assert not here.equal(here.form("x + y - 1/2"), here.form("y"), u=Fraction(1, 3))
    with pytest.raises(Refused, match="division by zero"):
        here.equal(here.form("y/(2*x - 1)"), here.form("y"), u=Fraction(1, 2))


@pytest.mark.parametrize("text", ["log(x)", "0*log(x)", "x + log(1 + x) - log(1 + x)"])
def test_a_logarithm_has_no_value(text):
    here = setting()
    with pytest.raises(Refused, match="logarithm has no rational value"):
        here.equal(here.form(text), 0)
    with pytest.raises(Refused, match="logarithm has no rational value"):
        here.value(here.form(text), {"u": 1, "v": 1})


def test_the_derivative_of_a_definition_has_a_name_of_its_own():
    """An expression stays small where a definition enters often; a derivative that is 0 has none."""
    here = setting(where={"a": "x**2 + 1", "b": "3*a"})
    assert here.slope("b", "x") == "d b / d x"
    assert here.slope("b", "y") == 0
    assert here.equal("d b / d x", here.form("6*x"))


# Limits and prices ---------------------------------------------------------------------------------------------------


def test_a_value_may_have_so_many_bits_and_no_more(monkeypatch):
    """A power of a value of 9 bits, 2**8."""
    functions = Functions(setting(), {})
    functions.factors = {"u": 0, ((1, ((0, 5),)),): 1}
    monkeypatch.setattr(checker, "MAX_SIZE", 5 * 9)
    assert functions.values({"u": 256}, int) == [256, 256**5]
    monkeypatch.setattr(checker, "MAX_SIZE", 5 * 9 - 1)
    with pytest.raises(Refused, match="identity is too large"):
        functions.values({"u": 256}, int)


def test_the_integers_in_a_polynomial_are_taken_for_positive_where_it_is_bounded():
    functions = Functions(setting(), {})
    functions.factors = {"u": 0, ((2, ((0, 1),)), (-3, ())): 1}
    assert functions.values({"u": 5}, int) == [5, 2 * 5 - 3]
    assert functions.values({"u": 5}, abs) == [5, 2 * 5 + 3]


@pytest.mark.parametrize("size", [1, 100, 1000, 40_000])
def test_a_product_of_values_costs_as_its_multiplication_does(size):
    """About n times the root of n for n bits, and one unit for what Python adds."""
    functions = Functions(setting(), {})
    functions.factors = {"u": 0, ((7, ((0, 3),)),): 1}
    n, u = 3 * size, 2**size - 1
    assert spent(lambda: functions.values({"u": u}, int)) == 1 + n * isqrt(n + (7).bit_length()) // 2**14


def test_prices_of_expressions():
    """By the length of a text, and by the number of operations, names and numbers."""
    here, text = setting(), "x*y + 3"  # two operations on three operands
    node = here.parse(text)
    assert spent(lambda: here.tree(text)) == 50 + len(text)
    assert spent(lambda: here.diff(node, "x")) == 5 * 20
    assert spent(lambda: here.sign(node)) == 5 * 5
    assert spent(lambda: Functions(here, {}).function(("*", "u", 7))) == 3 * 4 + 1 + 1  # and a product of one number and of one factor
    assert spent(lambda: here.extended({}, ["a", "b"])) == len(here.names) + 2 + len(here.levels)
