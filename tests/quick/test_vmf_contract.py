"""What PyTorch asks of a function, of every primitive of ``certify.vmf`` alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
import torch
from torch import Tensor
from torch.autograd import gradcheck, gradgradcheck
from torch.utils._python_dispatch import TorchDispatchMode

from certify import vmf

ODD = 31
"""A dimension at which the programs descend."""
KAPPA, OTHER = (0.4, 7.0, 300.0), (0.9, 5.0, 301.0)
RESULTANT, GAP = (0.1, 0.5, 0.95), (0.5, -3.0, 40.0)
MEAN = torch.nn.functional.normalize(torch.linspace(1, 2, 6, dtype=torch.float64), dim=0)


@dataclass(frozen=True)
class Primitive:
    """``call(p, …)`` on tensors of one shape; ``values`` are the arguments, each three numbers."""

    call: Callable[..., Tensor]
    values: tuple[tuple[float, ...], ...] = (KAPPA,)

    def arguments(self, **options) -> tuple[Tensor, ...]:
        return tuple(torch.tensor(values, **{"dtype": torch.float64, **options}) for values in self.values)


def direction(like: Tensor) -> Tensor:
    return MEAN.to(like)


PRIMITIVES = {
    "ratio": Primitive(lambda p, x, **o: vmf.ratio(x, p=p, **o)),
    "A_1": Primitive(lambda p, x, **o: vmf.ratio(x, p=p, order=1, **o)),
    "potential": Primitive(lambda p, x, **o: vmf.potential(x, p=p, **o)),
    "log_normalizer": Primitive(lambda p, x, **o: vmf.log_normalizer(x, p=p, **o)),
    "potential_difference": Primitive(lambda p, a, b, **o: vmf.potential_difference(a, b, p=p, **o), (KAPPA, OTHER)),
    "potential_increment": Primitive(lambda p, k, g, **o: vmf.potential_increment(k, 0.01 * g, p=p, **o), (KAPPA, GAP)),
    "inverse_ratio": Primitive(lambda p, r, **o: vmf.inverse_ratio(r, p=p, **o), (RESULTANT,)),
    "kl_uniform": Primitive(lambda p, x, **o: vmf.kl_uniform(x, p=p, **o)),
    "entropy": Primitive(lambda p, x, **o: vmf.entropy(x, p=p, **o)),
    "log_prob": Primitive(lambda p, x, **o: vmf.log_prob(direction(x), -direction(x), x, **o)),
    "kl_divergence": Primitive(lambda p, a, b, **o: vmf.kl_divergence(direction(a), a, -direction(a), b, **o), (KAPPA, OTHER)),
}
EVERY = pytest.mark.parametrize("primitive", PRIMITIVES.values(), ids=PRIMITIVES)


@EVERY
def test_gradcheck_and_gradgradcheck(primitive):
    def function(*arguments: Tensor) -> Tensor:
        return primitive.call(ODD, *arguments)

    arguments = primitive.arguments(requires_grad=True)
    assert gradcheck(function, arguments, check_forward_ad=True, check_batched_grad=True, rtol=1e-4, atol=1e-6)
    assert gradgradcheck(function, arguments, rtol=1e-4, atol=1e-6)


@EVERY
def test_transforms(primitive):
    arguments, tangents = primitive.arguments(), primitive.arguments()

    def function(*arguments: Tensor) -> Tensor:
        return primitive.call(128, *arguments)

    places = tuple(range(len(arguments)))
    slopes = torch.func.grad(lambda *given: function(*given).sum(), places)(*arguments)  # pyright: ignore
    leaves = [each.clone().requires_grad_() for each in arguments]
    for found, expected in zip(slopes, torch.autograd.grad(function(*leaves).sum(), leaves), strict=True):
        torch.testing.assert_close(found, expected, rtol=1e-15, atol=0)
    torch.testing.assert_close(torch.func.vmap(function)(*arguments), function(*arguments), rtol=1e-13, atol=0)
    along = sum(slope * tangent for slope, tangent in zip(slopes, tangents, strict=True))
    torch.testing.assert_close(torch.func.jvp(function, arguments, tangents)[1], along, rtol=1e-13, atol=1e-15)


@EVERY
def test_backward_repeats_scales_and_edits_nothing(primitive):
    arguments = primitive.arguments(requires_grad=True)
    kept = [each.detach().clone() for each in arguments]
    value = primitive.call(128, *arguments)
    before, upstream = value.detach().clone(), torch.tensor([1.0, -3.0, 0.25], dtype=torch.float64)
    first, second = (torch.autograd.grad(value, arguments, upstream, retain_graph=True) for _ in range(2))
    unit = torch.autograd.grad(value, arguments, torch.ones_like(upstream), retain_graph=True)
    for a, b, one in zip(first, second, unit, strict=True):
        assert torch.equal(a, b)
        torch.testing.assert_close(a, upstream * one, rtol=4e-16, atol=0)
    assert torch.equal(value, before)
    assert all(torch.equal(each, same) for each, same in zip(arguments, kept, strict=True))


@EVERY
def test_empty_strided_and_meta_tensors(primitive):
    arguments = primitive.arguments()
    assert primitive.call(128, *(each[:0] for each in arguments)).shape == (0,)
    strided = [torch.stack([each, 0.5 * each], 1)[:, 0] for each in arguments]
    torch.testing.assert_close(primitive.call(128, *strided), primitive.call(128, *arguments), rtol=1e-13, atol=0)
    meta = primitive.call(128, *(torch.empty(4, 5, device="meta", dtype=torch.bfloat16) for _ in arguments))
    assert (meta.shape, meta.dtype, meta.device.type) == ((4, 5), torch.bfloat16, "meta")


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
@EVERY
def test_results_and_gradients_have_the_dtype_of_the_argument_whatever_autocast_says(primitive, dtype):
    arguments = primitive.arguments(dtype=dtype, requires_grad=True)
    value = primitive.call(ODD, *arguments)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        cast = primitive.call(ODD, *arguments)
        gradients = torch.autograd.grad(cast.sum(), arguments)
    assert torch.equal(cast, value)
    assert {each.dtype for each in (value, *gradients)} == {dtype}
    assert all(bool(each.isfinite().all()) for each in (value, *gradients))


class OnTheDevice(TorchDispatchMode):
    """Refuses what a CUDA graph cannot record: values read by Python, shapes that depend on values, tensors made from Python's data."""

    HOST = ("_local_scalar_dense", "nonzero", "masked_select", "lift_fresh", "unique", "equal", "is_nonzero", "_pin_memory")

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        name = func.name().removeprefix("aten::").partition(".")[0]
        masks = name == "index" and any(each is not None and each.dtype == torch.bool for each in args[1])
        if masks or name in self.HOST:
            raise AssertionError(f"{name} waits for the device")
        return func(*args, **(kwargs or {}))


