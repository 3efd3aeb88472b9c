"""``python tests/audit_cases/page.py [GALLERY.json]``: the page of the auditor, reports/audit.md, on stdout, every number computed.

The gallery is taken from ``certify audit --gallery --format json -o GALLERY.json`` where that is given, and computed where not.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "quick"))
from audit_cases import compare
from test_audit_torch import COHERENT, DEFECTS, VANISHING, in_balls

import certify
from certify.audit.reproduction import number
from certify.claims.provenance import environment
from certify.report import gallery
from certify.report.markdown import table
from certify.studies.finite_start.clip import clips
from certify.studies.gallery import rows

DIGITS = 17


def main() -> None:
    for part in _parts(sys.argv[1:]):
        print(part, end="\n\n", flush=True)


def _parts(arguments: list[str]) -> Iterator[str]:
    made = environment()
    yield "# What the auditor finds"
    versions = ", ".join(f"{name} {version}" for name, version in made.versions.items() if version and name != "certify")
    yield f"Made by `python tests/audit_cases/page.py`, every number computed: {versions}; {made.cpu}; commit {made.commit}."
    yield "## The field"
    yield gallery.markdown(json.loads(Path(arguments[0]).read_text()) if arguments else gallery.data(list(rows()), list(clips()))).strip()
    yield "## Beside gradcheck"
    yield "\n".join(compare.lines())
    yield f"## Defects of installed libraries, among {len(COHERENT) + len(DEFECTS) + len(VANISHING)} operations of torch"
    yield "An input, what torch supplies there, and the derivative in balls. The other operations give no alarm (test_audit_torch.py)."
    yield table(("operation", "input", "supplied", "derivative of the realized forward", "certified derivative"), _defects())


def _defects() -> Iterator[tuple[str, ...]]:
    for name, (fn, *_, derivative) in {**DEFECTS, **VANISHING}.items():
        witness = certify.audit(fn, dtype=torch.float64).witness
        if witness is not None:
            numbers = (witness.input, witness.supplied, witness.realized)
            yield (f"`{name}`", *map(number, numbers), in_balls(derivative, witness.input).str(DIGITS, radius=False))


if __name__ == "__main__":
    main()
