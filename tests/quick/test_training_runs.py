"""Forks and arms as runs: determinism, being killed and going on, folders, executors, records and commands."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from certify.claims import files
from certify.claims.exits import BadInput, Exit
from certify.claims.lock import locked
from certify.cli import main
from certify.training import arms, forks, record
from certify.training.learner import Learner
from certify.training.session import Request, Run, perform, train
from certify.training.settings import Settings

FORKS = Settings(dim=16, batch=8, steps=42, factor=10)
ARM = replace(FORKS, steps=20, arms=("consistent",))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Arms of two seeds, trained in this process through an executor of another kind."""
    place = tmp_path_factory.mktemp("arms")
    train(request(), place, quiet=True)
    return place


def request(**changes):
    settings = replace(FORKS, steps=40, arms=("original", "AR_1"))
    return Request(
        **{"study": "arms", "settings": settings, "seeds": (0, 1), "factors": (10,), "jobs": 1, "pool": ThreadPoolExecutor, **changes}
    )


def content(place: Path) -> dict[str, bytes]:
    return {str(path.relative_to(place)): path.read_bytes() for path in sorted(place.rglob("*")) if path.is_file()}


# Killed and gone on -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["forks", "arms"])
def test_a_crash_at_any_write_costs_nothing(name, tmp_path, monkeypatch):
    """The process ends before or after one of its files takes its name, in turn; what goes on gives the same bytes."""
    monkeypatch.setattr(forks, "PROBES", 3)
    monkeypatch.setattr(arms, "MARKS", 2)
    monkeypatch.setattr(files.os, "fsync", lambda descriptor: None)
    run, settings = {"forks": (forks.fork, replace(FORKS, steps=4, arms=("original", "consistent"))), "arms": (arms.train, ARM)}[name]
    run(settings, str(tmp_path / "whole"))
    replace_file, calls = os.replace, []
    with monkeypatch.context() as patch:
        patch.setattr(files.os, "replace", lambda *names: (calls.append(names), replace_file(*names)))
        run(settings, str(tmp_path / "counted"))
    for number in range(len(calls)):
        place = tmp_path / str(number)
        with monkeypatch.context() as patch:
            patch.setattr(files.os, "replace", crashing(number, number % 2 == 1, replace_file))
            with pytest.raises(ZeroDivisionError):
                run(settings, str(place))
        run(settings, str(place))
        assert content(place) == content(tmp_path / "whole")


def crashing(number, after, replace_file):
    calls = []

    def crash(*names):
        calls.append(names)
        if len(calls) <= number:
            return replace_file(*names)
        if after and len(calls) == number + 1:
            replace_file(*names)
        raise ZeroDivisionError

    return crash


def test_a_killed_process_goes_on_bit_for_bit(tmp_path):
    settings = replace(ARM, steps=400)
    place = str(tmp_path / "killed")
    imports = "from certify.training.session import Run, perform; from certify.training.settings import Settings"
    code = f"{imports}; perform(Run('arms', {settings!r}, {place!r}))"
    process = subprocess.Popen([sys.executable, "-c", code], env={**os.environ, "OMP_NUM_THREADS": "1"})
    state = tmp_path / "killed" / "checkpoint.json"
    while not state.exists():
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert 0 < json.loads(state.read_text())["done"] < settings.steps
    perform(Run("arms", settings, str(tmp_path / "killed")))
    perform(Run("arms", settings, str(tmp_path / "whole")))
    assert content(tmp_path / "killed") == content(tmp_path / "whole")


def test_another_configuration_is_refused_and_nothing_overwritten(tmp_path):
    arms.train(ARM, str(tmp_path))
    before = content(tmp_path)
    with pytest.raises(BadInput, match=r"holds another configuration \(seed = 0 there, 1 here\): choose another folder"):
        arms.train(replace(ARM, seed=1), str(tmp_path))
    with pytest.raises(BadInput, match="study = 'arms' there, 'forks' here"):
        forks.fork(FORKS, str(tmp_path))
    assert content(tmp_path) == before


def test_two_runs_in_one_folder_are_refused(tmp_path):
    with locked(tmp_path), pytest.raises(BadInput, match="another run is writing"):
        train(request(), tmp_path, quiet=True)
    assert content(tmp_path) == {}


@pytest.mark.parametrize("damage", ["tensors", "state", "json"])
def test_a_damaged_checkpoint_is_refused(damage, tmp_path, monkeypatch):
    stop = Learner.update
    updates = []
    monkeypatch.setattr(
        Learner, "update", lambda learner, batch: (updates.append(0), stop(learner, batch))[1] if len(updates) < 10 else 1 / 0
    )
    with pytest.raises(ZeroDivisionError):
        arms.train(ARM, str(tmp_path))
    monkeypatch.undo()
    state, (tensors,) = tmp_path / "checkpoint.json", tmp_path.glob("*.safetensors")
    spoiled = {"tensors": tensors, "state": state, "json": state}[damage]
    kept = spoiled.read_bytes()
    spoiled.write_bytes({"tensors": kept[:-1] + b"x", "state": kept[:-9], "json": b"[]"}[damage])
    with pytest.raises(BadInput, match="damaged"):
        arms.train(ARM, str(tmp_path))


# Many runs --------------------------------------------------------------------------------------------------------------


