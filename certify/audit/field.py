"""Is a field of gradients the gradient of anything? Its Jacobian would have to be symmetric, its loop integrals zero."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from certify.audit.estimates import along_line, fitted_along_line
from certify.audit.evidence import Evidence, Finding, Kind
from certify.audit.many import Many
from certify.audit.precision import Floats
from certify.audit.stencil import DOUBT

Field = Callable[[Floats], Floats]
PAIRS = 4
NEARBY = 0.05
GAUSS = np.polynomial.legendre.leggauss(12)


def asymmetry(many: Many, x: Floats) -> list[Finding]:
    """The supplied gradient of a scalar function, tested in random planes; the witness is a loop integral."""
    weight = np.ones(1)
    return circulation(lambda at: many.attempt(at, weight), x, many)


def audit(many: Many, x: Floats) -> Evidence:
    """The output itself as a claimed field of gradients, at x and at an input close by. Raises ValueError unless it has x's size."""
    evidence = Evidence(many.format.name, points=2, shown=2)
    y = many.forward(x)
    if y.size != x.size or x.size < 2:
        raise ValueError(f"a field of {x.size} inputs needs as many outputs, two at least: it has {y.size}")
    evidence.finite = int(np.isfinite(y).all())
    beside = many.format.round(x * (1 + NEARBY * np.random.default_rng(4).standard_normal(x.size)))
    if evidence.finite:
        evidence.findings = circulation(many.forward, x, many) or circulation(many.forward, beside, many)
    evidence.evaluations = many.evaluations
    return evidence


def circulation(field: Field, x: Floats, many: Many) -> list[Finding]:
    """⟨u, J v⟩ − ⟨v, J u⟩ for random u, v beyond its error bar; at most one finding."""
    generator = np.random.default_rng(1)
    scale = np.where(x == 0, max(float(np.abs(x).mean()), 1e-3) if np.any(x) else 1.0, np.abs(x))
    for _ in range(PAIRS):
        u, v = (scale * generator.standard_normal(x.size) for _ in range(2))
        (first, bar), (second, other) = _along(field, x, u, v, many), _along(field, x, v, u, many)
        if np.isfinite(bar + other) and abs(first - second) > DOUBT * (bar + other):
            loop, error = _loop(field, x, u, v)
            if abs(loop) > DOUBT * error:
                note = f"the integral of the supplied gradient around a small parallelogram at the input is {loop:.6g} ± {error:.1g}, not 0"
                return [Finding(Kind.FIELD, float(x[0]), first, second, bar + other, 0.0, many.format.name, many.order, note=note)]
    return []


def _along(field: Field, x: Floats, u: Floats, v: Floats, many: Many) -> tuple[float, float]:
    """The derivative of ⟨u, field⟩ along v, with its bar."""
    steps, places = along_line(many.format)
    gradients = np.stack([field(many.format.round(x + t * v)) for t in places])
    values = gradients @ u
    floor = 4 * np.sqrt(((many.output.ulp(gradients) * u) ** 2).sum(axis=1)).max()
    e = fitted_along_line(values, steps, floor, many.format, float(np.abs(values).max()))
    bars = np.where(e.both.resolved[0], e.both.bar[0], np.inf)
    k = int(bars.argmin())
    return float(e.both.value[0, k]), float(bars[k])


def _loop(field: Field, x: Floats, u: Floats, v: Floats) -> tuple[float, float]:
    """The integral of the field around the parallelogram x, x + εu, x + ε(u + v), x + εv; its error by a coarser rule."""
    corners = [x, x + u / 8, x + (u + v) / 8, x + v / 8, x]
    totals = []
    for nodes, weights in (GAUSS, np.polynomial.legendre.leggauss(8)):
        sides = [_side(field, a, b, nodes, weights) for a, b in pairwise(corners)]
        totals.append(sum(sides))
    size = sum(float(np.abs(field(corner)) @ (np.abs(u) + np.abs(v)) / 8) for corner in corners[:-1])
    return totals[0], abs(totals[0] - totals[1]) + 64 * np.finfo(float).eps * size


def _side(field: Field, a: Floats, b: Floats, nodes: Floats, weights: Floats) -> float:
    return sum(float(w) / 2 * float(field(a + (b - a) * (1 + t) / 2) @ (b - a)) for t, w in zip(nodes, weights, strict=True))
