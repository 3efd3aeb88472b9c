"""Claims about training can fail: planted rules and tampered records are refused, each for its own reason."""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass, replace

import pytest

from certify.claims.registry import load
from certify.claims.verdict import Outcome, Reason
from certify.cli import main
from certify.exact.truth import Truth
from certify.realizations.tensor.consistent import Consistent
from certify.realizations.tensor.original import Original
from certify.studies.figures import figure_3, figure_training
from certify.training import arms, forks, record, rules
from certify.training.settings import Settings

SETTINGS = Settings(dim=16, batch=8, steps=42, factor=10)
CLAIMS = {id: entry.claim for id, entry in load().claims.items() if id.startswith("training.")}


def sealed_forks():
    return record.seal("forks", {**SETTINGS.plain(), "seeds": [0]}, {"runs": [{"seed": 0, **forks.fork(SETTINGS)}]})


@pytest.fixture(scope="module")
def forked():
    return sealed_forks()


@pytest.fixture(scope="module")
def compared():
    settings = replace(SETTINGS, steps=10)
    runs = [
        {"factor": 10, "seed": seed, "arm": arm, **arms.train(replace(settings, seed=seed, arms=(arm,)))}
        for seed in (0, 1, 2)
        for arm in ("original", "AR_1")
    ]
    plain = {**settings.plain(), "arms": ["original", "AR_1"], "seeds": [0, 1, 2], "factors": [10]}
    return record.seal("arms", plain, {"runs": runs, "compared": arms.compare(runs)})


def failing(points):
    return [point.relation for point in points if point.holds is not Truth.YES]


def resealed(found, change):
    changed = copy.deepcopy(found)
    change(changed)
    return record.seal(changed["study"], changed["settings"], {name: changed[name] for name in ("runs", "compared") if name in changed})


# Planted rules ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shifted(Original):
    """Its forward is off by 2⁻⁴⁰ of it."""

    def value_and_slope(self, x):
        value, slope = super().value_and_slope(x)
        return value * (1 + 2.0**-40), slope


@dataclass(frozen=True)
class Mended(Consistent):
    """*original* with the derivative of its forward: nothing to find."""

    name = "original recurrence"


def test_the_honest_rules_pass(forked):
    assert failing(figure_3.points(forked)) == []


@pytest.mark.parametrize(
    ("planted", "fails"),
    [
        (Shifted, {"scores and losses are equal bit for bit at every probe"}),
        (Mended, {"the gradients differ at a shared state", "the branch has left the original one"}),
    ],
)
def test_planted_rules_are_found(planted, fails, monkeypatch):
    monkeypatch.setitem(rules.RECURRENCES, "original", planted)
    assert set(failing(figure_3.points(sealed_forks()))) == fails


def test_the_claim_is_refuted_with_a_planted_rule(monkeypatch):
    small = forks.fork
    monkeypatch.setattr(forks, "fork", lambda settings: small(replace(settings, dim=16, batch=8)))
    assert CLAIMS["training.forks"].prove(seed=0).outcome is Outcome.MEASURED
    monkeypatch.setitem(rules.RECURRENCES, "original", Mended)
    verdict = CLAIMS["training.forks"].prove(seed=0)
    assert verdict.outcome is Outcome.REFUTED
    assert verdict.witness["fails"] == "the gradients differ at a shared state"


# Tampered records -------------------------------------------------------------------------------------------------------


def unequal(found):
    found["runs"][0]["forks"][1]["probes"][7]["rules"]["original"]["loss_equal"] = False


def shortened(found):
    del found["runs"][0]["forks"][0]["probes"][20]


def begun_apart(found):
    found["runs"][0]["forks"][0]["probes"][0]["apart"]["AR_1"]["features"] = 1e-9


def together(found):
    found["runs"][0]["forks"][1]["probes"][-1]["apart"]["consistent"]["parameters"] = 0.0


@pytest.mark.parametrize("change", [unequal, shortened, begun_apart, together])
def test_a_tampered_fork_fails_a_relation(forked, change):
    assert len(failing(figure_3.points(resealed(forked, change)))) == 1


def flattered(found):
    found["compared"][0]["arms"]["AR_1"]["mean"] += 0.01


def decided_otherwise(found):
    found["compared"][0]["arms"]["AR_1"]["test"]["verdict"] = "difference"


def narrowed(found):
    found["compared"][1]["arms"]["original"]["sd"] /= 2


def other_run(found):
    found["runs"][0]["metrics"]["accuracy"] += 1


def other_data(found):
    found["runs"][0]["data"]["sha256"] = "0"


def test_a_tampered_comparison_fails_a_relation(compared):
    assert failing(figure_training.points(compared)) == []
    for change in (flattered, decided_otherwise, narrowed, other_run, other_data):
        assert len(failing(figure_training.points(resealed(compared, change)))) == 1, change
    assert failing(figure_training.points(resealed(compared, lambda found: found["runs"].pop())))


def test_records_are_held_against_their_digests(forked, compared, tmp_path, monkeypatch):
    """The claims of record: nothing there, as written, changed, and changed and sealed again."""
    monkeypatch.chdir(tmp_path)
    names = {"training.forks.record": ("forks", forked, together), "training.arms.record": ("arms", compared, flattered)}
    for id, (study, found, change) in names.items():
        verdict = CLAIMS[id].prove()
        assert (verdict.outcome, verdict.reason) == (Outcome.NOT_RUN, Reason.MISSING)
        record.HOME.mkdir(parents=True, exist_ok=True)
        file = record.HOME / f"{study}.json"
        file.write_text(json.dumps(found))
        assert CLAIMS[id].prove().outcome is Outcome.MEASURED
        changed = resealed(found, change)
        file.write_text(json.dumps({**changed, "sha256": found["sha256"]}))
        verdict = CLAIMS[id].prove()
        assert verdict.outcome is Outcome.REFUTED
        assert "does not have the digest" in verdict.witness["record"]
        file.write_text(json.dumps(changed))
        assert "fails" in CLAIMS[id].prove().witness


def test_a_figure_whose_relation_fails_ends_with_one(forked, tmp_path, capsys):
    file = tmp_path / "forks.json"
    file.write_text(json.dumps(resealed(forked, together)))
    assert main(["figure", "3", "--from", str(file), "-o", str(tmp_path)]) == 1
    assert "the branch has left the original one: no" in capsys.readouterr().err
