"""Special functions in PyTorch whose theorems are claims ``riccati.*``: value and derivatives of one proven closed form, so coherent.

from certify.special import log_ndtr, normal_hazard, erfcx, bessel_k_ratio, …
log_ndtr(x)                     # log Φ(x) on the whole axis; first and second derivative in closed form
normal_hazard(x)                # φ(x)/(1 − Φ(x))
erfcx(x)                        # e^{x²} erfc(x)
bessel_k_ratio(x, nu=32)        # K_{ν+1}(x)/K_ν(x); its error bound is bessel_k_ratio_error(nu=32)
log_bessel_k(x, nu=32)          # log K_ν(x), with two derivatives; within log_bessel_k_error(nu=32)
bessel_k_accuracy(nu=32)        # how accurate the ratio, its derivative and the second one of log K_ν are, rounding included
gamma_hazard(x, a=3)            # x^{a−1}e^{−x}/Γ(a, x), within gamma_hazard_error(a=3), relatively
watson_quotient(kappa, p=10)    # M′(½, p/2, κ)/M(½, p/2, κ)
log_kummer(kappa, p=10)         # log M(½, p/2, κ), whose derivative that is; within log_kummer_error(p=10), relatively
"""

from __future__ import annotations

from certify.special.gamma import gamma_hazard, gamma_hazard_error
from certify.special.kummer import log_kummer, log_kummer_error
from certify.special.normal import erfcx, log_ndtr, normal_hazard
from certify.special.second_kind import bessel_k_ratio, bessel_k_ratio_error, log_bessel_k, log_bessel_k_error
from certify.special.second_kind_order import bessel_k_accuracy
from certify.special.watson import watson_quotient

__all__ = [
    "bessel_k_accuracy",
    "bessel_k_ratio",
    "bessel_k_ratio_error",
    "erfcx",
    "gamma_hazard",
    "gamma_hazard_error",
    "log_bessel_k",
    "log_bessel_k_error",
    "log_kummer",
    "log_kummer_error",
    "log_ndtr",
    "normal_hazard",
    "watson_quotient",
]
