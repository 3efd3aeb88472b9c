"""What a run records: plain data, from which ``report.json`` and every rendering of a report are made."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import msgspec

from certify.claims.exits import Exit
from certify.claims.text import clipped, line
from certify.claims.verdict import Outcome

FORMAT = "certify.report/1"
LONGEST_NUMBER = 40


class Data(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of all recorded data."""


class Evidence(Data, frozen=True):
    """What the independent checker said of the certificate of a proved claim."""

    digest: str
    established: tuple[str, ...]
    lemmas: tuple[str, ...]


class ClaimRecord(Data, frozen=True):
    """One claim and what became of it.

    ``grade`` is the grade that the claim asks for, ``reached`` the one that its check reached; where that is weaker,
    the outcome is *undecided* for the reason GRADE_MISSED. ``perturbed`` names the constants that were set to another
    value than the claim's own. ``in_words`` are the steps to the statement that no machine checks. ``origin`` is the
    module or file that declares the claim. Exact numbers are strings.
    """

    id: str
    statement: str
    domain: str
    source: str
    origin: str
    grade: Outcome
    outcome: Outcome
    reached: Outcome | None
    summary: str
    in_words: str = ""
    reason: str | None = None
    explanation: str | None = None
    remedy: str | None = None
    constants: dict[str, str] = {}
    perturbed: tuple[str, ...] = ()
    witness: dict[str, Any] | None = None
    box: dict[str, Any] | None = None
    facts: dict[str, Any] = {}
    evidence: Evidence | None = None

    def __post_init__(self) -> None:
        if not set(self.perturbed) <= set(self.constants):
            raise ValueError(f"claim {self.id}: a constant is perturbed that it does not have")

    @property
    def label(self) -> str:
        """The id, followed by the constants that were perturbed; long numbers without their middle."""
        changes = ", ".join(f"{name} = {clipped(self.constants[name], LONGEST_NUMBER)}" for name in self.perturbed)
        return f"{self.id} [{changes}]" if changes else self.id


class Environment(Data, frozen=True):
    """Where a run took place. ``commit`` and ``dirty`` are null where certify does not run from a git checkout."""

    versions: dict[str, str | None]
    platform: str
    cpu: str
    cores: int
    commit: str | None
    dirty: bool | None


class Run(Data, frozen=True):
    """How a run was asked for, when it took place and, in seconds, how long each claim took (null: not finished)."""

    command: str
    profile: str
    seed: int
    jobs: int
    started: str
    finished: str | None
    seconds: dict[str, float | None]
    resumed: tuple[str, ...]


class Report(Data, frozen=True):
    """A run's claims, sorted by id. ``weakest`` is the weakest outcome among those that were run; null where none was.

    Everything but ``run`` and ``environment`` is determined by the claims and their sources.
    """

    complete: bool
    weakest: Outcome | None
    counts: dict[str, int]
    claims: tuple[ClaimRecord, ...]
    run: Run
    environment: Environment
    format: Literal["certify.report/1"] = FORMAT

    def __post_init__(self) -> None:
        ids = {record.id for record in self.claims}
        if len(ids) != len(self.claims) or not ids <= self.run.seconds.keys():
            raise ValueError("a report has each claim once, with its time")
        if self.weakest is not weakest(self.claims) or self.counts != counts(self.claims):
            raise ValueError("a report's weakest outcome and counts are those of its claims")

    @property
    def exit(self) -> Exit:
        """The exit code of the run: an interruption first, then the weakest outcome."""
        if not self.complete:
            return Exit.INTERRUPTED
        return ENDS.get(self.weakest, Exit.HOLDS) if self.weakest is not None else Exit.UNDECIDED


ENDS = {Outcome.REFUTED: Exit.REFUTED, Outcome.ERROR: Exit.ERROR, Outcome.UNDECIDED: Exit.UNDECIDED}
STRENGTH = {outcome: rank for rank, outcome in enumerate(Outcome)}  # small is strong


def weakest(records: Iterable[ClaimRecord]) -> Outcome | None:
    """The outcome of the weakest link; claims that were not run are neutral."""
    outcomes = {record.outcome for record in records} - {Outcome.NOT_RUN}
    return max(outcomes, key=STRENGTH.__getitem__, default=None)


def counts(records: Iterable[ClaimRecord]) -> dict[str, int]:
    """How many claims had each outcome, strongest first, without zeros."""
    found = [record.outcome for record in records]
    return {outcome.value: found.count(outcome) for outcome in Outcome if outcome in found}


def reproduce(record: ClaimRecord, run: Run) -> str:
    """The command that checks this one claim again."""
    selector = f"{record.origin}::{record.id}" if record.origin.endswith((".py", ".toml")) else record.id
    words = ["certify", "run", selector]
    words += [word for name in record.perturbed for word in ("--set", f"{name}={record.constants[name]}")]
    words += ["--profile", run.profile, "--seed", str(run.seed)]
    return shlex.join(words)


def plain(value: Any) -> Any:
    """A value as JSON data, every text on one line: numbers that JSON does not hold exactly, and all else, become texts."""
    match value:
        case None | bool():
            return value
        case int():
            return value if -(2**53) < value < 2**53 else str(value)
        case float():
            return value if math.isfinite(value) else str(value)
        case Mapping():
            return {line(str(key)): plain(entry) for key, entry in value.items()}
        case list() | tuple():
            return [plain(entry) for entry in value]
    return line(str(value))
