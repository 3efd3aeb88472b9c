"""The realizations in PyTorch: each against its own exact definition, and the protocol."""

import importlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from flint import arb
from torch.fx.experimental.proxy_tensor import make_fx

from certify.exact import bessel, recurrence
from certify.exact.ball import working_precision
from certify.exact.truth import Truth, less
from certify.realizations import cusf as numpy_cusf
from certify.realizations import tensor as tensor_package
from certify.realizations.log_miller import LogMiller as NumpyLogMiller
from certify.realizations.tensor import catalogue, finite_start
from certify.realizations.tensor.bound_average import BoundAverage
from certify.realizations.tensor.consistent import Consistent
from certify.realizations.tensor.consistent_autograd import ConsistentByAutograd
from certify.realizations.tensor.cusf import Cusf, log_bessel_i
from certify.realizations.tensor.differenced import Differenced
from certify.realizations.tensor.log_miller import LogMiller
from certify.realizations.tensor.original import Original
from certify.realizations.tensor.protocol import Paired, TensorRealization
from certify.realizations.tensor.public import PublicOriginal

ELEMENTWISE = (Original, Consistent, ConsistentByAutograd, LogMiller, Cusf, BoundAverage)
ORDERS = (31, 255, 1023)
SCALED = (1e-3, 0.1, 1.0, 10.0, 100.0, 1000.0)
UNIT = 2.0**-53


def tensor(*values):
    return torch.tensor(values, dtype=torch.float64, requires_grad=True)


def points(order):
    return [order * scaled for scaled in SCALED]


def gradient(output, x):
    return torch.autograd.grad(output.sum(), x)[0]


def shown(realization):
    return realization.__name__


def test_the_points_lie_on_both_sides_of_the_clip():
    for order in ORDERS:
        sides = [less(1, recurrence.enclose_ratio(order, 2 * order, x, 20)) for x in points(order)]
        assert Truth.YES in sides
        assert Truth.NO in sides


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("kind", [Original, LogMiller], ids=shown)
def test_the_supplied_derivative_is_the_clipped_ratio(kind, order):
    exact = [min(float(recurrence.enclose_ratio(order, 2 * order, x, 20)), 1.0) for x in points(order)]
    tolerance = 4 * UNIT if kind is Original else order * 4 * UNIT
    assert kind(order).derivative(tensor(*points(order))).tolist() == pytest.approx(exact, rel=tolerance, abs=0)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("kind", [Consistent, ConsistentByAutograd], ids=shown)
def test_the_consistent_derivative_is_that_of_the_finite_forward(kind, order):
    """Φ̃′ = I₁/I₀ minus a sum: the error is relative to I₁/I₀, to 1 where autograd forms (I₁/I₀ − 1) + 1."""
    x = points(order)
    exact = [float(recurrence.enclose_derivative(order, 2 * order, point, 20)) for point in x]
    scale = [float(bessel.ratio(0, point)) if kind is Consistent else 1.0 for point in x]
    error = np.abs(kind(order).derivative(tensor(*x)).numpy() - exact) / scale
    assert error.max() <= 32 * UNIT


def test_the_two_derivatives_are_told_apart_where_the_ratio_is_clipped():
    x = tensor(6300.0)
    assert float(Original(63).derivative(x) - Consistent(63).derivative(x)) == pytest.approx(
        float(1 - recurrence.enclose_derivative(63, 126, 6300, 20)), rel=1e-9
    )


@pytest.mark.parametrize("start", [63, 64, 100, 301])
def test_any_start(start):
    x = [0.5, 63.0, 6300.0]
    exact = [float(recurrence.enclose_derivative(63, start, point, 20)) for point in x]
    ratio = [min(float(recurrence.ratio(63, start, point)), 1.0) for point in x]
    assert Consistent(63, start).derivative(tensor(*x)).tolist() == pytest.approx(exact, rel=1e-13)
    assert Original(63, start).derivative(tensor(*x)).tolist() == pytest.approx(ratio, rel=1e-13)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("kind", [Original, Consistent, ConsistentByAutograd, LogMiller], ids=shown)
