"""One arm in training: encoder, class state, Adam and the rule by which scores are computed and differentiated.

The loss is PATT's: with logits q_j + log π_j, q_j = Φ̂(r_j) − Φ̂(κ_j), r_j = ‖κ_jμ_j + f/τ‖, π the training frequencies, the mean
cross-entropy over two augmented views. Statistics absorb both views first, and carry no gradient. The encoder is float32; geometry and
scalars are float64.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, normalize

from certify.claims.exits import BadInput
from certify.realizations.tensor.protocol import TensorRealization
from certify.training.data import Data
from certify.training.host import ClassState, encoder
from certify.training.rules import realization
from certify.training.settings import RATE, TEMPERATURE, Settings
from certify.training.stream import Batch
from certify.vmf.structured import excess

MOMENTS = ("step", "exp_avg", "exp_avg_sq")


class Arguments(NamedTuple):
    """κ (K) and r (B×K), float64."""

    concentrations: Tensor
    radii: Tensor


class Learner:
    """``rule`` names the realization; all else is a function of the settings and the data. ``dtype`` is the encoder's."""

    def __init__(self, settings: Settings, data: Data, rule: str, dtype: torch.dtype = torch.float32) -> None:
        self.settings, self.data, self.rule, self.dtype = settings, data, rule, dtype
        self.realization: TensorRealization = realization(rule, settings.order)
        self.encoder = encoder(settings, tuple(data.train.images.shape[1:])).to(dtype)
        self.state = ClassState(len(data.counts), settings.dim, settings.seed).to(settings.device)
        self.log_prior = torch.log(data.counts / data.counts.sum()).double().to(settings.device)
        self.adam = torch.optim.Adam(self.encoder.parameters(), lr=RATE, foreach=False)

    def update(self, batch: Batch) -> float:
        """One step of Adam; the loss before it. Raises BadInput where that is not finite, as with defects of the public code."""
        loss = self.loss(self.scores(self.meet(batch)), batch.labels)
        if not loss.isfinite():
            raise BadInput(f"arm {self.rule}, seed {self.settings.seed}: a loss is {loss.item()}, and training cannot go on")
        self.adam.zero_grad()
        loss.backward()
        self.adam.step()
        return loss.item()

    def meet(self, batch: Batch) -> Tensor:
        """The features of a training batch, which the class state has absorbed."""
        self.encoder.train()
        if batch.turn:
            self.state.turn()
        features = self.represent(batch.views)
        self.state.absorb(features.detach(), batch.labels)
        return features

    def represent(self, images: Tensor) -> Tensor:
        """f (B×p); zero stays zero where features are normalized."""
        found = self.encoder(images.to(self.dtype))
        return normalize(found, dim=-1) if self.settings.features == "unit" else found

    def arguments(self, features: Tensor) -> Arguments:
        """Differentiable in the features."""
        bank = self.state.bank
        kappa = bank.concentrations
        square = kappa * kappa + excess(bank, features.double(), TEMPERATURE)
        return Arguments(kappa, square.clamp_min(0).sqrt())

    def scores(self, features: Tensor) -> Tensor:
        """q (B×K)."""
        return self.realization.difference(*self.arguments(features))

    def loss(self, scores: Tensor, labels: Tensor) -> Tensor:
        """The adjusted cross-entropy, the mean over both views."""
        return cross_entropy(scores + self.log_prior, labels)

    @torch.no_grad()
    def features(self, images: Tensor) -> Tensor:
        """In evaluation."""
        self.encoder.eval()
        return self.represent(images)

    @torch.no_grad()
    def parameters(self) -> Tensor:
        """All of the encoder's in one vector, float64."""
        return torch.cat([parameter.reshape(-1) for parameter in self.encoder.parameters()]).double()

    def tensors(self) -> dict[str, Tensor]:
        """All that training goes on from."""
        found = {f"encoder.{name}": value for name, value in self.encoder.state_dict().items()}
        found |= {f"state.{name}": value for name, value in self.state.state_dict().items()}
        for index, moments in self.adam.state_dict()["state"].items():
            found |= {f"adam.{index}.{name}": moments[name] for name in MOMENTS}
        return {name: value.detach().cpu().clone() for name, value in found.items()}

    def copy(self, dtype: torch.dtype) -> Learner:
        """Another one in the same state, its encoder in that format."""
        found = Learner(self.settings, self.data, self.rule, dtype)
        found.load(self.tensors())
        return found

    def load(self, tensors: dict[str, Tensor]) -> None:
        """Go on from what ``tensors`` gave. Raises KeyError or RuntimeError where they do not fit."""
        self.encoder.load_state_dict(_under("encoder.", tensors))
        self.state.load_state_dict(_under("state.", tensors))
        adam = self.adam.state_dict()
        adam["state"] = {
            index: {name: tensors[f"adam.{index}.{name}"].clone() for name in MOMENTS}  # Adam keeps what it is given
            for index in adam["param_groups"][0]["params"]
            if f"adam.{index}.step" in tensors
        }
        self.adam.load_state_dict(adam)


def _under(prefix: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}
