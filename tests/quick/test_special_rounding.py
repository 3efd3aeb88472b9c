"""Rounding certificates of certify.special: the programs proved are those that run, to the bit; false bounds are refuted."""

import math
from fractions import Fraction
from functools import partial

import pytest
import torch
from flint import arb, fmpq
from msgspec import structs

from certify.audit.traced.trace import trace
from certify.claims.registry import load
from certify.claims.settle import settle
from certify.claims.verdict import Outcome
from certify.exact.interpret.plain import execute
from certify.exact.ladder_program import in_format, second_kind, second_kind_slope
from certify.exact.program import Node
from certify.exact.riccati_erfcx import polynomial
from certify.exact.rounding.theorem import RANGES
from certify.exact.truth import Truth, less
from certify.special.mills import mills, mills_curvature, mills_slope, numerator
from certify.special.second_kind import FAR, bessel_k_ratio, reduced_ratio, reduced_slope
from certify.special.second_kind_order import chosen
from proofs.riccati import second_kind_derivative as riccati
from proofs.rounding import erfcx
from proofs.rounding import second_kind_derivative as derivative
from proofs.rounding.second_kind import LEAST, K

CLAIMS = {id: entry.claim for id, entry in load().claims.items() if id.startswith(("rounding.second", "rounding.erfcx"))}
POINTS = torch.cat([torch.tensor([0.0, 1e-300, 3.0, 2.0**59]), torch.logspace(-12, 12, 2000)]).double()


def ran(program, values):
    found = execute(in_format(program, 2 ** RANGES["binary64"].x_max, 53), values, "float64", (torch, torch.special))
    return found[0]


@pytest.mark.parametrize("id", sorted(id for id, claim in CLAIMS.items() if not claim.long))
def test_each_is_proved_and_replayed(id):
    assert settle(CLAIMS[id], {}, {}).verdict.outcome is Outcome.PROVED


@pytest.mark.parametrize("id", [*(id for id, _ in erfcx.BOUNDS), "rounding.second.0", "rounding.second.4", "rounding.second.derivative.1"])
def test_too_small_a_bound_is_refuted_by_floats(id):
    assert CLAIMS[id].prove({"k": Fraction(2)}).outcome is Outcome.REFUTED


@pytest.mark.parametrize("order", range(len(LEAST)))
def test_the_programs_of_the_ratio_are_those_of_the_theorems_when_traced(order):
    for of_theorem, reduced in ((second_kind, reduced_ratio), (second_kind_slope, reduced_slope)):
        shipped = partial(lambda run, x: run(torch.clamp_max(x, FAR), 5.5, order)[0], reduced)
        traced = trace(shipped, domain=(0.0, math.inf), derivative=False).program
        assert same(traced, certified(of_theorem(order), "11/2"))
        assert not same(traced, certified(of_theorem(order), "6"))


def certified(program, nu):
    """As it is shipped in float64, for one ν."""
    nodes = (Node("constant", value=nu) if node.value == "nu" else node for node in program.nodes)
    return in_format(structs.replace(program, nodes=tuple(nodes)), 2 ** RANGES["binary64"].x_max, 53).rounded(53)


def same(*programs):
    """The same operations on the same numbers, up to the order of the arguments of sums and products."""
    known = {}

    def output(program):
        found = []
        for node in program.nodes:
            args = [found[place] for place in node.args]
            key = node.op, node.value, tuple(sorted(args) if node.op in ("add", "mul") else args)
            found.append(known.setdefault(key, len(known)))
        return found[program.outputs[0]]

    return len(set(map(output, programs))) == 1


@pytest.mark.parametrize("order", range(len(LEAST)))
def test_the_program_of_the_ratio_is_the_one_that_runs(order):
    nu = float(LEAST[order]) + 2.5
    computed, s = reduced_ratio(POINTS, nu, order)
    assert torch.equal(computed, ran(second_kind(order), {"x": POINTS, "nu": torch.full_like(POINTS, nu)}))
    assert torch.equal(bessel_k_ratio(POINTS, nu=str(nu), order=order), computed * (s / POINTS))
    assert (computed >= 1 - float(K) * 2**-53).all()


@pytest.mark.parametrize("order", range(len(LEAST)))
def test_the_program_of_the_derivative_of_the_ratio_is_the_one_that_runs(order):
    nu = float(LEAST[order]) + 2.5
    computed, t = reduced_slope(POINTS, nu, order)
    assert torch.equal(computed, ran(second_kind_slope(order), {"x": POINTS, "nu": torch.full_like(POINTS, nu)}))
    x = POINTS[1:].requires_grad_()
    (supplied,) = torch.autograd.grad(bessel_k_ratio(x, nu=str(nu), order=order).sum(), x)
    assert torch.equal(supplied, (computed - (nu + nu * t))[1:] / x / x)


def test_wherever_an_order_is_used_its_rounding_is_bounded():
    for nu in (Fraction(k, 20) for k in range(20, 1400)):
        order = chosen(None, nu)
        assert LEAST[order] <= derivative.LEAST[order] <= nu
        assert riccati.LEAST[order] <= nu


@pytest.mark.parametrize(("derivative", "function"), list(enumerate((mills, mills_slope, mills_curvature))))
def test_the_programs_of_erfcx_are_the_ones_that_run(derivative, function):
    certified = ran(erfcx.program(derivative), {"x": POINTS, "nu": torch.full_like(POINTS, 3.0)})
    assert torch.equal(numerator(POINTS, derivative), certified)
    for _ in range(derivative + 1):
        certified = certified / (1 + 2 * POINTS)
    assert torch.equal(function(POINTS), (-1) ** derivative * certified)


@pytest.mark.parametrize("derivative", range(3))
def test_the_programs_of_erfcx_are_those_of_the_theorems_when_traced(derivative):
    traced = trace(lambda z: numerator(z, derivative), domain=(0.0, math.inf), derivative=False).program
    assert same(traced, certified(erfcx.program(derivative), "3"))


@pytest.mark.parametrize(("derivative", "least"), list(enumerate(("22/25", "99/100", "7/4"))))
def test_the_polynomials_of_erfcx_are_as_large_as_said(derivative, least):
    """On 4000 intervals that cover [-1, 1]."""
    for i in range(4000):
        t, value = arb(fmpq(2 * i + 1, 4000) - 1, fmpq(1, 4000)), arb(0)
        for c in reversed(polynomial(derivative).coeffs()):
            value = value * t + arb(c)
        assert less(arb(fmpq(*map(int, least.split("/")))), value) is Truth.YES
