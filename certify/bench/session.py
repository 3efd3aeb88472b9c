"""A run: its parts in order, each saved as it ends, none stopped by the failure of another."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from dataclasses import asdict
from math import isfinite
from typing import Any

import torch

from certify.bench import alone, check, frozen, primitives, scaling, table
from certify.bench.environment import environment
from certify.bench.settings import Settings, refuse_if_too_large
from certify.bench.state import Inputs, inputs
from certify.claims.files import write_atomically
from certify.claims.text import one_line

SCHEMA = "certify.bench/1"
CUBLAS_WORKSPACE = ":4096:2:16:8"
"""8 MiB; by default cuBLAS takes 32 MiB on Hopper, for every stream that captures a graph."""

Part = Callable[[], Any]
Report = table.Report


def run(settings: Settings, file: str | None = None, report: Report = lambda line: None) -> dict[str, Any]:
    """Measure everything; the record as plain data, also in ``file`` after every part.

    Raises BadInput for settings that the device cannot serve and for a file that cannot be written, before it begins.
    """
    refuse_if_too_large(settings)
    if settings.device == "cuda":
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", CUBLAS_WORKSPACE)
    if settings.threads:
        torch.set_num_threads(settings.threads)
    given = inputs(settings)
    there = given.to(settings.device)
    record: dict[str, Any] = {
        "schema": SCHEMA,
        "settings": asdict(settings),
        "inputs": given.digest,
        "environment": environment(settings.device),
        "parts": {},
    }
    _save(record, file)
    for name, part in _parts(settings, given, there, report).items():
        report(name)
        record["parts"][name] = _outcome(part)
        _save(record, file)
    return record


def _save(record: dict[str, Any], file: str | None) -> None:
    if file is not None:
        write_atomically(file, dumps(record))


def dumps(record: dict[str, Any]) -> str:
    """The record as it is written; JSON has no nan and no infinities, which become null."""
    return json.dumps(_finite(record), indent=1, allow_nan=False) + "\n"


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(entry) for entry in value]
    return value if not isinstance(value, float) or isfinite(value) else None


def _parts(settings: Settings, given: Inputs, there: Inputs, report: Report) -> dict[str, Part]:
    return {
        "reference": lambda: reference(given),
        "table": lambda: table.measure(settings, there, report),
        "evaluators": lambda: alone.measure(settings, there, report),
        "primitives": lambda: primitives.measure(frozen.load(), settings.device),
        "classes": lambda: scaling.classes(settings, report),
        "dimensions": lambda: scaling.dimensions(settings, report),
    }


def reference(given: Inputs) -> dict[str, Any]:
    """The float64 definitions against the frozen exact values: on its grid, and at the state where it is the frozen one."""
    content = frozen.load()
    grid, state = frozen.grid_errors(content), frozen.state_errors(content, given)
    return {
        "digest": content["digest"],
        "grid": max(error.error for error in grid),
        "state": None if state is None else max(error.error for error in state),
        "accepted": frozen.ACCEPTED,
        "failure": check.failure([*grid, *(state or [])]),
    }


def _outcome(part: Part) -> dict[str, Any]:
    """What became of a part, and how long it took."""
    start = time.monotonic()
    try:
        found, failure = part(), ""
    except Exception as error:  # the loss of one part must not cost the others
        found, failure = None, one_line(error)
    return {"seconds": round(time.monotonic() - start, 2), "failure": failure, "found": found}
