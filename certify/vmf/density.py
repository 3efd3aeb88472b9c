"""Densities, entropies and divergences of von Mises–Fisher distributions, by concentration, on tensors.

The density on the unit sphere of R^p is exp(κ⟨μ, x⟩)/Z(κ), log Z = ``log_normalizer``. Where κ and log Z are both large the two are never
subtracted: κ − (log Z(κ) − log Z(0)) and 1 − R_ν(κ) have closed forms of their own.
"""

from __future__ import annotations

from torch import Tensor

from certify.exact.number import Number
from certify.vmf import domain
from certify.vmf.functions import log_area
from certify.vmf.kernel import X_MAX
from certify.vmf.plan import plan
from certify.vmf.primitive import realize


def log_prob(
    value: Tensor,
    mean_direction: Tensor,
    kappa: Tensor,
    *,
    order: int | None = None,
    tol: Number | None = None,
    validate_args: bool = False,
) -> Tensor:
    """κ⟨μ, x⟩ − log Z(κ) for unit vectors x = value and μ (… × p), κ ≥ 0 (…), which broadcast.

    Computed as κ(⟨μ, x⟩ − 1) + (κ − log Z(κ)). Nothing is normalized. Raises ValueError where the dimensions differ, for p < 2, and as
    ``ratio`` does.
    """
    compute = domain.format_of("value, mean_direction and kappa", value, mean_direction, kappa)
    p = _components(value=value, mean_direction=mean_direction)
    domain.format_of("kappa", kappa, nonnegative=validate_args)
    dtype = domain.common(value, mean_direction, kappa)
    x, mu, concentration = value.to(compute), mean_direction.to(compute), kappa.to(compute)
    cosine = (x * mu).sum(-1)
    rest = realize("deficit", concentration, plan("potential", compute, None, p, order, tol)) - log_area(None, p)
    return (concentration * (cosine - 1) + rest).to(dtype)


def kl_uniform(
    kappa: Tensor,
    *,
    p: Number | None = None,
    nu: Number | None = None,
    order: int | None = None,
    tol: Number | None = None,
    validate_args: bool = False,
) -> Tensor:
    """The divergence KL(vMF(κ) ‖ uniform) = κ R_ν(κ) − (log Z(κ) − log Z(0)), 0 ≤ κ ≤ max/4; its derivative is κ R_ν′(κ).

    Arguments and errors raised as in ``ratio``.
    """
    compute = domain.format_of("kappa", kappa, nonnegative=validate_args)
    return realize("divergence", kappa.to(compute), plan("potential", compute, nu, p, order, tol)).to(kappa.dtype)


def entropy(
    kappa: Tensor,
    *,
    p: Number | None = None,
    nu: Number | None = None,
    order: int | None = None,
    tol: Number | None = None,
    validate_args: bool = False,
) -> Tensor:
    """The differential entropy log Z(0) − KL(vMF(κ) ‖ uniform), log Z(0) the log of the sphere's area; otherwise as ``kl_uniform``."""
    compute = domain.format_of("kappa", kappa, nonnegative=validate_args)
    divergence = realize("divergence", kappa.to(compute), plan("potential", compute, nu, p, order, tol))
    return (log_area(nu, p) - divergence).to(kappa.dtype)


def kl_divergence(
    mean_p: Tensor,
    kappa_p: Tensor,
    mean_q: Tensor,
    kappa_q: Tensor,
    *,
    order: int | None = None,
    tol: Number | None = None,
    validate_args: bool = False,
) -> Tensor:
    """KL(vMF(μ_p, κ_p) ‖ vMF(μ_q, κ_q)) = [φ(κ_q) − φ(κ_p) − (κ_q − κ_p) R(κ_p)] + κ_q R(κ_p)(1 − ⟨μ_p, μ_q⟩), φ = log Z.

    Directions are … × p and concentrations …, broadcast. Computed with 1 − R and κ − φ(κ) in place of R and φ; 1 − ⟨μ_p, μ_q⟩ is
    ½‖μ_p − μ_q‖². Raises ValueError as ``log_prob`` does.
    """
    compute = domain.format_of("the parameters", mean_p, kappa_p, mean_q, kappa_q)
    p = _components(mean_p=mean_p, mean_q=mean_q)
    domain.format_of("kappa_p and kappa_q", kappa_p, kappa_q, nonnegative=validate_args)
    dtype = domain.common(mean_p, kappa_p, mean_q, kappa_q)
    request = plan("potential", compute, None, p, order, tol)
    at_p, at_q = kappa_p.to(compute), kappa_q.to(compute)
    beyond = X_MAX[compute] / at_p.clamp_min(X_MAX[compute])  # from there on 1 − R is inverse to κ, and its kernel constant
    rest = realize("complement", at_p, request) * beyond
    radial = realize("deficit", at_p, request) - realize("deficit", at_q, request) + (at_q - at_p) * rest
    angular = (mean_p.to(compute) - mean_q.to(compute)).square().sum(-1) / 2
    return (radial + at_q * realize("ratio", at_p, request) * angular).to(dtype)


def _components(**vectors: Tensor) -> int:
    """p, the size of the last dimension of both. Raises ValueError where they differ."""
    (first, p), (second, other) = ((name, vector.shape[-1] if vector.ndim else 0) for name, vector in vectors.items())
    if p != other:
        raise ValueError(f"{first} has {p} components and {second} {other}")
    return p


def variances(kappa: Tensor, p: int, *, order: int | None = None, tol: Number | None = None) -> tuple[Tensor, Tensor]:
    """R_ν′(κ) and R_ν(κ)/κ (1/p at κ = 0): the variances of the distribution along and across μ. Errors raised as in ``ratio``."""
    compute = domain.format_of("kappa", kappa)
    request = plan("ratio", compute, None, p, order, tol)
    at = kappa.to(compute)
    return realize("slope", at, request).to(kappa.dtype), realize("quotient", at, request).to(kappa.dtype)
