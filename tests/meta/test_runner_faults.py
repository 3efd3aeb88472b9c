"""The runner under planted faults: dying workers, interrupts, tampered folders."""

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from certify import run
from certify.claims.folder import decode_report
from certify.claims.runner import Runner, WorkerDied
from certify.claims.verdict import Outcome, Reason

ROOT = Path(__file__).resolve().parent.parent.parent
PLANTED = ROOT / "tests" / "planted"
HONEST, FAULTY, DEADLY, SLEEPY = (str(PLANTED / f"{name}.py") for name in ("honest", "faulty", "deadly", "sleepy"))


def test_spawned_workers_whose_deaths_cost_only_their_own_claims():
    report = run(DEADLY, HONEST, jobs=2)
    outcomes = {record.id: record.outcome for record in report.claims}
    assert outcomes == {
        "planted.absent": Outcome.NOT_RUN,
        "planted.enclosed": Outcome.ENCLOSED,
        "planted.exit": Outcome.ERROR,
        "planted.killed": Outcome.ERROR,
        "planted.measured": Outcome.MEASURED,
        "planted.prints": Outcome.MEASURED,
        "planted.square": Outcome.PROVED,
        "planted.survives": Outcome.MEASURED,
    }
    dead = [record for record in report.claims if record.outcome is Outcome.ERROR]
    assert {record.reason for record in dead} == {Reason.DIED.name}


def test_processes_and_threads_report_the_same():
    spawned = run(HONEST, FAULTY, jobs=2)
    assert spawned.claims == run(HONEST, FAULTY, jobs=1, pool=ThreadPoolExecutor).claims


def test_what_a_claim_of_a_file_does_to_its_process_reaches_no_other(tmp_path):
    """The one runs first, in the same file, with a single worker; its thread would outlive it."""
    report = run(f"{PLANTED}/hostile.py::planted.spoil*", jobs=1)
    spoils, spoilt = report.claims
    assert (spoils.id, spoils.summary, spoilt.id) == ("planted.spoils", "spoilt", "planted.spoilt"), report
    assert spoilt.facts["found"] == [53, 28, True, True]


def test_what_a_claim_of_a_file_leaves_running_is_ended():
    forks, leaves = run(f"{PLANTED}/hostile.py::planted.forks", f"{PLANTED}/hostile.py::planted.leaves").claims
    assert (forks.reason, leaves.summary) == (Reason.DIED.name, "left a child")
    assert until(lambda: not alive(leaves.facts["child"]), 5)


class Broken(Executor):
    """An executor that breaks when it is given a task, or while it carries one named deadly."""

    def __init__(self, at_submit: bool) -> None:
        self.at_submit = at_submit
        self.futures: list[Future] = []

    def submit(self, fn, /, *args, **kwargs):
        deadly = args[0].startswith("deadly")
        if deadly and self.at_submit:
            raise BrokenExecutor
        future = Future()
        self.futures.append(future)
        if deadly:
            for pending in (future for future in self.futures if not future.done()):
                pending.set_exception(BrokenExecutor())
        elif args[0].startswith("slow") and not self.at_submit:
            return future  # stays pending until another task breaks the executor
        else:
            future.set_result(fn(*args))
        return future


@pytest.mark.parametrize("at_submit", [True, False])
@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_an_executor_that_breaks(at_submit, jobs):
    def pool(workers):
        return ThreadPoolExecutor(1) if workers == 1 and not at_submit else Broken(at_submit)

    def lives_or_dies(task):
        if task.startswith("deadly"):
            raise BrokenExecutor
        return task

    runner = Runner(lives_or_dies, jobs, Event(), lambda _: None, pool)
    tasks = ["slow", "deadly 1", "b", "deadly 2", "c"]
    results = dict(runner.run(tasks))
    assert sorted(results) == sorted(tasks)
    assert all(results[task] == task for task in ("slow", "b", "c"))
    assert all(isinstance(results[task], WorkerDied) for task in ("deadly 1", "deadly 2"))


