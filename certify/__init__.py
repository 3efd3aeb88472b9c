"""Certified-numerics verification: claims, exact proofs, certificates and an independent checker.

The names below are the public interface; each is imported when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    __version__: str | None
    from certify.audit.auditor import audit
    from certify.checker.checker import Refused
    from certify.claims.certificate import certify_theorem
    from certify.claims.checking import check
    from certify.claims.claim import Claim, claim
    from certify.claims.exits import BadInput, Exit, NothingSelected
    from certify.claims.record import Report
    from certify.claims.verdict import Outcome, Reason, Verdict
    from certify.exact.enclose import enclose
    from certify.report.run import run

_HOMES = {
    "BadInput": "certify.claims.exits",
    "Claim": "certify.claims.claim",
    "Exit": "certify.claims.exits",
    "NothingSelected": "certify.claims.exits",
    "Outcome": "certify.claims.verdict",
    "Reason": "certify.claims.verdict",
    "Refused": "certify.checker.checker",
    "Report": "certify.claims.record",
    "Verdict": "certify.claims.verdict",
    "certify_theorem": "certify.claims.certificate",
    "check": "certify.claims.checking",
    "claim": "certify.claims.claim",
    "enclose": "certify.exact.enclose",
    "run": "certify.report.run",
}
__all__ = [
    "BadInput",
    "Claim",
    "Exit",
    "NothingSelected",
    "Outcome",
    "Reason",
    "Refused",
    "Report",
    "Verdict",
    "__version__",
    "audit",
    "certify_theorem",
    "check",
    "claim",
    "enclose",
    "run",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from certify.claims.provenance import version

        return version("certify-numerics")
    if name == "audit":
        return import_module("certify.audit")  # the package is also the function
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
