"""The ratio, its derivative, and the closed forms of both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from flint import arb
from torch import Tensor

from certify import vmf
from certify.exact import bessel, debye
from certify.studies.production.balls import Array, balls
from certify.studies.production.primitives import Arguments, Judged, Primitive, confirmed, single
from certify.studies.production.setting import CLOSE, DIGITS, FAR, Orders, Setting, dimensions, rungs
from certify.studies.production.shipped import certified_slope
from certify.vmf import plan
from certify.vmf.kernel import X_MAX


def _call(setting: Setting, tensors: tuple[Any, ...]) -> Tensor:
    return vmf.ratio(tensors[0], nu=setting.nu, order=setting.order)


def _judge_ratio(setting: Setting, arguments: Arguments, found: Array) -> Judged:
    certified = vmf.accuracy(setting.compute, nu=setting.nu).formula
    unit = np.full_like(found, setting.u)
    return Judged(found - setting.reference(arguments[0]).ratio, unit, certified + setting.stored(found))


def _judge_slope(setting: Setting, arguments: Arguments, found: Array) -> Judged:
    unit = setting.u / setting.s(np.minimum(arguments[0], X_MAX[setting.compute]))
    return Judged(found - setting.reference(arguments[0]).slope, unit, setting.stored(found))


def _judge_closed_form(setting: Setting, arguments: Arguments, found: Array) -> Judged:
    x = arguments[0]
    value = setting.closed_form(np.clip(x, CLOSE, FAR)).ratio.widened(np.where((x > FAR) | (x < CLOSE), 2.0**-170, 0))
    return Judged(found - value, np.full_like(found, setting.u), setting.stored(found))


def _judge_closed_form_slope(setting: Setting, arguments: Arguments, found: Array) -> Judged:
    """Beyond 2²⁰⁰, 0 ≤ A_n′ ≤ 2(ν+1)/x²."""
    x, at = arguments[0], np.clip(arguments[0], CLOSE, FAR)
    near = setting.closed_form(at).slope.widened(np.where(x < CLOSE, 2.0**-400, 0))
    capped = np.minimum(x, 2.0**500)
    far = balls(np.zeros_like(x)).widened(2 * (setting.nu + 1) / np.maximum(capped, 1) / np.maximum(capped, 1))
    unit = float(certified_slope(setting.order or 0, setting.nu)) * setting.u / np.hypot(np.minimum(x, X_MAX[setting.compute]), setting.nu)
    return Judged(found - near.where(x <= FAR, far), unit, setting.stored(found))


def _primitive(
    name: str,
    orders: Callable[[torch.dtype], Orders],
    judge: Callable[[Setting, Arguments, Array], Judged],
    value: Callable[..., arb],
    derivative: bool = False,
) -> Primitive:
    """A function of x, whose domain ends with the largest number of its dtype; its true ``value`` in Arb."""
    return Primitive(name, orders, single, _call, judge, confirmed(value), derivative=derivative, largest=lambda info: float(info.max))


LADDER = rungs(lambda n: plan.LEAST[n])
PRIMITIVES = (
    _primitive("ratio", dimensions, _judge_ratio, lambda at, x: bessel.ratio(at.nu, x, DIGITS)),
    _primitive("slope", dimensions, _judge_slope, lambda at, x: bessel.ratio_derivative(at.nu, x, DIGITS), derivative=True),
    _primitive("closed_form", LADDER, _judge_closed_form, lambda at, x: debye.ladder_ratio(at.order, at.nu, x, DIGITS)),
    _primitive(
        "closed_form_slope",
        LADDER,
        _judge_closed_form_slope,
        lambda at, x: debye.ladder_ratio_derivative(at.order, at.nu, x, DIGITS),
        derivative=True,
    ),
)
