"""Which way margins improve: a constant whose perturbation refutes a claim was moved towards the stronger claim."""

from pathlib import Path

import pytest
from test_claims_can_fail import REFUTED, UNPROVED

from certify.claims.folder import decode_report
from certify.report.margins import Margin, margins

RECORD = Path(__file__).resolve().parent.parent.parent / "reports" / "record" / "report.json"
RECORDS = {record.id: record for record in decode_report(RECORD.read_bytes()).claims}
PERTURBED = [(id, name, value) for each in (REFUTED, UNPROVED) for id, constants in each.items() for name, value in constants.items()]
WITH_MARGINS = [each for each in PERTURBED if each[1] in margins(RECORDS[each[0]])]


def test_bounds_have_margins():
    assert {"ratio.cubic", "ratio.second", "riccati.hazard", "riccati.second.3", "score.cubic"} <= {id for id, _, _ in WITH_MARGINS}


@pytest.mark.parametrize(("id", "name", "value"), WITH_MARGINS)
def test_what_is_refuted_would_be_stronger(id, name, value):
    known = margins(RECORDS[id])[name]
    assert Margin(name, value, known.sense).against(known) > 0
