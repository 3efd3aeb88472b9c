"""Functions collected from public bug reports get the verdict that is right, at default settings."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from audit_cases.load import EXPECTED, FILES, load, options

import certify


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_verdict(file):
    case = load(file)
    result = certify.audit(case.fn, **options(case))
    coherence, fidelity = EXPECTED[case.META["expected"]]
    assert result.coherence.outcome == coherence, result.explain()
    assert fidelity in (None, result.fidelity.outcome.value), result.explain()


def test_cases_are_there():
    assert len(FILES) == 25


def test_self_overlapping_input():
    case = load(next(file for file in FILES if file.stem.startswith("c49")))
    result = certify.audit(case.fn, inputs=case.witness())
    assert result.coherence.outcome == "coherent", result.explain()


def test_declared_surrogates_are_shown_as_such():
    for name, declared in (("c39", "straight-through"), ("c45", "pathwise estimator")):
        case = load(next(file for file in FILES if file.stem.startswith(name)))
        result = certify.audit(case.fn, **options(case), declared=declared)
        assert result.coherence.outcome == "declared"
        assert declared in result.explain()


def test_three_numbers_at_the_witness():
    case = load(next(file for file in FILES if file.stem.startswith("c35")))
    w = certify.audit(case.fn, **options(case)).witness
    assert w.input == 1
    assert w.supplied == -w.truth or abs(w.supplied + w.realized) < 1e-12 * abs(w.realized)
    assert abs(w.realized - float(case.dtrue(w.input))) <= 4 * w.bar
