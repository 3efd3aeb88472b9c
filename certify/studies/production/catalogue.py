"""All primitives."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import torch
from flint import arb
from torch import Tensor

from certify import vmf
from certify.exact import bessel, debye
from certify.exact.ball import working_precision
from certify.exact.number import centre, exact
from certify.studies.production import exactly
from certify.studies.production.balls import Array, Balls, balls, rational
from certify.studies.production.closed_form import increase
from certify.studies.production.inputs import Source
from certify.studies.production.primitives import DIGITS, DIMENSIONS, OF_FLOAT16, Arguments, Judged, Primitive, Setting
from certify.studies.production.shipped import certified_difference, certified_slope
from certify.vmf import plan
from certify.vmf.kernel import X_MAX

FAR, CLOSE = 2.0**199, 2.0**-449
BITS = 2400
"""So that nothing is lost between a result of any exponent and its error."""
ORDERS = (0.0, 4.0, 63.0, 2047.5)
"""Added to the least order of each closed form."""


def dimensions(dtype: torch.dtype) -> list[tuple[float, int | None]]:
    return [(p / 2 - 1, None) for p in DIMENSIONS]


def small_constants(dtype: torch.dtype) -> list[tuple[float, int | None]]:
    return [(p / 2 - 1, None) for p in DIMENSIONS if dtype != torch.float16 or p <= OF_FLOAT16]


def rungs(least: Callable[[int], Fraction]) -> Callable[[torch.dtype], list[tuple[float, int | None]]]:
    return lambda dtype: [(float(least(n)) + more, n) for n in range(len(plan.LEAST)) for more in ORDERS]


def single(setting: Setting, source: Source, count: int) -> Arguments:
    return (source.arguments(setting.nu, count),)


# The ratio and its derivative ---------------------------------------------------------------------------------------


def _call_ratio(setting: Setting, tensors: tuple[Any, ...]) -> Tensor:
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


# Potentials ---------------------------------------------------------------------------------------------------------


def _growth(setting: Setting, low: Array | float, high: Array) -> Array:
    """s(high) − s(low) for s = √(x² + (ν+1)²)."""
    return np.abs(high - low) * ((high + low) / (setting.s(np.asarray(low)) + setting.s(high)))


def _potential(function: Callable[..., Tensor], constant: Callable[[float], arb]) -> dict[str, Any]:
    """A primitive Φ_ν(x) − Φ_ν(0) + constant."""

    def call(setting: Setting, tensors: tuple[Any, ...]) -> Tensor:
        return function(tensors[0], nu=setting.nu)

    def judge(setting: Setting, arguments: Arguments, found: Array) -> Judged:
        x, added = arguments[0], _ball(constant(setting.nu))
        extra = setting.u * (abs(float(added.high)) + np.abs(found)) + setting.stored(found) + setting.least()
        return Judged(found - (setting.reference(x).rise + added), setting.u * _growth(setting, 0.0, x), extra)

    confirm = _confirmed(lambda setting, x: exactly.rise(setting.nu, x) + constant(setting.nu))
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


# Densities and the inverse ------------------------------------------------------------------------------------------


def _logarithmic(setting: Setting, x: Array) -> Array:
    """About x − (Φ_N(x) − Φ_N(0)), N the order from which the program descends."""
    top = setting.top + 1
    return top * np.log1p(x / top)


def _divergence(setting: Setting, x: Array) -> tuple[Balls, Array]:
    """x R − (Φ(x) − Φ(0)), and the size of the terms of which it is computed."""
    at = setting.reference(x)
    far = x > 2 * setting.nu + 2
    value = (at.deficit - at.linear).where(far, x * at.ratio - at.rise)
    return value, np.where(far, _logarithmic(setting, x), (x * at.ratio).size()[1])


def _call_divergence(setting: Setting, tensors: tuple[Any, ...]) -> Tensor:
    return vmf.kl_uniform(tensors[0], nu=setting.nu)


def _judge_divergence(setting: Setting, arguments: Arguments, found: Array) -> Judged:
    value, size = _divergence(setting, arguments[0])
    return Judged(found - value, setting.u * size, setting.stored(found) + setting.least())


def _call_entropy(setting: Setting, tensors: tuple[Any, ...]) -> Tensor:
    return vmf.entropy(tensors[0], nu=setting.nu)


def _judge_entropy(setting: Setting, arguments: Arguments, found: Array) -> Judged:
    value, size = _divergence(setting, arguments[0])
    area = _ball(exactly.log_area(setting.nu))
    extra = setting.u * (abs(float(area.high)) + np.abs(found)) + setting.stored(found) + setting.least()
    return Judged(found - (area - value), setting.u * size, extra)


def _draw_density(setting: Setting, source: Source, count: int) -> Arguments:
    """κ, and the cosine 1, 0 or −1 of an axis with the mean direction, the same for all in a call."""
    return single(setting, source, count)[0], np.full(count, source.generator.choice([1.0, 0.0, -1.0]))


def _call_density(setting: Setting, tensors: tuple[Any, ...]) -> Tensor:
    kappa, cosine = tensors
    p = round(2 * setting.nu) + 2
    mean = torch.zeros(p, dtype=kappa.dtype, device=kappa.device)
    mean[0] = 1
    value = torch.zeros_like(mean)
    value[0], value[1] = cosine[0], 1 - cosine[0].abs()
    return vmf.log_prob(value, mean, kappa)


def _judge_density(setting: Setting, arguments: Arguments, found: Array) -> Judged:
    kappa, cosine = arguments
    below, area = kappa * (1 - cosine), _ball(exactly.log_area(setting.nu))
    deficit = setting.reference(kappa).deficit
    extra = setting.u * (2 * abs(float(area.high)) + np.abs(found)) + setting.stored(found) + setting.least()
    return Judged(found - (deficit - below - area), setting.u * (_logarithmic(setting, kappa) + below), extra)


def _density(setting: Setting, kappa: float, cosine: float) -> arb:
    below = exact(kappa) * (1 - exact(cosine))
    return exactly.deficit(setting.nu, kappa) - below - exactly.log_area(setting.nu)


def _draw_resultant(setting: Setting, source: Source, count: int) -> Arguments:
    """Mean resultant lengths of all sizes and all distances from 1, those kept whose κ is a number of the dtype."""
    draw = source.generator
    kinds, exponents = draw.integers(0, 3, count), -draw.uniform(0, 60, count)
    r = np.choose(kinds, [draw.random(count), np.exp2(exponents), 1 - np.exp2(exponents / 2)])
    r[: min(8, count)] = [0, source.largest, 0.5, 0.5 - float(torch.finfo(setting.dtype).eps), 0.25, 0.75, 1e-3, 0.999][:count]
    r = source.held(r)
    return (np.where((2 * setting.nu + 2) * r / (1 - r) < float(torch.finfo(setting.dtype).max) / 4, r, 0.0),)


def _call_inverse(setting: Setting, tensors: tuple[Any, ...]) -> Tensor:
    return vmf.inverse_ratio(tensors[0], nu=setting.nu)


def _judge_inverse(setting: Setting, arguments: Arguments, found: Array) -> Judged:
    """By the residual R(κ̂) − r, which is κ R′ times the relative error of κ̂ to first order."""
    r, at = arguments[0], setting.reference(found)
    residual = ((1 - balls(r)) - at.complement).where(r >= 0.5, at.ratio - r)
    slope = at.slope.size()[1]
    few = 1 + 50 / (2 * setting.nu + 1)  # descents subtract numbers of the size of their steps
    return Judged(residual, setting.u * found * slope * few, (setting.stored(found) + setting.least()) * slope, slope)


def _confirm_inverse(setting: Setting, arguments: tuple[float, ...], found: float) -> arb:
    with working_precision(BITS):
        return (1 - exact(arguments[0])) - exactly.complement(setting.nu, found)


def _ball(value: arb) -> Balls:
    found = rational(centre(value))
    return found.widened(float(value.rad()))


def _confirmed(value: Callable[..., arb]) -> Callable[[Setting, tuple[float, ...], float], arb]:
    def confirm(setting: Setting, arguments: tuple[float, ...], found: float) -> arb:
        with working_precision(BITS):
            return exact(found) - value(setting, *arguments)

    return confirm


# All ----------------------------------------------------------------------------------------------------------------

PRIMITIVES = {
    each.name: each
    for each in (
        Primitive(
            "ratio",
            dimensions,
            single,
            _call_ratio,
            _judge_ratio,
            _confirmed(lambda setting, x: bessel.ratio(setting.nu, x, DIGITS)),
            largest=lambda info: float(info.max),
        ),
        Primitive(
            "slope",
            dimensions,
            single,
            _call_ratio,
            _judge_slope,
            _confirmed(lambda setting, x: bessel.ratio_derivative(setting.nu, x, DIGITS)),
            derivative=True,
            largest=lambda info: float(info.max),
        ),
        Primitive(
            "closed_form",
            rungs(lambda n: plan.LEAST[n]),
            single,
            _call_ratio,
            _judge_closed_form,
            _confirmed(lambda setting, x: debye.ladder_ratio(setting.order, setting.nu, x, DIGITS)),
            largest=lambda info: float(info.max),
        ),
        Primitive(
            "closed_form_slope",
            rungs(lambda n: plan.LEAST[n]),
            single,
            _call_ratio,
            _judge_closed_form_slope,
            _confirmed(lambda setting, x: debye.ladder_ratio_derivative(setting.order, setting.nu, x, DIGITS)),
            derivative=True,
            largest=lambda info: float(info.max),
        ),
        Primitive(
            "closed_form_difference",
            rungs(lambda n: max(plan.LEAST[n], Fraction(2)) if n == 2 else plan.LEAST[n]),
            _draw_bounded_pair,
            _call_difference,
            _judge_closed_difference,
            _confirmed(lambda setting, a, b: debye.ladder_potential_difference(setting.order, setting.nu, a, b, DIGITS)),
        ),
        Primitive("potential", **_potential(vmf.potential, exactly.origin)),
        Primitive("log_normalizer", **_potential(vmf.log_normalizer, exactly.log_area)),
        Primitive(
            "potential_difference",
            dimensions,
            _draw_pair,
            _call_difference,
            _judge_difference,
            _confirmed(lambda setting, a, b: bessel.potential_difference(setting.nu, a, b, DIGITS)),
        ),
        Primitive(
            "potential_increment",
            dimensions,
            _draw_increment,
            _call_increment,
            _judge_increment,
            _confirmed(lambda setting, kappa, gap: exactly.increment(setting.nu, kappa, gap)),
            largest=lambda info: float(info.max) ** 0.5 / 64,
            refined=False,
        ),
        Primitive(
            "inverse_ratio",
            dimensions,
            _draw_resultant,
            _call_inverse,
            _judge_inverse,
            _confirm_inverse,
            largest=lambda info: 1 - float(info.eps) / 2,
            refined=False,
        ),
        Primitive(
            "kl_uniform",
            dimensions,
            single,
            _call_divergence,
            _judge_divergence,
            _confirmed(lambda setting, x: exactly.divergence(setting.nu, x)),
        ),
        Primitive(
            "entropy",
            small_constants,
            single,
            _call_entropy,
            _judge_entropy,
            _confirmed(lambda setting, x: exactly.log_area(setting.nu) - exactly.divergence(setting.nu, x)),
        ),
        Primitive(
            "log_prob",
            small_constants,
            _draw_density,
            _call_density,
            _judge_density,
            _confirmed(_density),
        ),
    )
}
