"""What was seen at single points: contradictions, kinks, jumps, and how much was covered."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Kind(StrEnum):
    """What is wrong with a supplied derivative."""

    DERIVATIVE = "the supplied derivative is not the derivative of the realized forward"
    LOST = "the supplied derivative is not finite where the realized forward has a finite one"
    UPSTREAM = "the supplied derivative is not proportional to the upstream gradient"
    REPEATED = "a second backward through the same graph supplies something else"
    BATCH = "the supplied derivative of an element depends on its neighbours in the batch, its value does not"
    LAYOUT = "the supplied derivative depends on the memory layout of the input or the upstream gradient"
    FIELD = "the field of gradients is the gradient of no function: its Jacobian is not symmetric"


@dataclass(frozen=True)
class Finding:
    """A contradiction at one input; ``entry`` names the output and input elements of a vector function.

    ``bar`` is the error of ``realized``, ``step`` the half-width of the stencil that decided, 0 where none did.
    """

    kind: Kind
    x: float
    supplied: float
    realized: float
    bar: float
    step: float
    dtype: str
    order: int = 1
    entry: str = ""
    note: str = ""

    @property
    def relative(self) -> float:
        """The discrepancy over the larger of the two derivatives; infinite where one is not finite."""
        return relative_gap(self.supplied, self.realized)


def relative_gap(a: float, b: float) -> float:
    size, gap = max(abs(a), abs(b)), abs(a - b)
    return gap / size if gap < float("inf") and size > 0 else float("inf")


@dataclass(frozen=True)
class Kink:
    """A point where the one-sided derivatives of the realized forward differ, and the supplied one is between them.

    Or, as ``sides`` says, one around which the supplied derivative jumps between ``left`` and ``right``; or, with ``jump``, one at
    which the forward itself does, between these limits: no derivative that is supplied there is right.
    """

    x: float
    supplied: float
    left: float
    right: float
    dtype: str
    entry: str = ""
    sides: tuple[str, str] = ("from the left", "from the right")
    jump: bool = False


@dataclass(frozen=True)
class Extent:
    """The defect contradicts from ``starts`` to ``ends`` and is largest, of the inputs looked at, at ``at``, where ``supplied`` stands
    against ``realized``."""

    starts: float
    ends: float
    at: float
    supplied: float
    realized: float

    @property
    def peak(self) -> float:
        return abs(self.supplied - self.realized)


@dataclass
class Evidence:
    """All that was seen of one function in one format.

    ``resolution`` is the relative error of a supplied derivative that would show at half of the points where a derivative shows.
    """

    dtype: str
    findings: list[Finding] = field(default_factory=list)
    kinks: list[Kink] = field(default_factory=list)
    jumps: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    points: int = 0
    finite: int = 0
    shown: int = 0
    evaluations: int = 0
    low: float = float("nan")
    high: float = float("nan")
    unresolved: int = 0
    resolution: float = float("nan")
    complete: bool = True
    random: bool = False
    extent: Extent | None = None
