"""Arrays of balls contain what Arb computes; references contain the certified Bessel functions, closed forms those of ``exact.debye``."""

from fractions import Fraction

import numpy as np
import pytest
from flint import arb, fmpq

from certify.exact import bessel, debye
from certify.exact.ball import working_precision
from certify.studies.production import exactly
from certify.studies.production.balls import Balls, balls, rational
from certify.studies.production.closed_form import ClosedForm, increase
from certify.studies.production.reference import Reference

COUNT = 150


def sample(low: float, high: float, seed: int, wide: float = 0.0) -> Balls:
    generator = np.random.default_rng(seed)
    high_part = np.exp2(generator.uniform(low, high, COUNT))
    return (balls(high_part) + high_part * 2.0**-60).widened(high_part * wide)


def inside(found: Balls, exact: list[arb]) -> bool:
    """Whether every exact value lies in its ball; the corners of wide arguments overlap."""
    with working_precision(2000):
        return all(found.ball(place).overlaps(value) for place, value in enumerate(exact))


OPERATIONS = {
    "add": (lambda a, b: a + b, (-30, 30), (-30, 30)),
    "sub": (lambda a, b: a - b, (-1, 1), (-1, 1)),
    "mul": (lambda a, b: a * b, (-200, 200), (-200, 200)),
    "div": (lambda a, b: a / b, (-200, 200), (-15, 15)),
    "sqrt": (lambda a, b: (a * b).sqrt(), (-200, 200), (-20, 20)),
    "log": (lambda a, b: (a * b).log(), (-200, 200), (-2, 2)),
    "log near one": (lambda a, b: (1 + a).log(), (-60, -1), (0, 1)),
    "log1p": (lambda a, b: (a * b).log1p(), (-200, 300), (-2, 2)),
}


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("wide", [0.0, 2.0**-40])
def test_operations_contain_the_exact_results(name, wide):
    function, first, second = OPERATIONS[name]
    a, b = sample(*first, 1, wide), sample(*second, 2, wide)
    with working_precision(600):
        exact = [function(a.ball(place).mid() + arb(float(a.radius[place])), b.ball(place).mid()) for place in range(COUNT)]
    found = function(a, b)
    assert found.known.all()
    assert inside(found, exact)


def test_a_radius_that_is_made_smaller_is_noticed():
    """The test above can fail: without its radius, a product does not contain the exact one."""
    a, b = sample(-5, 5, 1), sample(-5, 5, 2)
    found = a / b
    with working_precision(600):
        exact = [a.ball(place).mid() / b.ball(place).mid() for place in range(COUNT)]
    assert not inside(Balls(found.high, found.low, 0 * found.radius), exact)


def test_what_overflows_is_not_known():
    with np.errstate(all="ignore"):
        found = balls(np.array([1e300, 2.0])) * balls(np.array([1e300, 3.0]))
        assert found.known.tolist() == [False, True]
        assert (balls(np.array([1.0])) / balls(np.array([1.0])).widened(2.0)).known.tolist() == [False]


def test_rationals():
    with working_precision(300):
        assert rational(Fraction(1, 3)).ball(()).overlaps(arb(fmpq(1, 3)))  # type: ignore[arg-type]


ARGUMENTS = np.array([0.0, 5e-324, 1e-200, 1e-9, 2.0**-8, 0.3, 1.0, 2.5, 30.0, 64.0, 1e3, 1e7, 1e25, 2.0**200, 1e90, 1e290])


@pytest.mark.parametrize("nu", [0.0, 0.5, 31.0, 255.5, 499999.0])
@pytest.mark.parametrize("form", ["float64", "float32"])
def test_references_contain_the_certified_values(nu, form):
    found = Reference(nu, ARGUMENTS, form)
    points = ARGUMENTS.tolist()
    assert inside(found.ratio, [bessel.ratio(nu, x, 40) for x in points])
    assert inside(found.complement, [exactly.complement(nu, x) for x in points])
    assert inside(found.slope, [bessel.ratio_derivative(nu, x, 40) for x in points])
    with np.errstate(all="ignore"):
        assert inside(found.rise, [exactly.rise(nu, x) for x in points])
        assert inside(found.deficit, [exactly.deficit(nu, x) for x in points])


@pytest.mark.parametrize("nu", [0.0, 4.0, 63.0])
def test_references_are_accurate_to_a_thousandth_of_a_unit(nu):
    found = Reference(nu, ARGUMENTS)
    assert np.max(found.ratio.radius) < 2.0**-53 / 1000
    assert np.max(found.slope.radius * np.hypot(np.minimum(ARGUMENTS, 2.0**500), nu + 1)) < 2.0**-53 / 1000


def test_references_refuse_orders_outside_their_range():
    with pytest.raises(ValueError, match="orders from 0"):
        Reference(-1.0, ARGUMENTS)


@pytest.mark.parametrize(("n", "nu"), [(0, 0.5), (1, 1.0), (4, 2.5), (8, 5.0), (8, 300.0)])
def test_closed_forms(n, nu):
    x = np.array([1e-9, 0.25, 1.0, 7.5, 80.0, 1e6])
    form = ClosedForm(n, balls(np.full_like(x, nu)), balls(x))
    assert inside(form.ratio, [debye.ladder_ratio(n, nu, each, 40) for each in x.tolist()])
    assert inside(form.slope, [debye.ladder_ratio_derivative(n, nu, each, 40) for each in x.tolist()])
    with working_precision(300):
        assert inside(form.complement, [1 - debye.ladder_ratio(n, nu, each, 60) for each in x.tolist()])


@pytest.mark.parametrize("n", [0, 1, 8])
def test_increases_of_closed_forms_near_and_far(n):
    nu, a = 7.0, np.array([0.0, 1.0, 1.0, 50.0])
    b = np.array([1e-8, 1 + 2.0**-52, 1e5, 50.25])
    low, high = (ClosedForm(n, balls(np.full_like(a, nu)), balls(x)) for x in (a, b))
    delta, rest = increase(low, high, (balls(b) - a) * (balls(b) + a))
    found = delta - rest
    assert inside(found, [debye.ladder_potential_difference(n, nu, *pair, 40) for pair in zip(a.tolist(), b.tolist(), strict=True)])
    assert np.all(found.radius < 2.0**-85 * delta.high)
