"""The polynomial of the production erfcx: M(z) = e^{z²} ∫_z^∞ e^{−s²} ds ≈ p(t)/(1 + 2z), t = (z − 3)/(z + 3), for z ≥ 0.

p interpolates M(z)(1 + 2z) at Chebyshev points in t; its coefficients are rounded to doubles, multiples of 2^−60, and stand here as
integers. Nothing depends on how they were found: claim ``riccati.erfcx`` proves |M − p/(1 + 2z)| < 10⁻¹⁶/(1 + 2z). The form is that of
M. M. Shepherd and J. G. Laframboise, Math. Comp. 36 (1981).
"""

from __future__ import annotations

CENTRE = 3
UNIT = 2**60
NUMERATORS = (
    *(1280261084173808896, -138570876075348320, -48596778075656448, 132464951317140736, -121867875174150944, 69793732424874560),
    *(-24287525528323864, 2584406292120494, 1929769541142258, -796793692808558, -107447154781885, 127820296008840, 5057741476377),
    *(-20537795105313, -749406241740, 3547914879058, 369006417956, -629793370290, -151365701241, 103471053175, 49594655044),
    *(-12855421902, -13338278971, 457923431, 2840423681, 221464821, -426824161, -38034148, 33505324),
)
"""Of the powers of t, lowest first, over ``UNIT``."""
