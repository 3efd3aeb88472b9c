"""Other public pairs of a value and a gradient around I_v, as subjects for an audit: what is odd in them is odd on purpose.

Each is a frozen dataclass that is called with a tensor of any shape. ``quantity`` names the function that its value stands for:

    log bessel        log I_v(z)
    scaled bessel     e^{−z} I_v(z)
    log normalizer    log C_m(k) = v log k − log I_v(k) − (m/2) log 2π, v = m/2 − 1
    ratio             R_v(z) = I_{v+1}(z)/I_v(z)

Values come from SciPy in float64 on the CPU, as in the sources, and cannot be traced. They were written from descriptions of the
public code, not copied from it.
"""

from certify.realizations.kinds.bound_gradient import BoundAsGradient, ReturnConstant
from certify.realizations.kinds.kind import Kind
from certify.realizations.kinds.log_normalizer import LogNormalizer, LogNormalizerWithEpsilons, SwitchedLogNormalizer
from certify.realizations.kinds.riccati import RiccatiRatio
from certify.realizations.kinds.scaled_bessel import LogOfShifted, ScaledBessel

KINDS: tuple[type[Kind], ...] = (
    ScaledBessel,
    LogNormalizer,
    LogNormalizerWithEpsilons,
    BoundAsGradient,
    ReturnConstant,
    RiccatiRatio,
    SwitchedLogNormalizer,
    LogOfShifted,
)

__all__ = [
    "KINDS",
    "BoundAsGradient",
    "Kind",
    "LogNormalizer",
    "LogNormalizerWithEpsilons",
    "LogOfShifted",
    "ReturnConstant",
    "RiccatiRatio",
    "ScaledBessel",
    "SwitchedLogNormalizer",
]
