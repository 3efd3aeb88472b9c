"""The two-class construction of the softmax obstruction: its antisymmetry in balls, the data of Figure 10.

Two classes of equal prior with orthonormal directions at f = 0: v_j = Φ̃′(κ_j)μ_j/τ is the derivative of the realized forward, w_j
= g(κ_j)μ_j/τ the supplied one, g = min(R̃, 1), both with the finite start M = 2ν. The forward loss is log 2 whatever the backward.
With G = (w₂ − w₁)/2 for the first class as the label and its mixtures w_j(λ) = v_j + λ(w_j − v_j),

    J₁₂ − J₂₁ = λ (Φ̃′(κ₁)g(κ₂) − g(κ₁)Φ̃′(κ₂))/(4τ²),    ‖G_λ − G_0‖ = λ √(d(κ₁)² + d(κ₂)²)/(2τ),    d = g − Φ̃′.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb, fmpq

from certify.exact import recurrence
from certify.exact.ball import demand, working_precision
from certify.exact.increment import root
from certify.exact.number import Number, exact

NU = 63
FIRST, SECOND = fmpq(64), fmpq(128)
"""κ₁/ν and κ₂/ν of the construction that the paper prints; p = 128, M = 126, τ = 1."""

RATIOS = tuple(fmpq(2) ** k for k in range(-14, 15))
"""29 values of κ₂/κ₁, powers of two around equality: the paper states their number only."""

STRENGTHS = tuple(fmpq(k, 8) for k in range(9))
"""Nine values of λ, from the consistent backward to the supplied one."""

DIGITS = 30
BITS = 256


@dataclass(frozen=True)
class Pair:
    """Two classes: order, start of the recurrence, concentrations, temperature."""

    kappa1: fmpq
    kappa2: fmpq
    nu: int = NU
    start: int = 2 * NU
    tau: int = 1

    def antisymmetry(self, strength: Number = 1, digits: int = DIGITS) -> arb:
        """J₁₂ − J₂₁ of G_λ, exactly 0 for κ₁ = κ₂ or λ = 0."""
        weight = exact(strength)
        if self.kappa1 == self.kappa2 or weight == 0:
            return arb(0)
        return demand(
            lambda _: self._bracket(*(self.supplied(k, weight) for k in (self.kappa1, self.kappa2))),
            digits,
            lambda: f"the antisymmetry at kappa = {self.kappa1}, {self.kappa2}",
        )

    def gradient_gap(self, strength: Number = 1) -> arb:
        """‖G_λ − G_0‖."""
        with working_precision(BITS):
            defects = [self.supplied(k, exact(strength)) - self.derivative(k) for k in (self.kappa1, self.kappa2)]
            return root(defects[0] * defects[0] + defects[1] * defects[1]) / (2 * self.tau)

    def derivative(self, kappa: fmpq) -> arb:
        """Φ̃′(κ), at the working precision."""
        return recurrence.derivative(self.nu, self.start, arb(kappa))

    def supplied(self, kappa: fmpq, strength: fmpq) -> arb:
        """Φ̃′(κ) + λ(g(κ) − Φ̃′(κ)), at the working precision."""
        own, clipped = self.derivative(kappa), min(recurrence.ratio(self.nu, self.start, kappa), fmpq(1))
        return own + strength * (clipped - own)

    def _bracket(self, g1: arb, g2: arb) -> arb:
        return (self.derivative(self.kappa1) * g2 - g1 * self.derivative(self.kappa2)) / (4 * self.tau**2)


PRINTED = Pair(FIRST * NU, SECOND * NU)
"""κ₁ = 64ν, κ₂ = 128ν."""


def by_ratio() -> list[tuple[fmpq, arb]]:
    """(κ₂/κ₁, J₁₂ − J₂₁) at κ₁ = 64ν."""
    return [(ratio, Pair(FIRST * NU, ratio * FIRST * NU).antisymmetry()) for ratio in RATIOS]


def by_strength() -> list[tuple[fmpq, arb, arb]]:
    """(λ, ‖G_λ − G_0‖, J₁₂ − J₂₁) of the printed pair."""
    return [(strength, PRINTED.gradient_gap(strength), PRINTED.antisymmetry(strength)) for strength in STRENGTHS]
