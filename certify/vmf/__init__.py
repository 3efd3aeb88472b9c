"""The von Mises–Fisher primitives in PyTorch: certified closed forms, coherent gradients, every dimension p ≥ 2.

    from certify.vmf import VonMisesFisher, ratio
    ratio(x, p=512)                # I_{ν+1}(x)/I_ν(x), ν = p/2 − 1, to full accuracy; differentiable twice and more
    ratio(x, p=512, order=1)       # the closed form A_1 = A_R
    ratio(x, p=512, tol=1e-9)      # the cheapest closed form that is certified to this

Names are imported when they are first used: ``vmf.structured`` needs torch alone.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from certify.vmf.density import entropy, kl_divergence, kl_uniform, log_prob
    from certify.vmf.distribution import VonMisesFisher
    from certify.vmf.functions import log_normalizer, potential, potential_difference, potential_increment, ratio
    from certify.vmf.inverse import inverse_ratio, resultant_error
    from certify.vmf.losses import LogitAdjust, VMFScore
    from certify.vmf.plan import Accuracy, accuracy

__all__ = [
    "Accuracy",
    "LogitAdjust",
    "VMFScore",
    "VonMisesFisher",
    "accuracy",
    "entropy",
    "inverse_ratio",
    "kl_divergence",
    "kl_uniform",
    "log_normalizer",
    "log_prob",
    "potential",
    "potential_difference",
    "potential_increment",
    "ratio",
    "resultant_error",
]

_HOME = {
    "density": ("entropy", "kl_divergence", "kl_uniform", "log_prob"),
    "distribution": ("VonMisesFisher",),
    "functions": ("log_normalizer", "potential", "potential_difference", "potential_increment", "ratio"),
    "inverse": ("inverse_ratio", "resultant_error"),
    "losses": ("LogitAdjust", "VMFScore"),
    "plan": ("Accuracy", "accuracy"),
}


def __getattr__(name: str) -> Any:
    for module, names in _HOME.items():
        if name in names:
            return getattr(import_module(f"certify.vmf.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
