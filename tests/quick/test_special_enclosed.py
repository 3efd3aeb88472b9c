"""Claims special.rounding.*: enclosed for every float64 number of an interval; too small a bound, or a wrong program, is not."""

from dataclasses import replace
from fractions import Fraction

import pytest

from certify.claims.registry import load
from certify.claims.verdict import Outcome
from certify.studies.claims import special_rounding
from certify.studies.claims.special_rounding import RANGES, study

SHORT = {id: replace(each, high=str(Fraction(each.low) * Fraction(17, 16))) for id, each in RANGES.items()}


@pytest.mark.parametrize("id", sorted(RANGES))
def test_enclosed_on_a_part_of_the_interval(id):
    verdict = study(SHORT[id], Fraction(RANGES[id].ulps), "quick", seed=0)
    assert verdict.outcome is Outcome.ENCLOSED
    assert "addcmul" in verdict.facts["assumed"]


@pytest.mark.parametrize("id", sorted(RANGES))
def test_too_small_a_bound_is_refuted_by_a_number(id):
    claim = load().claims[f"special.rounding.{id}"].claim
    verdict = claim.prove({"k": Fraction(1, 4)}, profile="quick", seed=0)
    assert verdict.outcome is Outcome.REFUTED
    assert "x" in verdict.witness


def test_between_what_is_found_and_what_is_proved_nothing_is_said():
    verdict = study(SHORT["gamma_hazard.2"], Fraction(11, 10), "quick", seed=0)
    assert verdict.outcome is Outcome.UNDECIDED


def test_another_shape_is_refuted():
    verdict = study(replace(SHORT["gamma_hazard.1"], parameter={"a": "0.50000000001"}), Fraction(4), "quick", seed=0)
    assert verdict.outcome is Outcome.REFUTED


def test_nothing_is_enclosed_where_the_trace_leaves_something_else_open(monkeypatch):
    monkeypatch.setattr(special_rounding, "FUSED", {})
    verdict = study(SHORT["log_kummer"], Fraction(RANGES["log_kummer"].ulps), "quick", seed=0)
    assert verdict.outcome is Outcome.SAMPLED
    assert "decomposed" in verdict.summary
