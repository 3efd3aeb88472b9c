"""From the primitive to the loss: class-conditional von Mises–Fisher states, what is guaranteed at them, and which accuracy suffices.

    from certify.learning import assess, load, tolerance
    found = load("state.npz")                       # means or sums, counts, features, labels, temperature, and priors if wanted
    assess(found, n=1)                              # guarantees of scores, losses, probabilities, predictions, gradients; actual errors
    tolerance(found, loss="1e-8", gradient="1e-6")  # the primitive's tolerance, the ladder's order and the format that suffice

Names are imported when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from certify.learning.accumulate import class_sums, squared_resultant, update
    from certify.learning.assessment import Assessment, assess
    from certify.learning.committed import shipped
    from certify.learning.enclosure import enclose
    from certify.learning.files import load, save
    from certify.learning.mixtures import mixture
    from certify.learning.objective import group_means, ladder, patt, proco, realized
    from certify.learning.pairing import extremes, loss_change
    from certify.learning.states import State, state
    from certify.learning.tolerances import Tolerance, tolerance

__all__ = [
    "Assessment",
    "State",
    "Tolerance",
    "assess",
    "class_sums",
    "enclose",
    "extremes",
    "group_means",
    "ladder",
    "load",
    "loss_change",
    "mixture",
    "patt",
    "proco",
    "realized",
    "save",
    "shipped",
    "squared_resultant",
    "state",
    "tolerance",
    "update",
]

_HOME = {
    "accumulate": ("class_sums", "squared_resultant", "update"),
    "assessment": ("Assessment", "assess"),
    "enclosure": ("enclose",),
    "files": ("load", "save"),
    "mixtures": ("mixture",),
    "objective": ("group_means", "ladder", "patt", "proco", "realized"),
    "pairing": ("extremes", "loss_change"),
    "committed": ("shipped",),
    "states": ("State", "state"),
    "tolerances": ("Tolerance", "tolerance"),
}


def __getattr__(name: str) -> Any:
    for module, names in _HOME.items():
        if name in names:
            return getattr(import_module(f"certify.learning.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
