"""The kernels against the closed forms in balls, and what the rounding theorems need of them."""

from fractions import Fraction

import numpy as np
import pytest
import torch
from flint import arb
from torch.fx.experimental.proxy_tensor import make_fx

from certify.exact.debye import ladder_potential_difference, ladder_ratio, ladder_ratio_derivative
from certify.vmf import descent, kernel
from certify.vmf.coefficients import FAMILIES, nearest, table

FORMATS = {torch.float64: 2.0**-53, torch.float32: 2.0**-24}
ORDERS = [(0, 0.5), (1, 1.0), (1, 63.0), (2, 1.5), (4, 2.5), (4, 255.0), (8, 5.0), (8, 63.0), (8, 2047.0)]
"""n and ν: the least ν at which each is used, and others."""


def grid(nu: float, dtype: torch.dtype, count: int = 60) -> torch.Tensor:
    return (nu * torch.logspace(-4, 5, count, dtype=torch.float64)).to(dtype)


def scalar(value: float, dtype: torch.dtype) -> torch.Tensor:
    return torch.tensor(value, dtype=dtype)


def worst(found: torch.Tensor, exact: list[arb], scale: list[float]) -> float:
    return max(abs(float(arb(float(f)) - e)) / s for f, e, s in zip(found, exact, scale, strict=True))


@pytest.mark.parametrize("dtype", FORMATS, ids=str)
@pytest.mark.parametrize(("n", "nu"), ORDERS)
def test_ratio_and_its_companions(n, nu, dtype):
    x, order = grid(nu, dtype), scalar(nu, dtype)
    points = [float(value) for value in x]
    exact = [ladder_ratio(n, nu, value) for value in points]
    one, u = [1.0] * len(points), FORMATS[dtype]
    for modulus in (torch.hypot, kernel.root_of_squares):
        assert worst(kernel.ratio(x, order, n, modulus), exact, one) <= 4.1 * u
        assert worst(kernel.complement(x, order, n, modulus), [1 - value for value in exact], one) <= 4.1 * u
        quotients = [value / point for value, point in zip(exact, points, strict=True)]
        scale = [1 / np.hypot(point, nu) for point in points]
        assert worst(kernel.quotient(x, order, n, modulus), quotients, scale) <= 6 * u


@pytest.mark.parametrize("dtype", FORMATS, ids=str)
@pytest.mark.parametrize(("n", "nu"), ORDERS)
def test_slope(n, nu, dtype):
    x, order = grid(nu, dtype), scalar(nu, dtype)
    points = [float(value) for value in x]
    exact = [ladder_ratio_derivative(n, nu, value) for value in points]
    scale = [1 / np.hypot(value, nu) for value in points]
    assert worst(kernel.slope(x, order, n), exact, scale) <= 8 * FORMATS[dtype]


@pytest.mark.parametrize("dtype", FORMATS, ids=str)
@pytest.mark.parametrize(("n", "nu"), ORDERS)
def test_difference_near_and_far(n, nu, dtype):
    a = grid(nu, dtype)
    near = a * (1 + scalar(1e-4, dtype) * torch.arange(len(a), dtype=dtype))
    order = scalar(nu, dtype)
    for b in (near, a.flip(0), torch.zeros_like(a)):
        pairs = [(float(p), float(q)) for p, q in zip(a, b, strict=True)]
        exact = [ladder_potential_difference(n, nu, p, q) for p, q in pairs]
        scale = [abs(q - p) * ((q + p) / (np.hypot(p, nu) + np.hypot(q, nu))) + 1e-300 for p, q in pairs]
        assert worst(kernel.difference(a, b, order, n), exact, scale) <= 12 * FORMATS[dtype]
        assert torch.equal(kernel.difference(a, b, order, n), -kernel.difference(b, a, order, n))


def test_difference_where_the_larger_base_would_give_minus_infinity():
    """r ≪ κ: from the end with the larger s, Δ/(ν + s) rounds to −1."""
    a, b, order = scalar(1e20, torch.float64), scalar(1.0, torch.float64), scalar(63.0, torch.float64)
    exact = ladder_potential_difference(1, 63, 1e20, 1)
    assert abs(float(arb(float(kernel.difference(a, b, order, 1))) / exact) - 1) < 2.0**-50


