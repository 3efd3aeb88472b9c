"""The original recurrence as public code runs it: where it agrees with the clean form, and each defect that it reproduces."""

import pytest
import torch
from flint import arb
from scipy.special import ive

from certify.exact import recurrence
from certify.exact.ball import working_precision
from certify.realizations.tensor.original import Original
from certify.realizations.tensor.public import PublicOriginal


def tensor(*values, dtype=torch.float64):
    return torch.tensor(values, dtype=dtype, requires_grad=True)


def value_and_gradient(realization, x):
    value = realization.potential(x)
    return value.detach() + realization.constant, torch.autograd.grad(value.sum(), x)[0]


def errors(order, *x):
    """Of value and gradient, against the clean form."""
    clean, slope = value_and_gradient(Original(order), tensor(*x))
    value, supplied = value_and_gradient(PublicOriginal(order), tensor(*x))
    return (value - clean).abs(), (supplied - slope).abs()


@pytest.mark.parametrize("order", [31, 63, 255, 511])
def test_away_from_its_defects_it_is_the_clean_recurrence(order):
    value, slope = errors(order, 1.1 * order, 4.0 * order, 50.0 * order, 800.0 * order)
    assert value.max() <= 1e-15 * 2000 * order
    assert slope.max() <= 1e-12


@pytest.mark.parametrize("order", [63, 255, 1023])
def test_it_supplies_the_clipped_ratio(order):
    x = [1.0 * order, 16.0 * order, 300.0 * order]
    exact = [min(float(recurrence.enclose_ratio(order, 2 * order, point, 20)), 1.0) for point in x]
    for point, ratio in zip(x, exact, strict=True):
        alone = tensor(point)
        assert float(value_and_gradient(PublicOriginal(order), alone)[1]) == pytest.approx(ratio, rel=1e-11)
        assert float(PublicOriginal(order).derivative(alone)) == pytest.approx(ratio, rel=1e-11)


def test_a_rescale_at_order_nu_corrupts_the_captured_ratio_of_the_whole_batch():
    """p = 1024: at 402.2 the recurrence overflows just after F_{ν+1} was captured, and the division edits it."""
    _, slope = value_and_gradient(PublicOriginal(511), tensor(402.2, 2000.0, 5000.0))
    clean = Original(511).derivative(tensor(402.2, 2000.0, 5000.0))
    assert slope.max() <= 1e-33
    assert clean.min() >= 0.3
    assert errors(511, 402.2, 2000.0, 5000.0)[0].max() <= 1e-11


def test_a_rescale_at_order_nu_minus_one_corrupts_values_and_gradients():
    """At 403.2 it is F_ν: the values lose the factor's logarithm, and every ratio is clipped."""
    value, _ = errors(511, 403.2, 2000.0, 5000.0)
    _, slope = value_and_gradient(PublicOriginal(511), tensor(403.2, 2000.0, 5000.0))
    assert value.min() >= 70
    assert slope.tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("x", [402.2, 403.2, 404.2])
def test_it_is_one_element_that_corrupts_the_others(x):
    value, slope = errors(511, 2000.0, 5000.0)
    assert value.max() <= 1e-11
    assert slope.max() <= 1e-12
    corrupted = max(float(error.max()) for error in errors(511, x, 2000.0, 5000.0))
    assert (corrupted > 0.3) is (x < 404)


def test_the_band_at_512_and_none_at_128():
    scan = torch.arange(45.0, 49.0, 0.05, dtype=torch.float64)
    wrong = [float(x) for x in scan if max(float(error) for error in errors(255, float(x))) > 0.05]
    assert 46.5 < min(wrong) < 46.8
    assert 47.3 < max(wrong) < 47.7
    for x in torch.logspace(-1, 4, 300, dtype=torch.float64):
        assert max(float(error) for error in errors(63, float(x))) < 1e-9


def test_one_tiny_element_changes_its_neighbour():
    _, alone = value_and_gradient(PublicOriginal(63), tensor(100.0))
    _, beside = value_and_gradient(PublicOriginal(63), tensor(1e-30, 100.0))
    assert float(alone) == pytest.approx(float(recurrence.ratio(63, 126, 100.0)), rel=1e-12)
    assert float(beside[1]) < 0.01


