"""Symbols as rational functions of a chart's variables, and their derivatives, against dual numbers at Pythagorean points."""

from dataclasses import dataclass
from fractions import Fraction

import pytest
from flint import fmpq

from certify.exact.coordinates import MAPS, OPEN, Coordinates
from certify.exact.expression import evaluate
from certify.exact.ladder import SYMBOLS, ladder_chart, ratio_definitions
from certify.exact.theorem import Chart, Map, Theorem
from certify.exact.uniform import A_R, chart, theorem


@dataclass(frozen=True)
class Dual:
    """value + slope·d, d² = 0."""

    value: Fraction
    slope: Fraction = Fraction(0)

    def __add__(self, other):
        return Dual(self.value + other.value, self.slope + other.slope)

    def __sub__(self, other):
        return Dual(self.value - other.value, self.slope - other.slope)

    def __neg__(self):
        return Dual(-self.value, -self.slope)

    def __mul__(self, other):
        return Dual(self.value * other.value, self.value * other.slope + self.slope * other.value)

    def __truediv__(self, other):
        quotient = self.value / other.value
        return Dual(quotient, (self.slope - quotient * other.slope) / other.value)

    def __pow__(self, n):
        return Dual(self.value**n, n * self.value ** (n - 1) * self.slope)


def dual(definitions, nu, x, s):
    """Every symbol with its derivative in x, from s′ = x/s."""
    known = {"nu": Dual(nu), "x": Dual(x, Fraction(1)), "s": Dual(s, x / s), "r": Dual(s / nu, x / s / nu)}
    for name, text in definitions.items():
        known[name] = known.get(name) or evaluate(text, known, lambda n: Dual(Fraction(n)))
    return known


def at(function, **point):
    values = [fmpq(p.numerator, p.denominator) for p in point.values()]
    quotient = function.above(*values) / function.below(*values)
    return Fraction(int(quotient.p), int(quotient.q))


PYTHAGOREAN = [
    (Fraction(3), Fraction(4), Fraction(5)),
    (Fraction(12), Fraction(5), Fraction(13)),
    (Fraction(1), Fraction(15, 8), Fraction(17, 8)),
]


@pytest.mark.parametrize("nu_min", [Fraction(1, 10), Fraction(0)])
@pytest.mark.parametrize(("nu", "x", "s"), PYTHAGOREAN)
def test_values_and_derivatives_at_points_where_the_root_is_rational(nu_min, nu, x, s):
    definitions = {"closed": A_R, **SYMBOLS, **ratio_definitions(3)}
    coordinates = Coordinates(theorem(nu_min, definitions), ladder_chart(nu_min))
    point = {"u": nu_min / nu if nu_min else nu / (1 + nu), "m": x / (nu + s)}
    expected = dual(definitions, nu, x, s)
    for name in definitions:
        assert at(coordinates[name], **point) == expected[name].value
        assert at(coordinates(f"diff({name}, x)"), **point) == expected[name].slope


def test_the_roots_are_the_roots():
    coordinates = Coordinates(theorem(Fraction(0), {"r": SYMBOLS["r"]}), ladder_chart(Fraction(0)))
    assert coordinates("s**2 - x**2 - nu**2").above.is_zero()
    assert coordinates("r**2 - 1 - (x/nu)**2").above.is_zero()


@pytest.mark.parametrize(
    ("name", "middle"), {"itself": "1/2", "multiple": "3/2", "reciprocal": "6", "stereographic": "4", "odds": "3"}.items()
)
def test_maps_are_monotone_and_as_documented(name, middle):
    coordinates = Coordinates(
        Theorem(domain={"x": "(0, oo)"}, statements=()), Chart(symbols={"x": Map(map=name, variable="v", scale="3")})
    )
    values = [at(coordinates["x"], v=Fraction(k, 8)) for k in range(1, 8)]
    assert values[3] == Fraction(middle)
    assert sorted(values) in (values, values[::-1])
    assert (name in OPEN) == (coordinates.open == {"v"})


def test_every_map_is_tested():
    assert set(MAPS) == {"itself", "multiple", "reciprocal", "stereographic", "odds"}


def test_a_derivative_along_a_symbol_that_another_one_moves_with_is_refused():
    coordinates = Coordinates(theorem(Fraction(1), {}), chart(Fraction(1)))
    with pytest.raises(ValueError, match="put nu last in the domain"):
        coordinates("diff(x/nu, nu)")


def test_an_opaque_function_is_no_constant_to_a_derivative():
    opaque = Theorem(domain={"x": "(0, oo)"}, derivatives={"w": {"x": "2*w"}}, statements=())
    coordinates = Coordinates(opaque, Chart(symbols={"x": Map(map="itself", variable="v")}))
    with pytest.raises(ValueError, match="by the checker only"):
        coordinates("diff(x*w, x)")


@pytest.mark.parametrize("text", ["x and nu", "sqrt(x)", "x**nu", "x**-1", "1.5*x", "x if nu else s", "[x]"])
def test_what_is_no_expression_is_refused(text):
    with pytest.raises(ValueError, match="not in the language"):
        Coordinates(theorem(Fraction(1), {}), chart(Fraction(1)))(text)


def test_an_unknown_symbol_is_refused():
    with pytest.raises(KeyError):
        Coordinates(theorem(Fraction(1), {}), chart(Fraction(1)))("y")
