"""Special functions in PyTorch whose theorems are claims ``riccati.*``: value and derivatives of one proven closed form, so coherent.

from certify.special import log_ndtr, normal_hazard, erfcx, bessel_k_ratio
log_ndtr(x)                     # log Φ(x) on the whole axis; first and second derivative in closed form
normal_hazard(x)                # φ(x)/(1 − Φ(x))
erfcx(x)                        # e^{x²} erfc(x)
bessel_k_ratio(x, nu=32)        # K_{ν+1}(x)/K_ν(x); its error bound is bessel_k_ratio_error(nu=32)
"""

from __future__ import annotations

from certify.special.normal import erfcx, log_ndtr, normal_hazard
from certify.special.second_kind import bessel_k_ratio, bessel_k_ratio_error

__all__ = ["bessel_k_ratio", "bessel_k_ratio_error", "erfcx", "log_ndtr", "normal_hazard"]
