"""Torch functions as programs: what is translated is what runs, and what cannot be translated is refused with its reason."""

import math
from fractions import Fraction

import numpy as np
import pytest
import torch
from flint import fmpq

from certify.audit.traced import operations
from certify.audit.traced.lowering import Untraceable
from certify.audit.traced.trace import trace
from certify.exact.interpret import rational
from certify.exact.interpret.branches import resolved
from certify.exact.program import Builder, ProgramError

NU = {"nu": (4.0, 1.0, 63.0)}


def by_hand(x, nu):
    s = torch.hypot(x, nu)
    return x / (nu + s) - 5 / 24 * x


def test_a_trace_has_the_digest_of_the_program_written_by_hand():
    builder = Builder()
    x, nu = builder.inputs("x", "nu")
    program = builder.program(x / (nu + builder.call("hypot", x, nu)) - x * Fraction(5, 24))
    traced = trace(by_hand, ("x", "nu"), NU, (0.0, 1e6), derivative=False).program
    assert traced.digest == program.rounded().digest != program.digest


def test_value_and_supplied_derivative():
    """x³/(1 + x²): the derivative that autograd supplies is the exact one, at rational points."""
    program = trace(lambda x: x**3 / (1 + x * x)).program
    for x in (fmpq(1, 3), fmpq(-7, 2)):
        value, derivative = rational.evaluate(program, {"x": x})
        assert value == x**3 / (1 + x * x)
        assert derivative == (3 * x**2 * (1 + x * x) - 2 * x**4) / (1 + x * x) ** 2


def test_constants_that_are_not_finite_define_nothing():
    program = trace(lambda x: x * torch.where(x > 1, 1.0, math.nan)).program
    assert rational.evaluate(resolved(program, {"x": (fmpq(2), fmpq(3))}), {"x": 2}) == (2, 1)
    with pytest.raises(ProgramError, match="by zero"):
        rational.evaluate(resolved(program, {"x": (fmpq(0), fmpq(1, 2))}), {"x": fmpq(1, 4)})


class Wrong(torch.autograd.Function):
    """x² with the derivative of x³."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 3 * ctx.saved_tensors[0] ** 2


def test_the_backward_is_the_supplied_one():
    value, derivative = rational.evaluate(trace(Wrong.apply).program, {"x": 5})
    assert (value, derivative) == (25, 75)


class Module(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.tensor([0.5, 2.0], dtype=torch.float64))

    def forward(self, x):
        hidden = torch.relu(x.unsqueeze(1) * self.weight).clone()
        hidden[:, 1] += 1
        return torch.cat([hidden, -hidden], 1)[:, :3].sum(1)


def test_modules_views_and_writes_in_place():
    program = trace(Module()).program
    assert rational.evaluate(program, {"x": 3}) == (fmpq(3, 2) + 7 - fmpq(3, 2), 2)
    assert rational.evaluate(program, {"x": -3}) == (1, 0)


def test_both_sides_of_every_branch_are_compared():
    threshold = 0.7316
    traced = trace(lambda x: torch.where(x > threshold, x * x, x))
    assert {threshold, math.nextafter(threshold, 1)} <= set(traced.points)
    assert len(traced.points) >= 16
    assert min(traced.points) < 0 < max(traced.points)


def test_both_formats_and_casts():
    assert trace(by_hand, ("x", "nu"), NU, (0.0, 1e6), torch.float32).dtype == "float32"
    cast = trace(lambda x: (x.float() * 2).double())
    assert cast.unseen[0] == "casts to float32"
    assert trace(lambda x: x * 2).unseen == ("what the kernels round",)
    assert rational.evaluate(cast.program, {"x": "1/3"})[0] == fmpq(2, 3)


def on_numpy(x):
    return torch.from_numpy(np.sin(x.detach().numpy())) * x


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (on_numpy, "NumPy"),
        (lambda x: x if x.sum() > 0 else -x, "control flow"),
        (lambda x: x * float(x), "control flow|Python number"),
        (lambda x: x * x.item(), "Python number"),
        (lambda x: torch.nn.functional.dropout(x, 0.5), "random"),
        (lambda x: x * torch.rand_like(x), "random"),
        (torch.round, "not translated"),
        (lambda x: x.long().double() * x, "integers"),
        (lambda x: x.detach(), "gradient"),
        (lambda x: 3.0, "gradient"),
        (lambda x: torch.cat([x, x]), "one element"),
        (lambda x: x[5], "fake tensors"),
    ],
)
def test_what_cannot_be_translated(function, reason):
    with pytest.raises(Untraceable, match=reason) as error:
        trace(function)
    assert "\n" not in str(error.value)


def test_a_wrong_translation_is_seen(monkeypatch):
    """Planted: a maximum that is a minimum, and a reciprocal multiplied where a quotient is rounded once."""
    monkeypatch.setitem(operations.OPERATIONS, "maximum", operations.OPERATIONS["minimum"])
    with pytest.raises(Untraceable, match="the program gives another number"):
        trace(lambda x: torch.maximum(x, 2 * x))
    monkeypatch.setitem(operations.OPERATIONS, "div", lambda low, a, b: low.each("mul", a, low.each("div", 1, b)))
    with pytest.raises(Untraceable, match="the program gives another number"):
        trace(lambda x: x / (1 + x * x))


def test_a_constant_that_was_a_number_is_seen():
    """A closure that changes with every call is not what was traced."""
    calls = []

    def drifting(x):
        calls.append(None)
        return x * len(calls)

    with pytest.raises(Untraceable, match="the graph gives another number"):
        trace(drifting)


def test_the_traced_object_and_the_global_state_stay_as_they_are():
    module, before = Module(), torch.is_grad_enabled()
    trace(module)
    assert module.weight.grad is None
    assert torch.is_grad_enabled() == before
    with torch.no_grad():
        trace(module)
        assert not torch.is_grad_enabled()


@pytest.mark.parametrize(("dtype", "bits", "x_max"), [(torch.float64, 53, 2**500), (torch.float32, 24, 2**60)], ids=str)
@pytest.mark.parametrize("n", [0, 1, 4])
def test_the_shipped_kernels_are_the_programs_of_the_theorems(n, dtype, bits, x_max):
    from certify.exact import difference_program, ladder_program
    from certify.vmf import kernel

    def digest(function, names, fixed):
        return trace(function, names, fixed, (0.0, 1e6), dtype, derivative=False).program.digest

    for squares in (False, True):
        modulus = kernel.root_of_squares if squares else torch.hypot
        for name in ("ratio", "slope"):
            program = ladder_program.in_format(getattr(ladder_program, name)(n, squares), x_max, bits)
            shipped = getattr(kernel, name)
            assert digest(lambda x, nu, f=shipped, m=modulus: f(x, nu, n, m), ("x", "nu"), NU) == program.digest
    ends = {"b": (3.0, 7.0, 0.5), **NU}
    program = difference_program.difference(n).rounded(bits)
    assert digest(lambda a, b, nu: kernel.difference(a, b, nu, n), ("a", "b", "nu"), ends) == program.digest
