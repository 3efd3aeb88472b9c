"""What two reports say differently: claims new and lost, grades and margins better and worse, and the machines.

Only what was found rigorously can improve or regress in its margins: numbers of *sampled* and *measured* claims depend on the machine, and
have merely moved. Margins are compared where statement and domain are the same; otherwise the claim is *restated*. Times are not compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from certify.claims.record import STRENGTH, ClaimRecord, Report
from certify.claims.verdict import Outcome
from certify.report.margins import Sense, margins

RIGOROUS = (Outcome.PROVED, Outcome.ENCLOSED)


class Kind(Enum):
    """Worst first. *Restated* is what has no better and worse: words, domains, constants of identities, cited lemmas."""

    REGRESSED = "regressed"
    LOST = "lost"
    RESTATED = "restated"
    NEW = "new"
    IMPROVED = "improved"
    MOVED = "moved"


@dataclass(frozen=True)
class Change:
    """``what`` of a claim differs, and how it reads on either side; None where there is nothing."""

    kind: Kind
    claim: str
    what: str
    before: str | None
    after: str | None
    sense: Sense | None = None


@dataclass(frozen=True)
class Difference:
    """``names`` are the files compared, ``environment`` maps what differs there to both values."""

    names: tuple[str, str]
    reports: tuple[Report, Report]
    changes: tuple[Change, ...]
    environment: dict[str, tuple[str, str]]

    def of(self, kind: Kind) -> list[Change]:
        return [change for change in self.changes if change.kind is kind]

    @property
    def same(self) -> int:
        """How many claims both reports have, without any difference."""
        ids = [{record.id for record in report.claims} for report in self.reports]
        return len((ids[0] & ids[1]) - {change.claim for change in self.changes})


def difference(before: tuple[str, Report], after: tuple[str, Report]) -> Difference:
    """From the first report to the second."""
    records = [{record.id: record for record in report.claims} for _, report in (before, after)]
    ids = sorted(records[0].keys() | records[1].keys())
    changes = [change for id in ids for change in _claim(records[0].get(id), records[1].get(id))]
    order = list(Kind)
    ordered = sorted(changes, key=lambda change: order.index(change.kind))
    return Difference((before[0], after[0]), (before[1], after[1]), tuple(ordered), _environment(before[1], after[1]))


def _claim(a: ClaimRecord | None, b: ClaimRecord | None) -> Iterator[Change]:
    """What became of one claim."""
    had, has = (record is not None and record.outcome is not Outcome.NOT_RUN for record in (a, b))
    if a is None or b is None or had != has:
        if had or has or a is None or b is None:
            yield _presence(a, b, had)
        return
    if a.outcome is not b.outcome:
        kind = Kind.IMPROVED if STRENGTH[b.outcome] < STRENGTH[a.outcome] else Kind.REGRESSED
        yield Change(kind, b.id, "outcome", a.outcome.value, b.outcome.value)
    if had:
        yield from _margins(a, b)
    yield from _words(a, b)


def _presence(a: ClaimRecord | None, b: ClaimRecord | None, had: bool) -> Change:
    record = a or b
    assert record is not None
    lost = b is None or had
    return Change(Kind.LOST if lost else Kind.NEW, record.id, "outcome", a and a.outcome.value, b and b.outcome.value)


def _margins(a: ClaimRecord, b: ClaimRecord) -> Iterator[Change]:
    """Numbers that both have."""
    known, rigorous = margins(a), a.outcome in RIGOROUS and b.outcome in RIGOROUS
    for name in _compared(a, b):
        before, after = known[name], margins(b)[name]
        if better := after.against(before):
            kind = (Kind.IMPROVED if better > 0 else Kind.REGRESSED) if rigorous else Kind.MOVED
            yield Change(kind, b.id, name, before.text, after.text, after.sense)


def _compared(a: ClaimRecord, b: ClaimRecord) -> list[str]:
    """The margins that mean the same in both: none where the claim says something else."""
    same = (a.statement, a.domain) == (b.statement, b.domain)
    return [name for name in margins(b) if name in margins(a)] if same else []


def _words(a: ClaimRecord, b: ClaimRecord) -> Iterator[Change]:
    """What is said, and on what it rests."""
    compared = _compared(a, b)
    constants = [name for name in {**a.constants, **b.constants} if name not in compared]
    pairs = {name.replace("_", " "): (getattr(a, name), getattr(b, name)) for name in ("statement", "domain", "in_words")}
    pairs |= {name: (a.constants.get(name), b.constants.get(name)) for name in constants}
    if a.evidence and b.evidence:
        pairs["lemmas cited"] = "; ".join(a.evidence.lemmas), "; ".join(b.evidence.lemmas)
    for name, (before, after) in pairs.items():
        if before != after:
            yield Change(Kind.RESTATED, b.id, name, before, after)


def _environment(a: Report, b: Report) -> dict[str, tuple[str, str]]:
    """Versions, machine, commit, and how the runs were asked for."""
    sides = [_place(report) for report in (a, b)]
    names = dict.fromkeys([*sides[0], *sides[1]])
    pairs = {name: (sides[0].get(name, "none"), sides[1].get(name, "none")) for name in names}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def _place(report: Report) -> dict[str, str]:
    place, run = report.environment, report.run
    versions = {name: version or "not installed" for name, version in place.versions.items()}
    machine = {"platform": place.platform, "processor": place.cpu, "cores": str(place.cores)}
    commit = {"commit": f"{place.commit or 'none'}{' with changes' if place.dirty else ''}"}
    asked = {"profile": run.profile, "seed": str(run.seed), "complete": "yes" if report.complete else "no"}
    return {**versions, **machine, **commit, **asked}
