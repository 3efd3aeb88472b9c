"""The claims about descents fail where they should: smaller constants, a larger start, another invariant, a corrupted certificate."""

import copy
import json
from fractions import Fraction

import pytest

from certify.checker import checker
from certify.claims.registry import load
from certify.claims.settle import settle
from certify.claims.verdict import Outcome
from proofs.rounding import descent

CLAIMS = {id: entry.claim for id, entry in load().claims.items() if id.startswith("rounding.descent")}
REFUTED = {
    "rounding.descent": {"k": "2"},
    "rounding.descent.cuda": {"rest": "1"},
    "rounding.descent.leading": {"l": "6"},
    "rounding.descent.leading.cuda": {"l": "12"},
    "rounding.descent.step": {"theta": "0"},
    "rounding.descent.step.cuda": {"theta": "0"},
    "rounding.descent.start": {"k": "1/5"},
    "rounding.descent.start.cuda_compiled": {"k": "1/5"},
}
ALIKE = {"rounding.descent.start.squares", "rounding.descent.start.cuda"}
"""By the same prover, and as slow."""
UNPROVED = [
    ("rounding.descent", {"k": "39/10"}),
    ("rounding.descent", {"rest": "5/2"}),
    ("rounding.descent.cuda", {"k": "97/10"}),
    ("rounding.descent.leading", {"nu_min": "2"}),
    ("rounding.descent.step", {"theta": "1/262144"}),
]
LARGER = {"START": "12", "INVARIANT": ("2", "3/2"), "LEAST": Fraction(1)}


def outcome(id: str, constants: dict[str, str]) -> Outcome:
    return CLAIMS[id].prove({name: Fraction(value) for name, value in constants.items()}).outcome


def test_each_claim_is_perturbed():
    assert CLAIMS.keys() == REFUTED.keys() | ALIKE


@pytest.mark.parametrize("id", sorted(REFUTED))
def test_a_perturbed_claim_is_refuted(id):
    assert outcome(id, REFUTED[id]) is Outcome.REFUTED


@pytest.mark.parametrize(("id", "constants"), UNPROVED)
def test_a_perturbation_is_not_proved(id, constants):
    assert outcome(id, constants) in (Outcome.UNDECIDED, Outcome.REFUTED)


@pytest.mark.parametrize("name", LARGER)
def test_an_invariant_that_is_none_is_not_proved(name, monkeypatch):
    value = LARGER[name]
    monkeypatch.setattr(descent, name, value if name == "LEAST" else {**getattr(descent, name), "": value})
    assert CLAIMS["rounding.descent"].prove().outcome is Outcome.UNDECIDED


@pytest.fixture(scope="module", params=["rounding.descent", "rounding.descent.step", "rounding.descent.leading"])
def certificate(request):
    settled = settle(CLAIMS[request.param], {}, {})
    assert settled.certificate is not None
    return json.loads(settled.certificate)


def test_the_checker_refuses_a_false_statement(certificate):
    """Each statement in turn, with 3/2 subtracted from what is positive."""
    for place, statement in enumerate(certificate["theorem"]["statements"]):
        if "any_of" in statement:
            changed = copy.deepcopy(certificate)
            [step] = [each for each in changed["proof"]["steps"] if each["statement"] == statement]
            false = {**statement, "any_of": [f"({text}) - 3/2" for text in statement["any_of"]]}
            changed["theorem"]["statements"][place] = step["statement"] = false
            with pytest.raises(checker.Refused, match="is not the form given"):
                checker.check({**changed, "digest": checker.digest(changed)})


def test_the_checker_refuses_another_tree(certificate):
    changed = copy.deepcopy(certificate)
    trees = [step["evidence"] for step in changed["proof"]["steps"] if len(step["evidence"].get("tree", ())) > 1]
    trees = trees or [step["evidence"] for step in changed["proof"]["steps"] if "tree" in step["evidence"]]
    trees[0]["tree"] = [*trees[0]["tree"], 0]
    with pytest.raises(checker.Refused, match="more entries than it needs"):
        checker.check({**changed, "digest": checker.digest(changed)})
