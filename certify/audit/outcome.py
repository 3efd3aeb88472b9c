"""What an audit may say: the closed sets of outcomes, and the reasons for saying nothing."""

from __future__ import annotations

from enum import Enum, StrEnum
from typing import NoReturn


class _Closed(StrEnum):
    def __bool__(self) -> NoReturn:
        raise TypeError(f"an outcome has no truth value: compare it with {type(self).__name__}.{self.name}, or with its text")


class Coherence(_Closed):
    """Supplied derivative against the derivative of the realized forward."""

    COHERENT = "coherent"  # no disagreement beyond the error bars at the points tried
    INCOHERENT = "incoherent"  # a disagreement beyond the error bars, with a witness
    KINK = "kink"  # coherent where a derivative exists; at the point named the one-sided derivatives differ, or the forward jumps
    OUT_OF_DOMAIN = "out of domain"  # no finite value at any point tried
    INCONCLUSIVE = "inconclusive"  # the noise hides the derivative
    DECLARED = "declared"  # a disagreement that the author declares


class Fidelity(_Closed):
    """Realized value and supplied derivative against the reference."""

    WITHIN = "within bound"
    OUTSIDE = "outside"
    UNKNOWN = "unknown"  # no reference was named, or none could be evaluated


class Why(Enum):
    """Why an audit is inconclusive; each member carries the message and the remedy."""

    NOISE = (
        "the forward is too noisy to show its derivative at any point tried",
        "audit at a higher precision, or on a domain where the function varies more",
    )
    RANDOM = ("two evaluations at the same input differ by more than the derivative could show", "seed the function's random numbers")
    BUDGET = ("the budget ended before the first points were judged", "raise the budget")

    def __init__(self, message: str, remedy: str) -> None:
        self.message = message
        self.remedy = remedy
