"""What the prover and the checker both compute, each in its own way: values, derivatives, degrees, positivity."""

from fractions import Fraction

import msgspec
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.checker import checker
from certify.checker.checker import Functions, Refused, Setting, halves, least, polynomial, tile
from certify.exact import positivity
from certify.exact.coordinates import Coordinates
from certify.exact.theorem import Chart, Map, Theorem

DOMAIN = {"nu": "[1/2, oo)", "x": "(0, oo)"}
WHERE = {"s": "sqrt(x**2 + nu**2)", "t": "nu/s", "a": "x/(nu + s)"}
MAPS = {"nu": Map(map="reciprocal", variable="u", scale="1/2"), "x": Map(map="stereographic", variable="m", scale="nu")}
ROOTS = {"s": "nu*(1 + m**2)/(1 - m**2)"}

COORDINATES = Coordinates(
    Theorem(domain=DOMAIN, where=WHERE, statements=()),
    Chart(symbols=MAPS, roots=ROOTS),
)


def setting() -> Setting:
    checker.LEFT[0] = checker.MAX_WORK
    return Setting(DOMAIN, WHERE, {}, {}, msgspec.to_builtins(MAPS), ROOTS)


def joined(inner):
    return st.one_of(
        st.tuples(inner, st.sampled_from("+-*/"), inner).map(lambda parts: f"({''.join(parts)})"),
        st.tuples(inner, st.integers(2, 3)).map(lambda parts: f"({parts[0]})**{parts[1]}"),
        inner.map(lambda text: f"(-{text})"),
    )


LEAVES = st.sampled_from(["nu", "x", "s", "t", "a", "1", "2", "3"])
EXPRESSIONS = st.recursive(LEAVES, joined, max_leaves=5)
POINT = {"u": Fraction(2, 7), "m": Fraction(3, 11)}


def value(function, point=POINT) -> Fraction | None:
    numbers = [fmpq(p.numerator, p.denominator) for p in point.values()]
    below = function.below(*numbers)
    return None if below == 0 else Fraction(str(function.above(*numbers) / below))


@given(EXPRESSIONS)
@settings(max_examples=400, deadline=None)
def test_values_and_derivatives(text):
    here = setting()
    for expression in (text, f"diff({text}, x)", f"diff(diff({text}, x), x)"):
        try:
            function = COORDINATES(expression)
            found = here.value(here.parse(expression), dict(POINT))
        except ZeroDivisionError:
            return
        assert found == value(function)
        factors = Functions(here, POINT)
        assert factors.function(here.parse(expression)) == (found, {})


@given(EXPRESSIONS, EXPRESSIONS)
@settings(max_examples=100, deadline=None)
def test_identities(left, right):
    """The checker calls equal what the prover, in lowest terms, calls equal, as long as no denominator vanishes."""
    here = setting()
    try:
        same = COORDINATES(f"{left} - {right}").above.is_zero()
        found = here.equal(here.parse(left), here.parse(right))
        opened = here.equal(here.parse(f"({left})*({right})"), here.parse(f"({right})*({left})"))
    except (ZeroDivisionError, Refused):
        return
    assert found is same
    assert opened


NUMBERS = st.integers(-9, 9)
TABLES = st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(
    lambda sizes: st.lists(st.lists(NUMBERS, min_size=sizes[1], max_size=sizes[1]), min_size=sizes[0], max_size=sizes[0])
)
HALVES = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), max_size=6)


def part(table, path):
    """The polynomial, times a positive number, on the box that these halves (axis, upper) lead to, and this box."""
    box = [(Fraction(0), Fraction(1))] * 2
    for axis, upper in path:
        table, (low, high) = halves(table, axis)[upper], box[axis]
        middle = (low + high) / 2
        box[axis] = (middle, high) if upper else (low, middle)
    return table, box


def horner(table, u, v) -> Fraction:
    return sum((c * u**i * v**j for i, row in enumerate(table) for j, c in enumerate(row)), Fraction(0))


@given(TABLES, HALVES)
@settings(max_examples=100, deadline=None)
def test_halves_are_the_polynomial_on_their_boxes(table, path):
    setting()
    halved, box = part(table, path)
    scale = Fraction(2) ** sum(len(table if axis == 0 else table[0]) - 1 for axis, _ in path)
    for at in [(Fraction(1, 3), Fraction(2, 5)), (Fraction(1), Fraction(0)), (Fraction(5, 7), Fraction(1, 9))]:
        u, v = (low + (high - low) * t for t, (low, high) in zip(at, box, strict=True))
        assert horner(halved, *at) == scale * horner(table, u, v)


@given(TABLES, HALVES)
@settings(max_examples=100, deadline=None)
def test_the_least_coefficient_has_the_sign_of_the_provers_least(table, path):
    setting()
    form = positivity.BernsteinForm.of(table)
    for axis, upper in path:
        form = form.halves(axis)[upper]
    found, expected = least(part(table, path)[0], 2), min(form.entries)
    assert ((found > 0) - (found < 0)) == ((expected > 0) - (expected < 0))


@given(TABLES)
@settings(max_examples=50, deadline=None)
def test_the_expression_of_a_table(table):
    expression, point = polynomial(table, ["u", "m"]), {"u": Fraction(3, 7), "m": Fraction(-2, 5)}
    assert setting().value(expression, dict(point)) == horner(table, *point.values())


@given(TABLES, st.booleans())
@settings(max_examples=100, deadline=None)
def test_what_one_tiles_the_other_accepts(table, strict):
    found = positivity.prove([table], strict)
    if isinstance(found, positivity.Gap):
        return
    setting()
    tile(list(found.tree), lambda _: table, halves, lambda k, here: k == 0 and least(here, 2) >= strict)


@given(TABLES)
@settings(max_examples=50, deadline=None)
def test_a_tree_cut_short_is_refused(table):
    found = positivity.prove([table], True)
    if not isinstance(found, positivity.Gap):
        for tree in (found.tree[:-1], (*found.tree, 0), (*found.tree, -1)):
            try:
                tile(list(tree), lambda _: table, halves, lambda k, here: True)
            except Refused:
                continue
            raise AssertionError(tree)
