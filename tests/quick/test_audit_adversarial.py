"""Functions that are hard to judge get the outcome that is right, at default settings."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from audit_cases.adversarial import ALL

import certify


@pytest.mark.parametrize("planted", ALL, ids=lambda planted: planted.name)
def test_verdict(planted):
    result = certify.audit(planted.fn, **planted.options)
    assert result.coherence.outcome == planted.coherence, result.explain()
