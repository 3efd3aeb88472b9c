"""A learning state: what a class-conditional von Mises–Fisher score is computed from, checked entry by entry.

Class j is known by the mean a_j of the features seen and their number n_j. A batch of features in V views has one label a sample; τ
is the temperature, and the prior π_j > 0 of a class enters its logit as log π_j, by default with n_j/Σn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import arb, arb_mat, fmpq
from numpy.typing import NDArray

from certify.claims.text import line
from certify.exact.ball import working_precision
from certify.exact.domain import positive
from certify.exact.errors import NotAccepted
from certify.exact.number import Number, brief
from certify.exact.truth import Truth, less

BITS = 320
LARGEST = 2.0**100
"""Of all entries, in size: squares and their sums stay far from overflow."""

REQUIRED = ("counts", "features", "labels", "temperature")
OPTIONAL = ("means", "sums", "priors")


@dataclass(frozen=True)
class State:
    """``means`` K×p and ``features`` V×B×p, both float32 or float64; ``counts`` and ``priors`` K; ``labels`` B; ``cap`` bounds every κ."""

    means: NDArray[Any]
    counts: NDArray[np.float64]
    features: NDArray[Any]
    labels: NDArray[np.int64]
    temperature: float
    priors: NDArray[np.float64]
    cap: fmpq | None = None

    @property
    def classes(self) -> int:
        """K."""
        return self.means.shape[0]

    @property
    def dimension(self) -> int:
        """p."""
        return self.means.shape[1]

    @property
    def order(self) -> fmpq:
        """ν = p/2 − 1."""
        return fmpq(self.dimension, 2) - 1

    @property
    def views(self) -> int:
        return self.features.shape[0]

    @property
    def samples(self) -> int:
        """B, the samples of a view."""
        return self.features.shape[1]

    def first(self, samples: int) -> State:
        """The same with the first samples of each view. Raises ValueError unless there is one."""
        if samples < 1:
            raise NotAccepted(f"samples = {samples}: at least 1 is accepted")
        features, labels = self.features[:, :samples], self.labels[:samples]
        return State(self.means, self.counts, features, labels, self.temperature, self.priors, self.cap)

    def squared_lengths(self) -> list[arb]:
        """‖a_j‖², at the working precision."""
        rows = arb_mat(self.means.tolist())
        return [sum((x * x for x in row), arb(0)) for row in rows.table()]

    def capped(self) -> NDArray[np.bool_]:
        """Which classes have κ = cap: those with ‖a_j‖ ≥ 1 and those with pR/(1 − R²) > cap."""
        with working_precision(BITS):
            return np.array([self.is_capped(square) for square in self.squared_lengths()])

    def is_capped(self, square: arb) -> bool:
        """Whether a class of that ‖a‖² has κ = cap."""
        if self.cap is None:
            return False
        return less(square, 1) is not Truth.YES or less(self.dimension * square.sqrt(), self.cap * (1 - square)) is Truth.NO


def state(entries: Mapping[str, Any], cap: Number | None = None) -> State:
    """A state from arrays by name: counts, features (B×p or V×B×p), labels, temperature, means or sums (K×p), and priors if wanted.

    ``sums`` are Σ f over the features of each class. Raises ValueError, naming the entry, for unknown, missing and double ones, for shapes
    that do not fit, entries that are not finite, counts and priors that are not positive, labels out of range, p < 3, a single
    class, and means with ‖a‖ ≥ 1, where κ = pR/(1 − R²) is not defined, unless ``cap`` says which κ they have.
    """
    _refuse_names(entries)
    counts = _vector("counts", entries["counts"])
    if len(counts) < 2:
        raise NotAccepted("counts has 1 entry: two classes at least are accepted")
    means = _means(entries, counts)
    features = _features(entries["features"], means.shape[1])
    temperature = _temperature(entries["temperature"])
    labels = _labels(entries["labels"], features.shape[1], len(counts))
    priors = _vector("priors", entries["priors"], len(counts)) if "priors" in entries else counts / counts.sum()
    found = State(means, counts, features, labels, temperature, priors, None if cap is None else _cap(cap))
    _refuse_long_means(found)
    return found


def _cap(value: Number) -> fmpq:
    found = positive("cap", value)
    if not 1 <= found * 2**100 <= 4**100:
        raise NotAccepted(f"cap = {brief(found)}: numbers from 2^-100 to 2^100 are accepted")
    return found


def _refuse_names(entries: Mapping[str, Any]) -> None:
    for name in entries:
        if name not in (*REQUIRED, *OPTIONAL):
            raise NotAccepted(f"unknown entry {name!r}: {', '.join((*REQUIRED, *OPTIONAL))} are accepted")
    for name in REQUIRED:
        if name not in entries:
            raise NotAccepted(f"no entry {name!r}: it is needed")
    if ("means" in entries) == ("sums" in entries):
        raise NotAccepted("give one of 'means' and 'sums'")


def _array(name: str, value: Any, dimensions: tuple[int, ...]) -> NDArray[Any]:
    """A float array of one of the numbers of dimensions, every entry finite."""
    array = _plain(name, value)
    if array.dtype not in (np.float32, np.float64):
        if array.dtype.kind not in "iuf":
            raise NotAccepted(f"{name} has dtype {array.dtype}: real numbers are accepted")
        array = array.astype(np.float64)
    if array.ndim not in dimensions or 0 in array.shape:
        wanted = " or ".join(map(str, dimensions))
        raise NotAccepted(f"{name} has shape {array.shape}: {wanted} dimensions, none of length 0, are accepted")
    bad = np.argwhere(~(np.abs(array) <= LARGEST))
    if len(bad):
        raise NotAccepted(f"{name}[{', '.join(map(str, bad[0]))}] is {array[tuple(bad[0])]}: finite numbers up to 2^100 are accepted")
    return array


def _plain(name: str, value: Any) -> NDArray[Any]:
    """Tensors of torch without their graph; of a dtype that NumPy lacks they are refused."""
    try:
        return np.asarray(value.detach().cpu() if hasattr(value, "detach") else value)
    except (TypeError, ValueError) as error:
        raise NotAccepted(f"{name} is no array of numbers: {line(str(error))}") from None


def _vector(name: str, value: Any, length: int | None = None) -> NDArray[np.float64]:
    """Positive numbers, one a class."""
    array = _array(name, value, (1,)).astype(np.float64)
    if length is not None and len(array) != length:
        raise NotAccepted(f"{name} has {len(array)} entries, there are {length} classes")
    bad = np.flatnonzero(array <= 0)
    if len(bad):
        raise NotAccepted(f"{name}[{bad[0]}] is {array[bad[0]]}: numbers > 0 are accepted")
    return array


def _means(entries: Mapping[str, Any], counts: NDArray[np.float64]) -> NDArray[Any]:
    name = "means" if "means" in entries else "sums"
    array = _array(name, entries[name], (2,))
    if len(array) != len(counts):
        raise NotAccepted(f"{name} has {len(array)} rows, counts has {len(counts)} entries: one a class is accepted")
    if array.shape[1] < 3:
        raise NotAccepted(f"{name} has dimension p = {array.shape[1]}: p >= 3 is accepted")
    return array if name == "means" else (array / counts[:, None]).astype(array.dtype)


def _features(value: Any, dimension: int) -> NDArray[Any]:
    array = _array("features", value, (2, 3))
    if array.shape[-1] != dimension:
        raise NotAccepted(f"features have dimension {array.shape[-1]}, the class means {dimension}")
    return array if array.ndim == 3 else array[None]


def _labels(value: Any, samples: int, classes: int) -> NDArray[np.int64]:
    array = _plain("labels", value)
    if array.dtype.kind not in "iu" or array.shape != (samples,):
        raise NotAccepted(f"labels have dtype {array.dtype} and shape {array.shape}: {samples} integers, one a sample, are accepted")
    bad = np.flatnonzero((array < 0) | (array >= classes))
    if len(bad):
        raise NotAccepted(f"labels[{bad[0]}] is {array[bad[0]]}: 0 to {classes - 1} are accepted")
    return array.astype(np.int64)


def _temperature(value: Any) -> float:
    array = _array("temperature", value, (0, 1))
    if array.size != 1 or not array.item() >= 1 / LARGEST:
        raise NotAccepted(f"temperature is {array.tolist()}: one number from 2^-100 to 2^100 is accepted")
    return float(array.item())


def _refuse_long_means(found: State) -> None:
    if found.cap is not None:
        return
    with working_precision(BITS):
        for j, square in enumerate(found.squared_lengths()):
            if less(square, 1) is not Truth.YES:
                length = float(np.linalg.norm(found.means[j].astype(np.float64)))
                where = f"means[{j}] has length {length:.6g}"
                raise NotAccepted(f"{where}: kappa = pR/(1 - R^2) needs R < 1; normalize the features, or give a cap (--cap 1e5)")
