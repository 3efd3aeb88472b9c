"""The potential, the normalizing constant, and differences of the potential."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb
from torch import Tensor

from certify import vmf
from certify.exact import bessel, debye
from certify.studies.production import exactly
from certify.studies.production.balls import Array, balls, enclosing
from certify.studies.production.closed_form import increase
from certify.studies.production.inputs import Source
from certify.studies.production.primitives import Arguments, Judged, Primitive, confirmed, single
from certify.studies.production.setting import CLOSE, DIGITS, FAR, Setting, dimensions, rungs, small_constants
from certify.studies.production.shipped import certified_difference
from certify.vmf import plan


def _growth(setting: Setting, low: Array | float, high: Array) -> Array:
    """s(high) − s(low) for s = √(x² + (ν+1)²)."""
    return np.abs(high - low) * ((high + low) / (setting.s(np.asarray(low)) + setting.s(high)))


def _potential(function: Callable[..., Tensor], constant: Callable[[float], arb]) -> dict[str, Any]:
    """A primitive Φ_ν(x) − Φ_ν(0) + constant."""

    def call(setting: Setting, tensors: tuple[Any, ...]) -> Tensor:
        return function(tensors[0], nu=setting.nu)

    def judge(setting: Setting, arguments: Arguments, found: Array) -> Judged:
        x, added = arguments[0], enclosing(constant(setting.nu))
        extra = setting.u * (abs(float(added.high)) + np.abs(found)) + setting.stored(found) + setting.least()
        return Judged(found - (setting.reference(x).rise + added), setting.u * _growth(setting, 0.0, x), extra)

    confirm = confirmed(lambda setting, x: exactly.rise(setting.nu, x) + constant(setting.nu))
    return {"orders": small_constants, "draw": single, "call": call, "judge": judge, "confirm": confirm}


def _draw_pair(setting: Setting, source: Source, count: int) -> Arguments:
    """Ends close to each other (to 64 floats), within a factor, and independent."""
    a = source.arguments(setting.nu, count)
    close, factor = int(0.02 * count), int(0.48 * count)
    scaled = a[close : close + factor] * np.exp2(source.generator.normal(0, 1, factor))
    b = np.concatenate([source.beside(a[:close]), source.held(scaled), source.arguments(setting.nu, count - close - factor)])
    return a, b


def _call_difference(setting: Setting, tensors: tuple[Any, ...]) -> Tensor:
    return vmf.potential_difference(*tensors, nu=setting.nu, order=setting.order)


def _judge_difference(setting: Setting, arguments: Arguments, found: Array) -> Judged:
    a, b = arguments
    at_a, at_b = (setting.reference(x) for x in arguments)
    unit = setting.u * _growth(setting, a, b)
    return Judged(found - (at_b.rise - at_a.rise), unit, setting.stored(found) + setting.least())


def _judge_closed_difference(setting: Setting, arguments: Arguments, found: Array) -> Judged:
    a, b = arguments
    low, high = np.minimum(a, b), np.maximum(a, b)
    at_low, at_high = setting.closed_form(low), setting.closed_form(high)
    step = (balls(high) - low) * (balls(high) + low)
    delta, rest = increase(at_low, at_high, step)
    sign = np.where(a > b, -1.0, 1.0)
    unit = float(certified_difference(setting.order or 0, setting.nu)) * setting.u * delta.size()[1]
    return Judged(found - (delta - rest) * sign, unit, setting.stored(found) + setting.least())


def _draw_bounded_pair(setting: Setting, source: Source, count: int) -> Arguments:
    """Where s and x² neither over- nor underflow."""
    return tuple(np.where(x < CLOSE, 0, np.minimum(x, FAR)) for x in _draw_pair(setting, source, count))


def _draw_increment(setting: Setting, source: Source, count: int) -> Arguments:
    """Gaps from −κ² to 2¹⁰ κ², few of them tiny beside κ²."""
    kappa, draw = source.arguments(setting.nu, count), source.generator
    lengths = np.exp2(np.where(draw.random(count) < 0.02, draw.uniform(-60, -11, count), draw.uniform(-11, 10, count)))
    down = (draw.random(count) < 1 / 3) & (lengths < 0.99)
    gap = Source(source.dtype, source.largest**2 * 4096, draw).held(kappa * kappa * lengths)
    return kappa, np.where(down & (gap < 0.99 * kappa * kappa), -gap, gap)


def _judge_increment(setting: Setting, arguments: Arguments, found: Array) -> Judged:
    kappa, gap = arguments
    radius = (balls(kappa) * kappa + gap).sqrt()
    near = np.sqrt(np.maximum(kappa * kappa + gap, 0))
    radius = radius.where(near > 0, balls(np.zeros_like(kappa)))
    value = setting.reference(radius).rise - setting.reference(kappa).rise
    unit = setting.u * np.abs(gap) / (setting.s(kappa) + setting.s(near))
    return Judged(found - value, unit, setting.stored(found) + setting.least())


def _call_increment(setting: Setting, tensors: tuple[Any, ...]) -> Tensor:
    return vmf.potential_increment(*tensors, nu=setting.nu)


PRIMITIVES = (
    Primitive(
        "closed_form_difference",
        rungs(lambda n: max(plan.LEAST[n], Fraction(2)) if n == 2 else plan.LEAST[n]),
        _draw_bounded_pair,
        _call_difference,
        _judge_closed_difference,
        confirmed(lambda setting, a, b: debye.ladder_potential_difference(setting.order, setting.nu, a, b, DIGITS)),
    ),
    Primitive("potential", **_potential(vmf.potential, exactly.origin)),
    Primitive("log_normalizer", **_potential(vmf.log_normalizer, exactly.log_area)),
    Primitive(
        "potential_difference",
        dimensions,
        _draw_pair,
        _call_difference,
        _judge_difference,
        confirmed(lambda setting, a, b: bessel.potential_difference(setting.nu, a, b, DIGITS)),
    ),
    Primitive(
        "potential_increment",
        dimensions,
        _draw_increment,
        _call_increment,
        _judge_increment,
        confirmed(lambda setting, kappa, gap: exactly.increment(setting.nu, kappa, gap)),
        largest=lambda info: float(info.max) ** 0.5 / 64,
        refined=False,
    ),
)
