"""The frozen reference: exact values that travel as a small file, and how the float64 definitions are held against them."""

from __future__ import annotations

import hashlib
import json
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certify.bench import definitions
from certify.bench.bare import FILE
from certify.bench.check import Error
from certify.bench.definitions import Evaluation, Expected
from certify.bench.settings import VIEWS, Settings
from certify.bench.state import Inputs

SCHEMA = "certify.bench-reference/1"
DEFAULT = Settings()
DIMENSIONS = (64, 128, 256, 512, 1024, 2048, 4096)
POWERS = range(-6, 11)
SIGNS = 4
SAMPLED = 4
ACCEPTED = 1e-9
"""Of the float64 definitions, relatively to the largest value of a kind: far below what float32 geometry moves."""

DEFINITIONS: dict[str, Evaluation] = {
    "original": definitions.original,
    "consistent": definitions.consistent,
    "closed form": definitions.closed_form,
}


def load() -> dict[str, Any]:
    """The shipped reference. Raises ValueError, one line, where it is not what its digest says."""
    content = json.loads(resources.files("certify.data").joinpath(FILE).read_text(encoding="ascii"))
    if content.get("schema") != SCHEMA or content.get("digest") != digest(content):
        raise ValueError(f"{FILE} is damaged: its digest does not fit its content; make it again from certify.studies.timings.reference")
    return content


def digest(content: dict[str, Any]) -> str:
    """SHA-256 over the sorted JSON of everything but the digest itself."""
    rest = {name: value for name, value in content.items() if name != "digest"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def signs() -> NDArray:
    """The vectors of ±1 that gradients are projected on (SIGNS × p)."""
    return 2 * np.random.RandomState(DEFAULT.seed + 1).randint(0, 2, (SIGNS, DEFAULT.dim)) - 1


def sampled(row: int) -> list[int]:
    """The classes whose scores are kept for a feature."""
    return [(row * SAMPLED + i) * 7 % DEFAULT.classes for i in range(SAMPLED)]


def floats(values: list[Any]) -> NDArray:
    """Hexadecimal texts, nested or not, as float64."""
    return np.array([floats(value) if isinstance(value, list) else float.fromhex(value) for value in values])


def grid_errors(content: dict[str, Any]) -> list[Error]:
    """The float64 definitions on the grid, each relative to the largest exact value of its kind."""
    return [error for entry in content["grid"] for error in _entry_errors(entry)]


def state_errors(content: dict[str, Any], given: Inputs) -> list[Error] | None:
    """The float64 boundary against the exact one; None where the inputs are not those of the reference."""
    state = content["state"]
    if given.digest != state["inputs"]:
        return None
    found = []
    for name, exact in state["realized"].items():
        found += _boundary_errors(name, exact, definitions.expected(DEFINITIONS[name], given))
    return found


def _entry_errors(entry: dict[str, Any]) -> list[Error]:
    order, x = entry["dim"] // 2 - 1, floats(entry["x"])
    finite = definitions.finite_start(order, np.append(x, order))
    closed = definitions.closed_form(order, np.append(x, order))
    pairs = {
        "finite_ratio": finite.ratio[:-1],
        "finite_derivative": finite.derivative[:-1],
        "finite_difference": finite.potential[:-1] - finite.potential[-1],
        "closed_ratio": closed[1][:-1],
        "closed_difference": closed[0][:-1] - closed[0][-1],
    }
    return [_relative(f"p = {entry['dim']}, {name}", value, floats(entry[name])) for name, value in pairs.items()]


def _boundary_errors(name: str, exact: dict[str, Any], found: Expected) -> list[Error]:
    batch = DEFAULT.batch
    scores = [found.scores[view, row, sampled(row)] for view in range(VIEWS) for row in range(batch)]
    projections = (found.gradient @ signs().T).reshape(VIEWS * batch, SIGNS)
    return [
        _relative(f"{name}, scores", np.array(scores), floats(exact["scores"])),
        _relative(f"{name}, loss", np.array([found.loss]), floats([exact["loss"]])),
        _relative(f"{name}, gradient", projections, floats(exact["projections"])),
    ]


def _relative(quantity: str, value: NDArray, exact: NDArray) -> Error:
    return Error(quantity, float(np.abs(value - exact).max() / np.abs(exact).max()), ACCEPTED)
