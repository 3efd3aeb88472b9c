"""From what a prover returned to what counts: a proof counts once the independent checker has replayed it."""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from certify.checker.checker import Established, Refused
from certify.claims.certificate import NotACertificate, decode, encode, replay
from certify.claims.claim import Claim
from certify.claims.formats import CERTIFICATES
from certify.claims.record import STRENGTH, ClaimRecord, plain
from certify.claims.text import clipped, line, one_line
from certify.claims.verdict import Outcome, Reason, Verdict
from certify.exact.riccati_terms import Refusal


@dataclass(frozen=True)
class Settled:
    """A verdict that counts and the grade reached; for a proof, its certificate file and the checker's words."""

    verdict: Verdict
    reached: Outcome | None = None
    certificate: bytes | None = None
    established: Established | None = None
    trace: str | None = None


@dataclass(frozen=True)
class Stored:
    """What an earlier run left of a claim: the content of its certificate file, and its record where there is one."""

    certificate: bytes
    record: ClaimRecord | None = None


def settle(claim: Claim, constants: Mapping[str, Fraction], circumstances: Mapping[str, Any]) -> Settled:
    """Prove a claim and settle what its prover returned; whatever the claim's code raises becomes an error verdict."""
    try:
        verdict = claim.prove(constants, **circumstances)
        if type(verdict) is not Verdict:
            return Settled(Verdict.error(Reason.BAD_VERDICT, f"{type(verdict).__name__} returned"))
        return _graded(claim, _replayed(claim, constants, _plain(verdict)))
    except Refusal as error:
        return Settled(Verdict.error(Reason.REFUSED, clipped(line(str(error)))))
    except BaseException as error:  # a claim must not end the run: sys.exit and KeyboardInterrupt are its own doing
        return Settled(Verdict.error(Reason.RAISED, one_line(error)), trace=traceback.format_exc())


def resume(claim: Claim, constants: Mapping[str, Fraction], stored: Stored) -> Settled:
    """A proof by a stored certificate. Raises ValueError unless the checker accepts it now and it is this claim's."""
    data = decode(stored.certificate)
    established = replay(data, claim, constants)
    verdict = Verdict.proved(None, "its certificate, from an earlier run, was accepted again")
    earlier = stored.record
    if earlier is not None and earlier.evidence is not None and earlier.evidence.digest == data["digest"]:
        verdict = replace(verdict, summary=earlier.summary, facts=earlier.facts)
    return Settled(_plain(verdict), Outcome.PROVED, stored.certificate, established)


def _plain(verdict: Verdict) -> Verdict:
    """The verdict, its parts held against each other once more, in words and data that a report can show."""
    facts = {name: plain(getattr(verdict, name)) for name in ("witness", "box", "facts")}
    return replace(verdict, summary=clipped(line(verdict.summary)), **facts)


def _replayed(claim: Claim, constants: Mapping[str, Fraction], verdict: Verdict) -> Settled:
    """Only proofs with a certificate that the checker accepts pass as proofs."""
    reached = verdict.outcome if verdict.outcome.holds else None
    if verdict.outcome is not Outcome.PROVED:
        return Settled(verdict, reached)
    if not isinstance(verdict.certificate, CERTIFICATES):
        return Settled(Verdict.error(Reason.NO_CERTIFICATE, "nothing for the checker to replay"))
    content = encode(verdict.certificate)
    try:
        established = replay(decode(content), claim, constants)
    except (Refused, NotACertificate) as error:
        return Settled(Verdict.error(Reason.CERTIFICATE_REFUSED, clipped(line(str(error)))))
    return Settled(replace(verdict, certificate=None), reached, content, established)


def _graded(claim: Claim, settled: Settled) -> Settled:
    """Undecided where the check reached a weaker grade than the claim asks for; the grade reached stays on record."""
    if settled.reached is None or STRENGTH[settled.reached] <= STRENGTH[claim.grade]:
        return settled
    verdict = settled.verdict
    summary = f"{claim.grade.value} is asked for, {settled.reached.value} was reached: {verdict.summary}"
    missed = Verdict(Outcome.UNDECIDED, summary, reason=Reason.GRADE_MISSED, facts=verdict.facts)
    return replace(settled, verdict=missed)
