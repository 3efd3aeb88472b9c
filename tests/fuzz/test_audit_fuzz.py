"""Random smooth functions are coherent; the same with a relative fault of their derivative, however small, are not."""

import time

import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import certify

SETTINGS = settings(max_examples=4, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
amplitude = st.floats(0.1, 10).map(lambda a: round(a, 3))


def pair(a, b, c, d, fault):
    class Sum(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return a * torch.sin(b * x) + c * torch.exp(d * x)

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * (a * b * torch.cos(b * x) + c * d * torch.exp(d * x)) * (1 + fault)

    return Sum.apply


@SETTINGS
@given(amplitude, amplitude, amplitude, st.floats(-2, 2), st.integers(3, 10), st.sampled_from([-1, 1]))
def test_relative_faults(a, b, c, d, digits, sign):
    right = certify.audit(pair(a, b, c, d, 0.0), domain=(-2, 2))
    assert right.coherence.outcome == "coherent", right.explain()
    wrong = certify.audit(pair(a, b, c, d, sign * 10.0**-digits), domain=(-2, 2))
    assert wrong.coherence.outcome == "incoherent", wrong.explain()
    assert abs(wrong.witness.relative_gap / 10.0**-digits - 1) < 0.5


@SETTINGS
@given(st.integers(5, 40), st.integers(5, 40), st.data())
def test_one_wrong_entry(n, m, data):
    weight = torch.randn(m, n, generator=torch.Generator().manual_seed(n * m), dtype=torch.float64)
    i, j = data.draw(st.integers(0, m - 1)), data.draw(st.integers(0, n - 1))
    changed = weight.clone()
    changed[i, j] *= 1.001

    class Linear(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return weight @ x

        @staticmethod
        def backward(ctx, g):
            return changed.t() @ g

    result = certify.audit(Linear.apply, inputs=torch.randn(n, generator=torch.Generator().manual_seed(1), dtype=torch.float64))
    assert result.coherence.outcome == "incoherent", result.explain()
    assert result.witness.entry == f"output {i}, input[{j}]"


def test_cost():
    """A function of a microsecond an element costs two seconds: a million evaluations, and less than a second beside them."""
    start = time.process_time()
    result = certify.audit(torch.sin)
    assert sum(evidence.evaluations for evidence in result.evidence) < 1.1e6
    assert time.process_time() - start < 4
