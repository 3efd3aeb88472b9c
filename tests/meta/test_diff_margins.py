"""Which way margins improve: a constant whose perturbation refutes a claim was moved towards the stronger claim."""

import pytest
from test_claims_can_fail import REFUTED, UNPROVED

from certify.claims.folder import report_in
from certify.report.margins import Margin, margins
from reports import RECORD

RECORDS = {record.id: record for record in report_in(str(RECORD))[1].claims}
PERTURBED = [(id, name, value) for each in (REFUTED, UNPROVED) for id, constants in each.items() for name, value in constants.items()]
WITH_MARGINS = [each for each in PERTURBED if each[1] in margins(RECORDS[each[0]])]


def test_bounds_have_margins():
    assert {"ratio.cubic", "ratio.second", "riccati.hazard", "riccati.second.3", "score.cubic"} <= {id for id, _, _ in WITH_MARGINS}


@pytest.mark.parametrize(("id", "name", "value"), WITH_MARGINS)
def test_what_is_refuted_would_be_stronger(id, name, value):
    known = margins(RECORDS[id])[name]
    assert Margin(name, value, known.sense).against(known) > 0
