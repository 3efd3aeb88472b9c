"""What other libraries offer for R_ν and log I_ν, behind one protocol, in FP64; a library that is not installed says so."""

from __future__ import annotations

import ctypes
from abc import ABC, abstractmethod
from ctypes.util import find_library
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Missing(ValueError):
    """The library is not installed, or does not offer the function."""


class Evaluator(ABC):
    """``ratio(order, x)`` is R_ν(x) and ``log_bessel(order, x)`` is log I_ν(x), for ν ≥ 0 and float64 arrays x > 0.

    Both raise ``Missing`` where ``missing()`` names a reason, and ``log_bessel`` also where ``has_logarithm`` is False. What they
    return, NaN, inf and zero included, is the library's own doing.
    """

    name: ClassVar[str]
    package: ClassVar[str]
    has_logarithm: ClassVar[bool] = True

    def missing(self) -> str | None:
        """Why this library cannot be run here, or None."""
        return None if find_spec(self.package) else f"{self.package} is not installed"

    def version(self) -> str:
        """The version of the library, "unknown" where it has none."""
        try:
            return version(self.package)
        except PackageNotFoundError:
            return "unknown"

    def ratio(self, order: float, x: Array) -> Array:
        return self._ratio(*self._checked(order, x))

    def log_bessel(self, order: float, x: Array) -> Array:
        if not self.has_logarithm:
            raise Missing(f"{self.name} has no logarithm of I_nu")
        return self._log_bessel(*self._checked(order, x))

    def _checked(self, order: float, x: Array) -> tuple[float, Array]:
        if reason := self.missing():
            raise Missing(reason)
        if not 0 <= order < np.inf:
            raise ValueError(f"order {order!r}: a finite nu >= 0 is accepted")
        if not isinstance(x, np.ndarray) or x.dtype != np.float64:
            raise ValueError(f"{self.name} takes a float64 array, not {getattr(x, 'dtype', type(x).__name__)}")
        return float(order), x

    @abstractmethod
    def _ratio(self, order: float, x: Array) -> Array: ...

    def _log_bessel(self, order: float, x: Array) -> Array:
        raise NotImplementedError


class ScipyQuotient(Evaluator):
    """ive(ν + 1, x)/ive(ν, x), and log ive(ν, x) + x."""

    name = "scipy.special.ive"
    package = "scipy"

    def _ratio(self, order: float, x: Array) -> Array:
        from scipy.special import ive

        with np.errstate(all="ignore"):
            return ive(order + 1, x) / ive(order, x)

    def _log_bessel(self, order: float, x: Array) -> Array:
        from scipy.special import ive

        with np.errstate(all="ignore"):
            return np.log(ive(order, x)) + x


class ScipyPrivateRatio(Evaluator):
    """SciPy's private ``_iv_ratio``, a continued fraction; there is no logarithm beside it."""

    name = "scipy.special._ufuncs._iv_ratio"
    package = "scipy"
    has_logarithm = False

    def missing(self) -> str | None:
        return super().missing() or (None if self._function() else f"scipy {self.version()} has no _iv_ratio")

    def _ratio(self, order: float, x: Array) -> Array:
        return self._function()(order + 1, x)

    @staticmethod
    def _function() -> Any:
        from scipy.special import _ufuncs

        return getattr(_ufuncs, "_iv_ratio", None)


class Mpmath(Evaluator):
    """mpmath's besseli at 60 digits, an element at a time, then rounded; NaN where it does not converge."""

    name = "mpmath, 60 digits"
    package = "mpmath"
    digits = 60

    def _ratio(self, order: float, x: Array) -> Array:
        return self._each(lambda library, point: self._bessel(library, order + 1, point) / self._bessel(library, order, point), x)

    def _log_bessel(self, order: float, x: Array) -> Array:
        return self._each(lambda library, point: library.log(self._bessel(library, order, point)), x)

    def _each(self, compute: Any, x: Array) -> Array:
        import mpmath

        with mpmath.workdps(self.digits):
            return np.array([self._float(compute, mpmath, float(point)) for point in x.ravel()]).reshape(x.shape)

    @staticmethod
    def _float(compute: Any, library: Any, point: float) -> float:
        try:
            return float(compute(library, library.mpf(point)))
        except (library.libmp.NoConvergence, ZeroDivisionError):
            return float("nan")

    @staticmethod
    def _bessel(library: Any, order: float, point: Any) -> Any:
        return library.besseli(library.mpf(order), point)


class TensorFlowProbability(Evaluator):
    """``bessel_iv_ratio`` and ``log_bessel_ive`` + x of TensorFlow Probability, on its JAX substrate, in float64."""

    name = "tensorflow_probability"
    package = "tensorflow_probability"

    def missing(self) -> str | None:
        return super().missing() or (None if find_spec("jax") else "jax is not installed")

    def _ratio(self, order: float, x: Array) -> Array:
        return self._call("bessel_iv_ratio", order + 1, x)

    def _log_bessel(self, order: float, x: Array) -> Array:
        return self._call("log_bessel_ive", order, x) + x

    @staticmethod
    def _call(function: str, order: float, x: Array) -> Array:
        from importlib import import_module

        jax = import_module("jax")
        enable = getattr(jax, "enable_x64", None) or import_module("jax.experimental").enable_x64
        with enable(True):
            library = import_module("tensorflow_probability.substrates.jax").math
            return np.asarray(getattr(library, function)(np.float64(order), x))


class Gsl(Evaluator):
    """gsl_sf_bessel_Inu_scaled of the GNU Scientific Library, called through ctypes, an element at a time."""

    name = "GSL, scaled"
    package = "gsl"

    def missing(self) -> str | None:
        return None if find_library("gsl") else "the GNU Scientific Library is not installed"

    def version(self) -> str:
        path = find_library("gsl")
        if path is None:
            return "unknown"
        return (ctypes.c_char_p.in_dll(ctypes.CDLL(path), "gsl_version").value or b"unknown").decode()

    def _ratio(self, order: float, x: Array) -> Array:
        with np.errstate(all="ignore"):
            return self._scaled(order + 1, x) / self._scaled(order, x)

    def _log_bessel(self, order: float, x: Array) -> Array:
        with np.errstate(all="ignore"):
            return np.log(self._scaled(order, x)) + x

    @staticmethod
    def _scaled(order: float, x: Array) -> Array:
        library = ctypes.CDLL(find_library("gsl"))
        library.gsl_set_error_handler_off()
        function = library.gsl_sf_bessel_Inu_scaled
        function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double, ctypes.c_double]
        return np.array([function(order, point) for point in x.ravel()]).reshape(x.shape)


EVALUATORS: tuple[type[Evaluator], ...] = (ScipyQuotient, ScipyPrivateRatio, Mpmath, TensorFlowProbability, Gsl)