def test_difference_of_squares_keeps_what_the_gap_knows():
    """κ = 2^40, gap = 1: r rounds to κ, so that the difference of r and κ is lost and only the gap has it."""
    kappa, gap, order = scalar(2.0**40, torch.float64), scalar(1.0, torch.float64), scalar(63.0, torch.float64)
    r = torch.sqrt(kappa * kappa + gap)
    assert float(r) == float(kappa)
    found = kernel.difference_of_squares(gap, kappa, r, order, 1)
    slope = float(ladder_ratio(1, 63, 2**40)) / 2.0**41
    assert abs(float(found) / slope - 1) < 1e-11
    assert float(kernel.difference_of_squares(-gap, kappa, r, order, 1)) == -float(found)


@pytest.mark.parametrize("dtype", FORMATS, ids=str)
def test_ends_of_the_range(dtype):
    largest = torch.finfo(dtype).max
    x = torch.tensor([0.0, torch.finfo(dtype).smallest_normal, largest, torch.inf, torch.nan], dtype=dtype)
    for nu in (1.0, 63.0, kernel.NU_MAX[dtype] / 4):
        for modulus in (torch.hypot, kernel.root_of_squares):
            low, tiny, high, infinite, nan = kernel.ratio(x, scalar(nu, dtype), 1, modulus)
            assert low == 0
            assert 0 <= tiny <= x[1]
            assert high == infinite
            assert abs(high - 1) <= 2.0**-20
            assert nan.isnan()


def traced(program, x: torch.Tensor) -> str:
    def function(t: torch.Tensor) -> torch.Tensor:
        return program(t, scalar(63.0, torch.float64), 4)

    return make_fx(function, tracing_mode="fake", _allow_non_fake_inputs=True)(x).code


@pytest.mark.parametrize("program", [kernel.ratio, kernel.slope, kernel.complement, kernel.quotient, kernel.curvature])
def test_a_program_is_straight_line_and_the_same_for_every_argument(program):
    (code,) = {traced(program, x) for x in SAMPLES}
    assert "_local_scalar_dense" not in code


SAMPLES = [torch.tensor([value], dtype=torch.float64) for value in (0.0, 1.0, 1e300)]


@pytest.mark.parametrize("family", FAMILIES)
def test_coefficients_are_the_nearest_floats(family):
    for dtype, bits in ((torch.float64, 53), (torch.float32, 24)):
        rows = table(family, 8, dtype)
        exact = [FAMILIES[family](k) for k in range(9 - len(rows), 9)]
        for row, polynomial in zip(rows, exact, strict=True):
            for found, c in zip(row, reversed(polynomial.coeffs()), strict=True):
                value = Fraction(int(c.p), int(c.q))
                assert abs(Fraction(found) - value) <= abs(value) / 2**bits
                assert float(np.float32(found)) == found or bits == 53


def test_nearest_rounds_once_and_to_even():
    """1 + 2^−24 + 2^−60 is above the middle of two float32; rounded to float64 first, it would be the middle."""
    assert nearest(1 + Fraction(1, 2**24) + Fraction(1, 2**60), 24) == 1 + 2.0**-23
    assert nearest(1 + Fraction(1, 2**24), 24) == 1.0
    assert nearest(Fraction(2**25 - 1), 24) == 2.0**25
    assert nearest(Fraction(-1, 3), 53) == -1 / 3
    assert nearest(Fraction(0), 24) == 0.0


def test_a_descent_by_no_error_of_its_own():
    """From the same order N down by m steps at once, or by one and m − 1: rounding apart, one ratio."""
    x, nu = grid(10.0, torch.float64), scalar(10.0, torch.float64)
    direct, longer = descent.ratio(x, nu, 8, 20), descent.ratio(x, nu, 8, 60)
    assert torch.all((direct - longer).abs() <= 6 * 2.0**-53)