def test_the_forward_is_the_finite_forward(kind, order):
    """Φ̃ passes through log I₀ ~ x and, in log-Miller, ν log x and log b ~ −M log x as well."""
    x = points(order)
    exact = [float(recurrence.enclose_difference(order, 2 * order, x[2], point, 20)) for point in x]
    realized = kind(order).difference(tensor(x[2]), tensor(*x)).detach().numpy()
    passed = np.array(x) + x[2] + (0 if kind is not LogMiller else 4 * order * 20)
    assert (np.abs(realized - exact) / passed).max() <= 4 * UNIT


@pytest.mark.parametrize("order", ORDERS)
def test_the_constant_completes_the_finite_forward(order):
    realization, x = Original(order), [0.5, 1.0 * order]
    with working_precision(200):
        exact = [float(recurrence.potential(order, 2 * order, arb(point))) for point in x]
    assert (realization.potential(tensor(*x)) + realization.constant).tolist() == pytest.approx(exact, rel=1e-14)
    assert float(realization.potential(tensor(0.0)).detach()) == 0


@pytest.mark.parametrize("order", ORDERS)
def test_the_forwards_of_original_and_consistent_are_equal_bit_for_bit(order):
    generator = torch.Generator().manual_seed(3407)
    x = torch.rand(997, dtype=torch.float64, generator=generator) * 50 * order
    expected = Original(order).potential(x)
    assert torch.equal(expected, Consistent(order).potential(x))
    assert torch.equal(expected, ConsistentByAutograd(order).potential(x))
    with torch.no_grad():
        assert torch.equal(expected, Consistent(order).potential(x))


@pytest.mark.parametrize("kind", ELEMENTWISE, ids=shown)
def test_a_trace_by_fake_tensors_reproduces_value_and_supplied_derivative(kind):
    realization = kind(5)

    def both(x):
        value = realization.potential(x)
        return value, gradient(value, x)

    graph = make_fx(both, tracing_mode="fake", _allow_non_fake_inputs=True)(tensor(7.0))
    for point in (0.3, 70.0, 7e4):
        for traced, eager in zip(graph(tensor(point)), both(tensor(point)), strict=True):
            assert torch.equal(traced, eager)


def test_a_perturbed_recurrence_is_noticed(monkeypatch):
    step = finite_start._step
    monkeypatch.setattr(finite_start, "_step", lambda state, y, c, in_place: step(state, y, c * (1 + 1e-12), in_place))
    with pytest.raises(AssertionError):
        test_the_supplied_derivative_is_the_clipped_ratio(Original, 255)
    with pytest.raises(AssertionError):
        test_the_consistent_derivative_is_that_of_the_finite_forward(Consistent, 255)


def test_the_ends_of_the_domain_of_the_recurrence():
    x = [5e-324, 1e-300, 1e-150, 1e14, 1e15]
    for order in (1, 2, 31, 1023):
        ratio = [min(float(recurrence.enclose_ratio(order, 2 * order, point, 20)), 1.0) for point in x[1:]]
        assert Original(order).derivative(tensor(*x[1:])).tolist() == pytest.approx(ratio, rel=1e-14)
        far = [float(recurrence.enclose_derivative(order, 2 * order, point, 20)) for point in x[3:]]
        assert Consistent(order).derivative(tensor(*x[3:])).tolist() == pytest.approx(far, rel=1e-15)
        near = Consistent(order).derivative(tensor(0.0, *x[:3]))
        assert near.abs().max() <= 1e-150
        assert Consistent(order).potential(tensor(1.01e15)).isnan().all()


@pytest.mark.parametrize("v", [0.3, 0.8, 5.0, 12.0, 12.8, 15.0, 15.5, 63.0, 300.0, 2047.0])
def test_cusf_is_that_of_numpy(v):
    x = np.logspace(-6, 9, 301)
    expected = numpy_cusf.log_bessel_i(v, x)
    realized = log_bessel_i(v, torch.from_numpy(x)).numpy()
    assert (np.abs(realized - expected) / np.maximum(1, np.abs(expected))).max() <= 1e-14
    assert len(set(numpy_cusf.regime(v, x))) >= 2