def test_a_record_is_a_function_of_the_request(folder, tmp_path):
    train(request(jobs=None), tmp_path, quiet=True)
    left, right = content(folder), content(tmp_path)
    timings = left.pop("timings.json"), right.pop("timings.json")
    assert left == right
    assert set(json.loads(timings[0])) == {"seconds", "environment"}
    train(request(), tmp_path, quiet=True)
    assert content(tmp_path) == {**right, "timings.json": timings[1]}


def test_a_record_may_gain_seeds_and_arms_and_nothing_else(folder, tmp_path):
    train(request(seeds=(0,)), tmp_path, quiet=True)
    train(request(), tmp_path, quiet=True)
    assert (tmp_path / "arms.json").read_bytes() == (folder / "arms.json").read_bytes()
    before = content(tmp_path)
    with pytest.raises(BadInput, match=r"is a record of other settings \(steps\): choose another folder"):
        train(request(settings=replace(FORKS, steps=41, arms=("original",)), seeds=(7,)), tmp_path, quiet=True)
    assert content(tmp_path) == before


def test_arms_of_one_seed_meet_the_same_batches(folder):
    found = record.load(folder / "arms.json", "arms")
    by_seed = {}
    for run in found["runs"]:
        by_seed.setdefault(run["seed"], []).append(run)
    for runs in by_seed.values():
        assert len({run["data"]["sha256"] for run in runs}) == 1
        assert len({run["model_sha256"] for run in runs}) == len(runs)
        losses = [run["curve"][0]["loss"] for run in runs]
        assert max(losses) - min(losses) < 1e-3 * max(losses)


# Commands ---------------------------------------------------------------------------------------------------------------


def test_from_the_command_to_the_figure_and_the_tables(tmp_path, capsys, folder):
    place = str(tmp_path / "forks")
    arguments = ["--factor", "10", "--dim", "16", "--batch", "8", "--steps", "42", "--jobs", "1", "-o", place]
    assert main(["train", "forks", *arguments]) == Exit.HOLDS
    out, err = capsys.readouterr()
    assert "bitwise equal at every probe" in out
    assert "NOT" not in out
    assert "trained  factor-10-seed-0" in err
    assert "s left" in err
    assert main(["figure", "3", "--from", f"{place}/forks.json", "-o", place]) == Exit.HOLDS
    assert capsys.readouterr().out.split() == [f"{place}/figure-3.json", f"{place}/figure-3.svg"]
    drawn = Path(place, "figure-3.svg").read_bytes()
    main(["figure", "3", "--from", f"{place}/forks.json", "-o", place])
    assert Path(place, "figure-3.svg").read_bytes() == drawn


def test_tables_in_all_formats(folder, capsys, tmp_path):
    found = record.load(folder / "arms.json", "arms")
    for format in ("text", "markdown", "latex", "csv", "json"):
        assert main(["table", "1", "8", "--from", str(folder / "arms.json"), "--format", format]) == Exit.HOLDS
        out = capsys.readouterr().out
        mean = found["compared"][0]["arms"]["original"]["mean"]
        assert (f"{mean:.2f}" if format != "json" else json.dumps(mean)) in out
        assert out.count("FPR95, shuffled pixels") == 1
    assert main(["figure", "training", "--from", str(folder / "arms.json"), "-o", str(tmp_path)]) == Exit.HOLDS


def test_the_record_of_another_study_is_no_record(folder, capsys, tmp_path):
    spoiled = tmp_path / "spoiled.json"
    spoiled.write_text((folder / "arms.json").read_text().replace('"steps": 40', '"steps": 41'))
    (tmp_path / "empty.json").write_text("{}")
    for arguments, said in (
        (["figure", "3", "--from", str(folder / "arms.json")], "is a record of 'arms': one of certify train forks is needed"),
        (["table", "1", "--from", str(spoiled)], "does not have the digest that it was written with"),
        (["table", "8", "--from", str(tmp_path / "empty.json")], "not a record of certify train"),
        (["table", "8", "--from", str(tmp_path / "none.json")], "cannot read"),
    ):
        assert main([*arguments]) == Exit.BAD_INPUT
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert said in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["forks", "--arms", "original,best"], "unknown arm 'best': choose from original, consistent, rounded, faithful, AR_0 to AR_8"),
        (["forks", "--arms", "original"], "forks need original and consistent"),
        (["forks", "--steps", "10"], "43 probes need at least 42"),
        (["arms", "--dim", "33"], "even dimension"),
        (["arms", "--seeds", "1-"], "whole numbers"),
        (["arms", "--seeds", "2-1"], "whole numbers"),
        (["arms", "--seeds", "0-99999999999"], "at most 1000"),
        (["arms", "--seeds", "1,1"], "different ones"),
        (["arms", "--factor", "0"], "factor = 0"),
        (["arms", "--arms", "original,original"], "different ones"),
        (["arms", "--data", "mnist"], "choose from digits, cifar10, cifar100, synthetic"),
        (["arms", "--device", "tpu"], "choose from cpu, cuda"),
        (["arms", "--device", "cuda"], "no CUDA device"),
        (["arms", "--features", "odd"], "choose from raw, unit"),
        (["arms", "--data", "cifar10"], "name the folder"),
        (["arms", "--data", "cifar10", "--folder", "no-such"], "no folder 'no-such'"),
        (["arms", "--jobs", "0"], "jobs = 0"),
        (["elsewhere"], "No such command"),
        ([], "Missing command"),
    ],
)
def test_bad_input_is_one_line_and_leaves_nothing(arguments, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert main(["train", *arguments]) == Exit.BAD_INPUT
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert said in err
    assert list(tmp_path.iterdir()) == []
