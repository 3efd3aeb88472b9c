"""What the prover and the checker both compute, each in its own way: values, derivatives, degrees, positivity."""

import math
from fractions import Fraction

import msgspec
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.checker import checker
from certify.checker.checker import Refused, Setting, degrees, flatten, from_powers, on_box, tile
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
def test_values_derivatives_and_degrees(text):
    here = setting()
    for expression in (text, f"diff({text}, x)", f"diff(diff({text}, x), x)"):
        try:
            function = COORDINATES(expression)
            found = here.value(here.parse(expression), dict(POINT))
        except ZeroDivisionError:
            return
        assert found == value(function)
        shape = here.shape(here.parse(expression), sizes := {})
        bounds = degrees({factor: power for factor, power in shape.items() if power > 0}, sizes)
        for variable, degree in zip(("u", "m"), function.above.degrees(), strict=True):
            assert function.above.is_zero() or degree <= bounds.get(variable, 0)


@given(EXPRESSIONS, EXPRESSIONS)
@settings(max_examples=100, deadline=None)
def test_identities(left, right):
    """The checker calls equal what the prover, in lowest terms, calls equal, as long as no denominator vanishes on its grid."""
    here = setting()
    try:
        same = COORDINATES(f"{left} - {right}").above.is_zero()
        found = here.vanishes(("-", here.parse(left), here.parse(right)))
        opened = here.vanishes(("-", here.parse(f"({left})*({right})"), here.parse(f"({right})*({left})")))
    except ZeroDivisionError:
        return
    assert found is same
    assert opened


NUMBERS = st.integers(-9, 9)
TABLES = st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(
    lambda sizes: st.lists(st.lists(NUMBERS, min_size=sizes[1], max_size=sizes[1]), min_size=sizes[0], max_size=sizes[0])
)
SIDES = st.sampled_from([(Fraction(k, q), Fraction(k + 1, q)) for q in (1, 2, 4, 8) for k in range(q)])


def bernstein(n: int, k: int, t: Fraction) -> Fraction:
    return math.comb(n, k) * t**k * (1 - t) ** (n - k)


@given(TABLES, SIDES, SIDES)
@settings(max_examples=100, deadline=None)
def test_bernstein_coefficients_give_the_polynomial_back(table, first, second):
    sizes, flat = flatten(table, 2)
    (n, k), coefficients = (size - 1 for size in sizes), on_box(("polynomial", sizes, flat), (first, second))
    scale = Fraction(0)
    for p, q in [(Fraction(1, 3), Fraction(2, 5)), (Fraction(1), Fraction(0)), (Fraction(5, 7), Fraction(1, 9))]:
        at = [low + (high - low) * part for part, (low, high) in zip((p, q), (first, second), strict=True)]
        exact = sum(c * at[0] ** i * at[1] ** j for i, row in enumerate(table) for j, c in enumerate(row))
        terms = (bernstein(n, i, p) * bernstein(k, j, q) for i in range(n + 1) for j in range(k + 1))
        total = sum(c * b for c, b in zip(coefficients, terms, strict=True))
        if exact == 0:
            assert total == 0
        else:
            assert scale in (0, total / exact)
            scale = total / exact
    assert scale >= 0


@given(st.integers(0, 8), SIDES)
@settings(max_examples=50, deadline=None)
def test_polar_forms(n, side):
    """Number k of x**j, by the sum over the ways to choose i of k high and j − i of n − k low arguments."""
    low, high = side
    rows = from_powers(n, low, high)
    for k, row in enumerate(rows):
        for j, entry in enumerate(row):
            ways = (math.comb(k, i) * math.comb(n - k, j - i) * high**i * low ** (j - i) for i in range(min(j, k) + 1))
            assert entry == rows[0][0] * sum(ways) / math.comb(n, j)


@given(TABLES, st.booleans())
@settings(max_examples=100, deadline=None)
def test_what_one_tiles_the_other_accepts(table, strict):
    found = positivity.prove([table], strict)
    if isinstance(found, positivity.Gap):
        return
    polynomial = ("polynomial", *flatten(table, 2))
    tile(list(found.tree), 2, lambda k, box: k == 0 and min(on_box(polynomial, box)) >= strict)


@given(TABLES)
@settings(max_examples=50, deadline=None)
def test_a_tree_cut_short_is_refused(table):
    found = positivity.prove([table], True)
    if not isinstance(found, positivity.Gap):
        for tree in (found.tree[:-1], (*found.tree, 0), (*found.tree, -1)):
            try:
                tile(list(tree), 2, lambda k, box: True)
            except Refused:
                continue
            raise AssertionError(tree)
