"""``certify.vmf.ratio`` as users meet it: values, derivatives, transforms, compilers, and what it refuses."""

import pytest
import torch
from flint import arb
from torch.autograd import gradcheck, gradgradcheck

from certify.exact.bessel import ratio as exact_ratio
from certify.exact.bessel import ratio_derivative
from certify.vmf import accuracy, ratio

DIMENSIONS = [2, 3, 4, 5, 10, 31, 64, 101, 128, 513, 4096, 10**6]
UNITS = {torch.float64: 2.0**-53, torch.float32: 2.0**-24}


def grid(p: int, dtype: torch.dtype, count: int = 60) -> torch.Tensor:
    return (p * torch.logspace(-6, 6, count, dtype=torch.float64)).to(dtype)


def errors(found: torch.Tensor, x: torch.Tensor, p: int) -> list[float]:
    return [abs(float(arb(float(f)) - exact_ratio(p / 2 - 1, float(v)))) for f, v in zip(found, x, strict=True)]


@pytest.mark.parametrize("dtype", UNITS, ids=str)
@pytest.mark.parametrize("p", DIMENSIONS)
def test_full_accuracy_in_every_dimension(p, dtype):
    """Within 4u beyond the certificate's own term, which is at most u/8."""
    x = grid(p, dtype)
    assert accuracy(dtype, p=p).formula <= UNITS[dtype] / 8 * (1 + 1e-15)
    assert max(errors(ratio(x, p=p), x, p)) <= 4.125 * UNITS[dtype]


@pytest.mark.parametrize("p", [2, 3, 64, 128, 512])
@pytest.mark.parametrize("tol", ["1e-2", "1e-6", "1e-9", "1e-14"])
def test_tolerances_hold(p, tol):
    x = grid(p, torch.float64)
    assert max(errors(ratio(x, p=p, tol=tol), x, p)) <= float(tol)
    assert accuracy(p=p, tol=tol).total <= float(tol)


@pytest.mark.parametrize("n", range(9))
def test_orders_are_within_their_certificates(n):
    x = grid(128, torch.float64)
    assert max(errors(ratio(x, p=128, order=n), x, 128)) <= accuracy(p=128, order=n).total


def test_order_below_the_range_of_its_program_is_answered_accurately():
    x = grid(3, torch.float64)
    assert max(errors(ratio(x, p=3, order=8), x, 3)) <= 4.125 * 2.0**-53


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_half_formats_are_computed_in_binary32(dtype):
    x = torch.tensor([0.0, 0.5, 3.0, 100.0, 60000.0], dtype=dtype)
    found = ratio(x, p=64)
    assert found.dtype == dtype
    assert torch.equal(found, ratio(x.float(), p=64).to(dtype))


@pytest.mark.parametrize("p", [2, 3, 128])
@pytest.mark.parametrize("dtype", UNITS, ids=str)
def test_ends(p, dtype):
    x = torch.tensor([0.0, -0.0, torch.finfo(dtype).max, torch.inf, -1.0, torch.nan], dtype=dtype, requires_grad=True)
    found = ratio(x, p=p)
    assert found[:2].tolist() == [0.0, 0.0]
    assert found[2:4].tolist() == [1.0, 1.0]
    assert bool(found[4:].isnan().all())
    (gradient,) = torch.autograd.grad(found.sum(), x)
    assert gradient[0].item() == pytest.approx(1 / p, rel=4 * UNITS[dtype])
    assert abs(gradient[2]) < 1e-12
    assert bool(gradient[4:].isnan().all())


def test_1e300():
    x = torch.tensor([1e155, 1e300], dtype=torch.float64)
    assert ratio(x, p=512, order=1).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("p", [2, 3, 10, 128, 4096])
