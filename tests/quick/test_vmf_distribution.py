"""``VonMisesFisher``: its interface, and the moments of its samples against theory."""

import math

import pytest
import torch
from scipy import integrate
from torch.distributions import kl_divergence

from certify.exact.ball import working_precision
from certify.exact.bessel import ratio as exact_ratio
from certify.vmf import VonMisesFisher, kl_uniform, ratio
from certify.vmf.sampling import LARGEST, around, complement_of_cosine, cosine_slope

DIMENSIONS = [2, 3, 4, 17, 128, 1024, 4096]
KAPPAS = [0.0, 0.1, 5.0, 300.0, 1e6]
SIGMAS = 5
"""Standard errors within which a seeded sample mean must lie."""


@pytest.fixture(autouse=True)
def _seeded():
    torch.manual_seed(3407)


def direction(p: int, dtype: torch.dtype = torch.float64) -> torch.Tensor:
    return torch.nn.functional.normalize(torch.randn(p, dtype=dtype), dim=0)


def kappa_of(value: float, **options) -> torch.Tensor:
    return torch.tensor(value, dtype=torch.float64, **options)


@pytest.mark.parametrize("p", DIMENSIONS)
@pytest.mark.parametrize("kappa", KAPPAS)
def test_moments_of_the_cosine(p, kappa):
    """Mean 1 − R and second moment of 1 − w, E(1−w)² = Var w + (1−R)²; the error of the second by the sample's own fourth moment."""
    rest = complement_of_cosine(torch.full((20000,), kappa, dtype=torch.float64), p)
    along = VonMisesFisher(direction(p), kappa_of(kappa)).variances[0]
    with working_precision(100):
        center = float(1 - exact_ratio(p / 2 - 1, kappa))
    assert bool(((rest >= 0) & (rest <= 2)).all())
    assert abs(float(rest.mean()) - center) <= SIGMAS * float((along / 20000).sqrt())
    squares = (rest - center).square()
    assert abs(float(squares.mean() - along)) <= SIGMAS * float(squares.std()) / math.sqrt(20000)


@pytest.mark.parametrize("p", [2, 3, 128])
@pytest.mark.parametrize("kappa", [0.0, 2.0, 300.0])
def test_mean_and_covariance_of_samples(p, kappa):
    mu = direction(p)
    law = VonMisesFisher(mu, kappa_of(kappa))
    x = law.sample((20000,))
    assert float((x.norm(dim=-1) - 1).abs().max()) <= 1e-14
    assert float((x.mean(0) - law.mean).norm()) <= SIGMAS * math.sqrt(float(law.covariance_matrix.trace()) / 20000)
    cosine = x @ mu
    across = (x - cosine[:, None] * mu).square().sum(-1)
    assert abs(float(across.mean() - (p - 1) * law.variances[1])) <= SIGMAS * float(across.std()) / math.sqrt(20000)
    tangent = (x[:, 0] - cosine * mu[0]).mean()
    assert abs(float(tangent)) <= SIGMAS * float((law.variances[1] / 20000).sqrt())


def test_covariance_has_trace_one_minus_the_square_of_the_mean():
    law = VonMisesFisher(direction(9), kappa_of(4.0))
    assert float(law.covariance_matrix.trace()) == pytest.approx(1 - float(law.mean_resultant_length) ** 2, rel=1e-14)
    assert torch.allclose(law.covariance_matrix.diagonal(), law.variance, rtol=1e-13)


@pytest.mark.parametrize(("p", "kappa"), [(2, 0.5), (2, 60.0), (3, 2.0), (8, 1.0), (8, 200.0), (128, 300.0)])
def test_pathwise_derivative_of_the_cosine(p, kappa):
    """Against quadrature of −∂F/∂κ / f, F the distribution function of the angle; and its mean is R′."""
    resultant = float(ratio(kappa_of(kappa), p=p))
    law = VonMisesFisher(direction(p), kappa_of(kappa))
    for w in (resultant - 0.05, min(resultant + 0.02, 0.999), -0.3):
        theta = math.acos(w)

        def integrand(phi: float, theta: float = theta) -> float:
            tilt = math.exp(kappa * (math.cos(phi) - math.cos(theta))) * (math.sin(phi) / math.sin(theta)) ** (p - 2)
            return (math.cos(phi) - resultant) * tilt

        side = (0, theta) if (p - 2) * w > kappa * (1 - w * w) else (theta, math.pi)
        area = integrate.quad(integrand, *side, epsabs=1e-13, epsrel=1e-11, limit=500)[0]
        expected = math.sin(theta) * area * (1 if side[0] == 0 else -1)
        found = float(cosine_slope(kappa_of(kappa), torch.tensor(1 - w, dtype=torch.float64), p))
        assert found == pytest.approx(expected, rel=1e-8)
    rest = complement_of_cosine(torch.full((20000,), kappa, dtype=torch.float64), p)
    slopes = cosine_slope(kappa_of(kappa), rest, p)
    assert abs(float(slopes.mean() - law.variances[0])) <= SIGMAS * float(slopes.std()) / math.sqrt(20000)


