"""R_ν(x) = I_{ν+1}(x)/I_ν(x) and Φ_ν(x) = log I_ν(x) − ν log x on tensors: the ratio, the potential with Φ_ν′ = R_ν, its differences, and
the normalizer of the von Mises–Fisher distribution.

Potentials are computed through F_n(x) − F_n(0), which is accurate relatively to itself; the constant Φ_ν(0) = −ν log 2 − log Γ(ν+1) is
enclosed once and rounded to the nearest double.
"""

from __future__ import annotations

from flint import arb
from torch import Tensor

from certify.exact.ball import working_precision
from certify.exact.domain import order as exact_order
from certify.exact.number import Number
from certify.vmf import domain
from certify.vmf.pair import realize_pair
from certify.vmf.plan import plan
from certify.vmf.primitive import realize
from certify.vmf.resolved import resolved

_BITS = 256


def ratio(
    x: Tensor,
    *,
    p: Number | None = None,
    nu: Number | None = None,
    order: int | None = None,
    tol: Number | None = None,
    validate_args: bool = False,
) -> Tensor:
    """R_ν(x) = I_{ν+1}(x)/I_ν(x) for x ≥ 0, the mean resultant length of the von Mises–Fisher distribution of concentration x.

    ``p`` ≥ 2 is the dimension, or ``nu`` = p/2 − 1 ≥ 0 the order. By default the error is that of rounding, at most about 4u for
    u = 2^−53 (float64) or 2^−24 (float32); float16 and bfloat16 are computed in float32 and rounded once more. ``order=n`` evaluates the
    closed form A_n, n = 0 … 8 (n = 1 is A_R), with |R_ν − A_n| < C_n ν^{−(n+2)} (claims ladder.n); where ν is too small for A_n to be
    evaluated well, R_ν to full accuracy. ``tol`` asks for the cheapest closed form with an error of at most tol, rounding on the device of
    x included. ``accuracy`` says what is reached; on CUDA, whose `hypot` and quotient are worse, about 10u in place of 4u.

    The shape is that of x. x = 0 gives 0, x = inf gives 1, NaN and x < 0 give NaN, and ``validate_args`` refuses both. Raises ValueError
    for integer and complex tensors, for an order outside the domain or as a tensor, and for a tolerance that is not attainable.
    """
    compute = domain.format_of("x", x, nonnegative=validate_args)
    request = plan("ratio", compute, nu, p, order, tol, domain.device_of(x))
    return realize("ratio", x.to(compute), request).to(x.dtype)


def potential(
    x: Tensor,
    *,
    p: Number | None = None,
    nu: Number | None = None,
    order: int | None = None,
    tol: Number | None = None,
    validate_args: bool = False,
) -> Tensor:
    """Φ_ν(x) = log I_ν(x) − ν log x, 0 ≤ x ≤ max/4. Arguments and errors raised as in ``ratio``; the derivative is R_ν.

    The error is that of Φ_ν(x) − Φ_ν(0), a few u of it, and of the addition of Φ_ν(0).
    """
    compute = domain.format_of("x", x, nonnegative=validate_args)
    request = plan("potential", compute, nu, p, order, tol)
    return (realize("potential", x.to(compute), request) + origin(nu, p)).to(x.dtype)


def log_normalizer(
    kappa: Tensor,
    *,
    p: Number | None = None,
    nu: Number | None = None,
    order: int | None = None,
    tol: Number | None = None,
    validate_args: bool = False,
) -> Tensor:
    """log ∫ exp(κ⟨μ, x⟩) dσ(x) over the unit sphere of R^p, so that the density is exp(κ⟨μ, x⟩ − log_normalizer(κ)).

    It is (p/2) log 2π + Φ_ν(κ), log of the sphere's area at κ = 0; 0 ≤ κ ≤ max/4. Arguments and errors raised as in ``ratio``.
    """
    compute = domain.format_of("kappa", kappa, nonnegative=validate_args)
    request = plan("potential", compute, nu, p, order, tol)
    return (realize("potential", kappa.to(compute), request) + log_area(nu, p)).to(kappa.dtype)


def potential_difference(
    a: Tensor,
    b: Tensor,
    *,
    p: Number | None = None,
    nu: Number | None = None,
    order: int | None = None,
    tol: Number | None = None,
    validate_args: bool = False,
) -> Tensor:
    """Φ_ν(b) − Φ_ν(a) for 0 ≤ a, b ≤ max/4, in error by a few u of √(ν²+b²) − √(ν²+a²) however close a and b are.

    a and b broadcast. With ``tol`` the error of the formula is at most tol |b − a|. Otherwise arguments and errors raised as in ``ratio``.
    """
    compute = domain.format_of("a and b", a, b, nonnegative=validate_args)
    dtype = domain.common(a, b)
    request = plan("potential", compute, nu, p, order, tol)
    return realize_pair("difference", a.to(compute), b.to(compute), request).to(dtype)


def potential_increment(
    kappa: Tensor,
    gap: Tensor,
    *,
    p: Number | None = None,
    nu: Number | None = None,
    order: int | None = None,
    tol: Number | None = None,
    validate_args: bool = False,
) -> Tensor:
    """Φ_ν(r) − Φ_ν(κ), r² = κ² + gap: where r² − κ² is known directly, as gap = 2κ⟨μ, f⟩/τ + ‖f‖²/τ² for r = ‖κμ + f/τ‖.

    gap ≥ −κ², 0 ≤ κ, r, and gap representable; κ and gap broadcast. The gradient is R(r)/(2r) in gap and κ(R(r)/r − R(κ)/κ) in κ, also
    at r = 0 and κ = 0. Arguments and errors raised as in ``potential_difference``.
    """
    compute = domain.format_of("kappa and gap", kappa, gap)
    dtype = domain.common(kappa, gap)
    if validate_args:
        domain.format_of("kappa", kappa, nonnegative=True)
        domain.refuse_unless(lambda least: gap >= least, "gap", -kappa * kappa, "gap >= -kappa^2 is accepted")
    request = plan("potential", compute, nu, p, order, tol)
    return realize_pair("increment", kappa.to(compute), gap.to(compute), request).to(dtype)


@resolved
def origin(nu: Number | None, p: Number | None) -> float:
    """Φ_ν(0) = −ν log 2 − log Γ(ν+1), to the nearest double."""
    with working_precision(_BITS):
        order = arb(exact_order(nu, p))
        return float(-order * arb(2).log() - (order + 1).lgamma())


@resolved
def log_area(nu: Number | None, p: Number | None) -> float:
    """log(2π^{p/2}/Γ(p/2)), the logarithm of the area of the unit sphere of R^p, p = 2ν + 2, to the nearest double."""
    with working_precision(_BITS):
        half = arb(exact_order(nu, p)) + 1
        return float(arb(2).log() + half * arb.pi().log() - half.lgamma())
