"""Planted faults are found, coherent functions that look faulty are not accused."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from audit_cases.planted import ALL

import certify

LONG = {
    "temperature in the forward only",
    "convolution",
    "layer normalisation",
    "logarithm of a sum of exponentials",
    "attention",
    "cross entropy",
    "dropout",
}


def test_the_long_ones_are_there():
    assert {planted.name for planted in ALL} >= LONG


@pytest.mark.parametrize(
    "planted", [pytest.param(each, id=each.name, marks=[pytest.mark.slow] * (each.name in LONG)) for each in ALL]
)
def test_verdict(planted):
    result = certify.audit(planted.fn, **planted.options)
    assert result.coherence.outcome == planted.coherence, result.explain()
    assert planted.fidelity in (None, result.fidelity.outcome.value), result.explain()