@pytest.mark.parametrize("order", [None, 1])
def test_gradcheck(p, order):
    x = torch.tensor([1e-3, 0.7, 5.0, 80.0, 500.0], dtype=torch.float64, requires_grad=True)
    function = lambda t: ratio(t, p=p, order=order)  # noqa: E731
    assert gradcheck(function, (x,), check_forward_ad=True, check_batched_grad=True, check_batched_forward_grad=True)
    assert gradgradcheck(function, (x,), check_batched_grad=True)


@pytest.mark.parametrize("p", [2, 5, 128, 1024])
def test_gradient_against_the_exact_derivative(p):
    x = grid(p, torch.float64, 30).requires_grad_()
    upstream = torch.linspace(-2, 3, 30, dtype=torch.float64)
    (found,) = torch.autograd.grad(ratio(x, p=p), x, upstream)
    for f, v, g in zip(found, x.detach(), upstream, strict=True):
        exact = ratio_derivative(p / 2 - 1, float(v))
        assert abs(float(arb(float(f)) - arb(float(g)) * exact)) <= 64 * 2.0**-53 * abs(float(g)) / max(float(v), p / 2)


def test_backward_repeats_and_edits_nothing():
    x = torch.tensor([0.5, 40.0], dtype=torch.float64, requires_grad=True)
    kept = x.detach().clone()
    y = ratio(x, p=128)
    value = y.detach().clone()
    first, second = (torch.autograd.grad(y, x, torch.tensor([1.0, -3.0], dtype=torch.float64), retain_graph=True)[0] for _ in range(2))
    assert torch.equal(first, second)
    assert torch.equal(x, kept)
    assert torch.equal(y, value)


def test_transforms():
    x = torch.tensor([[0.1, 3.0, 90.0], [2.0, 70.0, 4e4]], dtype=torch.float64)
    function = lambda t: ratio(t, p=128)  # noqa: E731
    (slope,) = torch.autograd.grad(function(y := x.clone().requires_grad_()).sum(), y)
    assert torch.equal(torch.func.vmap(function)(x), function(x))
    assert torch.allclose(torch.func.grad(lambda t: function(t).sum())(x), slope, rtol=1e-15)
    assert torch.allclose(torch.func.jvp(function, (x,), (torch.ones_like(x),))[1], slope, rtol=1e-15)
    nested = torch.func.vmap(torch.func.vmap(torch.func.grad(torch.func.grad(function))))(x)
    hessian = torch.func.hessian(lambda t: function(t).sum())(x).reshape(6, 6).diagonal().reshape(2, 3)
    assert torch.allclose(nested, hessian, rtol=1e-14)


def test_third_derivatives_exist():
    x = torch.tensor(9.0, dtype=torch.float64)
    third = torch.func.grad(torch.func.grad(torch.func.grad(lambda t: ratio(t, p=64))))
    second = torch.func.grad(torch.func.grad(lambda t: ratio(t, p=64)))
    assert float(third(x)) == pytest.approx(float(second(x + 1e-4) - second(x - 1e-4)) / 2e-4, rel=1e-6)


def test_shapes_and_layouts():
    x = torch.rand(6, 8, dtype=torch.float64) * 100
    assert torch.allclose(ratio(x.T, p=64), ratio(x, p=64).T, rtol=0, atol=2.0**-52)
    assert torch.allclose(ratio(x[::2, ::3], p=64), ratio(x, p=64)[::2, ::3], rtol=0, atol=2.0**-52)
    assert ratio(torch.empty(0, 3), p=64).shape == (0, 3)
    assert ratio(torch.tensor(2.0), p=64).shape == ()
    meta = ratio(torch.empty(4, 5, device="meta", dtype=torch.bfloat16), p=7)
    assert (meta.shape, meta.dtype, meta.device.type) == ((4, 5), torch.bfloat16, "meta")


def test_an_element_does_not_depend_on_its_neighbours():
    x = torch.rand(64, dtype=torch.float64) * 100
    other = torch.where(torch.arange(64) == 17, x, torch.tensor(1e-300, dtype=torch.float64))
    assert ratio(x, p=64)[17] == ratio(other, p=64)[17]


