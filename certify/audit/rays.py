"""Audit of a function of many variables: random rays through its inputs, and the search for the entry that is wrong.

One wrong entry of the Jacobian among thousands moves what a ray shows; halving v and w finds which.
"""

from __future__ import annotations

import numpy as np

from certify.audit.clock import Clock
from certify.audit.evidence import Evidence, Finding, Kind, Kink
from certify.audit.field import asymmetry
from certify.audit.many import Many
from certify.audit.precision import Floats
from certify.audit.scan import kinks
from certify.audit.sight import Ray, Sight, along

RAYS = 8  # of each kind
BESIDE = 0.05  # of its size: how far from the input another is looked at, where coincidences end
SHOWN = 2  # findings
AROUND = 48  # neighbours at which the supplied derivative may jump


def audit(many: Many, x: Floats, clock: Clock) -> Evidence:
    """Random rays through x; what they contradict is tracked to an entry of the Jacobian."""
    evidence = Evidence(many.format.name, points=1)
    y = many.forward(x)
    evidence.finite = int(np.isfinite(y).all())
    if not evidence.finite:
        return evidence
    many.noise = many.randomness(x)
    evidence.random = many.noise > 0
    for ray in _rays(x, y):
        if clock.left("rays"):
            _look(many, x, ray, evidence)
    if not evidence.findings:
        _look_beside(many, x, _rays(x, y)[: RAYS // 2], evidence, clock)
    if many.outputs == 1 and x.size > 1 and clock.left("symmetry of the Jacobian"):
        evidence.findings += asymmetry(many, x)
    evidence.findings += many.conduct(x)
    evidence.evaluations, evidence.complete = many.evaluations, not clock.cut
    evidence.notes += many.notes
    return evidence


def _look_beside(many: Many, x: Floats, rays: list[Ray], evidence: Evidence, clock: Clock) -> None:
    """At an input close by, where the function has a value there."""
    beside = many.format.round(x + BESIDE * _scale(x) * np.random.default_rng(4).standard_normal(x.size))
    if np.isfinite(many.attempt(beside)).all():
        for ray in rays:
            if clock.left("rays beside the input"):
                _look(many, beside, ray, evidence, "at the input moved at random by a twentieth of its size")


def _look(many: Many, x: Floats, ray: Ray, evidence: Evidence, note: str = "") -> None:
    """What a ray shows is added to the evidence. At a kink outputs together prove nothing: each may have its own subgradient."""
    sight = along(many, x, ray)
    evidence.points += 1
    evidence.shown += int(sight.judgement.shown[0])
    kinked, left, right = kinks(sight.estimates, np.array([sight.supplied]))
    contradicted = sight.contradicted
    if contradicted and len(evidence.findings) < SHOWN:
        contradicted = _pursued(many, x, sight, bool(kinked[0]) or sight.bent, evidence, note)
    sides = (float(left[0]), float(right[0])) if kinked[0] else sight.limits
    if sides is not None and not contradicted and not evidence.kinks:
        evidence.kinks.append(Kink(0.0, sight.supplied, *sides, many.format.name, "along a ray from the input", jump=not kinked[0]))


def _pursued(many: Many, x: Floats, sight: Sight, bent: bool, evidence: Evidence, note: str) -> bool:
    """Track a contradiction to its entry, a finding or a kink; False where it is of outputs together, at a kink."""
    best = _narrowed(many, x, sight, ("w", "v") if bent else ("v", "w"))
    if bent and np.count_nonzero(best.ray.w) != 1:
        return False
    turn = _turn(many, x, best)
    if turn is None:
        evidence.findings.append(_finding(many, x, best, note))
    elif not evidence.kinks:
        evidence.kinks.append(turn)
    return True


def _turn(many: Many, x: Floats, sight: Sight) -> Kink | None:
    """A kink where the supplied derivative jumps among the closest neighbours of x, over a range that holds both the one
    supplied at x and the realized one: ties and repeated eigenvalues, where a function may have derivatives along every
    single input and none together. Any value in the range is a generalized gradient."""
    step = many.output.eps**0.4 * _scale(x)
    generator = np.random.default_rng(5)
    near = (many.format.round(x + step * generator.standard_normal(x.size)) for _ in range(AROUND))
    supplied = np.array([many.pull(at, sight.ray.w) @ sight.ray.v for at in near if np.isfinite(many.attempt(at)).all()])
    if not supplied.size or not np.isfinite([*supplied, sight.supplied]).all():
        return None
    low, high = float(supplied.min()), float(supplied.max())
    room, realized = (high - low) / 4, float(sight.judgement.realized[0])
    if not low - room <= min(realized, sight.supplied) <= max(realized, sight.supplied) <= high + room:
        return None
    return Kink(0.0, sight.supplied, low, high, many.format.name, "among the closest neighbours of the input", ("at least", "at most"))


def _scale(x: Floats) -> Floats:
    """The sizes of the inputs, that of most of them where one is 0."""
    return np.where(x == 0, max(float(np.abs(x).mean()), 1e-3) if np.any(x) else 1.0, np.abs(x))


def _rays(x: Floats, y: Floats) -> list[Ray]:
    """Dense rays, rays along single inputs, weights on single outputs, and blocks of both."""
    generator = np.random.default_rng(0)
    scale = _scale(x)
    n, m = x.size, y.size

    def dense(size: int) -> Floats:
        return generator.choice([-1.0, 1.0], size) * generator.uniform(0.5, 1.5, size)

    def one(size: int, i: int) -> Floats:
        return np.where(np.arange(size) == i, 1.0, 0.0)

    def block(size: int) -> Floats:
        width = max(1, size // 8)
        return dense(size) * (np.arange(size) // width == generator.integers(0, -(-size // width)))

    rays = [Ray(scale * dense(n), dense(m)) for _ in range(RAYS)]
    inputs = generator.permutation(n)[:RAYS]
    rays += [Ray(scale * one(n, j), dense(m)) for j in inputs]
    rays += [Ray(scale * dense(n), one(m, i)) for i in generator.permutation(m)[:RAYS]] if m > 1 else []
    rays += [Ray(scale * block(n), block(m)) for _ in range(RAYS)] if n > 8 else []
    return rays


def _narrowed(many: Many, x: Floats, best: Sight, axes: tuple[str, str]) -> Sight:
    """Halve the support of direction and weights, keeping the half that contradicts more, down to one entry."""
    for axis in axes:
        while np.count_nonzero(getattr(best.ray, axis)) > 1:
            halves = [along(many, x, ray) for ray in _halved(best.ray, axis)]
            better = max(halves, key=lambda half: half.excess)
            if not better.contradicted:
                break
            best = better
    return best


def _finding(many: Many, x: Floats, best: Sight, note: str) -> Finding:
    j, i = np.flatnonzero(best.ray.v), np.flatnonzero(best.ray.w)
    single = j.size == 1 and i.size == 1
    unit = float(best.ray.v[j[0]] * best.ray.w[i[0]]) if single else 1.0
    kind = Kind.DERIVATIVE if np.isfinite(best.supplied) else Kind.LOST
    verdict = best.judgement
    step = float(best.estimates.steps[0, verdict.scale[0]]) * (abs(float(best.ray.v[j[0]])) if single else 1.0)
    numbers = (best.supplied / unit, float(verdict.realized[0]) / unit, float(verdict.bar[0]) / abs(unit), step)
    where = many.name(i[0], j[0]) if single else f"along a direction of {j.size} inputs, for {i.size} outputs together"
    return Finding(kind, float(x[j[0]]) if single else 0.0, *numbers, many.format.name, many.order, entry=where, note=note)


def _halved(ray: Ray, axis: str) -> list[Ray]:
    vector = getattr(ray, axis)
    support = np.flatnonzero(vector)
    first = np.isin(np.arange(vector.size), support[: support.size // 2])
    halves = [np.where(first, vector, 0.0), np.where(first, 0.0, vector)]
    return [Ray(half, ray.w) if axis == "v" else Ray(ray.v, half) for half in halves]
