"""log I_v(z) with an upper bound of its derivative for a gradient, and the same gradient on a value that never changes."""

from __future__ import annotations

import torch
from torch import Tensor

from certify.realizations.kinds.kind import Kind, bessel, scaled_bessel


class BoundAsGradient(Kind):
    """Value log I_v(z), by the scaled function where I_v overflows or is 0; supplied v/z + z/(v + √((v + 2)² + z²)).

    The exact derivative is v/z + R_v(z), and the second term an upper bound of R_v.
    """

    name = "log I_v with a bound as gradient"
    quantity = "log bessel"
    oddity = "the supplied derivative is above the true one everywhere"

    def value(self, x: Tensor) -> Tensor:
        z = x.double()
        direct = bessel(self.order, z).log()
        return torch.where(direct.isinf(), scaled_bessel(self.order, z).log() + z, direct).to(x.dtype)

    def supplied(self, x: Tensor) -> Tensor:
        v = self.order
        return v / x + x / (v + ((v + 2) * (v + 2) + x * x).sqrt())


class ReturnConstant(BoundAsGradient):
    """Value 0 everywhere: only the gradient was wanted."""

    name = "constant with a bound as gradient"
    oddity = "the value is z − z: the whole supplied derivative is the defect"

    def value(self, x: Tensor) -> Tensor:
        return x - x
