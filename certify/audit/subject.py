"""The audited function as two maps between arrays: its realized forward, and the derivative that it supplies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from certify.audit.precision import Floats, Precision, precision

CHUNK = 1 << 15  # elements of one call


class NoGradient(ValueError):
    """The output does not depend on the input in a way that autograd knows."""


class WrongOutput(ValueError):
    """The function returns something other than a real tensor of the shape of its input."""


@dataclass
class Subject:
    """An elementwise function at one precision; with ``order`` 2 its supplied derivative takes the forward's place.

    Elements at which the function raises are given the value nan. Each call works on a tensor of its own.
    """

    fn: Callable[[torch.Tensor], Any]
    format: Precision
    order: int = 1
    output: Precision = field(init=False)
    raised: Exception | None = None
    evaluations: int = 0

    def __post_init__(self) -> None:
        self.output = self.format

    def forward(self, x: Floats) -> Floats:
        """The realized forward at each point."""
        return self._in_chunks(self._forward, x)

    def supplied(self, x: Floats, upstream: Floats | None = None) -> Floats:
        """The supplied derivative at each point, times ``upstream`` where that is given."""
        if upstream is None:
            return self._in_chunks(lambda part: self._supplied(part, None), x)
        return self._supplied(np.asarray(x, dtype=np.float64), upstream)

    def tensor(self, x: Floats) -> torch.Tensor:
        return torch.tensor(np.asarray(x, dtype=np.float64), dtype=self.format.dtype).requires_grad_()

    def call(self, x: torch.Tensor) -> torch.Tensor:
        """The output of the function itself. Raises WrongOutput unless it has the shape of the input."""
        y = self.fn(x)
        if not isinstance(y, torch.Tensor):
            raise WrongOutput(f"the function returns a {type(y).__name__}, a tensor is needed")
        if y.shape != x.shape:
            shapes = f"{tuple(x.shape)} to {tuple(y.shape)}"
            raise WrongOutput(f"the function maps shape {shapes}: give example tensors as inputs (a command: --shape)")
        if not y.is_floating_point():
            raise WrongOutput(f"the function returns {y.dtype}, a real floating-point tensor is needed")
        return y

    def value(self, x: torch.Tensor) -> torch.Tensor:
        """What is differentiated: the output, or for order 2 the derivative supplied for it."""
        y = self.call(x)
        if self.order == 1:
            return y
        return gradient(y, x, torch.ones_like(y), create_graph=True)

    def _forward(self, x: Floats) -> Floats:
        leaf = self.tensor(x)
        y = self.value(leaf)
        self.output = max((precision(y.dtype), self.output), key=lambda format: format.eps)
        return y.detach().double().numpy()

    def _supplied(self, x: Floats, upstream: Floats | None) -> Floats:
        leaf = self.tensor(x)
        y = self.value(leaf)
        if not y.requires_grad and self.order == 1:
            raise NoGradient("the output does not require a gradient: no derivative is supplied")
        weight = torch.ones_like(y) if upstream is None else torch.as_tensor(upstream).to(y.dtype)
        return gradient(y, leaf, weight).double().numpy()

    def _in_chunks(self, evaluate: Callable[[Floats], Floats], x: Floats) -> Floats:
        x = np.asarray(x, dtype=np.float64)
        if x.size == 0:
            return np.zeros(x.shape)
        self.evaluations += x.size
        flat, result = x.reshape(-1), np.empty(x.size)
        for start in range(0, x.size, CHUNK):
            part = slice(start, start + CHUNK)
            result[part] = self._tolerant(evaluate, flat[part])
        return result.reshape(x.shape)

    def _tolerant(self, evaluate: Callable[[Floats], Floats], x: Floats) -> Floats:
        """Evaluate; where that raises, look for the elements that are refused."""
        try:
            return evaluate(x)
        except NoGradient:
            raise
        except Exception as error:
            self.raised = error
        order = np.argsort(x)
        result = np.empty(x.size)
        result[order] = self._halved(evaluate, x[order])
        return result

    def _halved(self, evaluate: Callable[[Floats], Floats], x: Floats) -> Floats:
        """Evaluate sorted elements, in halves where that raises, until the refused ones are alone or all that is left."""
        try:
            return evaluate(x)
        except Exception as error:
            self.raised = error
        if x.size == 1 or (x.size > 8 and not any(self._accepts(evaluate, x[i : i + 1]) for i in (0, x.size // 3, 2 * x.size // 3, -1))):
            return np.full(x.size, np.nan)
        half = x.size // 2
        return np.concatenate([self._halved(evaluate, x[:half]), self._halved(evaluate, x[half:])])

    @staticmethod
    def _accepts(evaluate: Callable[[Floats], Floats], x: Floats) -> bool:
        try:
            evaluate(x)
        except Exception:
            return False
        return True


def gradient(y: torch.Tensor, x: torch.Tensor, weight: torch.Tensor, create_graph: bool = False) -> torch.Tensor:
    """What autograd hands to x; zero where y does not depend on it."""
    if not y.requires_grad:
        return torch.zeros_like(x)
    (supplied,) = torch.autograd.grad(y, x, weight, create_graph=create_graph, allow_unused=True)
    return torch.zeros_like(x) if supplied is None else supplied
