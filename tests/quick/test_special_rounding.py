"""Rounding certificates of certify.special: the programs proved are those that run, to the bit; false bounds are refuted."""

import math
from fractions import Fraction

import pytest
import torch
from flint import arb, fmpq
from msgspec import structs

from certify.audit.traced.trace import trace
from certify.claims.registry import load
from certify.claims.settle import settle
from certify.claims.verdict import Outcome
from certify.exact.interpret.plain import execute
from certify.exact.ladder_program import in_format, second_kind
from certify.exact.program import Node
from certify.exact.riccati_erfcx import polynomial
from certify.exact.rounding.theorem import RANGES
from certify.exact.truth import Truth, less
from certify.special.mills import mills, mills_curvature, mills_slope, numerator
from certify.special.second_kind import bessel_k_ratio, reduced_ratio
from proofs.rounding import erfcx
from proofs.rounding.second_kind import LEAST, K

CLAIMS = {id: entry.claim for id, entry in load().claims.items() if id.startswith(("rounding.second", "rounding.erfcx"))}
POINTS = torch.cat([torch.tensor([0.0, 1e-300, 3.0, 2.0**59]), torch.logspace(-12, 12, 2000)]).double()


def ran(program, values):
    found = execute(in_format(program, 2 ** RANGES["binary64"].x_max, 53), values, "float64", (torch, torch.special))
    return found[0]


@pytest.mark.parametrize("id", sorted(CLAIMS))
def test_each_is_proved_and_replayed(id):
    assert settle(CLAIMS[id], {}, {}).verdict.outcome is Outcome.PROVED


@pytest.mark.parametrize("id", [*(id for id, _ in erfcx.BOUNDS), "rounding.second.0", "rounding.second.4"])
def test_too_small_a_bound_is_refuted_by_floats(id):
    assert CLAIMS[id].prove({"k": Fraction(2)}).outcome is Outcome.REFUTED


@pytest.mark.parametrize("order", range(9))
def test_the_program_of_the_ratio_is_the_one_that_runs(order):
    nu = float(LEAST[order]) + 2.5
    computed, s = reduced_ratio(POINTS, nu, order)
    assert torch.equal(computed, ran(second_kind(order), {"x": POINTS, "nu": torch.full_like(POINTS, nu)}))
    assert torch.equal(bessel_k_ratio(POINTS, nu=str(nu), order=order), computed * (s / POINTS))
    assert (computed >= 1 - float(K) * 2**-53).all()


@pytest.mark.parametrize(("derivative", "function"), list(enumerate((mills, mills_slope, mills_curvature))))
def test_the_programs_of_erfcx_are_the_ones_that_run(derivative, function):
    certified = ran(erfcx.program(derivative), {"x": POINTS, "nu": torch.full_like(POINTS, 3.0)})
    assert torch.equal(numerator(POINTS, derivative), certified)
    for _ in range(derivative + 1):
        certified = certified / (1 + 2 * POINTS)
    assert torch.equal(function(POINTS), (-1) ** derivative * certified)


@pytest.mark.parametrize("derivative", range(3))
def test_traced_the_programs_of_erfcx_have_the_digests_of_the_theorems(derivative):
    traced = trace(lambda z: numerator(z, derivative), domain=(0.0, math.inf), derivative=False).program
    certified = in_format(centred(erfcx.program(derivative)), 2 ** RANGES["binary64"].x_max, 53).canonical().rounded(53)
    assert traced.digest == certified.digest


def centred(program):
    """With the number 3 for ν."""
    nodes = (Node("constant", value="3") if node.value == "nu" else node for node in program.nodes)
    return structs.replace(program, nodes=tuple(nodes))


@pytest.mark.parametrize("derivative", range(2))
def test_each_polynomial_of_erfcx_belongs_to_the_derivative_of_the_one_before(derivative):
    """C^(k+1) in rationals, at more points than the degrees allow if it were another function."""
    before, after = polynomial(derivative), polynomial(derivative + 1)
    for z in map(fmpq, range(70)):
        t, length, rate = (z - 3) / (z + 3), 1 + 2 * z, 6 / (z + 3) ** 2
        slope = before.derivative()(t) * rate / length ** (derivative + 1) - 2 * (derivative + 1) * before(t) / length ** (derivative + 2)
        assert after(t) == -slope * length ** (derivative + 2)


@pytest.mark.parametrize(("derivative", "least"), list(enumerate(("22/25", "99/100", "7/4"))))
def test_the_polynomials_of_erfcx_are_as_large_as_said(derivative, least):
    """On 4000 intervals that cover [-1, 1]."""
    for i in range(4000):
        t, value = arb(fmpq(2 * i + 1, 4000) - 1, fmpq(1, 4000)), arb(0)
        for c in reversed(polynomial(derivative).coeffs()):
            value = value * t + arb(c)
        assert less(arb(fmpq(*map(int, least.split("/")))), value) is Truth.YES
