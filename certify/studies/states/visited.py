"""States as training visits them, rebuilt from what it has seen: a bank of classes, radii of queries, and ProCo's defects there.

The captured states are not public. Reconstructed ones stand in: a bank is made from the number n_j of unit features seen of each class
and a concentration of the class, with R_j² = ρ² + (1 − ρ²)/n_j for the mean resultant length, ρ = R_ν(κ*) (the expectation of claim
state.resultant over independent features), κ_j = pR_j/(1 − R_j²) and the public cap 1e5, which every class with a single feature gets.
Radii are r² = κ_j² + 2κ_j cos θ/τ + 1/τ², where cos θ is ρ for a query's own class and Gaussian of variance 1/p for others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from certify.realizations.tensor.closed_form import ClosedForm
from certify.realizations.tensor.consistent_autograd import ConsistentByAutograd
from certify.realizations.tensor.original import Original
from certify.studies.states.reconstructed import CAP, SEED
from certify.studies.tables.grid import order

TEMPERATURE = 0.1
CHUNK = 4096


@dataclass(frozen=True)
class Setting:
    """A bank with log-linear ``counts`` from the first class to the last, ``concentration`` κ*/ν, and so many queries.

    In a ``first`` batch the classes of the queries are all that was seen. Without queries the radii are the bank's κ.
    """

    panel: str
    name: str
    p: int
    classes: int
    counts: tuple[int, int]
    concentration: float
    queries: int = 0
    first: bool = False


@dataclass(frozen=True)
class Visited:
    """Radii of a state, the FP64 defects |g − Φ̃′| there, and which radii belong to capped classes."""

    setting: Setting
    radii: NDArray
    defects: NDArray
    capped: NDArray

    def share_above(self, size: float) -> float:
        """Of the radii with a larger defect."""
        return float(np.mean(self.defects > size))


def visit(setting: Setting) -> Visited:
    """The radii of a setting and their defects."""
    random, nu = np.random.RandomState(SEED), order(setting.p)
    counts = np.geomspace(*setting.counts, setting.classes).round()
    labels = random.choice(setting.classes, setting.queries, p=counts / counts.sum())
    seen = np.bincount(labels, minlength=setting.classes) if setting.first else counts
    length = ClosedForm(nu).derivative(torch.tensor(setting.concentration * nu, dtype=torch.float64)).item()
    kappa, capped = bank(setting.p, length, seen)
    if not setting.queries:
        return Visited(setting, kappa, defects(nu, kappa), capped)
    cosines = random.standard_normal((setting.queries, setting.classes)) / np.sqrt(setting.p)
    cosines[np.arange(setting.queries), labels] = length
    radii = np.sqrt(kappa * kappa + 2 * kappa * cosines / TEMPERATURE + 1 / TEMPERATURE**2).ravel()
    return Visited(setting, radii, defects(nu, radii), np.broadcast_to(capped, cosines.shape).ravel())


def bank(p: int, length: float, counts: NDArray) -> tuple[NDArray, NDArray]:
    """κ_j, zero for classes not seen, and which are capped."""
    square = np.where(counts > 0, length**2 + (1 - length**2) / np.maximum(counts, 1), 0.0)
    free = p * np.sqrt(square) / np.where(square < 1, 1 - square, np.inf)
    capped = (square >= 1) | (free > CAP)
    return np.where(capped, float(CAP), free), capped


def defects(nu: int, radii: NDArray) -> NDArray:
    """|g − Φ̃′| by the supplied rule and by autodiff of the finite forward, in pieces that fit the cache."""
    supplied, own = Original(nu), ConsistentByAutograd(nu)
    pieces = torch.from_numpy(radii).split(CHUNK)
    return torch.cat([(supplied.derivative(x) - own.derivative(x)).abs() for x in pieces]).numpy()
