"""Claims on a cluster: the local run's report, whatever happens to a worker."""

import os
import pickle
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from types import SimpleNamespace

import pytest

from certify import BadInput, run
from certify.claims import apart, executors
from certify.claims.pool import WorkerDied
from certify.claims.runner import Runner
from certify.claims.session import Watcher
from certify.cli import main

CLAIMS = """
import os, time
from certify import Verdict, claim

def slow(number):
    @claim(f"slow.n{number}", statement="", domain="", source="", grade="measured")
    def prove(seed):
        time.sleep(0.3)
        return Verdict.measured("slept", seed=seed, threads=os.environ["OMP_NUM_THREADS"])
    return prove

n1, n2, n3, n4 = map(slow, range(1, 5))

@claim("slow.dies", statement="", domain="", source="")
def dies():
    os._exit(0)
"""


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        yield SimpleNamespace(url="dask://" + cluster.scheduler_address.removeprefix("tcp://"), workers=cluster.workers)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "slow.py"
    path.write_text(CLAIMS)
    return str(path)


class Killer(Watcher):
    """Kills a worker process as soon as the first claim has finished, while others run."""

    def __init__(self, workers) -> None:
        self.workers, self.killed = workers, []

    def finished(self, finished, report):
        if not self.killed:
            process = self.workers[0].process.process
            self.killed.append(process.pid)
            os.kill(process.pid, signal.SIGKILL)


def test_the_result_is_the_local_one_though_a_worker_is_killed(cluster, file):
    killer = Killer(cluster.workers)
    spread = run(file, "ratio.cubic", executor=cluster.url, seed=7, watchers=[killer])
    local = run(file, "ratio.cubic", seed=7)
    assert killer.killed
    assert spread.run.jobs == 2
    assert spread.claims == local.claims
    outcomes = {record.id: record.outcome.value for record in spread.claims}
    assert outcomes == {"ratio.cubic": "proved", "slow.dies": "error", **{f"slow.n{n}": "measured" for n in range(1, 5)}}


def test_any_tasks_of_a_runner_are_spread(cluster):
    """As the seeds of training runs are."""
    pool, workers = executors.connect(cluster.url)
    runner = Runner(abs, workers, Event(), lambda task: None, pool)
    assert dict(runner.run([-3, 4, -5])) == {-3: 3, 4: 4, -5: 5}


def test_tasks_that_nobody_waits_for_leave_the_workers_free(cluster):
    pool, workers = executors.connect(cluster.url)
    first = pool(workers)
    started = [first.submit(time.sleep, 600) for _ in range(workers)]
    time.sleep(0.5)
    assert not any(future.done() for future in started)
    first.shutdown(wait=False, cancel_futures=True)
    second = pool(workers)
    assert second.submit(abs, -1).result(timeout=60) == 1
    second.shutdown()


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("dask", "write SCHEME://ADDRESS"),
        ("dask://", "write SCHEME://ADDRESS"),
        ("elsewhere://x", "elsewhere://: no such scheme; known: dask"),
    ],
)
def test_an_address_of_nothing_is_one_line(capsys, url, words):
    assert main(["run", "ratio.cubic", "--executor", url]) == 4
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert words in err


def test_a_scheduler_that_does_not_answer_is_one_line(monkeypatch):
    dask = pytest.importorskip("certify.claims.dask")
    monkeypatch.setattr(dask, "PATIENCE", 0.2)
    with pytest.raises(BadInput, match=r"executor 'dask://127.0.0.1:1': .*127.0.0.1:1"):
        executors.connect("dask://127.0.0.1:1")


def test_workers_that_run_other_code_are_refused(cluster, monkeypatch):
    from certify.claims import dask

    monkeypatch.setattr(dask, "code", _other_code)
    with pytest.raises(BadInput, match="runs other code than this process"):
        executors.connect(cluster.url)


def _other_code() -> str:
    return str(os.getpid())


def test_without_distributed_the_remedy_is_named(monkeypatch):
    monkeypatch.setitem(executors.OWN, "dask", "no_such_module")
    with pytest.raises(BadInput, match=r"no_such_module is not installed; pip install 'certify-numerics\[dask\]'"):
        executors.connect("dask://localhost:1")


def test_any_executor_of_an_entry_point_serves(monkeypatch, file):
    class Threads(ThreadPoolExecutor):
        workers = 3

        def __init__(self, address: str) -> None:
            assert address == "here"
            super().__init__(self.workers)

    point = SimpleNamespace(name="threads", load=lambda: Threads)
    monkeypatch.setattr(executors, "entry_points", lambda group: [point] if group == "certify.executors" else [])
    report = run("ratio.cubic", executor="threads://here")
    assert (report.run.jobs, report.claims[0].outcome.value) == (3, "proved")


def test_a_task_apart_raises_what_it_raises_and_its_death_is_told():
    assert apart.run(divmod, (7, 2), {}) == (3, 1)
    with pytest.raises(ZeroDivisionError):
        apart.run(divmod, (1, 0), {})
    with pytest.raises(WorkerDied):
        apart.run(os._exit, (0,), {})
    with pytest.raises(WorkerDied):
        apart.run(time.sleep, (600,), {}, wanted=lambda: False)
    assert isinstance(pickle.loads(pickle.dumps(WorkerDied())), WorkerDied)
