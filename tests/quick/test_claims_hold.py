"""Every shipped claim holds at the grade that it asks for, its certificate replayed; the ladder has tests of its own."""

import pytest

from certify.claims.registry import load
from certify.claims.settle import settle
from certify.claims.verdict import Outcome

CLAIMS = {id: entry.claim for id, entry in load().claims.items() if not id.startswith("ladder.")}
PINNED = {
    *("identity.derivative", "identity.riccati", "identity.residual", "score.cubic"),
    *("ratio.cubic", "ratio.cubic.paper", "ratio.cubic.interval"),
    *("recurrence.parity", "recurrence.product", "table.3", "table.5", "table.6"),
    *("concentration.ratio", "concentration.potential", "concentration.crossing", "concentration.defect"),
}


def test_pinned_ids_are_there():
    assert set(CLAIMS) >= PINNED
    assert not [entry.trace for entry in load().claims.values() if entry.trace]


@pytest.mark.parametrize("id", sorted(CLAIMS))
def test_a_claim_holds(id):
    settled = settle(CLAIMS[id], {}, {"profile": "quick", "seed": 0})
    assert settled.verdict.outcome is CLAIMS[id].grade, settled.verdict.summary
    assert (settled.certificate is not None) == (CLAIMS[id].grade is Outcome.PROVED)
