"""w = 1/t_1 of Legendre's continued fraction t_k = x + 2k − α − (k+1)(k−α)/t_{k+1}, α = a − 1, for the hazard of the gamma distribution.

w = 1 − xΓ(α, x)/Γ(a, x), by DLMF 8.9.2. A step from t_{k+1} to t_k divides a relative error by about t²/(k|k−α|), t the larger zero of
t² − (x − α + 2k)t + k(k−α), which increases with x; the steps begin at t_n ≈ x/2 + n + √(xn). Error: ``gamma_truncation``.

For a < 2 the numerators (k+1)(k−α) are positive, so that w = ∫ dμ(s)/(x+s), μ ≥ 0 on s > 0. From ``NEAR`` to 1/``NEAR`` it is a
polynomial in σ = (√x − 1)/(√x + 1), which maps the plane without its negative axis to the unit disc and this interval to |σ| ≤ ``WIDTH``;
the polynomial takes w's values, by Arb, at Chebyshev's nodes.

Error.  |x + s| ≥ (|x| + s) cos(arg(x)/2) and w(0) = 1, so |w| ≤ M = 1/cos(arg(x)/2). On the ellipse of Bernstein with the semiaxes A, B and
foci ±``WIDTH``, tan(arg(x)/2) = 2 Im σ/(1 − |σ|²) ≤ B/(``WIDTH`` √(1 − A²)). With A + B = ``WIDTH`` ρ, the polynomial of degree d is within
4Mρ^{−d}/(ρ−1) (L. N. Trefethen, Approximation Theory and Approximation Practice, Theorem 8.2).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from flint import arb, fmpq
from torch import Tensor

from certify.exact.ball import working_precision
from certify.special.horner import polynomial
from certify.special.interpolation import BITS, distance, interpolant, semiaxes

TINY, FAR = 1e-300, 2.0**100
"""What a smaller x counts as for the derivative, and where x − α is x to the last bit."""
ACCURACY = 57 * math.log(2)
"""Of what the sum and the continued fraction leave away."""
NEAR, WIDTH, DEGREE = 1 / 16, fmpq(3, 5), 43
RADIUS = fmpq(29, 10)
"""ρ."""


def steps(x: float, a: float) -> int:
    """n so that the error is small enough from x on."""
    gain, n = 0.0, 1
    while gain < ACCURACY:
        gap, product = x - (a - 1), n * abs(n - (a - 1))
        t = (gap + 2 * n + math.sqrt(gap * gap + 4 * n * x)) / 2
        gain += math.log(t * t / product) if product else math.inf
        n += 1
    return n


def continued_fraction(x: Tensor, a: float, n: int) -> Tensor:
    """w by n steps."""
    t, one = (torch.sqrt(x * n) + x / 2).add_(n), torch.ones_like(x)
    for k in reversed(range(1, n)):
        t = torch.addcdiv(x + (2 * k + 1 - a), one, t, value=-(k + 1) * (k + 1 - a))
    return torch.reciprocal(t)


def by_polynomial(x: Tensor, coefficients: Sequence[float]) -> Tensor:
    """w from ``NEAR`` to 1/``NEAR``."""
    root = torch.sqrt(x)
    return polynomial(coefficients, (root - 1) / (root + 1))


def interpolated(a: float) -> list[float]:
    """The coefficients for a < 2."""
    return interpolant(lambda t: quotient(((1 + t) / (1 - t)) ** 2, arb(a)), WIDTH, DEGREE)


def quotient(x: arb, a: arb) -> arb:
    """w."""
    return 1 - x * x.gamma_upper(a - 1) / x.gamma_upper(a)


def interpolation_error() -> arb:
    """The bound of the polynomial's error, for every a < 2."""
    with working_precision(BITS):
        major, minor = semiaxes(WIDTH, RADIUS)
        tangent = arb(minor / WIDTH) / (1 - arb(major) ** 2).sqrt()
        return distance((1 + tangent**2).sqrt(), RADIUS, DEGREE)
