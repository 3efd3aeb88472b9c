"""The result of an audit, and how it is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from certify.audit.evidence import Evidence, Finding, Kind, Kink, relative_gap
from certify.audit.fidelity import Deviation
from certify.audit.outcome import Coherence, Fidelity, Why

if TYPE_CHECKING:
    from certify.audit.certified import Certified


@dataclass(frozen=True)
class CoherenceVerdict:
    """``findings`` are the contradictions, the clearest first; ``kinks`` where no derivative exists; ``why`` if inconclusive."""

    outcome: Coherence
    findings: Sequence[Finding] = ()
    kinks: Sequence[Kink] = ()
    why: Why | None = None
    declared: str | None = None


@dataclass(frozen=True)
class FidelityVerdict:
    """``bound`` is the relative error allowed, ``worst`` the largest deviation seen among ``points``."""

    outcome: Fidelity
    worst: Deviation | None = None
    bound: float | None = None
    points: int = 0


@dataclass(frozen=True)
class Witness:
    """An input with its three numbers: the supplied derivative, the derivative of the realized forward with its error
    bar, and the truth where a reference is named."""

    input: float
    supplied: float
    realized: float
    truth: float | None
    bar: float
    step: float
    dtype: str
    entry: str = ""
    kind: Kind | None = None
    note: str = ""

    @property
    def relative_gap(self) -> float:
        """Supplied and realized derivative apart, over the larger of the two."""
        return relative_gap(self.supplied, self.realized)


@dataclass(frozen=True)
class Audit:
    """What an audit found.

    ``evidence`` holds one entry a format: what was covered, and all that was seen there. ``mode`` is "certified" where
    ``proofs`` hold what was proved beside that, of the operations traced in the first of the formats, "numerical" where
    there are none; ``because`` says why.
    """

    target: str
    coherence: CoherenceVerdict
    fidelity: FidelityVerdict
    witness: Witness | None
    evidence: Sequence[Evidence]
    order: int
    seconds: float
    mode: str = "numerical"
    because: str = "proofs are for functions of one variable, element by element"
    notes: Sequence[str] = field(default_factory=tuple)
    proofs: Certified | None = None

    def explain(self) -> str:
        """The whole result in words."""
        from certify.audit.words import explain

        return explain(self)

    def record(self) -> dict[str, Any]:
        """The result as plain values, for JSON."""
        from certify.audit.words import record

        return record(self)
