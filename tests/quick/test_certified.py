"""Certified mode: what is proved of the defect of torch functions, and what is said not to be."""

import itertools
import math

import pytest
import torch
from flint import fmpq

from certify.audit.traced import identical
from certify.audit.traced.certified import certified, lower_bound
from certify.audit.traced.lowering import Untraceable
from certify.exact.interpret.defect import Kind


def potential(x):
    """F_R at ν = 63."""
    s = torch.hypot(x, torch.tensor(63.0, dtype=x.dtype))
    return s - 63 * torch.log(63 + s) - 0.5 * torch.log(s) + (3 * x * x - 2 * 63 * 63) / (24 * s**3)


class Supplied(torch.autograd.Function):
    """tanh with the derivative 1 − x², clamped to [0, 1]."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.tanh(x)

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return gradient * (1 - x * x).clamp(0, 1)


def test_rational_up_to_square_roots_is_exact_on_the_whole_axis():
    found = certified(potential)
    assert [each.kind for each in found.stretches] == [Kind.IDENTICAL]
    assert found.coherent
    assert "exactly" in found.statements()[0]
    assert found.unseen == ("what the kernels round",)


@pytest.mark.parametrize("function", [torch.erf, torch.tanh, lambda x: torch.exp(torch.sin(x)), torch.nn.functional.gelu])
def test_analytic_functions_are_within_the_tolerance(function):
    found = certified(function, (-6.0, 6.0))
    assert found.coherent
    assert all(each.bound is not None and each.bound < fmpq(1, 10**15) for each in found.stretches)


def test_an_incoherent_derivative_is_proved_incoherent():
    found = certified(Supplied.apply, (-2.0, 2.0), absolute="1e-4", relative=0)
    assert not found.coherent
    assert {each.kind for each in found.stretches} == {Kind.AT_MOST, Kind.AT_LEAST, Kind.OPEN}
    proved = lower_bound(Supplied.apply, (1.25, 2.0), "1/20")
    assert [each.kind for each in proved.stretches] == [Kind.AT_LEAST]
    least = 1 / math.cosh(2.0) ** 2
    assert proved.stretches[0].bound is not None
    assert fmpq(1, 20) <= proved.stretches[0].bound <= fmpq(*least.as_integer_ratio())
    assert any(each.kind is Kind.OPEN for each in lower_bound(Supplied.apply, (1.25, 2.0), "1/10").stretches)


def test_kinks_are_left_open_and_the_rest_is_exact():
    found = certified(torch.relu, (-3.0, 3.0))
    assert [each.kind for each in found.stretches] == [Kind.IDENTICAL, Kind.OPEN, Kind.IDENTICAL]
    (kink,) = found.open
    assert kink.low <= 0 <= kink.high
    assert kink.high - kink.low < fmpq(1, 10**15)


def test_the_clamped_axis_beyond_the_kinks():
    found = certified(lambda x: torch.clamp(x, -1, 1), (-9.0, 9.0))
    assert [each.kind for each in found.stretches] == [Kind.IDENTICAL, Kind.OPEN, Kind.IDENTICAL, Kind.OPEN, Kind.IDENTICAL]


def test_a_root_that_changes_its_sign_is_no_identity_across_zero():
    """√(x²) = |x| with the derivative 1: right for x > 0 only."""

    class Absolute(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return torch.sqrt(x * x)

        @staticmethod
        def backward(ctx, gradient):
            return gradient * 1.0

    found = certified(Absolute.apply, (-2.0, 2.0), attempts=400)
    assert not any(each.kind is Kind.IDENTICAL and each.low < 0 for each in found.stretches)
    assert any(each.kind is Kind.AT_LEAST for each in found.stretches)
    assert certified(Absolute.apply, (1.0, 2.0)).coherent


def test_the_stretches_cover_the_domain():
    for function in (torch.relu, Supplied.apply, torch.sqrt):
        found = certified(function, (-1.0, 5.0), attempts=300).stretches
        assert (found[0].low, found[-1].high) == (-1, 5)
        assert all(left.high == right.low for left, right in itertools.pairwise(found))


def test_casts_are_said_to_be_unseen():
    assert "casts to float32" in certified(lambda x: x.float().double() * 2, (-1.0, 1.0)).unseen


def test_what_numerical_mode_is_for():
    with pytest.raises(Untraceable, match="NumPy"):
        certified(lambda x: torch.from_numpy(x.detach().numpy()) * x, (0.0, 1.0))
    with pytest.raises(ValueError, match="empty"):
        certified(torch.exp, (1.0, 1.0))
    with pytest.raises(ValueError, match="empty"):
        certified(torch.exp, (math.nan, 1.0))


def test_the_sign_of_roots_is_demanded(monkeypatch):
    """Without that step the identity √(x²)′ = 1 would be claimed on both sides of zero."""
    monkeypatch.setattr(identical, "_roots_are_positive", lambda program, on: True)

    class Absolute(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return torch.sqrt(x * x)

        @staticmethod
        def backward(ctx, gradient):
            return gradient * 1.0

    assert certified(Absolute.apply, (-1.0, 2.0)).coherent
