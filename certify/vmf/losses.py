"""The score of PATT and ProCo as modules: streaming class statistics, certified scores, adjusted cross-entropy.

    score, adjust = VMFScore(classes, p, temperature=0.1), LogitAdjust(class_counts)
    loss = adjust(score(features, labels), labels)
    loss.backward()                                  # to the features; the statistics carry no gradient

With class means a_j, R_j = ‖a_j‖, κ_j = pR_j/(1 − R_j²), μ_j = a_j/R_j and r_j = ‖κ_jμ_j + f/τ‖ the score is

    q_j(f) = Φ_ν(r_j) − Φ_ν(κ_j),   ν = p/2 − 1,   r_j² − κ_j² = 2w_j⟨a_j, f⟩/τ + ‖f‖²/τ²,   w_j = κ_j/R_j,

from one product of features (B×p) and means (K×p): no tensor of B×K×p is formed. The public layout is kept; labels are integers B.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, distributed, nn

from certify.exact.number import Number
from certify.vmf import domain
from certify.vmf.functions import potential_increment
from certify.vmf.plan import plan
from certify.vmf.structured import Bank, excess, weigh


class VMFScore(nn.Module):
    """Scores B×K in float64 of features B×p, with the statistics as buffers.

    ``cap`` bounds κ and stands in where R ≥ 1 (1e5 in the public code); without it such a class scores NaN. ``order``, or ``tol`` in its
    place, chooses the closed form of ``potential_increment``: A_1, F_1 by default, as in the paper; None is full accuracy. The geometry is
    in ``dtype``, float32 or float64, whatever autocast says. Buffers: ``means`` (K×p) and ``counts`` (K, float64), zero at first: a class
    never seen has κ = 0. Raises ValueError for dimensions below 2, no classes, a temperature or cap that is not positive, and an ``order``
    or ``tol`` that ``potential_increment`` refuses.
    """

    means: Tensor
    counts: Tensor

    def __init__(
        self,
        num_classes: int,
        dimension: int,
        *,
        temperature: float = 0.1,
        cap: float | None = None,
        order: int | None = 1,
        tol: Number | None = None,
        dtype: torch.dtype = torch.float32,
        device: torch.device | str | None = None,
    ) -> None:
        super().__init__()
        if num_classes < 1 or dimension < 2:
            raise ValueError(f"{num_classes} classes in dimension {dimension}: at least 1 and 2 are accepted")
        for name, value in (("temperature", temperature), ("cap", cap)):
            if value is not None and not value > 0:
                raise ValueError(f"{name} = {value}: a positive number is accepted")
        if dtype not in (torch.float32, torch.float64):
            raise ValueError(f"dtype = {dtype}: torch.float32 and torch.float64 are accepted")
        self.temperature, self.cap, self.order, self.tol = temperature, cap, order if tol is None else None, tol
        plan("potential", torch.float64, None, dimension, self.order, tol)
        self.register_buffer("means", torch.zeros(num_classes, dimension, dtype=dtype, device=device))
        self.register_buffer("counts", torch.zeros(num_classes, dtype=torch.float64, device=device))

    def forward(self, features: Tensor, labels: Tensor | None = None) -> Tensor:
        """q (B×K); in training with labels, after ``update``. Raises ValueError for features that are no B×p of the accepted dtypes."""
        self._look_at(features)
        if labels is not None and self.training:
            self.update(features, labels)
        bank = self.bank
        with torch.autocast(domain.device_of(features), enabled=False):
            gap = excess(bank, features.to(self.means.dtype), self.temperature)
        return potential_increment(bank.concentrations, gap, p=self.means.shape[1], order=self.order, tol=self.tol)

    @property
    def bank(self) -> Bank:
        """The statistics as they are now: counts, means, weights w and bases s(κ)."""
        return Bank(self.means, self.counts, *weigh(self.means, self.cap))

    @property
    def concentrations(self) -> Tensor:
        """κ (K)."""
        return self.bank.concentrations

    @torch.no_grad()
    def update(self, features: Tensor, labels: Tensor) -> None:
        """a_j ← a_j + (Σ f − m a_j)/(n_j + m), n_j ← n_j + m for the m features of each class j, of all processes of the default group.

        The result is that of one process with all the features, up to rounding. Raises ValueError for labels that are no B integers.
        """
        self._look_at(features)
        if labels.shape != features.shape[:1] or labels.dtype not in (torch.int64, torch.int32):
            raise ValueError(f"labels of shape {tuple(labels.shape)} and {labels.dtype}: {len(features)} integers are accepted")
        sums = torch.zeros_like(self.means, dtype=torch.float64).index_add_(0, labels, features.to(torch.float64))
        arrived = torch.zeros_like(self.counts).index_add_(0, labels, torch.ones_like(labels, dtype=torch.float64))
        if distributed.is_available() and distributed.is_initialized():
            distributed.all_reduce(sums)
            distributed.all_reduce(arrived)
        counts = self.counts + arrived
        moved = (sums - arrived[:, None] * self.means) / counts.clamp_min(1)[:, None]
        self.means, self.counts = (self.means + moved).to(self.means.dtype), counts

    def extra_repr(self) -> str:
        classes, dimension = self.means.shape
        return f"{classes}, {dimension}, temperature={self.temperature}, cap={self.cap}, order={self.order}, tol={self.tol}"

    def _look_at(self, features: Tensor) -> None:
        domain.format_of("features", features)
        if features.ndim != 2 or features.shape[1] != self.means.shape[1]:
            raise ValueError(f"features of shape {tuple(features.shape)}: B × {self.means.shape[1]} is accepted")


class LogitAdjust(nn.Module):
    """Cross-entropy of logits + log prior (Menon et al. 2021), the prior from the numbers of examples of each class.

    ``strength`` multiplies the log prior; further arguments are those of ``torch.nn.functional.cross_entropy``. Raises ValueError for
    counts that are no K ≥ 1 positive finite numbers.
    """

    log_prior: Tensor

    def __init__(self, class_counts: Tensor | list[float], strength: float = 1.0, **options: Any) -> None:
        super().__init__()
        counts = torch.as_tensor(class_counts, dtype=torch.float64).detach()
        if counts.ndim != 1 or not len(counts) or not bool(((counts > 0) & (counts < torch.inf)).all()):
            raise ValueError("class_counts: positive numbers, one for each class, are accepted")
        self.options = options
        self.register_buffer("log_prior", strength * torch.log(counts / counts.sum()))

    def forward(self, logits: Tensor, labels: Tensor) -> Tensor:
        """The loss, the mean over the batch unless told otherwise; for several views, average the losses. Labels are B integers, or the
        probabilities of the classes, B×K."""
        target = labels if labels.is_floating_point() else labels.long()
        return nn.functional.cross_entropy(logits + self.log_prior.to(logits.dtype), target, **self.options)
