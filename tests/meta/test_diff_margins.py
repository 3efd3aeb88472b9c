"""Which way margins improve: a constant whose perturbation refutes a claim was moved towards the stronger claim."""

from types import SimpleNamespace

import pytest
from test_claims_can_fail import CLAIMS, REFUTED, UNPROVED

from certify.report.margins import Margin, margins

PERTURBED = [(id, name, value) for each in (REFUTED, UNPROVED) for id, constants in each.items() for name, value in constants.items()]


def known(id):
    """The margins among the constants of a claim."""
    return margins(SimpleNamespace(id=id, facts={}, constants={name: str(value) for name, value in CLAIMS[id].constants.items()}))


WITH_MARGINS = [each for each in PERTURBED if each[1] in known(each[0])]


def test_bounds_have_margins():
    assert {"ratio.cubic", "ratio.second", "riccati.hazard", "riccati.second.3", "score.cubic"} <= {id for id, _, _ in WITH_MARGINS}


@pytest.mark.parametrize(("id", "name", "value"), WITH_MARGINS)
def test_what_is_refuted_would_be_stronger(id, name, value):
    margin = known(id)[name]
    assert Margin(name, value, margin.sense).against(margin) > 0
