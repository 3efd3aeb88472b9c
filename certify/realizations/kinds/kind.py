"""What the kinds have in common: a dimension, a quantity, a value and a supplied derivative."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from certify.realizations.tensor.arguments import checked

FLOATS = (torch.float64, torch.float32)


@dataclass(frozen=True)
class Kind(ABC):
    """``dimension`` is p, called m in some sources; v = p/2 − 1. Calling it gives the value, with the supplied gradient.

    Raises ValueError unless p is a whole number ≥ 3 and the argument a float64 or float32 tensor. Nothing else is checked:
    what happens at 0, below it and at infinity is the source's doing, and so are second derivatives, to which SciPy is constant.
    """

    dimension: int
    name: ClassVar[str]
    quantity: ClassVar[Literal["log bessel", "scaled bessel", "log normalizer", "ratio"]]
    oddity: ClassVar[str]

    def __post_init__(self) -> None:
        if not isinstance(self.dimension, int) or isinstance(self.dimension, bool) or self.dimension < 3:
            raise ValueError(f"dimension {self.dimension!r}: {self.name} needs a whole number >= 3")

    @property
    def order(self) -> float:
        """v of the quantity."""
        return self.dimension / 2 - 1

    def __call__(self, x: Tensor) -> Tensor:
        return _Kind.apply(checked(x, FLOATS, self.name), self)

    @abstractmethod
    def value(self, x: Tensor) -> Tensor: ...

    @abstractmethod
    def supplied(self, x: Tensor) -> Tensor: ...


class _Kind(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, kind: Kind) -> Tensor:
        ctx.save_for_backward(x)
        ctx.kind = kind
        return kind.value(x)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        (x,) = ctx.saved_tensors
        return gradient * ctx.kind.supplied(x), None


def scaled_bessel(v: float, x: Tensor) -> Tensor:
    """e^{−x} I_v(x) by SciPy, in float64."""
    from scipy.special import ive

    return _tensor(ive(v, _array(x)), x)


def bessel(v: float, x: Tensor) -> Tensor:
    """I_v(x) by SciPy, in float64; inf where it overflows."""
    from scipy.special import iv

    return _tensor(iv(v, _array(x)), x)


def _array(x: Tensor) -> NDArray[np.float64]:
    return x.detach().cpu().double().numpy()


def _tensor(values: NDArray[np.float64], like: Tensor) -> Tensor:
    return torch.from_numpy(np.asarray(values)).to(like.device)
