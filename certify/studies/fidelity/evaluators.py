"""What there is to evaluate R_ν with, behind one protocol: ``certify.vmf``, CUSF and the libraries of ``realizations.libraries``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version

import numpy as np
from numpy.typing import NDArray

from certify.realizations.cusf import Cusf
from certify.realizations.libraries import EVALUATORS, Evaluator, Mpmath

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Entry:
    """``ratio(ν, x)`` and ``rise(ν, x)`` = Φ̂(x+1) − Φ̂(x), in FP64; ``rise`` None where there is no potential beside the ratio.

    ``missing`` says why it cannot be run here; one that takes elements one by one is ``slow``. ``promise(p)`` bounds the error.
    """

    name: str
    version: str
    ratio: Callable[[float, Array], Array]
    rise: Callable[[float, Array], Array] | None
    missing: str | None = None
    slow: bool = False
    promise: Callable[[int], float] | None = None


def entries() -> tuple[Entry, ...]:
    """All of them, those that are not installed included."""
    return (_vmf(None), _vmf(1), *map(_library, EVALUATORS[:2]), _cusf(), *map(_library, EVALUATORS[2:]))


def _vmf(n: int | None) -> Entry:
    """``certify.vmf`` by default, or with order = n."""
    import torch

    from certify import vmf

    def ratio(nu: float, x: Array) -> Array:
        return vmf.ratio(torch.from_numpy(x), nu=nu, order=n).numpy()

    def rise(nu: float, x: Array) -> Array:
        return vmf.potential_difference(torch.from_numpy(x), torch.from_numpy(x + 1.0), nu=nu, order=n).numpy()

    name = "certify.vmf.ratio" + ("" if n is None else f", order={n}")
    return Entry(name, f"torch {torch.__version__}", ratio, rise, promise=lambda p: vmf.accuracy(p=p, order=n).total)


def _cusf() -> Entry:
    def rise(nu: float, x: Array) -> Array:
        return Cusf(nu).difference(x, x + 1.0)

    return Entry("CUSF (NumPy)", f"numpy {version('numpy')}", lambda nu, x: Cusf(nu).derivative(x), rise)


def _library(kind: type[Evaluator]) -> Entry:
    library = kind()

    def rise(nu: float, x: Array) -> Array:
        with np.errstate(all="ignore"):
            return (library.log_bessel(nu, x + 1.0) - library.log_bessel(nu, x)) - nu * np.log1p(1 / x)

    missing = library.missing()
    found = "" if missing else f"{library.package} {library.version()}"
    return Entry(library.name, found, library.ratio, rise if library.has_logarithm else None, missing, kind is Mpmath)