def children(pid: int) -> set[int]:
    """The living descendants of a process."""
    try:
        own = {int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()}
    except OSError:
        return set()
    return own.union(*map(children, own))


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def until(condition, seconds: float = 30) -> bool:
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    return condition()


def workers_of(process: subprocess.Popen) -> set[int]:
    return {pid for pid in children(process.pid) if "spawn_main" in Path(f"/proc/{pid}/cmdline").read_text()}


def finished(folder: Path) -> bool:
    file = folder / "report.json"
    return file.exists() and '"outcome": "measured"' in file.read_text()


@pytest.mark.parametrize(("number", "whole_group"), [(signal.SIGINT, True), (signal.SIGTERM, False), (signal.SIGHUP, False)])
def test_an_interrupt_leaves_a_valid_partial_report(tmp_path, number, whole_group):
    """Ctrl-C reaches the whole process group, the others the command alone; nobody is left behind."""
    process = subprocess.Popen(
        [sys.executable, "-m", "certify", "run", SLEEPY, "-o", str(tmp_path), "--jobs", "2", "--format", "json"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert until(lambda: finished(tmp_path))
    workers = children(process.pid)
    assert workers
    (os.killpg if whole_group else os.kill)(process.pid, number)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 2
    assert "Traceback" not in err
    report = decode_report((tmp_path / "report.json").read_bytes())
    assert json.loads(out)["claims"] == json.loads((tmp_path / "report.json").read_bytes())["claims"]
    assert not report.complete
    assert [record.outcome for record in report.claims] == [Outcome.MEASURED] + [Outcome.UNDECIDED] * 4
    assert {record.reason for record in report.claims[1:]} == {Reason.INTERRUPTED.name}
    assert "partial" in (tmp_path / "report.md").read_text()
    assert {path.name for path in tmp_path.iterdir()} == {"report.json", "report.md", "report.html", "junit.xml", "certificates"}
    assert until(lambda: not any(map(alive, workers)), 5)


def test_a_killed_run_leaves_a_valid_report_and_no_workers(tmp_path):
    claims = [f"{SLEEPY}::planted.{id}" for id in ("awake", "toils", "sleeps")]
    process = subprocess.Popen(
        [sys.executable, "-m", "certify", "run", *claims, "-q", "-o", str(tmp_path), "--jobs", "2"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    assert until(lambda: finished(tmp_path))
    assert until(lambda: len(workers_of(process)) == 2)
    workers = workers_of(process)
    process.kill()
    process.wait()
    assert not decode_report((tmp_path / "report.json").read_bytes()).complete
    assert until(lambda: not any(map(alive, workers)), 10)
    report = run(f"{SLEEPY}::planted.awake", output_dir=str(tmp_path), pool=ThreadPoolExecutor)
    assert report.complete


def tamper_digest(data):
    data["digest"] = "sha256:" + "0" * 64


def tamper_statement(data):
    data["theorem"]["statements"][0]["right"] = "x**2"


def tamper_claim(data):
    data["claim"] = "planted.enclosed"


def drop_proof(data):
    data["proof"]["steps"] = []


@pytest.mark.parametrize("tamper", [tamper_digest, tamper_statement, tamper_claim, drop_proof])
def test_a_tampered_certificate_is_proved_again(tmp_path, tamper):
    options = {"output_dir": str(tmp_path), "pool": ThreadPoolExecutor}
    run(f"{HONEST}::planted.square", **options)
    file = tmp_path / "certificates" / "planted.square.json"
    original = file.read_bytes()
    data = json.loads(original)
    tamper(data)
    file.write_text(json.dumps(data))
    report = run(f"{HONEST}::planted.square", **options)
    assert report.run.resumed == ()
    assert report.weakest is Outcome.PROVED
    assert file.read_bytes() == original
