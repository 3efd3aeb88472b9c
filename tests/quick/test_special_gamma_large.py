"""gamma_hazard for large shapes: the bound of its error, where its forms meet, far from the shape, and with one number of it wrong."""

import math
from dataclasses import replace

import pytest
import torch
from flint import arb, fmpq

from certify.exact.ball import working_precision
from certify.exact.truth import Truth, less
from certify.special import gamma_hazard, gamma_large
from certify.special.gamma_large import DEGREES, END, LEAST, RADIUS, SHIFT, WIDTH, error, form
from certify.special.interpolation import BITS, distance, interpolant, semiaxes

BELOW = math.nextafter(LEAST, 0)
SHAPES = [256, 300.7, 1000, 3000.1, 10_000]
VALUE, SLOPE = 12, 24
"""Units of the relative error."""


def exact(x, a):
    """h and h′ in balls."""
    x, a = arb(x), arb(a)
    h = x ** (a - 1) * (-x).exp() / x.gamma_upper(a)
    return h, h * (h - 1 + (a - 1) / x)


def close(found, right, k):
    return less(abs(arb(found) - right), abs(right) * fmpq(k, 2**53)) is Truth.YES


def both(x, a):
    x = x.clone().requires_grad_()
    value = gamma_hazard(x, a=a)
    (slope,) = torch.autograd.grad(value.sum(), x)
    return value.tolist(), slope.tolist()


def seen_at(y, a, function):
    """Whether a program is far from what it is for at a + y√a; ``function`` gives the found value, and the place of the right one."""
    x = a + y * math.sqrt(a)
    found, which = function(torch.tensor([x], dtype=torch.float64))
    with working_precision(400):
        return not close(found.item(), exact(x, a)[which], SLOPE)


@pytest.mark.parametrize("a", SHAPES)
def test_the_bound_of_the_error(a):
    assert less(error(a), fmpq(1, 2**59)) is Truth.YES


@pytest.mark.parametrize(
    ("name", "worse"), [("STEPS", 14), ("END", 7), ("DEGREES", {**DEGREES, "T_0": 20}), ("DEGREES", {**DEGREES, "S": 20})]
)
def test_the_bound_knows_what_it_depends_on(name, worse, monkeypatch):
    monkeypatch.setattr(gamma_large, name, worse)
    assert less(error(1000.0), fmpq(1, 2**59)) is Truth.NO


def test_h_is_a_reciprocal(monkeypatch):
    """Of δ in T_0 there is up to δ/(1 − δ) in h, and nothing is known for δ ≥ 1."""
    for degree, finite in ((10, True), (2, False)):
        monkeypatch.setattr(gamma_large, "DEGREES", {**DEGREES, "T_0": degree})
        with working_precision(BITS):
            delta = gamma_large._interpolation("T_0", arb(1000))
            assert less(delta, 1) is (Truth.YES if finite else Truth.NO)
            assert error(1000.0).is_finite() is finite
            if finite:
                assert less(error(1000.0), delta / (1 - delta)) is not Truth.YES


@pytest.mark.parametrize("name", sorted(DEGREES))
def test_a_polynomial_of_low_degree_is_within_its_bound(name):
    """Where rounding is nothing beside it."""
    a, degree = arb(1000), 6
    with working_precision(BITS):

        def scaled(t):
            return gamma_large._scaled(name, (END * t + SHIFT) / (1 - t), a)

        found = interpolant(scaled, WIDTH, degree)
        most = scaled(-semiaxes(WIDTH, RADIUS)[0])
        bound = distance(most, RADIUS, degree)
        for t in (WIDTH * fmpq(k, 10) for k in range(-10, 11)):
            value = sum((arb(c) * t**k for k, c in enumerate(found)), arb(0))
            assert less(abs(value - scaled(arb(t))), bound) is Truth.YES


@pytest.mark.parametrize("a", [*SHAPES, BELOW])
def test_value_and_derivative_where_the_forms_meet_and_far_away(a):
    root = math.sqrt(a)
    ends = [a, a - END * root, a + END * root]
    x = [at for end in ends for at in (math.nextafter(end, 0), end, math.nextafter(end, math.inf), end * (1 - 2**-30), end * (1 + 2**-30))]
    x += [a + y * root for y in (-20, -15.3, -8, -4.1, -1, -1e-3, 1e-3, 0.5, 2, 5.7, 8.5, 12, 40, 1e3)]
    limits = (VALUE, SLOPE) if a >= LEAST else (16, 40)
    values, slopes = both(torch.tensor([at for at in x if at > 0], dtype=torch.float64), a)
    with working_precision(400):
        for at, value, slope in zip((at for at in x if at > 0), values, slopes, strict=True):
            h, rate = exact(at, a)
            assert close(value, h, limits[0])
            assert close(slope, rate, limits[1])


def test_between_two_points_of_the_density():
    a = 1000.0
    spacing = gamma_large._spacing(a)
    x = torch.arange(900, 900 + 8 * spacing, spacing / 2, dtype=torch.float64)
    values, slopes = both(x, a)
    with working_precision(400):
        for at, value, slope in zip(x.tolist(), values, slopes, strict=True):
            h, rate = exact(at, a)
            assert close(value, h, VALUE)
            assert close(slope, rate, SLOPE)


def test_down_to_the_least_numbers():
    """No step where the density is no normal number."""
    a = 1000.0
    x = torch.linspace(150, 260, 400, dtype=torch.float64)
    values, slopes = both(x, a)
    assert values[0] == slopes[0] == 0
    assert values == sorted(values)
    assert 0 < min(value for value in values if value) < 1e-300


@pytest.mark.parametrize("a", [256, 10_000])
def test_at_the_ends_of_the_domain(a):
    x = torch.tensor([math.nan, -1, -1e-320, -math.inf, 0, 5e-324, 1e-300, 1e300, math.inf], dtype=torch.float64)
    values, slopes = both(x, a)
    assert all(math.isnan(each) for each in values[:4] + slopes[:4])
    assert values[4:] == [0, 0, 0, 1, 1]
    assert slopes[4:] == [0] * 5


@pytest.mark.parametrize(
    ("name", "y", "program", "which"), [("first", 4, "hazard", 0), ("lower", -0.5, "hazard", 0), ("second", 4, "slope", 1)]
)
def test_a_wrong_coefficient_is_seen(name, y, program, which):
    a = 1000.0
    right = form(a)
    wrong = replace(right, **{name: (getattr(right, name)[0] * (1 + 2**-40), *getattr(right, name)[1:])})
    for numbers, seen in ((right, False), (wrong, True)):
        assert seen_at(y, a, lambda x, numbers=numbers: (getattr(gamma_large, program)(x, numbers), which)) is seen


def test_a_wrong_density_is_seen(monkeypatch):
    right = gamma_large._densities(1000.0)
    monkeypatch.setattr(gamma_large, "_densities", lambda a: right * (1 + 2**-40))
    assert seen_at(-3, 1000.0, lambda x: (gamma_large.hazard(x, form(1000.0)), 0))


def test_it_does_not_depend_on_how_it_is_called():
    x = torch.linspace(800, 1500, 60, dtype=torch.float64)
    together = gamma_hazard(x, a=1000)
    mapped = torch.func.vmap(lambda at: gamma_hazard(at, a=1000))(x)
    torch.testing.assert_close(mapped, together, rtol=1e-15, atol=0)
    slopes = torch.func.vmap(torch.func.grad(lambda at: gamma_hazard(at, a=1000)))(x)
    torch.testing.assert_close(slopes, torch.tensor(both(x, 1000)[1], dtype=torch.float64), rtol=1e-14, atol=0)
