"""``python tests/audit_cases/compare.py``: certify.audit and torch.autograd.gradcheck on the collected cases, in Markdown."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import torch

sys.path.insert(0, str(Path(__file__).parents[1]))
from audit_cases.load import EXPECTED, FILES, load, options

import certify


def incumbent(case: ModuleType, inputs: Any) -> str:
    """What gradcheck, or gradgradcheck for second order, says at these inputs."""
    check = torch.autograd.gradgradcheck if getattr(case, "ORDER", 1) == 2 else torch.autograd.gradcheck
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return "passes" if check(case.fn, inputs) else "fails"
    except Exception as error:
        return "fails" if type(error).__name__ == "GradcheckError" else type(error).__name__


def row(file: Path) -> list[str]:
    case = load(file)
    result = certify.audit(case.fn, **options(case))
    coherence, fidelity = EXPECTED[case.META["expected"]]
    said = result.coherence.outcome.value + (f", {result.fidelity.outcome.value}" if fidelity else "")
    right = result.coherence.outcome == coherence and fidelity in (None, result.fidelity.outcome.value)
    w = result.witness
    numbers = "" if w is None else f"x = {w.input:.6g}: {w.supplied:.6g} for {w.realized:.6g}"
    checks = [incumbent(case, case.natural()), incumbent(case, case.witness())]
    return [
        case.META["id"],
        case.META["title"].replace("|", "\\|"),
        case.META["expected"],
        f"{said}{'' if right else ' (wrong)'}",
        numbers,
        *checks,
    ]


HEADS = (
    "case",
    "what it is",
    "expected",
    "certify.audit",
    "witness: supplied for realized",
    "gradcheck, natural inputs",
    "gradcheck, witness",
)


def lines() -> Iterator[str]:
    yield "| " + " | ".join(HEADS) + " |"
    yield "|" + "---|" * len(HEADS)
    for file in FILES:
        yield "| " + " | ".join(row(file)) + " |"


def main() -> None:
    for line in lines():
        print(line, flush=True)


if __name__ == "__main__":
    main()
