"""Divergence, entropy and density of the distribution, and the inverse of the ratio."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from flint import arb
from torch import Tensor

from certify import vmf
from certify.exact.ball import working_precision
from certify.exact.number import exact
from certify.studies.production import exactly
from certify.studies.production.balls import Array, Balls, balls, enclosing
from certify.studies.production.inputs import Source
from certify.studies.production.primitives import BITS, Arguments, Judged, Primitive, confirmed, single
from certify.studies.production.setting import Setting, dimensions, small_constants


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
    area = enclosing(exactly.log_area(setting.nu))
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
    below, area = kappa * (1 - cosine), enclosing(exactly.log_area(setting.nu))
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


PRIMITIVES = (
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
        confirmed(lambda setting, x: exactly.divergence(setting.nu, x)),
    ),
    Primitive(
        "entropy",
        small_constants,
        single,
        _call_entropy,
        _judge_entropy,
        confirmed(lambda setting, x: exactly.log_area(setting.nu) - exactly.divergence(setting.nu, x)),
    ),
    Primitive(
        "log_prob",
        small_constants,
        _draw_density,
        _call_density,
        _judge_density,
        confirmed(_density),
    ),
)
