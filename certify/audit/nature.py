"""What kind of function is at hand: element by element, coupled, drawing random numbers, a module with parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from certify.audit.precision import Floats, precision
from certify.audit.samples import Domain, special
from certify.audit.subject import Subject, WrongOutput

POINTS, SINGLES = 40, 8
LENGTHS = (1, 7)  # of batches that a function of single elements must accept


def elementwise_on(fn: Callable[..., Any], inputs: Sequence[Any]) -> bool:
    """Whether a function of one given tensor works element by element, for batches of any length."""
    if len(inputs) != 1 or not (isinstance(inputs[0], torch.Tensor) and inputs[0].is_floating_point() and inputs[0].numel()):
        return False
    x = inputs[0].detach().clone()
    try:
        return _in_batches(Subject(fn, precision(x.dtype)), x)
    except Exception:
        return False


def _in_batches(subject: Subject, x: torch.Tensor) -> bool:
    """Whether elements have the same values alone, in reverse order, among others, and in the shape that was given."""
    one, several = (np.resize(x.double().reshape(-1).numpy(), n) for n in LENGTHS)
    mixed = np.where(np.arange(several.size) % 2 == 0, several, several[::-1] * 1.25)
    kept = mixed == several
    whole, given = _values(subject, several), subject.call(x)
    return (
        _close(whole[kept], _values(subject, mixed)[kept], subject)
        and _close(whole[:1], _values(subject, several[:1]), subject)
        and _close(whole, _values(subject, several[::-1].copy())[::-1], subject)
        and _close(given.detach().double().reshape(-1).numpy()[: one.size], _values(subject, one), subject)
    )


def _values(subject: Subject, batch: Floats) -> Floats:
    return subject.call(subject.tensor(batch)).detach().double().numpy()


def independent(subject: Subject, domain: Domain, extra: Floats) -> bool:
    """Whether the value of an element stays the same among other elements and in a second call."""
    x = np.concatenate([extra, special(domain, subject.format)])
    x = x[domain.holds(x)]
    first = subject.forward(x)
    if not np.isfinite(first).any():
        return True
    ordinary = np.flatnonzero(np.isfinite(first))
    ordinary = ordinary[np.argsort(np.abs(np.log2(np.maximum(np.abs(x[ordinary]), 1e-300))), kind="stable")][:POINTS]
    x = x[ordinary]
    whole, again = subject.forward(x), subject.forward(x)
    backwards, half = subject.forward(x[::-1])[::-1], subject.forward(x[::2])
    same = _close(whole, again, subject) and _close(whole, backwards, subject) and _close(whole[::2], half, subject)
    single = np.argsort(x)[:: max(1, x.size // SINGLES)]
    return same and _close(whole[single], np.concatenate([subject.forward(x[i : i + 1]) for i in single]), subject)


def check_output(subject: Subject, domain: Domain) -> None:
    """Raise WrongOutput where the function takes three points of the domain and returns no real tensor of their shape."""
    try:
        subject.call(subject.tensor(np.clip(np.array([0.25, 0.5, 1.0]), domain.low, domain.high)))
    except WrongOutput:
        raise
    except Exception as error:  # it may accept other points
        subject.raised = error


def _close(a: Floats, b: Floats, subject: Subject) -> bool:
    """Equal up to some last places of the larger values: kernels for vectors and their tails may round differently."""
    if a.shape != b.shape:
        return False
    size = np.maximum(np.abs(np.nan_to_num(a)), np.abs(np.nan_to_num(b)))
    close = np.abs(a - b) <= 256 * subject.output.eps * np.maximum(size, np.median(size) if size.size else 0.0)
    return bool((close | (np.isnan(a) & np.isnan(b)) | (a == b)).all())


def module_inputs(fn: Callable[..., Any], inputs: Sequence[Any]) -> tuple[Callable[..., Any], list[Any]]:
    """A module as a function of its inputs and parameters; anything else as it is."""
    if not isinstance(fn, torch.nn.Module):
        return fn, list(inputs)
    names, values = zip(*fn.named_parameters(), strict=True) if any(True for _ in fn.parameters()) else ((), ())

    def call(*given: Any) -> Any:
        parameters: dict[str, torch.Tensor] = dict(zip(names, given[len(inputs) :], strict=True))
        return torch.func.functional_call(fn, parameters, tuple(given[: len(inputs)]))

    return call, [*inputs, *(value.detach() for value in values)]
