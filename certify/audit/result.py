"""The result of an audit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from certify.audit import record, words
from certify.audit.evidence import Evidence
from certify.audit.traced.certified import Certified
from certify.audit.verdicts import CoherenceVerdict, FidelityVerdict, Witness


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
        """Verdicts, witness with its three numbers and a reproduction, coverage, what is proved, and what else was noticed."""
        notes = dict.fromkeys([*self.notes, *(note for each in self.evidence for note in each.notes)])
        parts = [
            words.headline(self.target, self.order, self.coherence, self.fidelity),
            *words.findings(self.coherence),
            *words.extents(self.evidence),
            *words.witness(self.witness, self.order),
            *words.kinks(self.coherence),
            *words.jumps(self.evidence),
            *words.deviation(self.fidelity, self.order),
            *words.coverage(self.evidence),
            *words.proved(self.proofs),
            *(f"note: {note}" for note in notes),
            f"{self.mode} mode ({self.because}), {self.seconds:.2f} s",
        ]
        return "\n".join(parts)

    def record(self) -> dict[str, Any]:
        """The result as plain values, for JSON; numbers that JSON lacks are written as text."""
        return {
            "target": self.target,
            "order": self.order,
            "mode": self.mode,
            "because": self.because,
            "seconds": self.seconds,
            "coherence": record.coherence(self.coherence),
            "fidelity": record.fidelity(self.fidelity),
            "witness": record.plain(self.witness),
            "coverage": record.coverage(self.evidence),
            "notes": list(self.notes),
            "proofs": record.proofs(self.proofs),
        }
