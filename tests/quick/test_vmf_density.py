"""Densities, entropies, divergences, and the concentration for a mean resultant length."""

import math

import mpmath
import pytest
import torch
from torch.autograd import gradcheck, gradgradcheck

from certify.exact.bessel import concentration, ratio_derivative
from certify.vmf import accuracy, entropy, inverse_ratio, kl_divergence, kl_uniform, log_prob, resultant_error
from certify.vmf.density import variances

DIMENSIONS = [2, 3, 10, 128, 1024]
KAPPAS = [1e-3, 0.5, 10.0, 300.0, 1e5]
UNITS = {torch.float64: 2.0**-53, torch.float32: 2.0**-24}


def tensor(values, **options) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64, **options)


def reference(p: int, kappa: float) -> tuple[mpmath.mpf, mpmath.mpf]:
    """log Z(κ) − log Z(0) and κ R_ν(κ), by mpmath."""
    with mpmath.workdps(60):
        nu, k = mpmath.mpf(p) / 2 - 1, mpmath.mpf(kappa)
        lower, upper = mpmath.besseli(nu, k), mpmath.besseli(nu + 1, k)
        return mpmath.log(lower) - nu * mpmath.log(k / 2) + mpmath.loggamma(nu + 1), k * upper / lower


@pytest.mark.parametrize("p", DIMENSIONS)
def test_divergence_from_the_uniform_and_entropy(p):
    found, entropies = kl_uniform(tensor(KAPPAS), p=p), entropy(tensor(KAPPAS), p=p)
    area = float(entropy(tensor(0.0), p=p))
    for value, negative, kappa in zip(found.tolist(), entropies.tolist(), KAPPAS, strict=True):
        growth, linear = reference(p, kappa)
        assert value == pytest.approx(float(linear - growth), rel=3e-14)
        assert negative == pytest.approx(area - float(linear - growth), rel=1e-13, abs=1e-13)


def test_entropy_in_three_dimensions_at_a_large_concentration():
    """p = 3: log Z = log(4π sinh κ/κ), so that the entropy is log(2π/κ) + 1 but for e^{−2κ}; κ R and log Z alone are near 1e10."""
    assert float(entropy(tensor(1e10), p=3)) == pytest.approx(math.log(2 * math.pi / 1e10) + 1, rel=1e-13)


def test_log_prob_at_the_mean_direction():
    """p = 1024, κ = 50: SciPy has inf."""
    mu = torch.eye(1024, dtype=torch.float64)[3]
    assert float(log_prob(mu, mu, tensor(50.0))) == pytest.approx(2141.8080429171403, rel=1e-15)


@pytest.mark.parametrize("p", [2, 3])
def test_density_integrates_to_one(p):
    """By the trapezoidal rule over the circle, and by Archimedes' theorem over the sphere."""
    for kappa in (0.0, 0.3, 7.0):
        if p == 2:
            angles = torch.arange(256, dtype=torch.float64) * (2 * math.pi / 256)
            points, measure = torch.stack([angles.cos(), angles.sin()], -1), 2 * math.pi / 256
        else:
            z = (torch.arange(20000, dtype=torch.float64) + 0.5) / 10000 - 1
            points, measure = torch.stack([z, (1 - z * z).sqrt(), 0 * z], -1), 2 * math.pi / 10000
        mass = log_prob(points, torch.eye(p, dtype=torch.float64)[0], tensor(kappa)).exp().sum() * measure
        assert float(mass) == pytest.approx(1, rel=1e-7)


def test_divergence_between_two():
    mu, other = torch.nn.functional.normalize(torch.tensor([[1.0, 2.0, 3.0], [1.0, 0.0, -1.0]], dtype=torch.float64), dim=-1)
    kappas = tensor([0.0, 2.0, 50.0])
    assert torch.allclose(kl_divergence(mu, kappas, other, tensor(0.0)), kl_uniform(kappas, p=3), rtol=1e-12)
    assert torch.equal(kl_divergence(mu, kappas, mu, kappas), torch.zeros(3, dtype=torch.float64))
    expected = 2 / math.tanh(2) - 1 - math.log(math.sinh(2) / 2) + math.log(math.sinh(5) / 5)
    expected -= 5 * (1 / math.tanh(2) - 0.5) * float(mu @ other)
    assert float(kl_divergence(mu, tensor(2.0), other, tensor(5.0))) == pytest.approx(expected, rel=1e-13)