@pytest.mark.parametrize("order", [63, 255])
def test_cusf_and_log_miller_supply_what_their_numpy_forms_do(order):
    x = np.array(points(order))
    for realization, other in ((Cusf(order), numpy_cusf.Cusf(order)), (LogMiller(order), NumpyLogMiller(order))):
        assert realization.derivative(torch.from_numpy(x)).numpy() == pytest.approx(other.derivative(x), rel=1e-12)
        difference = realization.difference(tensor(*x), tensor(*(x + 1))).detach().numpy()
        assert difference == pytest.approx(other.difference(x, x + 1), rel=1e-9)


@pytest.mark.parametrize("order", [0.5, *ORDERS])
def test_the_bound_average_lies_between_its_bounds_and_is_its_potential_s_derivative(order):
    x, a = [order * scaled for scaled in SCALED], arb(order) + arb("0.5")
    realization = BoundAverage(order)
    ends = [[b * point / (a + (b * b + arb(point) ** 2).sqrt()) / b for b in (a, a + 1)] for point in x]
    exact = [float((upper + lower) / 2) for upper, lower in ends]
    assert realization.derivative(tensor(*x)).tolist() == pytest.approx(exact, rel=8 * UNIT)
    for point, (upper, lower) in zip(x, ends, strict=True):
        ratio = bessel.ratio(order, point)
        assert less(lower, ratio) is Truth.YES
        assert less(ratio, upper) is Truth.YES
    point = tensor(*x)
    assert gradient(realization.potential(point), point).tolist() == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("kind", ELEMENTWISE, ids=shown)
def test_protocol(kind):
    realization: TensorRealization = kind(31)
    assert all((realization.name, realization.faithful, realization.domain))
    x = torch.tensor([[0.5, 31.0, 60.0], [310.0, 3100.0, 31000.0]], dtype=torch.float64).T.requires_grad_()
    assert not x.is_contiguous()
    value = realization.potential(x)
    supplied = realization.derivative(x)
    assert value.shape == supplied.shape == x.shape
    assert not supplied.requires_grad
    weights = torch.arange(1.0, 7.0, dtype=torch.float64).reshape(3, 2)
    first = torch.autograd.grad(value, x, weights, retain_graph=True)[0]
    assert torch.equal(first, torch.autograd.grad(value, x, weights)[0])
    assert torch.allclose(first, weights * supplied, rtol=1e-13, atol=0)


@pytest.mark.parametrize("kind", ELEMENTWISE, ids=shown)
def test_difference_broadcasts_and_is_differentiable_in_both_ends(kind):
    realization = kind(31)
    a, b = tensor(5.0, 50.0), torch.full((3, 1), 20.0, dtype=torch.float64, requires_grad=True)
    difference = realization.difference(a, b)
    assert difference.shape == (3, 2)
    ends = torch.autograd.grad(difference.sum(), (a, b))
    assert torch.allclose(ends[0], -3 * realization.derivative(a))
    assert torch.allclose(ends[1], 2 * realization.derivative(b))


@pytest.mark.parametrize("kind", ELEMENTWISE, ids=shown)
def test_function_transforms_see_the_supplied_derivative(kind):
    realization = kind(31)
    x = torch.tensor([5.0, 50.0, 5000.0], dtype=torch.float64)
    slopes = torch.func.vmap(torch.func.grad(realization.potential))(x)
    assert torch.allclose(slopes, realization.derivative(x), rtol=1e-13, atol=0)


@pytest.mark.parametrize("kind", ELEMENTWISE, ids=shown)
def test_outside_the_domain(kind):
    realization = kind(31)
    x = tensor(-1.0, float("nan"), float("inf"), -float("inf"))
    value = realization.potential(x)
    outside = slice(0, 4) if kind is not BoundAverage else [0, 1, 3]
    assert value[outside].isnan().all()
    assert realization.derivative(x)[outside].isnan().all()
    zero = tensor(0.0)
    if "0 <= x" in realization.domain:
        assert gradient(realization.potential(zero), zero).tolist() == realization.derivative(zero).tolist() == [0.0]
    else:
        assert realization.potential(zero).isnan().all()
    assert realization.potential(torch.empty(0, 3, dtype=torch.float64)).shape == (0, 3)
    assert realization.potential(torch.tensor(5.0, dtype=torch.float64)).shape == ()


