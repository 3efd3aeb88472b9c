"""Profiles: what an environment is assumed to promise about the rounding of each operation, as data.

A bound of k ulps says |computed − exact| ≤ max(k·ulp(exact), m·η), the ulp being that of the binade of the exact result, η the least
subnormal number and m = ½ unless the profile states more; k = ½ means correctly rounded. Exact operations (negation, minimum, choice, …)
need no bound. A theorem "proved under profile P" holds where P does: the bounds cite their sources, and the claims ``profile.*`` test them
on the build that is installed.
"""

from __future__ import annotations

from fractions import Fraction

import msgspec

from certify.exact.program import EXACT

ARITHMETIC: tuple[str, ...] = ("add", "sub", "mul", "div", "fma", "sqrt")


class ProfileError(ValueError):
    """A profile has no bound for an operation; the message names both."""


class Profile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Bounds in ulps, "num/den", by format and operation, and what else the environment may do.

    ``contracts``: a product and the sum that uses it may be fused into one rounding. ``flushes``: the formats in which subnormal arguments
    and results may be replaced by zero. ``hypot_monotone``: hypot(a, b) is never below |a| or |b|. ``underflow``: the error, in least
    subnormal numbers, of functions other than arithmetic and sqrt where their results are tiny.
    """

    name: str
    source: str
    ulps: dict[str, dict[str, str]]
    contracts: bool = False
    flushes: tuple[str, ...] = ()
    hypot_monotone: bool = False
    underflow: str = "1/2"

    @property
    def formats(self) -> tuple[str, ...]:
        """The formats for which there are bounds."""
        return tuple(self.ulps)

    def bound(self, op: str, form: str) -> Fraction:
        """The bound of an operation in a format, in ulps. Raises ProfileError where there is none."""
        if op in EXACT:
            return Fraction(0)
        bounds = self.ulps.get(form)
        if bounds is None:
            raise ProfileError(f"profile {self.name} has no bounds for {form}: {', '.join(self.formats)} are covered")
        if op not in bounds:
            raise ProfileError(f"profile {self.name} has no bound for {op} in {form}")
        return Fraction(bounds[op])

    def least(self, op: str) -> Fraction:
        """The error that an operation may have however tiny its result is, in least subnormal numbers."""
        return Fraction(1, 2) if op in ARITHMETIC else Fraction(self.underflow)


BINARY: tuple[str, ...] = ("binary64", "binary32")
ROUNDED: dict[str, str] = dict.fromkeys(ARITHMETIC, "1/2")
ELEMENTARY = ("exp", "expm1", "log", "log1p", "tanh", "erf")


def _one_ulp(**others: str) -> dict[str, str]:
    """Arithmetic correctly rounded, the elementary functions within one ulp, and others as stated."""
    return ROUNDED | dict.fromkeys(ELEMENTARY, "1") | others


def _without(bounds: dict[str, str], *operations: str) -> dict[str, str]:
    return {op: bound for op, bound in bounds.items() if op not in operations}


def _after_rounding(**figures: int) -> dict[str, str]:
    """Figures that are distances from the correctly rounded result, which is itself half an ulp away."""
    return {op: str(figure + Fraction(1, 2)) for op, figure in figures.items()}


IEEE = Profile("ieee", "IEEE 754-2019: correctly rounded arithmetic and square root; nothing else", dict.fromkeys(BINARY, ROUNDED))

NUMPY = Profile(
    "numpy",
    "IEEE 754 arithmetic; GNU C library manual, Known Maximum Errors in Math Functions (binary64: at most 1 ulp, hypot and the rest); "
    "NumPy 1.17 release notes (binary32: exp 2.52, log 3.83 ulp). Of expm1, log1p and tanh in binary32 and of SciPy's erf, erfc and i0e, "
    "for which Cephes states less than is observed (i0e: 5.4e-16), the bounds are assumed",
    {
        "binary64": _one_ulp(hypot="1", tanh="2", erf="4", i0e="10"),
        "binary32": _one_ulp(hypot="1", exp="63/25", log="383/100", log1p="3", expm1="3", tanh="2", erfc="1", i0e="1"),
    },
    hypot_monotone=True,
    underflow="2",
)

TORCH_VECTOR = Profile(
    "torch.eager.cpu.vector",
    "SLEEF reference (functions _u10: at most 1 ulp, erfc_u15: 1.5, hypot_u05: 0.5001 or the least normal number, 1 here, as 0.7 is "
    "observed well above that); Intel oneMKL vector mathematics, high accuracy (below 1 ulp), which serves sqrt, exp, log and others; "
    "assumed: i0e, and the error of tiny results",
    dict.fromkeys(BINARY, _one_ulp(hypot="1", sqrt="1", erfc="3/2", i0e="10")),
    hypot_monotone=True,
    underflow="2",
)

TORCH_SCALAR = Profile(
    "torch.eager.cpu.scalar",
    "the elements that vector loops leave over, by the C library: GNU C library manual, Known Maximum Errors in Math Functions; "
    "assumed: i0e, and the error of tiny results",
    dict.fromkeys(BINARY, _one_ulp(hypot="1", sqrt="1", tanh="2", erfc="5", i0e="10")),
    hypot_monotone=True,
    underflow="2",
)

_COMPILED = _one_ulp(hypot="1", tanh="2", erfc="5", i0e="10")
TORCH_COMPILED = Profile(
    "torch.compiled.cpu",
    "Inductor's C++ code: IEEE 754 with correctly rounded sqrt, SLEEF or the C library for the rest; contraction is off by default, and "
    "allowed here. No bounds: expm1, which becomes exp(x) − 1, and erf in binary32, which loses small arguments; assumed: i0e",
    {"binary64": _without(_COMPILED, "expm1"), "binary32": _without(_COMPILED, "expm1", "erf")},
    contracts=True,
    hypot_monotone=True,
    underflow="2",
)

_CUDA64 = ROUNDED | _after_rounding(hypot=2, exp=1, expm1=1, log=1, log1p=1, tanh=1, erf=2, erfc=5)
_CUDA32 = ROUNDED | _after_rounding(hypot=3, exp=2, expm1=1, log=1, log1p=1, tanh=2, erf=2, erfc=4)
_GUIDE = (
    "CUDA C++ Programming Guide, Mathematical Functions: largest distances from the correctly rounded result that were observed, "
    "not guaranteed; "
)

CUDA = Profile(
    "torch.eager.cuda",
    _GUIDE + "each kernel is one operation, so nothing is contracted between operations",
    {"binary64": _CUDA64, "binary32": _CUDA32},
)

CUDA_COMPILED = Profile(
    "torch.compiled.cuda",
    _GUIDE + "Triton's binary32 division is div.full, within 2 ulp (PTX ISA), unless Inductor's eager_numerics.division_rounding is on; "
    "products and sums are fused; libdevice's binary32 functions flush subnormal numbers",
    {"binary64": _CUDA64, "binary32": _CUDA32 | {"div": "2"}},
    contracts=True,
    flushes=("binary32",),
)

PROFILES = {each.name: each for each in (IEEE, NUMPY, TORCH_VECTOR, TORCH_SCALAR, TORCH_COMPILED, CUDA, CUDA_COMPILED)}
