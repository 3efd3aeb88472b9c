"""Claims state.*, learning.* and softmax.* with one constant perturbed are refuted; planted faults in states and bounds are seen."""

from fractions import Fraction

import numpy as np
import pytest
from flint import arb

from certify.claims.registry import load
from certify.claims.settle import settle
from certify.claims.verdict import Outcome
from certify.exact.by_form import nonnegative, violation
from certify.exact.truth import Truth
from certify.learning import assessment, committed, mixture, shipped
from certify.learning.files import entries_of
from certify.learning.states import state

FAMILIES = ("state.", "learning.", "softmax.")
CLAIMS = {id: entry.claim for id, entry in load().claims.items() if id.startswith(FAMILIES)}

REFUTED = {
    "learning.cross_entropy": {"factor": "1"},
    "learning.gradient": {"factor": "19/10"},
    "learning.group": {"factor": "19/10"},
    "learning.margin": {"factor": "3/2"},
    "learning.pairing": {"gain": "2"},
    "learning.score": {"C": "2/25"},
    "learning.states": {"c": "1/2"},
    "learning.stress": {"C": "1/100"},
    "learning.tolerance": {"c": "1000000"},
    "learning.total_variation": {"scale": "99/100"},
    "softmax.obstruction": {"mean": "2"},
    "softmax.obstruction.pair": {"a": "65"},
    "softmax.obstruction.scan": {"c": "2"},
    "state.concentration": {"factor": "101/100"},
    "state.resultant": {"pairs": "1"},
    "state.streaming": {"weight": "2"},
}
SLOW = {"learning.stress"}


def test_every_claim_is_here():
    assert set(CLAIMS) == set(REFUTED)


@pytest.mark.parametrize("id", sorted(REFUTED))
def test_a_perturbed_claim_is_refuted(id):
    constants = {name: Fraction(value) for name, value in REFUTED[id].items()}
    assert all(CLAIMS[id].constants[name] != value for name, value in constants.items())
    verdict = CLAIMS[id].prove(constants)
    assert verdict.outcome is Outcome.REFUTED
    assert verdict.witness


@pytest.mark.parametrize("id", sorted(set(REFUTED) - SLOW))
def test_each_claim_is_settled_at_its_grade(id):
    settled = settle(CLAIMS[id], {}, {"profile": "quick", "seed": 0})
    assert settled.verdict.outcome is CLAIMS[id].grade, settled.verdict.summary


@pytest.mark.parametrize("factor", ["3", "5/2"])
def test_a_weaker_constant_is_never_proved_by_a_form_that_is_not_its_own(factor):
    """3δ bounds a margin too; 5/2 is no exponent. Neither may come out as proved."""
    assert CLAIMS["learning.margin"].prove({"factor": Fraction(factor)}).outcome is Outcome.UNDECIDED


def test_an_exponent_that_is_no_whole_number_is_refused():
    with pytest.raises(ValueError, match="whole numbers"):
        CLAIMS["learning.cross_entropy"].prove({"factor": Fraction(5, 2)})


def test_the_search_for_counterexamples_finds_one_and_confirms_it_exactly():
    from certify.claims.algebra import theorem

    step = nonnegative("a - b**2", "a")
    witness = violation(theorem([step], nonnegative="a", real="b"), [step])
    assert witness is not None
    a, b, value = (Fraction(witness[name]) for name in ("a", "b", "value"))
    assert a - b**2 == value < 0


@pytest.mark.parametrize("quantity", ["score", "loss", "variation", "gradient"])
def test_a_bound_that_is_too_small_is_seen(monkeypatch, quantity):
    """A guarantee with one quantity divided by 10⁶ is broken by the actual error, and assess says so."""
    right = assessment.here

    def wrong(sample, n):
        bounds = right(sample, n)
        shrunk = {"scores": [b / 10**6 for b in bounds.scores]} if quantity == "score" else {quantity: getattr(bounds, quantity) / 10**6}
        return type(bounds)(**{**vars(bounds), **shrunk})

    found = mixture((5, 50), classes=3, samples=1)
    assert assessment.assess(found).holds is Truth.YES
    monkeypatch.setattr(assessment, "here", wrong)
    assert assessment.assess(found).holds is Truth.NO


def test_a_wrong_closed_form_is_seen(monkeypatch):
    """F_1 in place of F_4 exceeds the guarantees of F_4."""
    from certify.learning.enclosure import Sample

    right = Sample.ladder_scores
    monkeypatch.setattr(Sample, "ladder_scores", lambda self, n: right(self, min(n, 1)))
    assert assessment.assess(mixture((5, 50), classes=3, samples=1), 4).holds is Truth.NO


def test_scores_that_are_not_enclosed_are_not_said_to_hold():
    row = assessment.Row("score", arb(1), arb(1), arb(1, 1), {})
    assert row.holds is Truth.UNKNOWN


def test_a_shipped_state_with_one_bit_changed_is_refused(monkeypatch, tmp_path):
    entries = entries_of(shipped("diffuse"))
    entries["means"][0, 0] = np.nextafter(entries["means"][0, 0], np.float32(1))
    np.savez(tmp_path / "diffuse.npz", **entries)
    (tmp_path / "digests.json").write_text((committed.FOLDER / "digests.json").read_text())
    monkeypatch.setattr(committed, "FOLDER", tmp_path)
    with pytest.raises(ValueError, match="does not have the digest"):
        shipped("diffuse")


def test_a_claim_at_states_sees_another_state(monkeypatch):
    """The confident state in the place of the diffuse one: the tolerances are no longer orders of magnitude apart."""
    confident = shipped("confident")
    monkeypatch.setattr(committed, "shipped", lambda name: confident)
    assert CLAIMS["learning.tolerance"].prove().outcome is Outcome.REFUTED


def test_the_prior_changes_the_loss_and_not_its_guarantee_anywhere():
    from certify.learning.bounds import anywhere
    from certify.learning.enclosure import enclose

    base = entries_of(mixture((5, 50), classes=3, samples=1, views=1))
    samples = [enclose(state({**base, "priors": priors}))[0][0] for priors in (np.ones(3), np.array([1.0, 1e-3, 1e-6]))]
    first, second = (anywhere(sample, 1) for sample in samples)
    assert first.loss.overlaps(second.loss)
    assert not samples[0].loss(samples[0].scores).overlaps(samples[1].loss(samples[1].scores))


def test_digests_cover_names_types_and_shapes():
    from certify.learning.files import digest

    plain = np.arange(4.0)
    others = ({"b": plain}, {"a": plain.reshape(2, 2)}, {"a": plain.astype("f4")}, {"a": plain[::-1]})
    assert len({digest(entries) for entries in ({"a": plain}, *others)}) == 5
    assert digest({"a": plain[::-1]}) == digest({"a": plain[::-1].copy()})
