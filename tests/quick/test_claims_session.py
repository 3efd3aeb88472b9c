"""A run: what it reports, and that the executor does not matter."""

import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import certify
from certify import run
from certify.claims.exits import BadInput, Exit
from certify.claims.interrupt import interruptible
from certify.claims.registry import load
from certify.claims.session import Ledger, Request, Watcher
from certify.claims.session import run as run_session
from certify.claims.verdict import Outcome

PLANTED = Path(__file__).resolve().parent.parent / "planted"
HONEST, FAULTY = (str(PLANTED / f"{name}.py") for name in ("honest", "faulty"))


def threads(*selectors, **options):
    return run(*selectors, pool=ThreadPoolExecutor, **options)


@pytest.fixture(scope="module")
def report():
    return threads(HONEST, FAULTY, jobs=2)


def test_every_claim_is_reported_once_sorted(report):
    ids = [record.id for record in report.claims]
    assert ids == sorted(set(ids))
    assert len(ids) == 17
    assert sum(report.counts.values()) == 17
    assert report.complete


def test_the_weakest_link_decides(report):
    assert report.weakest is Outcome.REFUTED
    assert report.exit is Exit.REFUTED


def test_one_worker_or_many_make_no_difference(report):
    alone = threads(FAULTY, HONEST, jobs=1)
    assert alone.claims == report.claims
    assert alone.run.seconds.keys() == report.run.seconds.keys()


def test_provenance(report):
    assert report.environment.versions["flint"]
    assert report.environment.cores >= 1
    assert report.run.finished is not None
    assert all(seconds is not None and seconds >= 0 for seconds in report.run.seconds.values())


def test_a_file_that_cannot_be_imported_costs_only_itself(tmp_path):
    (tmp_path / "broken.py").write_text("1/0")
    report = threads(str(tmp_path / "broken.py"), f"{HONEST}::planted.square")
    assert [record.outcome for record in report.claims] == [Outcome.ERROR, Outcome.PROVED]
    assert report.exit is Exit.ERROR


def test_watchers_are_told_in_order():
    events = []

    class Log(Watcher):
        def begin(self, report):
            events.append(("begin", report.complete))

        def started(self, id):
            events.append(("started", id))

        def finished(self, finished, report):
            events.append(("finished", finished.record.id))

        def end(self, report):
            events.append(("end", report.complete))

    threads(f"{HONEST}::planted.square", watchers=[Log()])
    assert events == [
        ("begin", False),
        ("started", "planted.square"),
        ("finished", "planted.square"),
        ("end", True),
    ]


@pytest.mark.parametrize("options", [{"profile": "slow"}, {"jobs": 0}, {"constants": {"D": 1}}, {"constants": {"C": "x"}}])
def test_bad_requests(options):
    with pytest.raises(BadInput):
        threads(f"{HONEST}::planted.square", **options)


def test_constants_of_the_python_interface_are_exact():
    [record] = threads(f"{HONEST}::planted.square", constants={"C": "0.1"}).claims
    assert record.constants == {"C": "1/10"}


def test_the_first_interrupt_is_an_event_and_the_second_acts_as_before():
    with interruptible() as stop:
        signal.raise_signal(signal.SIGINT)
        assert stop.is_set()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_an_interrupt_that_is_ignored_stays_so():
    """As under nohup."""
    former = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with interruptible() as stop:
            signal.raise_signal(signal.SIGINT)
            assert not stop.is_set()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, former)


def test_public_names_are_pinned():
    assert certify.__all__ == [
        "BadInput",
        "Claim",
        "Exit",
        "NothingSelected",
        "Outcome",
        "Reason",
        "Refused",
        "Report",
        "Verdict",
        "__version__",
        "audit",
        "certify_theorem",
        "check",
        "claim",
        "enclose",
        "run",
    ]
    assert all(getattr(certify, name, None) is not None for name in certify.__all__ if name != "__version__")
    assert set(certify.__all__) <= set(dir(certify))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        certify.nothing


def test_a_long_claim_is_left_to_runs_that_name_it():
    long = [entry for entry in load().claims.values() if entry.claim.id == "ladder.optimal.8"]
    assert long[0].claim.long
    [left] = run_session(long, Request(profile="quick")).claims
    assert (left.outcome, left.reason) == (Outcome.NOT_RUN, "LONG")
    assert [task.id for task in Ledger(long, Request(profile="quick", named=True), {}).tasks()] == ["ladder.optimal.8"]
    assert [task.id for task in Ledger(long, Request(profile="full"), {}).tasks()] == ["ladder.optimal.8"]
