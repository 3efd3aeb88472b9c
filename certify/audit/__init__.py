"""The auditor: is this backward the derivative of this forward, and is either true?

The package is also the function: ``certify.audit(fn, …)`` is ``certify.audit.auditor.audit(fn, …)``.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from certify.audit.result import Audit


class _Auditor(ModuleType):
    def __call__(self, *arguments: Any, **options: Any) -> Audit:
        from certify.audit.auditor import audit

        return audit(*arguments, **options)


sys.modules[__name__].__class__ = _Auditor
