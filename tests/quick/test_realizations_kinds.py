"""The other public pairs: three numbers at a point, supplied, derivative of the value, and truth, each computed here."""

import pytest
import torch
from flint import arb

from certify.exact import bessel
from certify.exact.ball import working_precision
from certify.realizations.kinds import (
    KINDS,
    BoundAsGradient,
    LogNormalizer,
    LogNormalizerWithEpsilons,
    LogOfShifted,
    ReturnConstant,
    RiccatiRatio,
    ScaledBessel,
    SwitchedLogNormalizer,
)


def tensor(*values, dtype=torch.float64):
    return torch.tensor(values, dtype=dtype, requires_grad=True)


def supplied(kind, *points):
    x = tensor(*points)
    return torch.autograd.grad(kind(x).sum(), x)[0].tolist()


def of_the_value(kind, *points):
    """Fourth-order central differences, good to some 1e-9."""
    x = tensor(*points).detach()
    h = 1e-3 * x
    near, far = kind(x + h) - kind(x - h), kind(x + 2 * h) - kind(x - 2 * h)
    return ((8 * near - far) / (12 * h)).tolist()


def log_bessel(order, x):
    with working_precision(300):
        return float(arb(x).bessel_i(arb(order), scaled=True).log() + x)


def ratio(order, x):
    return float(bessel.ratio(order, x))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_protocol(kind):
    subject = kind(64)
    assert all((subject.name, subject.oddity, subject.quantity))
    x = tensor(50.0, 60.0, 70.0, 80.0).reshape(2, 2).detach().T.requires_grad_()
    value = subject(x)
    assert value.shape == x.shape
    upstream = torch.tensor([[1.0, -2.0], [0.0, 3.0]]).to(value)
    slope = torch.autograd.grad(value, x, upstream, retain_graph=True)[0]
    assert torch.allclose(slope, upstream * subject.supplied(x).detach())
    assert torch.equal(slope, torch.autograd.grad(value, x, upstream)[0])
    assert subject(torch.ones(3)).dtype is torch.float32
    assert subject(torch.empty(0, dtype=torch.float64)).shape == (0,)
    for dimension in (2, 63.5, True, "64"):
        with pytest.raises(ValueError, match=f"dimension {dimension!r}: .* whole number >= 3"):
            kind(dimension)
    with pytest.raises(ValueError, match="float64 or float32, not int64"):
        subject(torch.ones(2, dtype=torch.int64))


def test_scaled_bessel_is_float32_whatever_goes_in():
    kind = ScaledBessel(128)
    assert kind(tensor(63.0)).dtype is torch.float32
    assert kind(tensor(63.0)).item() == pytest.approx(2.718281828459045 ** (log_bessel(63, 63) - 63), rel=1e-7)
    exact = kind(tensor(63.0)).item() * (ratio(63, 63) + 1 - 1)
    assert supplied(kind, 63.0)[0] == pytest.approx(exact, rel=3e-5)
    assert kind(tensor(0.15 * 63)).item() == 0
    assert log_bessel(63, 0.15 * 63) > -130


@pytest.mark.parametrize(("m", "k"), [(10, 3.0), (128, 63.0), (512, 2000.0)])
def test_the_normalizer_without_its_exponent_is_off_by_one(m, k):
    kind = LogNormalizer(m)
    assert supplied(kind, k)[0] == pytest.approx(-ratio(m / 2 - 1, k), rel=1e-12)
    assert supplied(kind, k)[0] - of_the_value(kind, k)[0] == pytest.approx(-1, abs=1e-8)


def test_an_epsilon_makes_the_gradient_vanish():
    kind = LogNormalizerWithEpsilons(128)
    scaled = 2.718281828459045 ** (log_bessel(63, 63) - 63)
    assert supplied(kind, 63.0)[0] == pytest.approx(-ratio(63, 63) * scaled / (scaled + 1e-6), rel=1e-9)
    assert of_the_value(kind, 63.0)[0] == pytest.approx(-ratio(63, 63), rel=1e-9)
    assert abs(supplied(kind, 63.0)[0]) < 1e-8
    zero = kind(tensor(1e-5)).item()
    assert zero == pytest.approx(63 * float(torch.tensor(1e-5).double().log()) - 64 * float(torch.tensor(2 * torch.pi).log()), rel=1e-6)


def test_a_bound_is_no_gradient():
    kind = BoundAsGradient(300)
    defect = supplied(kind, 150.0)[0] - (149 / 150 + ratio(149, 150))
    assert 4.7e-5 < defect < 4.9e-5
    assert of_the_value(kind, 150.0)[0] == pytest.approx(149 / 150 + ratio(149, 150), rel=1e-9)
    assert kind(tensor(150.0)).item() == pytest.approx(log_bessel(149, 150), rel=1e-12)
    assert kind(tensor(5000.0)).item() == pytest.approx(log_bessel(149, 5000), rel=1e-12)


def test_the_whole_gradient_of_a_constant_is_defect():
    assert ReturnConstant(300)(tensor(150.0, 1e5)).tolist() == [0.0, 0.0]
    assert supplied(ReturnConstant(300), 150.0) == supplied(BoundAsGradient(300), 150.0)


def test_integer_division_of_an_odd_dimension_flips_the_derivative():
    assert supplied(RiccatiRatio(64), 16.0)[0] == pytest.approx(float(bessel.ratio_derivative(31, 16)), rel=1e-10)
    assert of_the_value(RiccatiRatio(65), 16.0)[0] == pytest.approx(float(bessel.ratio_derivative(31, 16)), rel=1e-7)
    exact = ratio(31, 16)
    assert supplied(RiccatiRatio(65), 16.0)[0] == pytest.approx(1 - 64 / 16 * exact - exact**2, rel=1e-9)
    assert supplied(RiccatiRatio(65), 16.0)[0] < 0 < supplied(RiccatiRatio(64), 16.0)[0]


def test_the_switch_keeps_the_value_and_breaks_the_derivative():
    kind = SwitchedLogNormalizer(3)
    below, above = kind(tensor(100 * (1 - 1e-12), 100.0)).tolist()
    assert below == pytest.approx(above, abs=1e-9)
    left, right = supplied(kind, 100 * (1 - 1e-12), 100.0)
    assert left == pytest.approx(-ratio(0.5, 100), rel=1e-12)
    assert right == pytest.approx(-100 / (4 + 100**2) ** 0.5, rel=1e-12)
    assert supplied(kind, 50.0, 500.0) == pytest.approx(of_the_value(kind, 50.0, 500.0), rel=1e-8)


def test_a_shifted_logarithm_is_coherent_and_wrong():
    kind = LogOfShifted(512)
    assert supplied(kind, 255.0) == pytest.approx(of_the_value(kind, 255.0), rel=1e-8)
    assert supplied(kind, 255.0)[0] == pytest.approx(1, rel=1e-8)
    assert 1 + ratio(255, 255) > 1.4
    near = LogOfShifted(4)
    assert supplied(near, 2.0)[0] == pytest.approx(1 / 2 + ratio(1, 2), rel=1e-4)
