"""What is asked of an audit, checked."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from inspect import isbuiltin
from numbers import Real
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
        if not chosen:
            raise ValueError("dtype: one at least is needed")
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
    if bound is not None and not (isinstance(bound, Real) and 0 <= bound < math.inf):
        raise ValueError(f"bound {bound!r}: a finite relative error, 0 or larger, is accepted")
    target, truth, given = _name(fn), None if named is None else reference(named), _inputs(inputs)
    if needed := missing(fn, 1 if given is None else len(given)):
        raise ValueError(f"{target} needs more arguments than given: {', '.join(needed)}")
    own = copy.deepcopy(fn) if isinstance(fn, torch.nn.Module) else fn
    return Request(target, own, _interval(domain), given, truth, dtype, order, declared, bound, field)


def _name(fn: Any) -> str:
    """Of torch's builtins the qualified name is that of a class that nobody knows."""
    if isinstance(fn, torch.nn.Module):
        return type(fn).__name__
    return str(getattr(fn, "__name__" if isbuiltin(fn) else "__qualname__", type(fn).__name__))


def _interval(domain: Any) -> tuple[float, float] | None:
    if domain is None:
        return None
    try:
        low, high = map(float, domain)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"domain {domain!r:.80}: two numbers are accepted, the lower one first") from None
    return low, high


def _inputs(inputs: Any) -> Sequence[Any] | None:
    given = (inputs,) if isinstance(inputs, torch.Tensor) else inputs
    if not isinstance(given, list | tuple | None):
        raise ValueError(f"inputs: a tensor or a list of arguments is accepted, not a {type(given).__name__}")
    if any(isinstance(x, torch.Tensor) and not x.numel() for x in given or ()):
        raise ValueError("inputs: a tensor without elements shows nothing")
    return given
