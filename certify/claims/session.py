"""One run: the claims selected, what is known of each so far, and those who watch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

from certify.claims.exits import BadInput
from certify.claims.interrupt import interruptible
from certify.claims.pool import SeparateProcesses, SpawnedPool
from certify.claims.provenance import cores, environment
from certify.claims.record import Report, Run, counts, weakest
from certify.claims.registry import Registered
from certify.claims.runner import Pool, Runner, WorkerDied
from certify.claims.settle import Settled, Stored
from certify.claims.text import line, one_line
from certify.claims.verdict import Reason, Verdict
from certify.claims.worker import Finished, Task, record, work

PROFILES = ("quick", "full")


@dataclass(frozen=True)
class Request:
    """How claims are to be checked. ``jobs`` None: one worker a core; ``command``: what the report says was run.

    ``pool`` None: spawned processes, which claims of the shipped packages share, while those from outside get one each.
    ``named``: whether the user named what is to be checked, so that long claims are meant, too.
    """

    constants: Mapping[str, Fraction] = field(default_factory=dict)
    profile: str = "quick"
    seed: int = 0
    jobs: int | None = None
    command: str = "certify run"
    pool: Pool | None = None
    named: bool = False

    def __post_init__(self) -> None:
        if self.profile not in PROFILES:
            raise BadInput(f"profile {self.profile!r}: use one of {', '.join(PROFILES)}")
        if self.jobs is not None and self.jobs < 1:
            raise BadInput(f"jobs {self.jobs}: at least one worker is needed")


class Watcher:
    """Is told of the events of a run, and of the parts of its page; does nothing with them.

    Every report that it is given is valid as it stands.
    """

    def begin(self, report: Report) -> None: ...

    def started(self, id: str) -> None: ...

    def finished(self, finished: Finished, report: Report) -> None: ...

    def end(self, report: Report) -> None: ...

    def making(self, part: str) -> None: ...

    def made(self, part: str) -> None: ...


def run(
    selection: Sequence[Registered],
    request: Request,
    watchers: Iterable[Watcher] = (),
    stored: Mapping[str, Stored] | None = None,
) -> Report:
    """Check the claims and report.

    ``stored`` holds what an earlier run left, by claim id: proofs that still stand are kept. SIGINT, SIGTERM and SIGHUP
    end the run early: what has not finished is then undecided, for the reason INTERRUPTED.
    """
    ledger, audience = Ledger(selection, request, stored or {}), Audience(watchers)
    with interruptible() as stop:
        audience.begin(ledger.report())
        for finished in list(ledger.done.values()):
            audience.finished(finished, ledger.report())
        runner = Runner(work, ledger.jobs, stop, lambda task: audience.started(task.id), request.pool or _pool(selection))
        with closing(runner.run(ledger.tasks())) as results:
            for task, result in results:
                audience.finished(ledger.enter(task, result), ledger.report())
        ledger.close()
        audience.end(ledger.report())
    return ledger.report()


def _pool(selection: Sequence[Registered]) -> Pool:
    """Where the claims run: what those from outside do to their process must reach no other claim."""
    return SpawnedPool if all(entry.origin.shipped for entry in selection) else SeparateProcesses


class Audience(Watcher):
    """Several watchers as one."""

    def __init__(self, watchers: Iterable[Watcher]) -> None:
        self.watchers = tuple(watchers)

    def begin(self, report: Report) -> None:
        for watcher in self.watchers:
            watcher.begin(report)

    def started(self, id: str) -> None:
        for watcher in self.watchers:
            watcher.started(id)

    def finished(self, finished: Finished, report: Report) -> None:
        for watcher in self.watchers:
            watcher.finished(finished, report)

    def end(self, report: Report) -> None:
        for watcher in self.watchers:
            watcher.end(report)

    def making(self, part: str) -> None:
        for watcher in self.watchers:
            watcher.making(part)

    def made(self, part: str) -> None:
        for watcher in self.watchers:
            watcher.made(part)


class Ledger:
    """The claims of a run and what is known of each; a report can be drawn from it at any moment."""

    def __init__(self, selection: Sequence[Registered], request: Request, stored: Mapping[str, Stored]) -> None:
        self.request, self.stored = request, stored
        self.entries = {entry.claim.id: entry for entry in selection}
        self.jobs = request.jobs or cores()
        self.started, self.closed = _now(), None
        self.environment = environment()
        self.done = {id: self._finished(id, entry.claim.prove()) for id, entry in self.entries.items() if entry.trace}
        if request.profile == "quick" and not request.named:
            left = {id for id, entry in self.entries.items() if entry.claim.long} - stored.keys()
            self.done |= {id: self._finished(id, Verdict.not_run(Reason.LONG, Reason.LONG.message)) for id in left}

    def tasks(self) -> list[Task]:
        """What is left to do, in the order of the ids."""
        return [self._task(id) for id in sorted(self.entries.keys() - self.done.keys())]

    def enter(self, task: Task, result: Any) -> Finished:
        """Enter what a worker returned, or the exception with which it ended."""
        if isinstance(result, BaseException):
            reason = Reason.DIED if isinstance(result, WorkerDied) else Reason.RAISED
            summary = str(result) if reason is Reason.DIED else one_line(result)
            result = self._finished(task.id, Verdict.error(reason, summary))
        self.done[task.id] = result
        return result

    def close(self) -> None:
        self.closed = _now()

    def report(self) -> Report:
        """The report as things stand; claims that have not finished are undecided, for the reason INTERRUPTED."""
        pending = Verdict.undecided(Reason.INTERRUPTED, "not finished")
        finished = [self.done.get(id) or self._finished(id, pending) for id in sorted(self.entries)]
        records = tuple(entry.record for entry in finished)
        return Report(
            complete=len(self.done) == len(self.entries),
            weakest=weakest(records),
            counts=counts(records),
            claims=records,
            run=self._run(finished),
            environment=self.environment,
        )

    def _run(self, finished: Sequence[Finished]) -> Run:
        return Run(
            command=line(self.request.command),
            profile=self.request.profile,
            seed=self.request.seed,
            jobs=self.jobs,
            started=self.started,
            finished=self.closed,
            seconds={entry.record.id: entry.seconds for entry in finished},
            resumed=tuple(entry.record.id for entry in finished if entry.resumed),
        )

    def _task(self, id: str) -> Task:
        request = self.request
        return Task(id, self.entries[id].origin, request.constants, request.profile, request.seed, self.stored.get(id))

    def _finished(self, id: str, verdict: Verdict) -> Finished:
        """The record of a verdict that no worker has returned."""
        entry = self.entries[id]
        return Finished(record(entry.claim, self._task(id), Settled(verdict)), trace=entry.trace)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
