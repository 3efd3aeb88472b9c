"""The potential, its differences and the normalizer."""

import math

import pytest
import torch
from flint import arb
from torch.autograd import gradcheck, gradgradcheck

from certify.exact.ball import working_precision
from certify.exact.bessel import potential_difference as exact_difference
from certify.vmf import log_normalizer, potential, potential_difference, potential_increment, ratio

DIMENSIONS = [2, 3, 9, 64, 128, 1025, 4096]
UNITS = {torch.float64: 2.0**-53, torch.float32: 2.0**-24}
POINTS = [1e-3, 0.7, 5.0, 80.0, 500.0]


def tensor(values, **options) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64, **options)


@pytest.mark.parametrize("dtype", UNITS, ids=str)
@pytest.mark.parametrize("p", DIMENSIONS)
def test_differences_near_and_far(p, dtype):
    nu = p / 2 - 1
    a = (p * torch.logspace(-4, 5, 40, dtype=torch.float64)).to(dtype)
    for b in (a * (1 + torch.tensor(2.0**-12, dtype=dtype)), a.flip(0)):
        found = potential_difference(a, b, p=p)
        for f, start, end in zip(found.tolist(), a.tolist(), b.tolist(), strict=True):
            scale = abs(end - start) * (end + start) / (math.hypot(start, nu + 1) + math.hypot(end, nu + 1))
            assert abs(float(arb(f) - exact_difference(nu, start, end))) <= 16 * UNITS[dtype] * scale


@pytest.mark.parametrize("p", DIMENSIONS)
def test_increments_are_differences(p):
    kappa = tensor(POINTS)
    for factor in (-0.5, 1e-9, 3.0):
        gap = factor * kappa.square()
        found = potential_increment(kappa, gap, p=p)
        for f, k, g in zip(found.tolist(), POINTS, gap.tolist(), strict=True):
            with working_precision(200):
                r = (arb(k) ** 2 + arb(g)).sqrt()
                end = arb(r.mid()).man_exp()
            exact = exact_difference(p / 2 - 1, k, fraction(*end))
            assert abs(float(arb(f) / exact) - 1) <= 64 * 2.0**-53


def fraction(mantissa, exponent) -> str:
    mantissa, exponent = int(mantissa), int(exponent)
    return f"{mantissa * 2**exponent}" if exponent >= 0 else f"{mantissa}/{2**-exponent}"


def test_published_values():
    """ln I_140(3), ln I_700(720) and ln I_2047(20470): public implementations fail at each."""
    ln_700 = math.log(1.9259188809960415) + 172 * math.log(10)
    for nu, x, right in ((140, 3.0, -498.43922246143007), (700, 720.0, ln_700), (2047, 20470.0, 20361.850258948603)):
        found = float(potential(tensor(x), nu=nu)) + nu * math.log(x)
        assert found == pytest.approx(right, rel=4e-15)


def test_normalizer_at_zero_is_the_area_of_the_sphere():
    for p in (2, 3, 4, 128):
        area = math.log(2) + p / 2 * math.log(math.pi) - math.lgamma(p / 2)
        assert float(log_normalizer(tensor(0.0), p=p)) == pytest.approx(area, rel=1e-15, abs=1e-15)
    assert float(log_normalizer(tensor(2.0), p=3)) == pytest.approx(math.log(4 * math.pi * math.sinh(2) / 2), rel=1e-15)


@pytest.mark.parametrize("p", [2, 64, 512])
def test_gradients(p):
    a, b = tensor(POINTS, requires_grad=True), tensor([2e-3, 0.71, 50.0, 8.0, 501.0], requires_grad=True)
    gap = tensor([1e-3, -0.1, 50.0, -8.0, 501.0], requires_grad=True)
    options = {"check_batched_grad": True, "rtol": 1e-4, "atol": 1e-6}
    for function, arguments in (
        (lambda s, t: potential_difference(s, t, p=p), (a, b)),
        (lambda s, t: potential_increment(s, t, p=p), (a, gap)),
        (lambda s: potential(s, p=p), (a,)),
    ):
        assert gradcheck(function, arguments, check_forward_ad=True, **options)
        assert gradgradcheck(function, arguments, **options)


@pytest.mark.parametrize("order", [0, 1, 4])
def test_the_gradient_is_that_of_the_closed_form_that_is_evaluated(order):
    x = tensor(POINTS, requires_grad=True)
    (found,) = torch.autograd.grad(potential(x, p=128, order=order).sum(), x)
    assert torch.equal(found, ratio(x, p=128, order=order))


def test_arguments_broadcast_and_gradients_come_back_in_shape():
    a, b = tensor(POINTS, requires_grad=True), tensor([[1.0], [2.0]], requires_grad=True)
    value = potential_difference(a, b, p=64)
    value.sum().backward()
    assert value.shape == (2, 5)
    assert (a.grad.shape, b.grad.shape) == ((5,), (2, 1))
    assert torch.allclose(b.grad, 5 * ratio(b, p=64))


def test_increment_at_the_origin():
    """At κ = 0 and r = 0 the derivative in the gap is R(r)/(2r) → 1/(2p), and nothing is NaN."""
    kappa, gap = tensor(0.0, requires_grad=True), tensor(0.0, requires_grad=True)
    gradients = torch.autograd.grad(potential_increment(kappa, gap, p=64), (kappa, gap))
    assert gradients[0] == 0
    assert float(gradients[1]) == pytest.approx(1 / 128, rel=1e-14)


def test_nan_and_negative_arguments():
    for bad in (-1.0, math.nan):
        assert math.isnan(potential(tensor(bad), p=64))
        assert math.isnan(potential_difference(tensor(bad), tensor(1.0), p=64))
        assert math.isnan(potential_difference(tensor(1.0), tensor(bad), p=64))
        assert math.isnan(potential_increment(tensor(bad), tensor(1.0), p=64))


def test_large_arguments():
    a, b = tensor(1e300), tensor(3e300)
    assert float(potential_difference(a, b, p=64)) == pytest.approx(2e300, rel=1e-15)
    assert float(potential(b, p=3)) == pytest.approx(3e300, rel=1e-15)


def test_compiles_without_a_break():
    torch._dynamo.reset()
    a, b = tensor(POINTS, requires_grad=True), tensor([2e-3, 0.71, 50.0, 8.0, 501.0])
    function = lambda s, t: potential_difference(s, t, p=512) + potential_increment(s, t, p=512) + log_normalizer(s, p=512)  # noqa: E731
    compiled = torch.compile(function, fullgraph=True, backend="aot_eager")
    (found,), (eager,) = (torch.autograd.grad(f(a, b).sum(), a) for f in (compiled, function))
    assert torch.allclose(found, eager, rtol=1e-12, atol=1e-15)