def test_gradients_through_samples():
    """The mean of ∂⟨μ, x⟩/∂κ is R′(κ); moving μ moves the samples along."""
    kappa = kappa_of(6.0, requires_grad=True)
    mu = direction(5).requires_grad_()
    x = VonMisesFisher(mu, kappa).rsample((20000,))
    gradient = torch.autograd.grad((x @ mu.detach()).mean(), kappa, retain_graph=True)[0]
    assert float(gradient) == pytest.approx(float(VonMisesFisher(mu, kappa).variances[0].detach()), rel=0.02)
    across = torch.autograd.grad((x @ torch.eye(5, dtype=torch.float64)[2]).mean(), mu)[0]
    expected = ratio(kappa, p=5) * (torch.eye(5, dtype=torch.float64)[2] - mu[2] * mu)
    tangential = across - (across @ mu) * mu
    assert torch.allclose(tangential, expected, atol=0.05)
    assert not VonMisesFisher(mu, kappa).sample().requires_grad


@pytest.mark.parametrize("sign", [1, -1])
def test_samples_around_the_axes(sign):
    mu = torch.zeros(4, dtype=torch.float64)
    mu[0] = sign
    rest = torch.tensor([0.0, 0.5, 2.0], dtype=torch.float64)
    found = around(mu.expand(3, 4), rest)
    assert torch.allclose(found @ mu, 1 - rest, atol=1e-15)


def test_samples_at_the_ends():
    rest = complement_of_cosine(torch.tensor([math.inf, LARGEST, 0.0, math.nan], dtype=torch.float64), 3)
    assert bool((rest[:2] < 1e-300).all())
    assert 0 <= rest[2] <= 2
    assert rest[3].isnan()


def test_samples_follow_the_seed_and_the_dtype():
    law = VonMisesFisher(direction(6, torch.float32), torch.tensor(1e7))
    torch.manual_seed(1)
    first = law.sample((4,))
    torch.manual_seed(1)
    assert torch.equal(first, law.sample((4,)))
    assert first.dtype == torch.float32
    assert float((first.norm(dim=-1) - 1).abs().max()) < 1e-6


def test_shapes_expand_and_batches():
    law = VonMisesFisher(torch.nn.functional.normalize(torch.randn(3, 1, 7), dim=-1), torch.tensor([1.0, 50.0]))
    assert (law.batch_shape, law.event_shape, law.dimension) == ((3, 2), (7,), 7)
    assert law.sample((5,)).shape == (5, 3, 2, 7)
    assert law.log_prob(law.sample()).shape == law.entropy().shape == law.log_normalizer.shape == (3, 2)
    wide = law.expand(torch.Size((4, 3, 2)))
    assert wide.mean.shape == (4, 3, 2, 7)
    assert torch.equal(wide.mode[0], law.mode)


def test_expanded_laws_keep_their_class_their_order_and_their_validation():
    class Own(VonMisesFisher):
        pass

    for validates in (True, False):
        wide = Own(direction(4), kappa_of(2.0), order=1, validate_args=validates).expand([3])
        assert (type(wide), wide.order, wide.batch_shape) == (Own, 1, (3,))
        assert wide._validate_args is validates


def test_divergences_are_registered():
    mu = direction(5)
    p, q = VonMisesFisher(mu, kappa_of(3.0)), VonMisesFisher(-mu, kappa_of(0.0))
    assert float(kl_divergence(p, q)) == pytest.approx(float(kl_uniform(kappa_of(3.0), p=5)), rel=1e-12)
    assert torch.equal(p.kl_uniform(), kl_uniform(kappa_of(3.0), p=5))


def test_fit_by_the_mean_of_the_log_density():
    """The gradient of the mean log-density in κ vanishes where R(κ) is the mean resultant length."""
    mu = direction(20)
    x = VonMisesFisher(mu, kappa_of(30.0)).sample((100,))
    kappa = kappa_of(30.0, requires_grad=True)
    (gradient,) = torch.autograd.grad(VonMisesFisher(mu, kappa).log_prob(x).mean(), kappa)
    assert float(gradient) == pytest.approx(float((x @ mu).mean() - ratio(kappa.detach(), p=20)), rel=1e-10)


@pytest.mark.parametrize(
    ("build", "named"),
    [
        (lambda: VonMisesFisher(torch.ones(3), torch.tensor(1.0)), "loc"),
        (lambda: VonMisesFisher(torch.tensor([1.0, 0.0]), torch.tensor(-1.0)), "concentration"),
        (lambda: VonMisesFisher([1.0, 0.0], 1.0), "loc is a list"),  # pyright: ignore[reportArgumentType]
        (lambda: VonMisesFisher(torch.tensor([1, 0]), 1.0), "int64"),
        (lambda: VonMisesFisher(torch.tensor([1.0, 0.0]), 1.0).expand([2]).log_prob(torch.tensor([2.0, 0.0])), "support"),
        (lambda: VonMisesFisher(torch.ones(1), torch.tensor(1.0)), "two components"),
        (lambda: VonMisesFisher(torch.tensor(1.0), torch.tensor(1.0)), "two components"),
        (lambda: VonMisesFisher(torch.tensor([1.0, 0.0]), torch.tensor(1.0)).log_prob(torch.tensor([2.0, 0.0])), "support"),
    ],
)
def test_refusals(build, named, monkeypatch):
    monkeypatch.setattr(VonMisesFisher, "_validate_args", True)  # torch.compile turns it off, for the whole process
    with pytest.raises(ValueError, match=named):
        build()
