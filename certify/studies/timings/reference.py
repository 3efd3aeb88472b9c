"""The frozen reference of ``certify bench``: exact values, rounded once to float64, with a digest.

Three parts. *Grid*: at x = 2^k ν, k = −6 … 10, for seven dimensions: R_ν and A_R, R̃ and Φ̃′ at M = 2ν, the differences of Φ, F_R and Φ̃
from x = ν, and proved bounds of |R_ν − A_n|. *Coefficients*: the kernels', so that a machine without python-flint has them. *State*: the
boundary of Table 7 at the default settings with its float32 inputs taken as exact numbers: the loss, some scores, and of every feature's
gradient the products with a few vectors of signs.

``python -m certify.studies.timings.reference FILE`` makes it (minutes); the package ships it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import inf, nextafter
from multiprocessing import get_context
from typing import Any, NamedTuple

from flint import arb, arb_mat, fmpq
from torch import Tensor

from certify.bench.frozen import DEFAULT, DIMENSIONS, POWERS, SCHEMA, SIGNS, digest, sampled, signs
from certify.bench.state import TEMPERATURE, Inputs, inputs
from certify.claims.files import write_atomically
from certify.claims.provenance import cores
from certify.exact import bessel, debye, recurrence
from certify.exact.ball import accuracy, working_precision
from certify.exact.number import Pairs, from_pairs, nearest_double, pairs
from certify.exact.selector import ORDERS, uniform
from certify.exact.truth import sign
from certify.vmf.coefficients import FAMILIES, SIGNIFICANT_BITS, table

DIGITS = 25
BITS = 192
CORRECT = 17


class Values(NamedTuple):
    """Potentials without constants and supplied derivatives at one point."""

    finite: arb
    clipped: arb
    derivative: arb
    closed: arb
    ratio: arb


def write(path: str) -> None:
    """Make the reference anew."""
    content = {"schema": SCHEMA, "grid": grid(), "coefficients": coefficients(), "state": state()}
    content["digest"] = digest(content)
    write_atomically(path, json.dumps(content, indent=1, sort_keys=True) + "\n")


def grid() -> list[dict[str, Any]]:
    """One entry a dimension."""
    return [_grid_entry(dim) for dim in DIMENSIONS]


def _grid_entry(dim: int) -> dict[str, Any]:
    nu = dim // 2 - 1
    points = [fmpq(nu) * fmpq(2) ** k for k in POWERS]
    columns: dict[str, Callable[[fmpq], arb]] = {
        "ratio": lambda x: bessel.ratio(nu, x, DIGITS),
        "difference": lambda x: bessel.potential_difference(nu, nu, x, DIGITS),
        "closed_ratio": lambda x: debye.ladder_ratio(1, nu, x, DIGITS),
        "closed_difference": lambda x: debye.ladder_potential_difference(1, nu, nu, x, DIGITS),
        "finite_ratio": lambda x: recurrence.enclose_ratio(nu, 2 * nu, x, DIGITS),
        "finite_derivative": lambda x: recurrence.enclose_derivative(nu, 2 * nu, x, DIGITS),
        "finite_difference": lambda x: recurrence.enclose_difference(nu, 2 * nu, nu, x, DIGITS),
    }
    values = {name: [nearest(column(x)) for x in points] for name, column in columns.items()}
    bounds = {str(n): above(uniform(n).constant / fmpq(nu) ** (n + 2)) for n in ORDERS}
    return {"dim": dim, "x": [nearest(arb(x)) for x in points], **values, "bounds": bounds}


def coefficients() -> dict[str, dict[str, list[list[str]]]]:
    """The tables of ``certify.vmf.coefficients``, by family and significant bits."""
    found: dict[str, dict[str, list[list[str]]]] = {family: {} for family in FAMILIES}
    for family, entry in found.items():
        for dtype, bits in SIGNIFICANT_BITS.items():
            entry[str(bits)] = [[c.hex() for c in row] for row in table(family, ORDERS[-1], dtype)]
    return found


def state() -> dict[str, Any]:
    """The boundary at the default settings, in balls."""
    given = inputs(DEFAULT)
    with working_precision(BITS):
        realized = _boundary(given)
    return {"inputs": given.digest, "signs": SIGNS, "realized": realized}


def _boundary(given: Inputs) -> dict[str, Any]:
    """Loss, sampled scores and projected gradients of the three definitions."""
    names = {"original": ("finite", "clipped"), "consistent": ("finite", "derivative"), "closed form": ("closed", "ratio")}
    views = [_View(given, view) for view in range(len(given.features))]
    return {name: _realized(views, given, potential, slope) for name, (potential, slope) in names.items()}


def _realized(views: Sequence[_View], given: Inputs, potential: str, slope: str) -> dict[str, Any]:
    found = [view.realized(potential, slope) for view in views]
    scores = [[found[v][0][b][j] for j in sampled(b)] for v in range(len(views)) for b in range(DEFAULT.batch)]
    loss = sum((entry[1] for entry in found), arb(0)) / len(views)
    projections = [[value / len(views) for value in row] for entry in found for row in entry[2]]
    rounded = [[nearest(value) for value in row] for row in scores]
    return {"loss": nearest(loss), "scores": rounded, "projections": [[nearest(value) for value in row] for row in projections]}


class _View:
    """One view of the boundary after the updates up to it, geometry and evaluations in balls."""

    def __init__(self, given: Inputs, view: int) -> None:
        self.labels = given.labels.tolist()
        self.log_priors = [arb(value) for value in given.log_priors.tolist()]
        self.features = _matrix(given.features[view])
        means = _means_after(given, view + 1)
        self.temperature = arb(TEMPERATURE)
        square = [_square(row) for row in means]
        weights = [DEFAULT.dim / (1 - s) for s in square]
        self.directed = arb_mat([[w * a for a in row] for w, row in zip(weights, means, strict=True)])
        kappa = [w * s.sqrt() for w, s in zip(weights, square, strict=True)]
        projection = (self.features * self.directed.transpose()).tolist()
        own = [_square(row) / self.temperature**2 for row in self.features.tolist()]
        self.radii = [
            [(k * k + 2 * c / self.temperature + f).sqrt() for k, c in zip(kappa, row, strict=True)]
            for row, f in zip(projection, own, strict=True)
        ]
        self.at_radii, self.at_kappa = _evaluated([*self.radii, kappa])

    def realized(self, potential: str, slope: str) -> tuple[list[list[arb]], arb, list[list[arb]]]:
        """Scores, mean cross-entropy, and the projections of its gradients."""
        base = [getattr(value, potential) for value in self.at_kappa]
        scores = [[getattr(v, potential) - b for v, b in zip(row, base, strict=True)] for row in self.at_radii]
        losses, coefficients = zip(*map(self._softmax, scores, self.labels), strict=True)
        weights = [
            [c * getattr(v, slope) / r for c, v, r in zip(cs, vs, rs, strict=True)]
            for cs, vs, rs in zip(coefficients, self.at_radii, self.radii, strict=True)
        ]
        return scores, sum(losses, arb(0)) / len(losses), self._projections(weights)

    def _softmax(self, scores: list[arb], label: int) -> tuple[arb, list[arb]]:
        """−log probability of the label, and probabilities minus its indicator."""
        powers = [(score + prior).exp() for score, prior in zip(scores, self.log_priors, strict=True)]
        total = sum(powers, arb(0))
        found = [power / total for power in powers]
        loss = -found[label].log()
        found[label] = found[label] - 1
        return loss, found

    def _projections(self, weights: list[list[arb]]) -> list[list[arb]]:
        """Of (Σ_j w_j (κ_jμ_j + f/τ))/(Bτ), on the vectors of signs."""
        vectors = arb_mat(signs().T.astype(int).tolist())
        along = (arb_mat(weights) * (self.directed * vectors)).tolist()
        own = (self.features * vectors).tolist()
        scale = len(weights) * self.temperature
        totals = [sum(row, arb(0)) / self.temperature for row in weights]
        return [[(a + t * f) / scale for a, f in zip(row, fs, strict=True)] for row, fs, t in zip(along, own, totals, strict=True)]


def _means_after(given: Inputs, views: int) -> list[list[arb]]:
    """Class means after the updates of the first views, from exact inputs."""
    means, counts = [[arb(a) for a in row] for row in given.means.tolist()], given.counts.tolist()
    for features in given.features[:views].tolist():
        for label in sorted(set(given.labels.tolist())):
            rows = [row for row, own in zip(features, given.labels.tolist(), strict=True) if own == label]
            total = counts[label] + len(rows)
            sums = [sum(map(arb, column), arb(0)) for column in zip(*rows, strict=True)]
            means[label] = [(counts[label] * a + s) / total for a, s in zip(means[label], sums, strict=True)]
            counts[label] = total
    return means


def _evaluated(rows: list[list[arb]]) -> tuple[list[list[Values]], list[Values]]:
    """All evaluations, the last row apart; in processes, as each takes a millisecond or more."""
    with ProcessPoolExecutor(cores(), mp_context=get_context("spawn")) as pool:
        *found, last = pool.map(partial(_row, DEFAULT.order), [list(map(pairs, row)) for row in rows])
    return [list(map(_unpacked, row)) for row in found], list(map(_unpacked, last))


def _row(order: int, row: list[Pairs]) -> list[list[Pairs]]:
    with working_precision(BITS):
        return [[pairs(value) for value in _values(order, from_pairs(packed))] for packed in row]


def _unpacked(packed: list[Pairs]) -> Values:
    return Values(*map(from_pairs, packed))


def _values(order: int, x: arb) -> Values:
    start = 2 * order
    quotient = recurrence.quotient(order, start, x)
    finite = x.bessel_i(0, scaled=True).log() + x + quotient.log()
    clipped = recurrence.ratio(order, start, x).min(arb(1))
    s = (order * order + x * x).sqrt()
    closed = s - order * (order + s).log() - s.log() / 2 + (3 * x * x - 2 * order * order) / (24 * s**3)
    ratio = x / (order + s) - x / (2 * s * s) + x * (4 * order * order - x * x) / (8 * s**5)
    return Values(finite, clipped, recurrence.derivative(order, start, x), closed, ratio)


def _matrix(values: Tensor) -> arb_mat:
    return arb_mat([[arb(value) for value in row] for row in values.tolist()])


def _square(row: Sequence[arb]) -> arb:
    return sum((value * value for value in row), arb(0))


def nearest(value: arb) -> str:
    """The float64 next to a ball of at least 17 digits, as hexadecimal text. Raises ValueError for a wider ball."""
    if sign(value) != 0 and accuracy(value) < CORRECT:
        raise ValueError(f"a reference value is known to {accuracy(value)} digits only; {CORRECT} are needed")
    return float(value.mid()).hex()


def above(value: fmpq) -> str:
    """A float64 above a positive rational, as hexadecimal text."""
    return nextafter(nearest_double(value), inf).hex()


if __name__ == "__main__":
    write(sys.argv[1])
