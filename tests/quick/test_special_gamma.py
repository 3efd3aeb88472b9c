"""The parts of gamma_hazard: Legendre's continued fraction, the polynomial in its place for a < 2, and where they meet the series."""

from fractions import Fraction

import pytest
import torch
from flint import arb, fmpq

from certify.exact.ball import working_precision
from certify.exact.truth import Truth, less
from certify.special import gamma, gamma_hazard, gamma_hazard_error
from certify.special.gamma_tail import NEAR, by_polynomial, continued_fraction, interpolated, interpolation_error, steps
from certify.special.gamma_truncation import truncation


def exact(x, a):
    """w, h and h′ in balls."""
    x, a = arb(x), arb(a)
    w = 1 - x * x.gamma_upper(a - 1) / x.gamma_upper(a)
    h = x ** (a - 1) * (-x).exp() / x.gamma_upper(a)
    return w, h, h * (a - 1) * w / x


def close(found, right, k):
    return less(abs(arb(found) - right), abs(right) * fmpq(k, 2**53)) is Truth.YES


@pytest.mark.parametrize("a", [0.5, 1.25, 1.99])
def test_the_polynomial_is_w(a):
    x = torch.logspace(-1.2, 1.2, 40, dtype=torch.float64)
    with working_precision(400):
        assert less(interpolation_error(), fmpq(1, 2**57)) is Truth.YES
        for at, value in zip(x.tolist(), by_polynomial(x, interpolated(a)).tolist(), strict=True):
            assert close(value, exact(at, a)[0], 30)


@pytest.mark.parametrize("a", [0.5, 1.25, 2.5, 20.0, 100.5, 1000.5])
def test_so_many_steps_of_the_continued_fraction_do_and_half_of_them_do_not(a):
    start = 1 / NEAR if a < 2 else a - 1
    n = steps(start, a)
    x = torch.tensor([start, 3 * start], dtype=torch.float64)
    with working_precision(400):
        right = [exact(at, a)[0] for at in x.tolist()]
        assert all(close(value, true, 40) for value, true in zip(continued_fraction(x, a, n).tolist(), right, strict=True))
        assert not close(continued_fraction(x, a, n // 2)[0].item(), right[0], 40)


@pytest.mark.parametrize(
    ("a", "k"), [(0.5, 12), (0.75, 12), (1.01, 60), (1.5, 16), (1.99, 16), (2.0, 16), (2.5, 16), (20.0, 16), (200.5, 30)]
)
def test_value_and_derivative_where_the_forms_meet_and_far_below(a, k):
    """The errors do not grow with |log h|."""
    edges = [NEAR, 0.25, 1.0, 1 / NEAR, max(a - 1, NEAR), a]
    x = torch.tensor([e * r for e in edges for r in (1 - 2**-40, 1, 1 + 2**-40)] + [a / 2, a * 0.7, 1e-3 * a], dtype=torch.float64)
    x.requires_grad_()
    value = gamma_hazard(x, a=a)
    (slope,) = torch.autograd.grad(value.sum(), x)
    with working_precision(8000):
        for at, h, rate in zip(x.tolist(), value.tolist(), slope.tolist(), strict=True):
            _, right, derivative = exact(at, a)
            if h > 1e-290:
                assert close(h, right, min(k, 16))
                assert close(rate, derivative, k)


@pytest.mark.parametrize("a", [0.75, 1.5, 1.99, 20])
def test_the_derivative_near_zero_is_that_at_the_least_x_that_counts(a):
    x = torch.tensor([1e-300, 1e-305, 5e-324, 0.0], dtype=torch.float64, requires_grad=True)
    (slope,) = torch.autograd.grad(gamma_hazard(x, a=a).sum(), x)
    assert len(set(slope.tolist())) == 1


def test_shape_one_is_exact():
    x = torch.tensor([0.0, 1e-9, 0.3, 40.0], dtype=torch.float64, requires_grad=True)
    value = gamma_hazard(x, a=1)
    (slope,) = torch.autograd.grad(value.sum(), x)
    assert value.tolist() == [1.0] * 4
    assert slope.tolist() == [0.0] * 4


@pytest.mark.parametrize("a", [0.5, "0.75", 1, 1.25, "1.99", 2, "2.01", 2.5, 7, 20.5, 255.99, 256, 1000, 10_000])
def test_what_is_proved_of_the_formulas(a):
    assert 0 < gamma_hazard_error(a=a) < Fraction(1, 2**56)


@pytest.mark.parametrize(
    ("a", "name", "worse"), [(20.5, "_terms", 40), (255.5, "_terms", 2), (20.5, "steps", 12), (0.5, "steps", 8), (0.5, "_terms", 8)]
)
def test_the_bound_knows_what_it_depends_on(a, name, worse, monkeypatch):
    monkeypatch.setattr(gamma, name, lambda *_: worse)
    with working_precision(200):
        assert less(gamma._error(gamma._form_of.__wrapped__(a)), fmpq(1, 2**56)) is Truth.NO


def test_so_few_steps_are_within_their_bound():
    """Where the error is seen, in balls."""
    n = 6
    with working_precision(400):
        for a in (arb(0.5), arb(2.25), arb(20.5), arb(1000)):
            start = max(a - 1, arb(2), key=float)
            bound = truncation(start, a, n)
            for x in (start * fmpq(5, 4) ** k for k in range(40)):
                t = x / 2 + n + (x * n).sqrt()
                for k in reversed(range(1, n)):
                    t = x + 2 * k + 1 - a + (k + 1) * (a - 1 - k) / t
                assert less(abs(1 / t / exact(x, a)[0] - 1), bound) is Truth.YES


def test_other_shapes_are_refused_by_the_bound_too():
    with pytest.raises(ValueError, match="a = 1/4"):
        gamma_hazard_error(a=0.25)
