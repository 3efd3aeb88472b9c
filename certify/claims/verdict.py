"""Verdicts: the closed set of things that a check may say.

A verdict is never a truth value. ``if verdict:`` would read *sampled*, *undecided* and *not run* as success or as
failure depending on who wrote the line, so it raises; ask for the outcome by name instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NoReturn, final


class Outcome(Enum):
    """What became of a claim, strongest first."""

    PROVED = "proved"  # for every point of the domain, with a certificate that the checker replays
    ENCLOSED = "enclosed"  # rigorous at the points named
    SAMPLED = "sampled"  # no counterexample among the points tried
    MEASURED = "measured"  # a measurement on this machine
    NOT_RUN = "not run"
    UNDECIDED = "undecided"
    ERROR = "error"
    REFUTED = "refuted"

    def __bool__(self) -> NoReturn:
        raise TypeError("an Outcome has no truth value: compare it with Outcome.PROVED, …")

    @property
    def holds(self) -> bool:
        """Whether the claim was established at some grade."""
        return self in GRADES


GRADES = (Outcome.PROVED, Outcome.ENCLOSED, Outcome.SAMPLED, Outcome.MEASURED)


class Reason(Enum):
    """Why a verdict is undecided, not run or an error; each member carries the message and the remedy."""

    INEQUALITY_OPEN = (
        "an inequality could not be decided on the box named",
        "raise the subdivision depth or weaken the bound",
    )
    HYPOTHESIS_FAILS = (
        "an inequality that this proof needs is false on the box named, the claim itself may still hold",
        "use another bound, domain or barrier",
    )
    PRECISION = ("the working precision did not separate the two sides", "ask for more digits")
    INTERRUPTED = ("interrupted before it ended", "run again: finished claims are not proved twice")
    RAISED = (
        "the claim's own code raised",
        "see the message, or run again with -v for the traceback; other claims are not affected",
    )
    REFUSED = (
        "the claim's equation, or its bound, is none that the prover takes",
        "see the term that is named, and what is accepted",
    )
    DIED = (
        "the process that ran the claim died",
        "look for a crash, an exit or too little memory; other claims are not affected",
    )
    NO_CERTIFICATE = ("'proved' without a certificate", "return Verdict.proved(certificate)")
    CERTIFICATE_REFUSED = (
        "the independent checker refused the certificate",
        "see the message for the step and the rule",
    )
    GRADE_MISSED = (
        "the claim asks for a stronger grade than its check reached",
        "lower the claim's grade or strengthen the check",
    )
    BAD_VERDICT = ("the claim did not return a Verdict", "return one of Verdict.proved, .enclosed, .sampled, …")
    LONG = ("too long for the quick profile of a run that does not name it", "name the claim, or run with --profile full")
    MISSING = ("something that the claim needs is not present here", "install it, or run on a machine that has it")

    def __init__(self, message: str, remedy: str) -> None:
        self.message = message
        self.remedy = remedy


@final
@dataclass(frozen=True)
class Verdict:
    """An outcome with its evidence. Build one through the named constructors.

    ``certificate`` is present only where the outcome is *proved*; ``witness`` exactly when it is *refuted*;
    ``reason`` exactly when it is *undecided*, *not run* or *error*. ``box`` is the smallest box left undecided;
    ``facts`` are further exact strings and numbers worth showing.
    """

    outcome: Outcome
    summary: str
    certificate: Any = None
    witness: Mapping[str, Any] | None = None
    reason: Reason | None = None
    box: Mapping[str, str] | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not (isinstance(self.outcome, Outcome) and isinstance(self.summary, str)):
            raise ValueError("a verdict is an Outcome with a summary in words")
        if not all(value is None or isinstance(value, Mapping) for value in (self.witness, self.box, self.facts)):
            raise ValueError("witness, box and facts map names to values")
        if not isinstance(self.reason, Reason | None):
            raise ValueError("a reason is a member of Reason")
        needs_reason = self.outcome in (Outcome.UNDECIDED, Outcome.NOT_RUN, Outcome.ERROR)
        if (self.witness is not None) != (self.outcome is Outcome.REFUTED):
            raise ValueError("a witness belongs to 'refuted', and to nothing else")
        if (self.reason is not None) != needs_reason:
            raise ValueError("a reason belongs to 'undecided', 'not run' and 'error', and to nothing else")
        if self.certificate is not None and self.outcome is not Outcome.PROVED:
            raise ValueError("a certificate belongs to 'proved', and to nothing else")

    def __init_subclass__(cls) -> NoReturn:
        raise TypeError("Verdict is closed")

    def __bool__(self) -> NoReturn:
        raise TypeError("a Verdict has no truth value: look at .outcome (Outcome.PROVED, …)")

    @classmethod
    def proved(cls, certificate: Any, summary: str, **facts: Any) -> Verdict:
        return cls(Outcome.PROVED, summary, certificate=certificate, facts=facts)

    @classmethod
    def enclosed(cls, summary: str, **facts: Any) -> Verdict:
        return cls(Outcome.ENCLOSED, summary, facts=facts)

    @classmethod
    def sampled(cls, summary: str, **facts: Any) -> Verdict:
        return cls(Outcome.SAMPLED, summary, facts=facts)

    @classmethod
    def measured(cls, summary: str, **facts: Any) -> Verdict:
        return cls(Outcome.MEASURED, summary, facts=facts)

    @classmethod
    def refuted(cls, witness: Mapping[str, Any], summary: str, **facts: Any) -> Verdict:
        return cls(Outcome.REFUTED, summary, witness=dict(witness), facts=facts)

    @classmethod
    def undecided(cls, reason: Reason, summary: str, box: Mapping[str, str] | None = None, **facts: Any) -> Verdict:
        return cls(Outcome.UNDECIDED, summary, reason=reason, box=box, facts=facts)

    @classmethod
    def not_run(cls, reason: Reason, summary: str) -> Verdict:
        return cls(Outcome.NOT_RUN, summary, reason=reason)

    @classmethod
    def error(cls, reason: Reason, summary: str) -> Verdict:
        return cls(Outcome.ERROR, summary, reason=reason)
