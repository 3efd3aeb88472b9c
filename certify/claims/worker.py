"""What a worker process does with one claim. Tasks and results are plain data: any ``Executor`` can carry them."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from certify.claims.certificate import decode
from certify.claims.claim import Claim
from certify.claims.origin import Origin
from certify.claims.record import ClaimRecord, Evidence, plain
from certify.claims.settle import Settled, Stored, resume, settle
from certify.claims.text import one_line


@dataclass(frozen=True)
class Task:
    """A claim to check: where it is declared, which constants are set, and what an earlier run left."""

    id: str
    origin: Origin
    constants: Mapping[str, Fraction]
    profile: str
    seed: int
    stored: Stored | None = None


@dataclass(frozen=True)
class Finished:
    """A checked claim: its record, the seconds that it took, and the certificate file's content where it is proved."""

    record: ClaimRecord
    seconds: float | None = None
    certificate: bytes | None = None
    resumed: bool = False
    trace: str | None = None
    note: str | None = None


def work(task: Task) -> Finished:
    """Check one claim in this process."""
    start = time.perf_counter()
    claim = replace(find(task))  # a copy: the prover may have its hands on the original
    settled, note = _resume(claim, task)
    resumed = settled is not None
    if settled is None:
        settled = settle(claim, task.constants, {"profile": task.profile, "seed": task.seed})
    seconds = time.perf_counter() - start
    return Finished(record(claim, task, settled), seconds, settled.certificate, resumed, settled.trace, note)


def _resume(claim: Claim, task: Task) -> tuple[Settled | None, str | None]:
    """The proof of an earlier run where it still stands; otherwise why it does not."""
    if task.stored is None:
        return None, None
    try:
        return resume(claim, task.constants, task.stored), None
    except Exception as error:  # refused, damaged, or the claim's own theorem cannot be formed
        return None, f"{task.id}: the stored certificate does not stand, proving again ({one_line(error)})"


def find(task: Task) -> Claim:
    """The task's claim, from the module or file that declares it."""
    for value in vars(task.origin.load()).values():
        if isinstance(value, Claim) and value.id == task.id:
            return value
    raise LookupError(f"{task.origin.name} no longer declares {task.id}")


def record(claim: Claim, task: Task, settled: Settled) -> ClaimRecord:
    """The record of a settled claim."""
    verdict, values = settled.verdict, {**claim.constants, **task.constants}
    return ClaimRecord(
        id=claim.id,
        statement=claim.statement,
        domain=claim.domain,
        source=claim.source,
        origin=task.origin.name,
        grade=claim.grade,
        outcome=verdict.outcome,
        reached=settled.reached,
        summary=verdict.summary,
        in_words=claim.in_words,
        reason=verdict.reason and verdict.reason.name,
        explanation=verdict.reason and verdict.reason.message,
        remedy=verdict.reason and verdict.reason.remedy,
        constants={name: str(value) for name, value in values.items()},
        perturbed=tuple(name for name, value in values.items() if value != claim.constants.get(name)),
        witness=plain(verdict.witness),
        box=plain(verdict.box),
        facts=plain(verdict.facts),
        evidence=_evidence(settled),
    )


def _evidence(settled: Settled) -> Evidence | None:
    if settled.certificate is None or settled.established is None:
        return None
    digest = decode(settled.certificate)["digest"]
    return Evidence(digest=digest, established=tuple(settled.established.statements), lemmas=tuple(settled.established.lemmas))
