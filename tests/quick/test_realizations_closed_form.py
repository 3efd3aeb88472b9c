"""AR/FR and the ladder as realizations: F_n and A_n to rounding, the structured pass beside it, and gradients of every order."""

import numpy as np
import pytest
import torch

from certify.exact import bessel, debye
from certify.realizations.closed_form import ClosedForm as NumpyClosedForm
from certify.realizations.tensor.closed_form import ClosedForm
from certify.realizations.tensor.structured import StructuredClosedForm

ORDERS = (31, 255, 1023)
SCALED = (1e-3, 0.1, 1.0, 10.0, 1000.0, 1e6)
UNIT = {torch.float64: 2.0**-53, torch.float32: 2.0**-24}


def points(order, dtype=torch.float64):
    return torch.tensor([order * scaled for scaled in SCALED], dtype=dtype, requires_grad=True)


def gradient(output, x):
    return torch.autograd.grad(output.sum(), x)[0]


@pytest.mark.parametrize("dtype", UNIT, ids=str)
@pytest.mark.parametrize("ladder", [0, 1, 2, 4, 8])
@pytest.mark.parametrize("order", ORDERS)
def test_the_ladder_to_a_few_units(order, ladder, dtype):
    realization, x = ClosedForm(order, ladder), points(order, dtype)
    floats = x.tolist()
    ratios = [float(debye.ladder_ratio(ladder, order, point, 20)) for point in floats]
    start = floats[2]
    differences = [float(debye.ladder_potential_difference(ladder, order, start, point, 20)) for point in floats]
    assert (realization.derivative(x).double() - torch.tensor(ratios, dtype=torch.float64)).abs().max() <= 6 * UNIT[dtype]
    realized = realization.difference(x[2], x)
    assert realized.tolist() == pytest.approx(differences, rel=24 * UNIT[dtype])
    assert torch.equal(gradient(realization.potential(x), x), realization.derivative(x))


@pytest.mark.parametrize("order", ORDERS)
def test_the_structured_pass_realizes_the_same_pair(order):
    realization, x = StructuredClosedForm(order), points(order)
    floats = x.tolist()
    ratios = [float(debye.ladder_ratio(1, order, point, 20)) for point in floats]
    differences = [float(debye.ladder_potential_difference(1, order, floats[2], point, 20)) for point in floats]
    assert realization.derivative(x).tolist() == pytest.approx(ratios, abs=8 * UNIT[torch.float64])
    assert realization.difference(x[2], x).tolist() == pytest.approx(differences, rel=1e-14)
    assert gradient(realization.potential(x), x).tolist() == pytest.approx(ratios, abs=8 * UNIT[torch.float64])


@pytest.mark.parametrize("order", ORDERS)
def test_ar_fr_is_that_of_numpy_and_within_its_certificate(order):
    x = points(order)
    realization, other = ClosedForm(order), NumpyClosedForm(order)
    array = x.detach().numpy()
    assert realization.derivative(x).numpy() == pytest.approx(other.derivative(array), abs=1e-15)
    assert realization.difference(x, x + 1).detach().numpy() == pytest.approx(other.difference(array, array + 1), rel=1e-12)
    exact = np.array([float(bessel.ratio(order, point)) for point in array])
    assert np.abs(realization.derivative(x).numpy() - exact).max() <= order**-3.0


@pytest.mark.parametrize("realization", [ClosedForm(31), ClosedForm(2.5, 4), StructuredClosedForm(31)], ids=repr)
def test_protocol(realization):
    a = torch.tensor([5.0, 50.0], dtype=torch.float64, requires_grad=True)
    b = torch.full((3, 1), 20.0, dtype=torch.float64, requires_grad=True)
    difference = realization.difference(a, b)
    assert difference.shape == (3, 2)
    first, second = torch.autograd.grad(difference.sum(), (a, b), retain_graph=True)
    assert torch.allclose(first, -3 * realization.derivative(a))
    assert torch.allclose(second, 2 * realization.derivative(b))
    assert torch.equal(torch.autograd.grad(difference.sum(), a)[0], first)
    assert torch.autograd.gradcheck(realization.difference, (a, b))
    assert torch.autograd.gradgradcheck(realization.difference, (a, b))
    x = torch.tensor([5.0, 50.0, 5000.0], dtype=torch.float64)
    assert torch.allclose(torch.func.vmap(torch.func.grad(realization.potential))(x), realization.derivative(x), rtol=1e-14, atol=0)


@pytest.mark.parametrize("realization", [ClosedForm(31), StructuredClosedForm(31)], ids=repr)
def test_domain(realization):
    x = torch.tensor([0.0, -1.0, float("nan")], dtype=torch.float64, requires_grad=True)
    value = realization.potential(x)
    assert value[0] == 0
    assert realization.derivative(x)[0] == 0
    assert value[1:].isnan().all()
    assert realization.derivative(x)[1:].isnan().all()
    assert realization.potential(torch.empty(0, dtype=torch.float64)).shape == (0,)
    with pytest.raises(ValueError, match="float64.*, not int64"):
        realization.potential(torch.ones(2, dtype=torch.int64))


def test_arguments_that_are_refused():
    for kind in (ClosedForm, StructuredClosedForm):
        with pytest.raises(ValueError, match="order 0: .* finite nu"):
            kind(0)
    for ladder in (-1, 9, 1.5, True):
        with pytest.raises(ValueError, match=f"ladder {ladder}"):
            ClosedForm(31, ladder)