@pytest.mark.parametrize("kind", ELEMENTWISE, ids=shown)
def test_an_element_does_not_see_its_neighbours(kind):
    realization = kind(511)
    calm, wild = tensor(402.2, 2000.0, 5000.0), tensor(1e-3, 2000.0, 5e8)
    assert realization.potential(calm)[1] == realization.potential(wild)[1]
    assert realization.derivative(calm)[1] == realization.derivative(wild)[1]


@pytest.mark.parametrize("kind", [kind for kind in ELEMENTWISE if issubclass(kind, Paired)], ids=shown)
def test_a_supplied_backward_refuses_to_be_differentiated(kind):
    x = tensor(5.0)
    slope = torch.autograd.grad(kind(31).potential(x).sum(), x, create_graph=True)[0]
    with pytest.raises(NotImplementedError, match=f"{kind.name}: .* cannot be differentiated"):
        (slope + x).sum().backward()


@pytest.mark.parametrize("kind", [ConsistentByAutograd, BoundAverage], ids=shown)
def test_the_others_pass_gradgradcheck(kind):
    assert torch.autograd.gradgradcheck(kind(5).potential, (tensor(0.5, 5.0, 50.0),))


@pytest.mark.parametrize("kind", [*ELEMENTWISE, PublicOriginal], ids=shown)
@pytest.mark.parametrize("order", [0, -1, float("nan"), float("inf"), "31", True])
def test_orders_that_are_refused(kind, order):
    with pytest.raises(ValueError, match="order"):
        kind(order)


def test_the_catalogue_holds_every_realization_of_the_package():
    folder = Path(tensor_package.__file__).parent
    for file in folder.glob("*.py"):
        importlib.import_module(f"{tensor_package.__name__}.{file.stem}")

    def concrete(kind):
        return {kind}.difference({Paired, Differenced, TensorRealization}).union(*map(concrete, kind.__subclasses__()))

    shipped = {kind for kind in concrete(TensorRealization) if kind.__module__.startswith(tensor_package.__name__)}
    assert set(catalogue.REALIZATIONS) == shipped
    assert len({kind.name for kind in catalogue.REALIZATIONS}) == len(catalogue.REALIZATIONS)


@pytest.mark.parametrize("kind", catalogue.REALIZATIONS, ids=shown)
def test_every_realization_is_made_from_an_order_and_near_the_exact_ratio(kind):
    x = [1.0, 63.0, 500.0]
    exact = [float(bessel.ratio(63, point)) for point in x]
    assert kind(63.0).derivative(tensor(*x)).tolist() == pytest.approx(exact, abs=1e-3)
    assert kind(63.0) == kind(63)
    assert hash(kind(63.0)) == hash(kind(63))


@pytest.mark.parametrize("kind", [Original, Consistent, ConsistentByAutograd, LogMiller], ids=shown)
def test_the_recurrence_needs_whole_orders(kind):
    with pytest.raises(ValueError, match=r"order 30.5: .* whole number"):
        kind(30.5)
    if kind is not LogMiller:
        with pytest.raises(ValueError, match="start 30: .* M >= nu = 31"):
            kind(31, 30)


@pytest.mark.parametrize("kind", ELEMENTWISE, ids=shown)
def test_arguments_that_are_refused(kind):
    for method in (kind(31).potential, kind(31).derivative):
        with pytest.raises(ValueError, match="float64, not float32"):
            method(torch.ones(2))
        with pytest.raises(ValueError, match="float64 tensor, not list"):
            method([1.0])


def test_the_realizations_run_without_the_reference_arithmetic():
    """A bench has torch and numpy only."""
    code = (
        "import sys; sys.modules['flint'] = None; sys.modules['scipy'] = None\n"
        "from certify.realizations.tensor import bound_average, consistent, cusf, log_miller, original, public\n"
        "import torch; x = torch.ones(2, dtype=torch.float64)\n"
        "for kind in (original.Original, consistent.Consistent, log_miller.LogMiller, cusf.Cusf, public.PublicOriginal):\n"
        "    assert kind(31).potential(x).isfinite().all()\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