@pytest.mark.parametrize("p", [2, 512])
def test_compiles_without_a_break_forward_and_backward(p):
    torch._dynamo.reset()
    x = torch.linspace(0, 900, 50, dtype=torch.float64, requires_grad=True)
    compiled = torch.compile(lambda t: ratio(t, p=p) * 2, fullgraph=True, backend="aot_eager")
    (found,) = torch.autograd.grad(compiled(x).sum(), x)
    (eager,) = torch.autograd.grad((ratio(x, p=p) * 2).sum(), x)
    assert torch.allclose(compiled(x), ratio(x, p=p) * 2, rtol=0, atol=16 * 2.0**-53)
    assert torch.allclose(found, eager, rtol=1e-12, atol=0)


@pytest.mark.parametrize("p", [64, 512])
def test_compiled_machine_code_agrees_within_the_rounding_bounds(p):
    torch._dynamo.reset()
    x = grid(p, torch.float64, 1001)
    compiled = torch.compile(lambda t: ratio(t, p=p), fullgraph=True)
    assert torch.all((compiled(x) - ratio(x, p=p)).abs() <= 8.2 * 2.0**-53)
    assert max(errors(compiled(x)[::20], x[::20], p)) <= 4.125 * 2.0**-53


class Model(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return ratio(x, p=512)


@pytest.mark.parametrize("strict", [False, True])
def test_exports(strict):
    x = torch.rand(5) * 300
    program = torch.export.export(Model(), (x,), strict=strict)
    assert torch.allclose(program.module()(x), ratio(x, p=512), rtol=0, atol=8 * 2.0**-24)


def test_autocast_leaves_the_precision():
    x = torch.rand(5, requires_grad=True)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = ratio(x, p=64)
        (gradient,) = torch.autograd.grad(found.sum(), x)
    assert found.dtype == gradient.dtype == torch.float32
    assert torch.equal(found, ratio(x, p=64))


REFUSALS = [
    (torch.arange(3), {"p": 4}, "int64"),
    (torch.zeros(3, dtype=torch.complex64), {"p": 4}, "complex64"),
    (torch.zeros(3, dtype=torch.bool), {"p": 4}, "bool"),
    (3.0, {"p": 4}, "tensor"),
    (torch.zeros(3), {}, "nu or the dimension p"),
    (torch.zeros(3), {"p": 4, "nu": 1}, "nu or the dimension p"),
    (torch.zeros(3), {"p": 1}, "p = 1"),
    (torch.zeros(3), {"nu": -1}, "nu = -1"),
    (torch.zeros(3), {"nu": float("nan")}, "nan"),
    (torch.zeros(3), {"nu": float("inf")}, "inf"),
    (torch.zeros(3), {"nu": "a lot"}, "a lot"),
    (torch.zeros(3), {"nu": 1e12}, "nu = 1000000000000"),
    (torch.zeros(3), {"nu": torch.tensor(3.0, requires_grad=True)}, "requires grad"),
    (torch.zeros(3), {"nu": torch.tensor(3.0)}, "tensor"),
    (torch.zeros(3), {"p": 4, "order": 9}, "n = 9"),
    (torch.zeros(3), {"p": 4, "order": 1, "tol": 0.1}, "not both"),
    (torch.zeros(3), {"p": 4, "tol": 0}, "tol"),
    (torch.zeros(3), {"p": 4, "tol": 1e-9}, "not attainable in float32"),
    (torch.tensor([-1.0]), {"p": 4, "validate_args": True}, "x >= 0"),
    (torch.tensor([torch.nan]), {"p": 4, "validate_args": True}, "x >= 0"),
]


@pytest.mark.parametrize(("x", "arguments", "named"), REFUSALS)
def test_refusals_are_one_line_and_name_the_fault(x, arguments, named):
    with pytest.raises(ValueError, match=named) as refusal:
        ratio(x, **arguments)
    assert "\n" not in str(refusal.value)
