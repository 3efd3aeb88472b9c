"""What a function of many variables shows along a ray x + t v, weighed by upstream gradients w.

It is there one of a single variable: φ(t) = ⟨w, F(x + t v)⟩, whose supplied derivative at 0 is ⟨Jᵀw, v⟩.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.audit.estimates import Estimates, along_line, fitted_along_line
from certify.audit.judge import LAST_PLACES, Judgement, judge
from certify.audit.many import Many
from certify.audit.precision import Floats

UNITS = 4.0  # in the last place: the error of one output element, taken as independent of the others'
SUDDEN, FINEST = 64.0, 2  # times what varies on either side is a jump, over the steps of so many scales


@dataclass(frozen=True)
class Ray:
    """A direction in input space, in units of the inputs' size, with weights of the outputs."""

    v: Floats
    w: Floats


@dataclass(frozen=True)
class Sight:
    """What a ray showed."""

    ray: Ray
    supplied: float
    estimates: Estimates
    judgement: Judgement
    limits: tuple[float, float] | None  # of the forward from the left and from the right, where it jumps

    @property
    def contradicted(self) -> bool:
        return bool(self.judgement.contradicted[0])

    @property
    def bent(self) -> bool:
        """Whether the one-sided derivatives differ at the scale that decides."""
        k, left, right = int(self.judgement.scale[0]), self.estimates.left, self.estimates.right
        return bool(abs(left.value[0, k] - right.value[0, k]) > left.bar[0, k] + right.bar[0, k])

    @property
    def excess(self) -> float:
        return float(self.judgement.excess[0]) if self.contradicted else 0.0


def along(many: Many, x: Floats, ray: Ray) -> Sight:
    """Hold the supplied derivative along a ray against the realized one."""
    format = many.format
    steps, places = along_line(format)
    outputs = np.stack([many.attempt(format.round(x + t * ray.v)) for t in places])
    values, floor = outputs @ ray.w, many.noise + UNITS * np.sqrt(((many.output.ulp(outputs) * ray.w) ** 2).sum(axis=1)).max()
    gradient = many.pull(x, ray.w)
    with np.errstate(all="ignore"):
        supplied = float(gradient @ ray.v)
    size = float(np.abs(np.where(np.isfinite(outputs), outputs, 0.0) @ np.abs(ray.w)).max())
    e = fitted_along_line(values, steps, floor, format, size)
    magnitude = float(np.nansum(np.abs(gradient * ray.v)))
    tolerance = LAST_PLACES * many.output.eps * magnitude + format.smallest
    verdict = judge(e, np.array([supplied]), np.array([tolerance]), many.output)
    return Sight(ray, supplied, e, verdict, _limits(values, steps, supplied, float(floor)))


def _limits(values: Floats, steps: Floats, supplied: float, floor: float) -> tuple[float, float] | None:
    """The forward close by on either side, where it is constant there beside how far that is from its value between.

    None where a derivative of the size of the supplied one explains the distance.
    """
    right, left = values[1:].reshape(steps.size, 2, -1)[-FINEST:].swapaxes(0, 1).reshape(2, -1)
    if not np.isfinite([*right, *left, supplied]).all():
        return None
    varies = max(float(np.ptp(left)), float(np.ptp(right)), abs(supplied) * float(steps[-FINEST]), floor)
    limits = float(left.mean()), float(right.mean())
    return limits if max(abs(limit - values[0]) for limit in limits) > SUDDEN * varies else None