@EVERY
def test_forward_and_backward_never_ask_the_host(primitive):
    arguments = primitive.arguments(requires_grad=True)
    for p in (6, 128):
        primitive.call(p, *arguments)  # plans and constants are made once
        with OnTheDevice():
            torch.autograd.grad(primitive.call(p, *arguments), arguments, torch.ones(3, dtype=torch.float64))


def test_the_watch_sees_a_value_that_is_read():
    x = torch.ones(3)
    for reads in (lambda: float(x.sum()), lambda: x[x > 0], lambda: torch.tensor(2.0) * x):
        with pytest.raises(AssertionError, match="waits for the device"), OnTheDevice():
            reads()


class All(torch.nn.Module):
    """Every primitive, each made from κ and r of one shape."""

    def forward(self, kappa: Tensor, resultant: Tensor) -> Tensor:
        k = kappa
        parts = [vmf.ratio(k, p=512), vmf.potential(k, p=512), vmf.log_normalizer(k, p=512), vmf.potential_difference(k, 2 * k, p=512)]
        parts += [vmf.potential_increment(k, k, p=512), vmf.inverse_ratio(resultant, p=512), vmf.kl_uniform(k, p=512)]
        mean = MEAN.to(kappa)
        parts += [vmf.entropy(k, p=512), vmf.log_prob(mean, -mean, k, order=1), vmf.kl_divergence(mean, k, -mean, 2 * k, order=1)]
        return torch.stack(parts)


def inputs() -> tuple[Tensor, Tensor]:
    return torch.tensor([3.0, 90.0, 4e3], requires_grad=True), torch.tensor([0.1, 0.6, 0.9], requires_grad=True)


def test_all_compile_without_a_break_forward_and_backward():
    torch._dynamo.reset()
    given = inputs()
    compiled = torch.compile(All(), fullgraph=True, backend="aot_eager")
    values = [function(*given) for function in (compiled, All())]
    gradients = [torch.autograd.grad(value.sum(), given) for value in values]
    torch.testing.assert_close(*values, rtol=1e-5, atol=1e-5)
    for found, eager in zip(*gradients, strict=True):
        torch.testing.assert_close(found, eager, rtol=1e-4, atol=1e-6)


def test_orders_change_under_a_compiled_function():
    """Integers and floats, of which a compiler makes symbols."""
    torch._dynamo.reset()
    kappa, _ = inputs()
    compiled = torch.compile(vmf.potential, fullgraph=True, backend="aot_eager")
    for at in ({"p": 64}, {"p": 65}, {"p": 512}, {"nu": 6.5}, {"nu": 7.25}, {"p": 64, "tol": 1e-3}, {"p": 64, "tol": 1e-5}):
        torch.testing.assert_close(compiled(kappa, **at), vmf.potential(kappa, **at), rtol=1e-6, atol=1e-6)


def test_all_export():
    given = tuple(each.detach() for each in inputs())
    program = torch.export.export(All(), given)
    torch.testing.assert_close(program.module()(*given), All()(*given), rtol=1e-5, atol=1e-5)


@EVERY
def test_arguments_are_validated_where_that_is_asked_for(primitive):
    for bad in (-1.0, float("nan")):
        arguments = list(primitive.arguments())
        arguments[0] = torch.full_like(arguments[0], bad)
        assert bool(primitive.call(128, *arguments).isnan().all())
        with pytest.raises(ValueError, match="outside its domain") as refusal:
            primitive.call(128, *arguments, validate_args=True)
        assert "\n" not in str(refusal.value)
    primitive.call(128, *primitive.arguments(), validate_args=True)


def test_a_gap_below_minus_the_square_is_refused():
    with pytest.raises(ValueError, match="gap >= -kappa"):
        vmf.potential_increment(torch.tensor(2.0), torch.tensor(-4.5), p=8, validate_args=True)
