"""Rounding certificates of certify.special: the programs proved are those that run, to the bit; false bounds are refuted."""

from fractions import Fraction

import pytest
import torch

from certify.claims.registry import load
from certify.claims.settle import settle
from certify.claims.verdict import Outcome
from certify.exact.interpret.plain import execute
from certify.exact.ladder_program import in_format, second_kind
from certify.exact.rounding.theorem import RANGES
from certify.special.mills import mills
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


@pytest.mark.parametrize("id", ["rounding.erfcx", "rounding.second.0", "rounding.second.4"])
def test_too_small_a_bound_is_refuted_by_floats(id):
    assert CLAIMS[id].prove({"k": Fraction(2)}).outcome is Outcome.REFUTED


@pytest.mark.parametrize("order", range(9))
def test_the_program_of_the_ratio_is_the_one_that_runs(order):
    nu = float(LEAST[order]) + 2.5
    computed, s = reduced_ratio(POINTS, nu, order)
    assert torch.equal(computed, ran(second_kind(order), {"x": POINTS, "nu": torch.full_like(POINTS, nu)}))
    assert torch.equal(bessel_k_ratio(POINTS, nu=str(nu), order=order), computed * (s / POINTS))
    assert (computed >= 1 - float(K) * 2**-53).all()


def test_the_program_of_erfcx_is_the_one_that_runs():
    polynomial = ran(erfcx.program(), {"x": POINTS, "nu": torch.full_like(POINTS, 3.0)})
    assert torch.equal(mills(POINTS), polynomial / (1 + 2 * POINTS))
