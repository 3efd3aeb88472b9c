"""Debye's polynomials and those of the logarithm of his expansion, exactly, as polynomials in t = ν/√(ν² + x²).

* U_k:  I_ν(x) ~ e^{νξ} (2πs)^{−½} Σ_k U_k(t)/ν^k,  s = √(ν² + x²)  (DLMF 10.41.3 and 10.41.9);
* D_k:  log Σ_k U_k(t)/ν^k ~ Σ_{k≥1} D_k(t)/ν^k;
* b_k:  R_ν(x) = I_{ν+1}(x)/I_ν(x) ~ √(1−t²)·[1/(1+t) + Σ_{k≥1} b_k(t)/ν^k],  with b_{k+1} = −t² D_k′.

Each is t^k times a polynomial of degree at most k in t².
"""

from __future__ import annotations

from functools import cache

from flint import fmpq, fmpq_poly

_T = fmpq_poly([0, 1])
_W2 = 1 - _T**2


@cache
def ratio_polynomial(k: int) -> fmpq_poly:
    """b_k, k ≥ 1, from the Riccati equation order by order: b_1 = −t/2 and, with w² = 1 − t²,

    b_k = −½[t b_{k−1} + t³ b_{k−1} − t²w² b′_{k−1} + w² Σ_{i=1}^{k−1} b_i b_{k−i}].
    """
    if k == 1:
        return -_T / 2
    former = ratio_polynomial(k - 1)
    products = sum((ratio_polynomial(i) * ratio_polynomial(k - i) for i in range(1, k)), fmpq_poly())
    return ((_T + _T**3) * former - _T**2 * _W2 * former.derivative() + _W2 * products) / -2


@cache
def potential_polynomial(k: int) -> fmpq_poly:
    """D_k, k ≥ 1, from D_k′ = −b_{k+1}/t² and D_k(0) = 0."""
    return -ratio_polynomial(k + 1).right_shift(2).integral()


@cache
def debye_polynomial(k: int) -> fmpq_poly:
    """U_k, k ≥ 0, from U_0 = 1 and U_{k+1} = ½t²(1−t²)U_k′ + ⅛∫₀ᵗ (1−5θ²)U_k(θ) dθ (DLMF 10.41.9)."""
    if k == 0:
        return fmpq_poly([1])
    former = debye_polynomial(k - 1)
    return _T**2 * _W2 * former.derivative() / 2 + ((1 - 5 * _T**2) * former).integral() / 8


@cache
def variation_bound(k: int) -> fmpq:
    """The sum of the absolute values of the coefficients of U_k, k ≥ 1: at least its total variation over [0, 1]."""
    polynomial = debye_polynomial(k)
    return fmpq(sum(abs(int(c)) for c in polynomial.numer().coeffs()), int(polynomial.denom()))
