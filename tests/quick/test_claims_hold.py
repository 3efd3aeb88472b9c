"""Every theorem is proved, its certificate replayed. Claims of every order (``test_ladder``, ``test_rounding_claims``), claims at
points and tables have tests of their own."""

import pytest

from certify.claims.registry import load
from certify.claims.settle import settle
from certify.claims.verdict import Outcome

ENTRIES = load().claims
OF_EVERY_ORDER = ("ladder.", "score.uniform.", "ratio.derivative.", "rounding.")
PROOFS = {id: e.claim for id, e in ENTRIES.items() if e.origin.name.startswith("proofs") and not id.startswith(OF_EVERY_ORDER)}
PINNED = {
    *("identity.derivative", "identity.riccati", "identity.residual", "score.cubic"),
    *("ratio.cubic", "ratio.cubic.paper", "ratio.cubic.interval"),
    *("recurrence.parity", "recurrence.product", "table.3", "table.5", "table.6"),
    *("concentration.ratio", "concentration.potential", "concentration.crossing", "concentration.defect"),
}


def test_pinned_ids_are_there():
    assert set(ENTRIES) >= PINNED
    assert not [entry.trace for entry in ENTRIES.values() if entry.trace]


@pytest.mark.parametrize("id", sorted(PROOFS))
def test_a_theorem_is_proved(id):
    settled = settle(PROOFS[id], {}, {"profile": "quick", "seed": 0})
    assert PROOFS[id].grade is Outcome.PROVED
    assert settled.verdict.outcome is Outcome.PROVED, settled.verdict.summary
    assert settled.established is not None
    assert settled.certificate is not None
