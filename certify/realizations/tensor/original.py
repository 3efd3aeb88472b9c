"""The original recurrence, mathematically clean: the finite-start forward Φ̃_{ν,M} with the backward min(R̃_{ν,M}, 1)."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from certify.realizations.tensor import finite_start
from certify.realizations.tensor.arguments import start_order, whole_order
from certify.realizations.tensor.protocol import Paired


@dataclass(frozen=True)
class Original(Paired):
    """``order`` is a whole number ν ≥ 1 and ``start`` the M ≥ ν of b_M = 1; M = 2ν unless given."""

    order: int
    start: int | None = None
    name = "original recurrence"
    faithful = "the mathematics of the public code: start 2ν, normalised at order zero, ratio clipped at one in the backward only"
    domain = finite_start.DOMAIN

    def __post_init__(self) -> None:
        object.__setattr__(self, "order", whole_order(self.order, self.name))
        start_order(self.order, self.start)

    @property
    def constant(self) -> float:
        return finite_start.constant(self.order)

    def value(self, x: Tensor) -> Tensor:
        return finite_start.sweep(self.order, self.first, x).potential

    def value_and_slope(self, x: Tensor) -> tuple[Tensor, Tensor]:
        found = finite_start.sweep(self.order, self.first, x)
        return found.potential, found.ratio.clamp(max=1)

    @property
    def first(self) -> int:
        return start_order(self.order, self.start)
