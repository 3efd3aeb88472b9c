"""The ratio with its derivative by the Riccati equation, the order an integer division of p."""

from __future__ import annotations

from torch import Tensor

from certify.realizations.kinds.kind import Kind, scaled_bessel


class RiccatiRatio(Kind):
    """Value A = ive(v + 1, κ)/ive(v, κ) at v = p//2 − 1, supplied 1 − (p − 1)/κ·A − A²: the equation has 2v + 1 in place of p − 1."""

    name = "ratio with a Riccati derivative"
    quantity = "ratio"
    oddity = "v is p//2 − 1: for odd p the equation is that of another order, and the derivative's sign can flip"

    @property
    def order(self) -> float:
        return self.dimension // 2 - 1

    def value(self, x: Tensor) -> Tensor:
        return (scaled_bessel(self.order + 1, x) / scaled_bessel(self.order, x)).to(x.dtype)

    def supplied(self, x: Tensor) -> Tensor:
        ratio = self.value(x)
        return 1 - (self.dimension - 1) / x * ratio - ratio * ratio
