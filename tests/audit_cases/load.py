"""The collected cases as modules, and the options under which each is audited."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("c[0-9]*.py"))
EXPECTED = {
    "coherent": ("coherent", None),
    "incoherent": ("incoherent", None),
    "coherent-but-unfaithful": ("coherent", "outside"),
    "non-differentiable point": ("kink", None),
}


def load(file: Path) -> ModuleType:
    sys.path.insert(0, str(HERE))
    try:
        spec = spec_from_file_location(file.stem, file)
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
    finally:
        sys.path.remove(str(HERE))


def options(case: ModuleType) -> dict[str, Any]:
    """Nothing but what the case says of itself: domain, reference, order, example inputs."""
    chosen: dict[str, Any] = {"reference": getattr(case, "true", None), "order": getattr(case, "ORDER", 1)}
    if not getattr(case, "ELEMENTWISE", True):
        return {**chosen, "inputs": case.natural()}
    if hasattr(case, "DOMAIN"):
        return {**chosen, "domain": case.DOMAIN}
    return {**chosen, "domain": case.DOMAIN32, "dtype": "float32"}
