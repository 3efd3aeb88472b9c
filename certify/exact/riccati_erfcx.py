"""The polynomials of the production erfcx: M(z) = e^{z²} ∫_z^∞ e^{−s²} ds ≈ C(z) = p_0(t)/(1 + 2z), t = (z − 3)/(z + 3), for z ≥ 0.

p_0 interpolates M(z)(1 + 2z) at Chebyshev points in t; its coefficients are rounded to doubles, multiples of 2^−60, and stand here as
integers. Nothing depends on how they were found: claim ``riccati.erfcx`` proves |M − C| < 10⁻¹⁶/(1 + 2z). The form is that of
M. M. Shepherd and J. G. Laframboise, Math. Comp. 36 (1981).

As 1 + 2z = (7 + 5t)/(1 − t) and dt/dz = (1 − t)²/6, the derivatives have the same form:

    C^(k) = (−1)^k p_k(t)/(1 + 2z)^(k+1),    p_{k+1} = 2(k + 1) p_k − (1 − t)(7 + 5t)/6 · p_k′.
"""

from __future__ import annotations

from flint import fmpq, fmpq_poly

CENTRE = 3
UNIT = 2**60
NUMERATORS = (
    *(1280261084173808896, -138570876075348320, -48596778075656448, 132464951317140736, -121867875174150944, 69793732424874560),
    *(-24287525528323864, 2584406292120494, 1929769541142258, -796793692808558, -107447154781885, 127820296008840, 5057741476377),
    *(-20537795105313, -749406241740, 3547914879058, 369006417956, -629793370290, -151365701241, 103471053175, 49594655044),
    *(-12855421902, -13338278971, 457923431, 2840423681, 221464821, -426824161, -38034148, 33505324),
)
"""Of the powers of t in p_0, lowest first, over ``UNIT``."""


def polynomial(k: int) -> fmpq_poly:
    """p_k, the numerator of the k-th derivative, k ≥ 0."""
    if k == 0:
        return fmpq_poly([fmpq(c, UNIT) for c in NUMERATORS])
    rate = fmpq_poly([1 + 2 * CENTRE, -2, 1 - 2 * CENTRE]) / (2 * CENTRE)
    before = polynomial(k - 1)
    return 2 * k * before - rate * before.derivative()
