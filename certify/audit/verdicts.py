"""The two verdicts of an audit, and the witness of the first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from certify.audit.evidence import Finding, Kind, Kink, relative_gap
from certify.audit.fidelity import Deviation
from certify.audit.outcome import Coherence, Fidelity, Why


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
