"""The rounding theorems are about the kernels that run, and ``vmf.plan`` promises no more than they prove."""

from fractions import Fraction

import pytest
import torch

from certify.claims.registry import load
from certify.claims.verdict import Outcome
from certify.studies.claims.shipped import verdict
from certify.studies.production.shipped import CLAMP, certified_difference, certified_slope, shipped, uncovered
from certify.vmf import kernel, plan, ratio

CLAIMS = {id: entry.claim for id, entry in load().claims.items() if id.startswith("rounding.")}


@pytest.mark.parametrize("n", [0, 2])
def test_kernels_are_the_certified_programs(n):
    found = list(shipped(range(n, n + 1)))
    assert {(each.kernel, each.dtype) for each in found} == {
        (name, dtype)
        for name in ("ratio", "ratio.squares", "derivative", "derivative.squares", "difference")
        for dtype in (torch.float64, torch.float32)
    }
    assert all(each.same for each in found)
    assert verdict(n).outcome is Outcome.ENCLOSED


def test_there_is_a_claim_for_every_order():
    assert {f"rounding.shipped.{n}" for n in range(9)} <= CLAIMS.keys()


@pytest.mark.parametrize("n", range(9))
@pytest.mark.parametrize(("suffix", "device"), [("", "cpu"), (".squares", "cpu"), (".cuda", "cuda"), (".cuda_compiled", "cuda")])
def test_the_plan_relies_on_what_is_proved(n, suffix, device):
    """``LEAST`` and ``ROUNDING`` against the constants of rounding.ratio.n…, with what the clamp at x_max adds."""
    constants = CLAIMS[f"rounding.ratio.{n}{suffix}"].constants
    assert constants["nu_min"] <= plan.LEAST[n]
    assert constants["k"] + CLAMP <= plan.ROUNDING[device]
    assert uncovered(range(n, n + 1)) == []


def test_what_runs_is_held_to_the_bounds_of_its_device():
    cpu, cuda = (load().claims[f"production.ratio.float64.{device}"].claim.constants["k"] for device in plan.ROUNDING)
    assert (cpu, cuda) == tuple(plan.ROUNDING.values())


def test_the_smallest_constant_that_is_proved_at_an_order():
    derivatives = {id: claim for id, claim in CLAIMS.items() if id.startswith("rounding.derivative.1")}
    assert certified_slope(1, 63.0) == min(claim.constants["k"] for claim in derivatives.values())
    assert certified_slope(1, 1.0) > certified_slope(1, 2.0)
    assert certified_difference(8, 5.0) == CLAIMS["rounding.difference.8"].constants["k"]
    with pytest.raises(ValueError, match=r"no claim rounding\.difference\.8 holds at nu = 4"):
        certified_difference(8, 4.0)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize("n", range(9))
def test_what_users_call_is_the_kernel(n, dtype):
    """``vmf.ratio`` returns the kernel's bits for every x ≥ 0, and its gradient those of the kernel of the derivative."""
    nu = float(plan.LEAST[n] + Fraction(7, 2))
    x = torch.cat([torch.zeros(1), nu * torch.logspace(-6, 6, 101), torch.tensor([torch.inf])]).to(dtype).requires_grad_()
    order = torch.tensor(nu, dtype=dtype)
    value = ratio(x, nu=nu, order=n)
    (gradient,) = torch.autograd.grad(value.sum(), x)
    assert torch.equal(value, kernel.ratio(x, order, n))
    assert torch.equal(gradient, kernel.slope(x, order, n))