def test_gradients():
    mu = torch.nn.functional.normalize(torch.randn(4, dtype=torch.float64, generator=torch.Generator().manual_seed(1)), dim=0)
    kappa = tensor([0.3, 5.0, 90.0], requires_grad=True)
    for function in (
        lambda k: kl_uniform(k, p=4),
        lambda k: entropy(k, p=128),
        lambda k: log_prob(mu, -mu, k),
        lambda k: kl_divergence(mu, k, -mu, k.flip(0)),
    ):
        assert gradcheck(function, (kappa,), check_forward_ad=True, check_batched_grad=True)
        assert gradgradcheck(function, (kappa,))


@pytest.mark.parametrize("dtype", UNITS, ids=str)
@pytest.mark.parametrize("p", [2, 3, 10, 64, 128, 4096, 10**6])
def test_inverse_ratio(p, dtype):
    r = torch.cat([torch.logspace(-8, -0.1, 20), 1 - torch.logspace(-0.5, -6, 20)]).to(dtype)
    found = inverse_ratio(r, p=p)
    bounds = resultant_error(found, r, p=p)
    assert float(bounds.max()) <= accuracy(dtype, p=p).total + 8 * UNITS[dtype]
    for k, resultant in zip(found.tolist(), r.tolist(), strict=True):
        exact = float(concentration(p / 2 - 1, resultant))
        assert k == pytest.approx(exact, rel=(8 + 400 / (p - 1)) * UNITS[dtype])


def test_resultant_error_sees_a_wrong_concentration():
    r = tensor(0.5)
    kappa = inverse_ratio(r, p=128)
    assert float(resultant_error(kappa * (1 + 1e-6), r, p=128)) > 1e-7


def test_published_concentration():
    """Mean resultant length 0.5 at p = 128; SciPy's fit returns 1e-8 there."""
    assert float(inverse_ratio(tensor(0.5), p=128)) == pytest.approx(85.0678771917, rel=1e-12)


def test_inverse_ratio_is_differentiable_and_bounded_in_domain():
    r = tensor([0.1, 0.5, 0.9], requires_grad=True)
    for p in (2, 128):
        function = lambda t, p=p: inverse_ratio(t, p=p)  # noqa: E731
        assert gradcheck(function, (r,), check_forward_ad=True, check_batched_grad=True)
        assert gradgradcheck(function, (r,))
    ends = inverse_ratio(tensor([0.0, 1.0, -0.1, 1.1, math.nan]), p=5).tolist()
    assert ends[:2] == [0.0, math.inf]
    assert all(math.isnan(value) for value in ends[2:])
    with pytest.raises(ValueError, match="0 <= resultant <= 1"):
        inverse_ratio(tensor([1.1]), p=5, validate_args=True)


def test_variances():
    along, across = variances(tensor([0.0, 3.0]), 5)
    assert along[0] == across[0] == pytest.approx(0.2, rel=1e-15)
    assert float(along[1]) == pytest.approx(float(ratio_derivative("3/2", 3)), rel=1e-14)


@pytest.mark.parametrize(
    ("function", "named"),
    [
        (lambda: log_prob(torch.zeros(4), torch.zeros(3), torch.tensor(1.0)), "4 components and mean_direction 3"),
        (lambda: log_prob([1.0, 0.0], torch.zeros(2), torch.tensor(1.0)), "is a list"),  # pyright: ignore[reportArgumentType]
        (lambda: log_prob(torch.zeros(1), torch.zeros(1), torch.tensor(1.0)), "p = 1"),
        (lambda: kl_divergence(torch.zeros(4), torch.tensor(1.0), torch.zeros(3), torch.tensor(1.0)), "4 components and mean_q 3"),
        (lambda: kl_uniform(torch.arange(3), p=4), "int64"),
        (lambda: inverse_ratio(torch.arange(3), p=4), "int64"),
    ],
)
def test_refusals(function, named):
    with pytest.raises(ValueError, match=named):
        function()


@pytest.mark.parametrize(("at_p", "at_q"), [(1e200, 1e3), (1e200, 1e199), (2e307, 1e307)])
def test_divergences_beyond_the_kernels_range_are_those_of_the_normal_limit(at_p, at_q):
    """With one direction and κ → ∞, KL → ((p − 1)/2)(log(κ_p/κ_q) + κ_q/κ_p − 1)."""
    mean, p = torch.eye(4, dtype=torch.float64)[0], 4
    found = kl_divergence(mean, torch.tensor(at_p, dtype=torch.float64), mean, torch.tensor(at_q, dtype=torch.float64))
    expected = (p - 1) / 2 * (math.log(at_p / at_q) + at_q / at_p - 1)
    assert abs(float(found) - expected) < 1e-2 * expected