def test_zero():
    assert PublicOriginal(63).potential(tensor(0.0)).isnan().all()
    with pytest.raises(RuntimeError, match="broadcast shape"):
        PublicOriginal(63).potential(tensor(0.0, 1.0))


@pytest.mark.parametrize(("p", "least"), [(128, 2e-6), (512, 4e-5), (1024, 2e-4)])
def test_float32_noise_of_the_logarithm(p, least):
    """(p/2 − 1) log x in float32 is off by up to half an ulp of the product and of the logarithm, times p/2 − 1."""
    generator = torch.Generator().manual_seed(3407)
    x = torch.rand(2000, generator=generator) * 5 * p + p / 4
    realization = PublicOriginal(p / 2 - 1)
    noise = (realization.potential(x) - realization.potential(x.double())).abs().max()
    assert realization.potential(x).dtype is torch.float64
    assert least <= noise <= 2**-24 * (p / 2) * 20
    x.requires_grad_()
    assert torch.autograd.grad(realization.potential(x).sum(), x)[0].dtype is torch.float32


@pytest.mark.parametrize("p", [127, 129, 513])
def test_odd_dimensions_mix_two_orders(p):
    realization, x = PublicOriginal(p / 2 - 1), tensor(100.0)
    with working_precision(100):
        logarithm = recurrence.potential(realization.truncated, 2 * realization.truncated, arb(100))
        expected = float(logarithm + (realization.truncated - arb(p) / 2 + 1) * arb(100).log())
        exact = float((arb(100).bessel_i(arb(p) / 2 - 1)).log() - (arb(p) / 2 - 1) * arb(100).log())
    assert float(realization.potential(x).detach()) == pytest.approx(expected, abs=1e-9)
    assert abs(expected - exact) > 0.2
    assert float(PublicOriginal(realization.truncated).derivative(x)) == float(realization.derivative(x))


def test_the_backward_edits_what_it_saved():
    x = tensor(100.0, 20000.0)
    value = PublicOriginal(63).potential(x).sum()
    value.backward(retain_graph=True)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        value.backward()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        torch.autograd.gradcheck(PublicOriginal(63).potential, (tensor(5.0, 100.0),))


def test_non_unit_upstream_gradients_are_right_once():
    x = tensor(100.0, 20000.0)
    upstream = torch.tensor([3.0, -2.0], dtype=torch.float64)
    supplied = PublicOriginal(63).derivative(x)
    assert torch.equal(torch.autograd.grad(PublicOriginal(63).potential(x), x, upstream)[0], upstream * supplied)


def test_logits_subtract_the_offset_of_each_class():
    kappa, r = tensor(40.0, 900.0, 1e5), tensor(50.0, 1000.0, 9e4)
    realization = PublicOriginal(63)
    logits = realization.difference(kappa, r)
    assert torch.allclose(logits, realization.potential(r) - realization.offset(kappa), rtol=0, atol=1e-9)
    assert torch.autograd.grad(logits.sum(), kappa, allow_unused=True) == (None,)
    clean = Original(63).difference(kappa, r)
    assert torch.allclose(logits, clean, rtol=0, atol=1e-9)


def test_the_first_offset_has_epsilons():
    assert PublicOriginal(63).first_offset(tensor(600.0)).item() == pytest.approx(PublicOriginal(63).offset(tensor(600.0)).item(), rel=1e-9)
    assert ive(2047.0, 300.0) == 0
    assert float(PublicOriginal(2047).first_offset(tensor(300.0))) == pytest.approx(
        float(torch.tensor(1e-300, dtype=torch.float64).log()) + 300 - 2047 * float(torch.tensor(300.0).double().log())
    )


def test_arguments_that_are_refused():
    with pytest.raises(ValueError, match="float64 or float32, not int64"):
        PublicOriginal(63).potential(torch.ones(2, dtype=torch.int64))
    with pytest.raises(ValueError, match="order 0.5: .* >= 1"):
        PublicOriginal(0.5)
    with pytest.raises(ValueError, match="order 1.25: .* whole p"):
        PublicOriginal(1.25)
