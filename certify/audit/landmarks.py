"""Numbers in the code of a function: its thresholds are among them, however narrow what lies between two of them is."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import getclosurevars
from types import CodeType, FunctionType
from typing import Any

import numpy as np
import torch

from certify.audit.precision import Floats

DEPTH, VISITED = 12, 400  # objects one within another, and altogether
MOST = 24
PLAIN = 10  # integers up to here are looked at anyway
METHODS = ("forward", "backward", "setup_context", "__call__")


def landmarks(fn: Any) -> Floats:
    """The constants of the function's code and of the functions it names, with both signs; the longest decimals first, so many at most."""
    found = {abs(float(number)) for number in _numbers(fn, DEPTH, set())}
    wanted = sorted((x for x in found if np.isfinite(x) and not (x.is_integer() and x <= PLAIN)), key=lambda x: -len(repr(x)))[:MOST]
    return np.array([sign * x for x in wanted for sign in (1.0, -1.0)])


def _numbers(thing: Any, depth: int, seen: set[int]) -> Iterator[float]:
    if isinstance(thing, bool) or id(thing) in seen or depth < 0 or len(seen) > VISITED:
        return
    if isinstance(thing, int | float | np.floating):
        if abs(thing) < np.finfo(float).max:
            yield float(thing)
        return
    seen.add(id(thing))
    for part in _parts(thing):
        yield from _numbers(part, depth - 1, seen)


def _parts(thing: Any) -> Iterator[Any]:
    if isinstance(thing, CodeType):
        yield from thing.co_consts
    elif isinstance(thing, FunctionType):
        yield thing.__code__
        yield from getclosurevars(thing).nonlocals.values()
        yield from (*(thing.__defaults__ or ()), *(thing.__kwdefaults__ or {}).values())
        yield from (thing.__globals__[name] for name in thing.__code__.co_names if name in thing.__globals__)
    elif isinstance(thing, tuple | list):
        yield from thing[:MOST]
    elif isinstance(thing, torch.Tensor | np.ndarray):
        yield from thing.reshape(-1).tolist() if 0 < _size(thing) <= 4 else ()
    elif isinstance(thing, type):
        yield from (getattr(method, "__func__", method) for name in METHODS if (method := vars(thing).get(name)) is not None)
    elif hasattr(thing, "func") and hasattr(thing, "keywords"):
        yield from (thing.func, thing.args, tuple(thing.keywords.values()))
    elif hasattr(thing, "__self__"):
        yield from (getattr(thing, "__func__", None), thing.__self__)
    elif not isinstance(thing, str | bytes) and hasattr(thing, "__dict__") and type(thing).__module__ != "builtins":
        yield from (type(thing), *vars(thing).values())


def _size(thing: Any) -> int:
    return thing.numel() if isinstance(thing, torch.Tensor) else thing.size
