"""e^{−z} I_v(z) with the derivative from a recurrence, and a logarithm built upon it (hyperspherical VAEs and their descendants)."""

from __future__ import annotations

import torch
from torch import Tensor

from certify.realizations.kinds.kind import Kind, scaled_bessel


class ScaledBessel(Kind):
    """Value ive(v, z), supplied derivative ive(v − 1, z) − ive(v, z)(v + z)/z, all of it returned as float32."""

    name = "scaled Bessel function in float32"
    quantity = "scaled bessel"
    oddity = "the value is float32 whatever the argument is: 0 below x/v = 0.18 (p = 128) to 2.5 (p = 1024)"

    def value(self, x: Tensor) -> Tensor:
        return scaled_bessel(self.order, x).float()

    def supplied(self, x: Tensor) -> Tensor:
        lower = scaled_bessel(self.order - 1, x).float()
        return lower - self.value(x) * (self.order + x) / x


class LogOfShifted(Kind):
    """Value log(1e-6 + ive(v, z)) + z, supplied derivative that of the value: coherent, and wrong where ive(v, z) ≲ 1e-6."""

    name = "logarithm of the shifted scaled Bessel function"
    quantity = "log bessel"
    oddity = "coherent but unfaithful: the shift takes over where ive(v, z) is small"

    def value(self, x: Tensor) -> Tensor:
        return torch.log(1e-6 + scaled_bessel(self.order, x)).to(x.dtype) + x

    def supplied(self, x: Tensor) -> Tensor:
        scaled = scaled_bessel(self.order, x)
        slope = scaled_bessel(self.order - 1, x) - scaled * (self.order + x) / x
        return (slope / (1e-6 + scaled)).to(x.dtype) + 1
