"""What is asked of an audit, checked."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from certify.audit.precision import Precision, precision
from certify.audit.reference import Reference, reference
from certify.audit.target import missing


@dataclass(frozen=True)
class Request:
    """The arguments of ``audit``: ``fn`` a copy where it is a module, ``inputs`` None for a function of one variable."""

    target: str
    fn: Callable[..., Any]
    domain: tuple[float, float] | None
    inputs: Sequence[Any] | None
    truth: Reference | None
    dtype: Any
    order: int
    declared: str | None
    bound: float | None
    field: bool

    def formats(self, default: Sequence[Any]) -> list[Precision]:
        """Those asked for. Raises ValueError for one that is none."""
        chosen = default if self.dtype is None else self.dtype if isinstance(self.dtype, list | tuple) else [self.dtype]
        return [precision(one) for one in chosen]


def request(
    fn: Callable[..., Any],
    domain: tuple[float, float] | None,
    inputs: Any,
    named: str | Reference | None,
    dtype: Any,
    order: int,
    declared: str | None,
    bound: float | None,
    field: bool,
) -> Request:
    """Raises ValueError, one line, for an argument that is none."""
    if not callable(fn):
        raise ValueError(f"{fn!r:.80} is not callable")
    if order not in (1, 2):
        raise ValueError(f"order {order!r}: 1 and 2 are accepted")
    if field and inputs is None:
        raise ValueError("field: example tensors are needed as inputs")
    if declared is not None and not str(declared).strip():
        raise ValueError("declared: the name of the surrogate is needed")
    if bound is not None and not 0 <= bound < math.inf:
        raise ValueError(f"bound {bound!r}: a finite relative error, 0 or larger, is accepted")
    module = isinstance(fn, torch.nn.Module)
    target = type(fn).__name__ if module else getattr(fn, "__qualname__", type(fn).__name__)
    truth, given = None if named is None else reference(named), _inputs(inputs)
    if needed := missing(fn, 1 if given is None else len(given)):
        raise ValueError(f"{target} needs more arguments than given: {', '.join(needed)}")
    return Request(target, copy.deepcopy(fn) if module else fn, domain, given, truth, dtype, order, declared, bound, field)


def _inputs(inputs: Any) -> Sequence[Any] | None:
    given = (inputs,) if isinstance(inputs, torch.Tensor) else inputs
    if any(isinstance(x, torch.Tensor) and not x.numel() for x in given or ()):
        raise ValueError("inputs: a tensor without elements shows nothing")
    return given
