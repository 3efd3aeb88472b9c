"""The von Mises–Fisher distribution in the style of torch.distributions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.distributions import Distribution, constraints, register_kl

from certify.exact.number import Number
from certify.vmf import density, domain
from certify.vmf.functions import log_normalizer, ratio
from certify.vmf.sampling import MovingCosine, around, complement_of_cosine


class _UnitVectors(constraints.Constraint):
    """Vectors of unit length up to rounding, of at least two components."""

    event_dim = 1

    def check(self, value: Tensor) -> Tensor:
        eps = torch.finfo(value.dtype).eps if value.dtype.is_floating_point else 0
        return ((value.square().sum(-1) - 1).abs() <= 16 * eps * value.shape[-1] ** 0.5) & (value.shape[-1] >= 2)


class VonMisesFisher(Distribution):
    """The density exp(κ⟨μ, x⟩)/Z(κ) on the unit sphere of R^p, p ≥ 2; μ = ``loc`` of unit length, κ = ``concentration`` ≥ 0.

    ``loc`` is … × p and ``concentration`` …, broadcast; κ = 0 is the uniform distribution. ``order`` and ``tol`` choose the closed form
    as in ``ratio``; the default is full accuracy. Raises ValueError for a ``loc`` that is no tensor of such a shape and of a dtype that
    ``ratio`` accepts, and, under ``validate_args`` (torch's default), for parameters and values outside their domains.
    """

    arg_constraints = {"loc": _UnitVectors(), "concentration": constraints.nonnegative}  # noqa: RUF012 # pyright: ignore
    support = _UnitVectors()  # pyright: ignore
    has_rsample = True

    def __init__(
        self,
        loc: Tensor,
        concentration: Tensor | float,
        *,
        order: int | None = None,
        tol: Number | None = None,
        validate_args: bool | None = None,
    ) -> None:
        domain.format_of("loc", loc)
        if loc.ndim == 0 or loc.shape[-1] < 2:
            raise ValueError(f"loc has shape {tuple(loc.shape)}: vectors of at least two components are accepted")
        kappa = torch.as_tensor(concentration, dtype=loc.dtype, device=loc.device)
        batch = torch.broadcast_shapes(loc.shape[:-1], kappa.shape)
        self.loc, self.concentration = loc.expand(*batch, loc.shape[-1]), kappa.expand(batch)
        self.order, self.tol = order, tol
        super().__init__(batch, loc.shape[-1:], validate_args=validate_args)

    @property
    def dimension(self) -> int:
        """p."""
        return self.event_shape[0]

    def expand(self, batch_shape: Sequence[int], _instance: VonMisesFisher | None = None) -> VonMisesFisher:
        """The same distributions over a larger batch."""
        new: Any = self._get_checked_instance(VonMisesFisher, _instance)
        new.loc, new.concentration = self.loc.expand(*batch_shape, self.dimension), self.concentration.expand(batch_shape)
        new.order, new.tol = self.order, self.tol
        Distribution.__init__(new, torch.Size(batch_shape), self.event_shape, validate_args=False)
        new._validate_args = self._validate_args
        return new

    @property
    def mean_resultant_length(self) -> Tensor:
        """R_ν(κ), the length of the mean."""
        return ratio(self.concentration, p=self.dimension, order=self.order, tol=self.tol)

    @property
    def mean(self) -> Tensor:
        """R_ν(κ) μ."""
        return self.mean_resultant_length[..., None] * self.loc

    @property
    def mode(self) -> Tensor:
        """μ."""
        return self.loc

    @property
    def covariance_matrix(self) -> Tensor:
        """(R/κ) I + (1 − R² − p R/κ) μμᵀ, where 1 − R² − (p−1)R/κ = R′ is the variance along μ."""
        along, across = self.variances
        identity = torch.eye(self.dimension, dtype=self.loc.dtype, device=self.loc.device)
        outer = self.loc[..., :, None] * self.loc[..., None, :]
        return across[..., None, None] * identity + (along - across)[..., None, None] * outer

    @property
    def variances(self) -> tuple[Tensor, Tensor]:
        """R_ν′(κ) along μ, and R_ν(κ)/κ in each direction across it (1/p at κ = 0)."""
        return density.variances(self.concentration, self.dimension, order=self.order, tol=self.tol)

    @property
    def variance(self) -> Tensor:
        """Of each component."""
        along, across = (part[..., None] for part in self.variances)
        return across + (along - across) * self.loc.square()

    def log_prob(self, value: Tensor) -> Tensor:
        """The log density with respect to the surface measure."""
        if self._validate_args:
            self._validate_sample(value)
        return density.log_prob(value, self.loc, self.concentration, order=self.order, tol=self.tol)

    @property
    def log_normalizer(self) -> Tensor:
        """log Z(κ)."""
        return log_normalizer(self.concentration, p=self.dimension, order=self.order, tol=self.tol)

    def entropy(self) -> Tensor:
        """log Z(κ) − κ R_ν(κ)."""
        return density.entropy(self.concentration, p=self.dimension, order=self.order, tol=self.tol)

    def kl_uniform(self) -> Tensor:
        """The divergence from the uniform distribution."""
        return density.kl_uniform(self.concentration, p=self.dimension, order=self.order, tol=self.tol)

    def rsample(self, sample_shape: torch.Size | tuple[int, ...] = torch.Size()) -> Tensor:  # noqa: B008
        """Samples with pathwise gradients: in κ by implicit reparametrization of the cosine, in μ by a reflection that moves with it."""
        shape = self._extended_shape(torch.Size(sample_shape))
        kappa = self.concentration.expand(shape[:-1])
        rest = complement_of_cosine(kappa, self.dimension)
        if kappa.requires_grad:
            rest = MovingCosine.apply(kappa, rest, self.dimension)
        return around(self.loc.expand(shape), rest)


@register_kl(VonMisesFisher, VonMisesFisher)
def _kl(p: VonMisesFisher, q: VonMisesFisher) -> Tensor:
    return density.kl_divergence(p.loc, p.concentration, q.loc, q.concentration, order=p.order, tol=p.tol)
