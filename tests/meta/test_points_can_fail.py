"""Every claim that is checked at points is refuted, with a witness, once its constant is slightly wrong.

The rounding profiles have a test of their own, ``quick/test_profiles.py``; so has what runs, ``test_production_faults.py`` and
``quick/test_special.py``, and training, ``test_training_can_fail.py``."""

from fractions import Fraction

import pytest

from certify.claims.registry import load
from certify.claims.verdict import Outcome

ELSEWHERE = ("audit.", "learning.", "profile.", "production.", "rounding.", "softmax.", "special.", "training.")
ENTRIES = {id: entry for id, entry in load().claims.items() if not id.startswith(ELSEWHERE)}
CLAIMS = {id: entry.claim for id, entry in ENTRIES.items() if entry.origin.name.startswith("certify.studies.claims")}
WRONG = [
    ("concentration.crossing.exact", "n", "2"),
    ("concentration.crossing.exact", "u", "1/4"),
    ("concentration.defect.exact", "h", "1500000000001/1000000000000"),
    ("concentration.potential.exact", "k", "2"),
    ("concentration.potential.exact", "m", "0"),
    ("concentration.ratio.exact", "a", "2000001/1000000"),
    ("concentration.ratio.exact", "b", "499999/1000000"),
    ("concentration.remainder.exact", "k", "13/20"),
    ("defect.law.exact", "w", "1/100000"),
    ("recurrence.closed.exact", "w", "100000000000000000001/100000000000000000000"),
    ("recurrence.parity.exact", "k", "0"),
    ("recurrence.parity.exact", "k", "1/2"),
    ("recurrence.product.exact", "sigma", "1"),
    ("recurrence.product.exact", "sigma", "0"),
]


def test_every_constant_of_every_claim_is_perturbed():
    """Claims of tables and figures have no constants: ``test_tables_cli``, ``test_figures_faults`` perturb what they are held against."""
    assert {(id, name) for id, claim in CLAIMS.items() for name in claim.constants} == {(id, name) for id, name, _ in WRONG}
    assert all(claim.constants or id.startswith(("table.", "figure.")) for id, claim in CLAIMS.items())


@pytest.mark.parametrize(("id", "name", "value"), WRONG)
def test_a_wrong_constant_is_refuted(id, name, value):
    verdict = CLAIMS[id].prove({name: Fraction(value)})
    assert verdict.outcome is Outcome.REFUTED
    assert {"fails", "nu", "M"} <= verdict.witness.keys()


def test_a_witness_can_be_looked_at_again():
    """The point that refutes a wrong remainder, recomputed from its coordinates by the definition of the recurrence."""
    witness = CLAIMS["concentration.ratio.exact"].prove({"a": Fraction(21, 10)}).witness
    nu, start, x = int(witness["nu"]), int(witness["M"]), Fraction(witness["x"])
    above, here = Fraction(0), Fraction(1)
    for i in range(start, nu, -1):
        above, here = here, 2 * i / x * here + above
    assert above / here / x - Fraction(21, 10) / ((start + 1) ** 2 - nu**2) < 0
