"""Random dimensions, orders and arguments: the primitives against enclosures."""

import math

import torch
from flint import arb
from hypothesis import example, given, settings
from hypothesis import strategies as st

from certify.exact.bessel import potential_difference as exact_difference
from certify.exact.bessel import ratio as exact_ratio
from certify.vmf import accuracy, inverse_ratio, potential_difference, ratio

FORMATS = st.sampled_from([(torch.float64, 2.0**-53), (torch.float32, 2.0**-24)])
DIMENSIONS = st.one_of(st.integers(2, 200), st.integers(2, 10**6))
EXPONENTS = st.floats(-6, 7)


def argument(p: int, exponent: float, dtype: torch.dtype) -> torch.Tensor:
    return torch.tensor(p * 10.0**exponent, dtype=torch.float64).to(dtype)


@settings(max_examples=150, deadline=None)
@given(p=DIMENSIONS, exponent=EXPONENTS, format=FORMATS)
@example(p=2, exponent=1.7, format=(torch.float64, 2.0**-53))
def test_ratio(p, exponent, format):
    dtype, _ = format
    x = argument(p, exponent, dtype)
    error = abs(float(arb(float(ratio(x, p=p))) - exact_ratio(p / 2 - 1, float(x))))
    assert error <= accuracy(dtype, p=p).total


@settings(max_examples=60, deadline=None)
@given(nu=st.floats(0, 1000), exponent=EXPONENTS, order=st.integers(0, 8))
def test_orders_of_every_size(nu, exponent, order):
    x = argument(2, exponent, torch.float64)
    bound = accuracy(nu=nu, order=order).total
    assert abs(float(arb(float(ratio(x, nu=nu, order=order))) - exact_ratio(nu, float(x)))) <= bound


@settings(max_examples=60, deadline=None)
@given(p=st.integers(2, 3000), exponent=st.floats(-4, 6), closeness=st.floats(0, 9), format=FORMATS)
def test_difference(p, exponent, closeness, format):
    dtype, u = format
    a = argument(p, exponent, dtype)
    b = (a * (1 + 10.0**-closeness)).to(dtype)
    start, end, nu = float(a), float(b), p / 2 - 1
    scale = (end - start) * (end + start) / (math.hypot(start, nu + 1) + math.hypot(end, nu + 1))
    found = float(potential_difference(a, b, p=p))
    assert abs(float(arb(found) - exact_difference(nu, start, end))) <= 16 * u * scale
    assert float(potential_difference(b, a, p=p)) == -found


@settings(max_examples=60, deadline=None)
@given(p=st.integers(2, 10**5), resultant=st.floats(1e-6, 1 - 1e-6))
def test_inverse(p, resultant):
    r = torch.tensor(resultant, dtype=torch.float64)
    assert float((ratio(inverse_ratio(r, p=p), p=p) - r).abs()) <= 10 * 2.0**-53
