"""What PyTorch asks of a function, of every function of ``certify.special`` alike."""

from __future__ import annotations

import copy
import pickle

import pytest
import torch
from torch import Tensor
from torch.autograd import gradcheck, gradgradcheck
from torch.func import grad, jacrev, jvp, vmap

from certify import special

X = torch.tensor([0.3, 1.0, 2.5, 20.0], dtype=torch.float64)
FUNCTIONS = {
    "log_ndtr": lambda x, **_: special.log_ndtr(x),
    "normal_hazard": lambda x, **_: special.normal_hazard(x),
    "erfcx": lambda x, **_: special.erfcx(x),
    "bessel_k_ratio": lambda x, at=5: special.bessel_k_ratio(x, nu=at),
    "log_bessel_k": lambda x, at=5: special.log_bessel_k(x, nu=at),
    "gamma_hazard": lambda x, at=5: special.gamma_hazard(x, a=at),
    "watson_quotient": lambda x, at=5: special.watson_quotient(x, p=at),
    "log_kummer": lambda x, at=5: special.log_kummer(x, p=at),
}
EVERY = pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
AOT = {"fullgraph": True, "backend": "aot_eager"}


def within(found: Tensor, expected: Tensor, units: int = 16) -> None:
    torch.testing.assert_close(found, expected, rtol=units * torch.finfo(expected.dtype).eps, atol=0)


def derivatives(function, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """By the backward, as often as it takes."""
    x = x.detach().clone().requires_grad_()
    value = function(x)
    (slope,) = torch.autograd.grad(value.sum(), x, create_graph=True)
    (curvature,) = torch.autograd.grad(slope.sum(), x)
    return value.detach(), slope.detach(), curvature


@EVERY
def test_gradcheck_and_gradgradcheck(function):
    x = X.clone().requires_grad_()
    assert gradcheck(function, x, check_forward_ad=True, check_batched_grad=True)
    assert gradgradcheck(function, x, check_fwd_over_rev=True)


@EVERY
def test_transforms(function):
    value, slope, curvature = derivatives(function, X)
    along = jvp(function, (X,), (torch.ones_like(X),))
    within(torch.stack(along), torch.stack([value, slope]))
    within(vmap(function)(X), value)
    within(vmap(grad(function))(X), slope)
    within(vmap(grad(grad(function)))(X), curvature)
    within(jacrev(function)(X).diagonal(), slope)


@pytest.mark.parametrize("function", [special.log_ndtr, special.normal_hazard, special.erfcx])
def test_where_the_two_sides_meet_derivatives_of_every_order_agree(function):
    """The third is autograd's; the one at 0 is as near to its neighbours as they are to each other."""
    x = torch.tensor([-(2.0**-20), 0.0, 2.0**-20], dtype=torch.float64)
    left, middle, right = vmap(grad(grad(grad(function))))(x)
    assert abs(middle - (left + right) / 2) < 1e-9
    assert abs(left - right) < 1e-4


@EVERY
def test_layouts(function):
    whole = X.repeat(3, 2)
    expected = function(whole)
    parts = (lambda x: x.T, lambda x: x[:, ::2], lambda x: x[0, 0], lambda x: x[:0])
    for part in parts:
        given, wanted = part(whole), part(expected)
        found = function(given)
        assert (found.shape, found.dtype, found.requires_grad) == (wanted.shape, wanted.dtype, False)
        within(found, wanted)
    meta = function(torch.empty(40, 1000, device="meta", dtype=torch.bfloat16))
    assert (meta.shape, meta.dtype, meta.device.type) == ((40, 1000), torch.bfloat16, "meta")


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
@EVERY
def test_every_dtype_is_float64_rounded_once(function, dtype):
    x = X[:3].to(dtype)
    for found, exact in zip(derivatives(function, x)[:2], derivatives(function, x.double())[:2], strict=True):
        assert found.dtype == dtype
        assert torch.equal(found, exact.to(dtype))


class All(torch.nn.Module):
    """Every function, below a weight of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(len(FUNCTIONS), dtype=torch.float64))

    def forward(self, x: Tensor) -> Tensor:
        return torch.stack([function(x * weight) for function, weight in zip(FUNCTIONS.values(), self.weight, strict=True)])


def test_all_compile_without_a_break_forward_and_backward():
    torch._dynamo.reset()
    x, module = X.clone().requires_grad_(), All()
    values = [run(x) for run in (torch.compile(module, **AOT), module)]
    gradients = [torch.autograd.grad(value.sum(), (x, module.weight)) for value in values]
    within(*values)
    for found, expected in zip(*gradients, strict=True):
        within(found, expected)


@pytest.mark.parametrize("name", ["normal_hazard", "bessel_k_ratio"])
def test_second_derivatives_compile(name):
    torch._dynamo.reset()
    compiled = torch.compile(vmap(grad(grad(FUNCTIONS[name]))), **AOT)
    torch.testing.assert_close(compiled(X), derivatives(FUNCTIONS[name], X)[2], rtol=1e-11, atol=1e-15)


def test_shapes_and_parameters_change_under_a_compiled_function():
    """Integers and floats, of which a compiler makes symbols."""
    torch._dynamo.reset()
    function = FUNCTIONS["bessel_k_ratio"]
    compiled = torch.compile(function, dynamic=True, **AOT)
    for at, x in ((3, X), (4, X[:3]), (2.5, X[:0])):
        within(compiled(x, at=at), function(x, at=at))


def test_a_module_is_copied_pickled_and_exported():
    module = All()
    expected = module(X)
    for again in (copy.deepcopy(module), pickle.loads(pickle.dumps(module))):
        assert torch.equal(again(X), expected)
    shapes = ({0: torch.export.Dim("n", min=2)},)
    program = torch.export.export(module, (X,), dynamic_shapes=shapes)
    within(program.module()(X.repeat(20_000))[:, :4], expected)


def test_compiled_machine_code_agrees():
    """By inductor."""
    torch._dynamo.reset()
    x = torch.linspace(-6, 30, 257, dtype=torch.float64)
    within(torch.compile(special.erfcx, fullgraph=True)(x), special.erfcx(x))
