"""bessel_k_accuracy against balls: what is supplied is within what is said, and the least order that suffices is used."""

from fractions import Fraction

import pytest
import torch
from flint import arb, fmpq

from certify.exact.ball import working_precision
from certify.exact.number import exact
from certify.exact.truth import Truth, less
from certify.special import bessel_k_accuracy, bessel_k_ratio, log_bessel_k, log_bessel_k_error
from certify.special.second_kind_order import HIGHEST
from certify.studies.special import values

U = Fraction(1, 2**53)


def supplied(nu, x):
    """The ratio, its derivative and the second derivative of log K_ν."""
    x = x.clone().requires_grad_()
    ratio = bessel_k_ratio(x, nu=nu)
    (slope,) = torch.autograd.grad(ratio.sum(), x)
    (first,) = torch.autograd.grad(log_bessel_k(x, nu=nu).sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), x)
    return ratio.detach(), slope, second


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize("nu", [2, 3, 5, 8, 16, 26, 35, 64, 1000])
def test_the_errors_are_within_the_bounds(nu, dtype):
    x = (nu * torch.logspace(-3, 3, 40, dtype=torch.float64)).to(dtype)
    said = bessel_k_accuracy(dtype, nu=nu)
    found = supplied(nu, x)
    with working_precision(300):
        for i, at in enumerate(x.tolist()):
            _, first, second = values.log_bessel_k(nu, arb(at))
            right = (nu / arb(at) - first, values.bessel_k_ratio(nu, arb(at))[1], second)
            for value, exactly, bound in zip(found, right, (said.ratio, said.derivative, said.curvature), strict=True):
                assert less(abs(exact(value[i].item()) - exactly), abs(exactly) * exact(bound)) is Truth.YES


def test_the_bounds_are_those_of_the_docstrings():
    for nu in (26, 27, 35, 64, 1000, 10**6):
        said = bessel_k_accuracy(nu=nu)
        assert said.ratio < 14 * U
        assert said.derivative < 10 * U
        assert said.curvature < 31 * U
        assert nu < 35 or log_bessel_k_error(nu=nu) < U * nu / 4
    assert bessel_k_accuracy(nu=25).derivative > 10 * U


def test_more_terms_than_needed_are_not_taken():
    orders = [bessel_k_accuracy(nu=nu).order for nu in (35, 64, 1000, 10**6, 10**9)]
    assert orders == sorted(orders, reverse=True)
    assert orders[0] == HIGHEST
    assert orders[-1] < 2


def test_a_smaller_dtype_adds_its_own_rounding():
    assert bessel_k_accuracy(torch.float32, nu=35).ratio == pytest.approx(2.0**-24, rel=1e-6)


def test_an_order_asked_for_has_its_own_accuracy():
    assert bessel_k_accuracy(nu=32, order=8).derivative > 100 * U
    assert bessel_k_accuracy(nu=fmpq(11, 2)).order == HIGHEST
