"""The audited function of many variables, as maps between flat vectors."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from certify.audit.evidence import Finding, Kind
from certify.audit.precision import Floats, Precision, precision
from certify.audit.subject import NoGradient

REPEATS = 4


@dataclass
class Many:
    """F from the floating-point entries of ``inputs``, flattened, to those of the output; for order 2 its supplied Jᵀw.

    Other inputs are passed as they are. ``seeded`` sets all random states before each call.
    """

    fn: Callable[..., Any]
    inputs: Sequence[Any]
    format: Precision
    order: int = 1
    seeded: bool = False
    noise: float = 0.0
    outputs: int = 0
    evaluations: int = 0
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.places = [i for i, value in enumerate(self.inputs) if isinstance(value, torch.Tensor) and value.is_floating_point()]
        if not self.places:
            raise ValueError("inputs: at least one floating-point tensor is needed")
        self.shapes = [tuple(self.inputs[i].shape) for i in self.places]
        self.sizes = [int(np.prod(shape)) for shape in self.shapes]
        self.output = self.format
        self.weight: Floats | None = None

    @property
    def start(self) -> Floats:
        """The inputs as one vector."""
        return np.concatenate([self.inputs[i].detach().double().reshape(-1).numpy() for i in self.places])

    def forward(self, x: Floats) -> Floats:
        y, _ = self._evaluate(x)
        return y.detach().double().reshape(-1).numpy()

    def attempt(self, x: Floats, w: Floats | None = None) -> Floats:
        """The output after a first call, or Jᵀw where w is given; nan where the function raises."""
        try:
            return self.forward(x) if w is None else self.pull(x, w)
        except Exception:
            return np.full(self.outputs if w is None else x.size, np.nan)

    def pull(self, x: Floats, w: Floats) -> Floats:
        """Jᵀw as supplied."""
        y, leaves = self._evaluate(x)
        if not y.requires_grad and self.order == 1:
            raise NoGradient("the output does not require a gradient: no derivative is supplied")
        return _pulled(y, leaves, w)

    def randomness(self, x: Floats) -> float:
        """The spread of repeated evaluations; where there is one, random states are set before each call from then on."""
        spread = self._spread(x)
        if spread > 0 and not self.seeded:
            self.seeded = True
            spread = self._spread(x)
            self.notes.append("the function draws random numbers: they were drawn from the same seed in every call")
        if spread > 0:
            self.notes.append(f"repeated evaluations differ by {spread:.2g}; this counts as noise")
        return 3 * spread

    def _spread(self, x: Floats) -> float:
        values = np.stack([self.forward(x) for _ in range(REPEATS)])
        return float(np.abs(values - values[0]).max()) if np.isfinite(values).all() else 0.0

    def _evaluate(self, x: Floats) -> tuple[torch.Tensor, list[torch.Tensor]]:
        self.evaluations += 1
        if self.seeded:
            seed_all()
        leaves = [part.reshape(shape).requires_grad_() for part, shape in zip(self._split(x), self.shapes, strict=True)]
        y = self._call(leaves)
        if self.order == 1:
            return self._noted(y), leaves
        generator = np.random.default_rng(2)
        weight = torch.as_tensor(generator.uniform(0.5, 1.5, tuple(y.shape))).to(y.dtype)
        if not y.requires_grad:
            return self._noted(torch.zeros(x.size, dtype=self.format.dtype)), leaves
        parts = torch.autograd.grad(y, leaves, weight, create_graph=True, allow_unused=True)
        filled = [torch.zeros_like(leaf) if part is None else part for part, leaf in zip(parts, leaves, strict=True)]
        return self._noted(torch.cat([part.reshape(-1) for part in filled])), leaves

    def _noted(self, y: torch.Tensor) -> torch.Tensor:
        self.outputs = y.numel()
        self.output = max((precision(y.dtype), self.format), key=lambda format: format.eps)
        return y

    def _split(self, x: Floats) -> list[torch.Tensor]:
        return list(torch.tensor(np.asarray(x), dtype=self.format.dtype).split(self.sizes))

    def _call(self, leaves: Sequence[torch.Tensor]) -> torch.Tensor:
        given = list(self.inputs)
        for place, leaf in zip(self.places, leaves, strict=True):
            given[place] = leaf
        y = self.fn(*given)
        every = y if isinstance(y, tuple | list) else [y]
        parts = [part for part in every if isinstance(part, torch.Tensor) and part.is_floating_point()]
        if not parts:
            raise ValueError(f"the function returns a {type(y).__name__}, a real floating-point tensor is needed")
        return parts[0] if len(parts) == 1 else torch.cat([part.reshape(-1) for part in parts])

    def name(self, i: int, j: int) -> str:
        """An entry of the Jacobian in words."""
        place = 0
        while j >= self.sizes[place]:
            j -= self.sizes[place]
            place += 1
        index = tuple(int(k) for k in np.unravel_index(j, self.shapes[place])) if self.shapes[place] else ()
        argument = f"input {self.places[place]}" if len(self.places) > 1 else "input"
        return (f"output {i}, " if self.outputs > 1 else "") + argument + (str(list(index)) if index else "")

    def conduct(self, x: Floats) -> list[Finding]:
        """Linearity in the upstream gradient, a second backward, and the inputs' own memory layout."""
        generator = np.random.default_rng(3)
        w = generator.choice([1.0, -2.0, 0.5, 4.0], self.outputs)
        base = self.pull(x, w)
        found = [self._compared(Kind.UPSTREAM, self.pull(x, -8 * w) / -8, base, x, "upstream gradient times −8")]
        half = np.where(np.arange(w.size) % 2 == 0, w, 0.0)
        if w.size > 1:
            found.append(self._compared(Kind.UPSTREAM, self.pull(x, half) + self.pull(x, w - half), base, x, "upstream gradients added"))
        for kind, what, supplied in (
            (Kind.REPEATED, "second backward", self._again),
            (Kind.LAYOUT, "the inputs' own layout", self._as_given),
        ):
            try:
                found.append(self._compared(kind, supplied(x, w), base, x, what))
            except Exception as error:
                self.notes.append(f"{what} raises {type(error).__name__}: {next(iter(str(error).splitlines()), '')}")
        return [finding for finding in found if finding is not None]

    def _again(self, x: Floats, w: Floats) -> Floats:
        y, leaves = self._evaluate(x)
        _pulled(y, leaves, w, again=True)
        return _pulled(y, leaves, w, again=True)

    def _as_given(self, x: Floats, w: Floats) -> Floats:
        """With leaves of the strides that the example inputs have; expanded ones share their memory."""
        if self.seeded:
            seed_all()
        leaves = [self.inputs[i].detach().to(self.format.dtype).requires_grad_() for i in self.places]
        y = self._call(leaves)
        if self.order != 1 or not np.array_equal(np.concatenate([leaf.detach().double().reshape(-1).numpy() for leaf in leaves]), x):
            return self.pull(x, w)
        return _pulled(y, leaves, w)

    def _compared(self, kind: Kind, got: Floats, base: Floats, x: Floats, what: str) -> Finding | None:
        size = np.abs(base[np.isfinite(base)]).max(initial=0.0)
        allowed = np.sqrt(self.output.eps) * np.maximum(np.abs(base), 1e-3 * size) + self.noise + 2 * self.format.smallest
        gap = np.where(np.isfinite(base), np.abs(np.where(np.isfinite(got), got, np.inf) - base), 0.0)
        ratio = gap / allowed
        if not ratio.max() > 1:
            return None
        j = int(ratio.argmax())
        note = f"{what}: {got[j]:.10g} supplied, {base[j]:.10g} expected"
        return Finding(kind, float(x[j]), float(got[j]), float(base[j]), 0.0, 0.0, self.format.name, self.order, self.name(0, j), note)


def _pulled(y: torch.Tensor, leaves: Sequence[torch.Tensor], w: Floats, again: bool = False) -> Floats:
    """Jᵀw by a backward through the graph of y, which is kept for use ``again``; zeros where there is none."""
    if not y.requires_grad:
        return _flat([None] * len(leaves), leaves)
    weight = torch.as_tensor(np.asarray(w).reshape(tuple(y.shape))).to(y.dtype)
    return _flat(torch.autograd.grad(y, leaves, weight, retain_graph=again, allow_unused=True), leaves)


def _flat(parts: Sequence[torch.Tensor | None], leaves: Sequence[torch.Tensor]) -> Floats:
    filled = [torch.zeros_like(leaf) if part is None else part for part, leaf in zip(parts, leaves, strict=True)]
    return np.concatenate([part.detach().double().reshape(-1).numpy() for part in filled])


def seed_all() -> None:
    """The same random numbers from here on."""
    torch.manual_seed(0)
    np.random.seed(0)
    random.seed(0)
