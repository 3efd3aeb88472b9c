"""log C_m(k) of the vMF losses: a sign of the exponent lost, epsilons, and a switch between two formulas."""

from __future__ import annotations

from math import log, pi

import torch
from torch import Tensor

from certify.realizations.kinds.kind import Kind, bessel, scaled_bessel


class LogNormalizer(Kind):
    """Value v log k − log ive(v, k) − (m/2) log 2π, from which −k is missing; supplied derivative −ive(v + 1, k)/ive(v, k)."""

    name = "log C_m(k) from the scaled Bessel function"
    quantity = "log normalizer"
    oddity = "the value is log C_m(k) + k: the supplied derivative is right for log C_m(k) and off by exactly −1"

    def value(self, x: Tensor) -> Tensor:
        k = x.double()
        return (self.order * k.log() - scaled_bessel(self.order, k).log() - self.dimension / 2 * log(2 * pi)).to(x.dtype)

    def supplied(self, x: Tensor) -> Tensor:
        return -(scaled_bessel(self.order + 1, x) / scaled_bessel(self.order, x)).to(x.dtype)


class LogNormalizerWithEpsilons(Kind):
    """Value v log k − log I_v(k) − (m/2) log 2π, log I_v taken as 0 where I_v is 0; supplied −ive(v + 1, k)/(ive(v, k) + 1e-6)."""

    name = "log C_m(k) with epsilons"
    quantity = "log normalizer"
    oddity = "1e-6 beside ive(v, k): the supplied derivative vanishes where ive(v, k) is small, 1e-14 at m = 128, k = 63"

    def value(self, x: Tensor) -> Tensor:
        k = x.double()
        found = bessel(self.order, k)
        logarithm = torch.where(found == 0, 0.0, found.log())
        return (self.order * k.log() - logarithm - self.dimension / 2 * log(2 * pi)).to(x.dtype)

    def supplied(self, x: Tensor) -> Tensor:
        return -(scaled_bessel(self.order + 1, x) / (scaled_bessel(self.order, x) + 1e-6)).to(x.dtype)


class SwitchedLogNormalizer(Kind):
    """v log k − log I_v(k) − (m/2) log 2π below k = 100 with −R_v, above it an approximation shifted to the same value at 100.

    The approximation is −a + b log(b + a), a = √((m/2 + ½)² + k²), b = m/2 − 3/2, with its own derivative −k/(a + b).
    Like the source, I_v itself is used: it overflows beyond k ≈ 713, which the switch avoids.
    """

    name = "log C_m(k) with a switch at k = 100"
    quantity = "log normalizer"
    oddity = "the value is continuous at the switch, the derivative jumps: −0.9900 to −0.9998 at m = 3"
    switch = 100.0

    def value(self, x: Tensor) -> Tensor:
        at = torch.tensor([self.switch], dtype=torch.float64, device=x.device)
        k = x.double()
        shifted = self._approximate(k) - (self._approximate(at) - self._exact(at))
        return torch.where(k < self.switch, self._exact(k), shifted).to(x.dtype)

    def supplied(self, x: Tensor) -> Tensor:
        k = x.double()
        exact = -bessel(self.order + 1, k) / bessel(self.order, k)
        return torch.where(k < self.switch, exact, -k / (self._root(k) + self._offset)).to(x.dtype)

    def _exact(self, k: Tensor) -> Tensor:
        return self.order * k.log() - bessel(self.order, k).log() - self.dimension / 2 * log(2 * pi)

    def _approximate(self, k: Tensor) -> Tensor:
        return -self._root(k) + self._offset * (self._offset + self._root(k)).log()

    def _root(self, k: Tensor) -> Tensor:
        return ((self.dimension / 2 + 0.5) ** 2 + k * k).sqrt()

    @property
    def _offset(self) -> float:
        return self.dimension / 2 - 1.5
