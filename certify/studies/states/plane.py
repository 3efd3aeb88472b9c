"""The field of the two-class construction, G(f) = Σ_j (p_j − 1[j=1]) w_j(f), on the plane of the two directions, differentiated."""

from __future__ import annotations

from flint import arb, fmpq

from certify.exact import recurrence
from certify.exact.increment import root
from certify.studies.states.obstruction import Pair

H = fmpq(1, 2**100)
"""Step of the central differences, which are off by about its square."""

Vector = tuple[arb, arb]


class Plane:
    """The field of a pair on the plane f = (f₁, f₂) of its two directions, the first class being the label."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        self.starts = [self._potential(arb(kappa)) for kappa in (pair.kappa1, pair.kappa2)]

    def __call__(self, f: Vector, strength: fmpq) -> Vector:
        """G_λ(f)."""
        pair = self.pair
        places = [(pair.kappa1 + f[0] / pair.tau, f[1] / pair.tau), (f[0] / pair.tau, pair.kappa2 + f[1] / pair.tau)]
        radii = [(x * x + y * y).sqrt() for x, y in places]
        second, first = (self._potential(r) - start for r, start in zip(reversed(radii), reversed(self.starts), strict=True))
        mass = 1 / (1 + (first - second).exp())
        slopes = [self._supplied(r, strength) / (pair.tau * r) for r in radii]
        others, own = ((slopes[1] * part for part in places[1]), (slopes[0] * part for part in places[0]))
        x, y = (mass * (b - a) for a, b in zip(own, others, strict=True))
        return x, y

    def antisymmetry(self, strength: fmpq) -> arb:
        """J₁₂ − J₂₁ at f = 0 by central differences."""
        zero, across = arb(0), [self((arb(0), sign * arb(H)), strength)[0] for sign in (1, -1)]
        along = [self((sign * arb(H), zero), strength)[1] for sign in (1, -1)]
        return (across[0] - across[1] - along[0] + along[1]) / (2 * H)

    def gap(self, strength: fmpq) -> arb:
        """‖G_λ − G_0‖ at f = 0."""
        ends = [self((arb(0), arb(0)), each) for each in (strength, fmpq(0))]
        x, y = (a - b for a, b in zip(*ends, strict=True))
        return root(x * x + y * y)

    def _potential(self, r: arb) -> arb:
        return recurrence.potential(self.pair.nu, self.pair.start, r)

    def _supplied(self, r: arb, strength: fmpq) -> arb:
        own = recurrence.derivative(self.pair.nu, self.pair.start, r)
        return own + strength * (recurrence.ratio(self.pair.nu, self.pair.start, r).min(arb(1)) - own)
