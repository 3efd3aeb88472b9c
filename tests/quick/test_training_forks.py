"""Forks: what branches share, what probes find, and that they change nothing."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from certify.claims.exits import BadInput
from certify.training import forks
from certify.training.settings import Settings

FORKS = Settings(dim=16, batch=8, steps=42, factor=10)


@pytest.fixture(scope="module")
def forked():
    return forks.fork(FORKS)


def test_every_fork_has_43_probes_with_one_forward(forked):
    assert [fork["start"] for fork in forked["forks"]] == ["random", "trained"]
    for fork in forked["forks"]:
        assert [probe["step"] for probe in fork["probes"]] == forks.marks(FORKS.steps)
        assert len(fork["probes"]) == 43
        for probe in fork["probes"]:
            for rule in ("original", "rounded"):
                assert probe["rules"][rule]["scores_equal"]
                assert probe["rules"][rule]["loss_equal"]
                assert probe["rules"][rule]["scores"] == 0
            assert probe["rules"]["original"]["feature_gap"] > probe["rules"]["rounded"]["feature_gap"] > 0


def test_branches_leave_one_state(forked):
    for fork in forked["forks"]:
        first, last = (fork["probes"][i]["apart"] for i in (0, -1))
        assert all(value == 0 for arm in first.values() for value in arm.values())
        assert all(last[arm][kind] > 0 for arm in ("consistent", "AR_1") for kind in ("parameters", "features"))
        assert set(last) == {"consistent", "AR_1", "rounded"}


def test_branches_share_no_memory(monkeypatch):
    """Adam keeps the tensors that it is given: a branch that loads another's must have its own."""
    learners = {}
    monkeypatch.setattr(forks._Run, "_probe", lambda run, step: learners.update(run.learners))
    forks.fork(FORKS)
    storages = [
        {value.data_ptr() for moments in learner.adam.state.values() for value in moments.values()}
        | {value.data_ptr() for value in (*learner.encoder.state_dict().values(), *learner.state.state_dict().values())}
        for learner in learners.values()
    ]
    assert all(not a & b for a, b in combinations(storages, 2))


def test_the_regime_is_one_with_a_defect(forked):
    """Raw features: means are longer than one, so that every class that has been seen is at the cap."""
    last = forked["forks"][1]["probes"][-1]
    assert last["capped"] == 8
    assert last["clipped"] == 1.0
    assert last["radius"][0] > 1e5 / FORKS.order * 0.99
    nu, x = FORKS.order, 1e5
    assert last["defect"][1] == pytest.approx((nu + 1.5) / x, rel=0.01)  # D_clip ~ (ν + 3/2)/x for odd ν


def test_rescaling_leaves_a_residual(forked):
    for fork in forked["forks"]:
        for rule in ("original", "rounded", "AR_1"):
            found = fork["replay"][rule]
            assert 0 < found["gradient_residual"] <= found["gradient_gap"] * 1.01
            assert found["update_residual"] > 0
        assert fork["replay"]["original"]["factor"] > 1  # the clipped rule is biased upward for odd ν


def test_a_probe_leaves_the_run_as_it_is(monkeypatch):
    monkeypatch.setattr(forks, "PROBES", 8)

    def end(settings):
        kept = []
        monkeypatch.setattr(forks._Run, "_keep", lambda run: kept.append(run._tensors()))
        forks.fork(settings)
        return kept[-1]

    probed = end(FORKS)
    monkeypatch.setattr(forks._Run, "_probe", lambda run, step: None)
    unprobed = end(FORKS)
    assert all(probed[name].equal(value) for name, value in unprobed.items())


@pytest.mark.parametrize(
    ("changes", "said"),
    [({"steps": 41}, "43 probes need at least 42"), ({"arms": ("original", "AR_1")}, "forks need original and consistent among them")],
)
def test_what_makes_no_fork(changes, said):
    with pytest.raises(BadInput, match=said):
        forks.fork(replace(FORKS, **changes))
