"""Where the public recurrence begins to clip, and its defect there: the code in float64 beside the recurrence in balls.

For odd ν the raw ratio R̃_{ν,2ν} crosses one exactly once (claims concentration.crossing and defect.crossing); from there on the supplied
derivative is one, and the coherence defect |1 − Φ̃′| falls. Below the crossing the defect follows the law of claim defect.law.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flint import arb, fmpq

from certify.exact.defect import clip_start
from certify.exact.number import centre, exact, nearest_double
from certify.studies.finite_start.coherence import Radius, at
from certify.studies.tables.grid import order

DIMENSIONS = (64, 128, 256, 512, 1024, 2048)
BESIDE = 2.0**-20  # of the crossing: how far to its right the defect is measured, where the supplied derivative is one


@dataclass(frozen=True)
class Clip:
    """At dimension p: the exact crossing and the defect there, where the code begins to supply one, and the defect that an audit measures.

    ``place`` is the input of that measurement, ``exact`` the defect in balls at it.
    """

    p: int
    crossing: fmpq
    defect: arb
    onset: float
    place: float
    measured: float
    bar: float
    exact: arb

    @property
    def nu(self) -> int:
        return order(self.p)


def clips(dimensions: tuple[int, ...] = DIMENSIONS) -> Iterator[Clip]:
    """For each dimension, which must be a multiple of four."""
    for p in dimensions:
        nu = order(p)
        crossing = centre(clip_start(nu, 2 * nu))
        place = nearest_double(crossing) * (1 + BESIDE)
        measured, bar = _measured(nu, place)
        yield Clip(p, crossing, _defect(at(nu, crossing)), _onset(nu, crossing), place, measured, bar, _defect(at(nu, exact(place))))


def _defect(radius: Radius) -> arb:
    return abs(radius.residual)


def _onset(nu: int, crossing: fmpq) -> float:
    """The first input at which the code, given it alone, supplies one: halved down between neighbours of the crossing."""
    import torch

    from certify.realizations.tensor.public import PublicOriginal

    code = PublicOriginal(nu)
    low, high = nearest_double(crossing) * 0.99, nearest_double(crossing) * 1.01
    while low < (middle := (low + high) / 2) < high:
        clipped = bool(code.derivative(torch.tensor([middle], dtype=torch.float64)) == 1)
        low, high = (low, middle) if clipped else (middle, high)
    return high


def _measured(nu: int, x: float) -> tuple[float, float]:
    """|supplied − derivative of the realized forward| of the public code at x as an audit sees it, with its bar."""
    import numpy as np

    from certify.audit.precision import precision
    from certify.audit.samples import Domain
    from certify.audit.scan import confirmed
    from certify.audit.state import preserved
    from certify.audit.subject import Subject
    from certify.realizations.tensor.public import PublicOriginal

    subject = Subject(PublicOriginal(nu).potential, precision("float64"))
    with preserved():
        seen = confirmed(subject, np.array([x]), Domain(x, 2 * x))
    return abs(float(seen.s[0] - seen.realized[0])), float(seen.bar[0])
