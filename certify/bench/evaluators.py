"""The evaluators of the dense rows: realizations of Φ through the difference Φ̂(r) − Φ̂(κ), and what each should return."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from certify.bench import definitions
from certify.bench.definitions import Evaluation
from certify.realizations.tensor.closed_form import ClosedForm
from certify.realizations.tensor.consistent_autograd import ConsistentByAutograd
from certify.realizations.tensor.log_miller import LogMiller
from certify.realizations.tensor.protocol import TensorRealization
from certify.realizations.tensor.public import PublicOriginal


@dataclass(frozen=True)
class Evaluator:
    """``definition`` is the exact object that ``make(ν)`` realizes, ``operations`` the kind of work by which it is counted."""

    name: str
    make: Callable[[int], TensorRealization]
    definition: Evaluation
    operations: str


EVALUATORS = (
    Evaluator("original recurrence", PublicOriginal, definitions.original, "recurrence"),
    Evaluator("consistent recurrence", ConsistentByAutograd, definitions.consistent, "reverse"),
    Evaluator("log-domain Miller", LogMiller, definitions.original, "logarithmic"),
    Evaluator("AR/FR", ClosedForm, definitions.closed_form, "closed form"),
)


class Alone:
    """One evaluator outside any layout: Φ̂(r) − Φ̂(κ) for B×K radii, and its backward with unit upstream gradients."""

    def __init__(self, difference: Callable[[Tensor, Tensor], Tensor], kappa: Tensor, radii: Tensor) -> None:
        self.difference = difference
        self.kappa = kappa
        self.radii = radii.clone().requires_grad_()
        self.ones = torch.ones_like(radii)

    def restore(self) -> None:
        """Nothing is kept between runs."""

    def run(self) -> tuple[Tensor, Tensor]:
        """The differences and the supplied derivatives."""
        value = self.difference(self.kappa, self.radii)
        (slope,) = torch.autograd.grad(value, self.radii, self.ones)
        return value.detach(), slope


def compiled(realization: TensorRealization) -> Callable[[Tensor, Tensor], Tensor]:
    """Its difference by ``torch.compile``, one shape a compilation."""
    return torch.compile(realization.difference, fullgraph=True, dynamic=False)
