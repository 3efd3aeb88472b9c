"""Functions with planted faults, and coherent ones that look faulty, in the manner of public bug reports.

Each entry names the outcome that is right, and why; ``options`` are those of ``certify.audit``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import mpmath as mp
import numpy as np
import scipy.special as sp
import torch
from torch import Tensor

F64 = torch.float64


@dataclass(frozen=True)
class Planted:
    name: str
    fn: Callable[..., Any]
    coherence: str
    fidelity: str | None = None
    options: dict[str, Any] = field(default_factory=dict)


def custom(forward: Callable[[Tensor], Tensor], backward: Callable[[Tensor, Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    """A Function with this forward and this map from upstream gradient and input to the supplied gradient."""

    class Custom(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            ctx.save_for_backward(x)
            return forward(x)

        @staticmethod
        def backward(ctx: Any, g: Tensor) -> Tensor:
            return backward(g, ctx.saved_tensors[0])

    return Custom.apply


def pair(forward: Callable[[Tensor], Tensor], derivative: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    return custom(forward, lambda g, x: g * derivative(x))


def numpy_pair(forward: Callable[[np.ndarray], Any], derivative: Callable[[np.ndarray], Any]) -> Callable[[Tensor], Tensor]:
    def lifted(f: Callable[[np.ndarray], Any]) -> Callable[[Tensor], Tensor]:
        return lambda x: torch.from_numpy(np.asarray(f(x.detach().numpy()))).to(x.dtype)

    return pair(lifted(forward), lifted(derivative))


def clipped_recurrence(nu: int) -> Callable[[Tensor], Tensor]:
    """The finite start at high concentration: Miller's recurrence from 2ν in the forward, its ratio clipped at one as gradient."""

    def run(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        above, here, logs = np.full(x.shape, -np.inf), np.zeros(x.shape), {}
        for i in range(2 * nu, -1, -1):
            logs[i] = here
            if i:
                above, here = here, np.logaddexp(np.log(2.0 * i / x) + here, above)
        value = logs[nu] - logs[0] + np.log(sp.i0e(x)) + x - nu * np.log(x)
        return value, np.minimum(np.exp(logs[nu + 1] - logs[nu]), 1.0)

    return numpy_pair(lambda x: run(x)[0], lambda x: run(x)[1])


def memory(x: Tensor) -> Tensor:
    class Spoiling(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            ctx.factor = torch.exp(x)
            return ctx.factor.clone()

        @staticmethod
        def backward(ctx: Any, g: Tensor) -> Tensor:
            result = g * ctx.factor
            ctx.factor.clamp_(max=1.0)
            return result

    return Spoiling.apply(x)


class FakeQuantized(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        return torch.round(x * 16).clamp(-128, 127) / 16

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        return g


class WrongEntry(torch.autograd.Function):
    """x ↦ W x with one entry of W changed in the backward."""

    generator = torch.Generator().manual_seed(3)
    weight = torch.randn(60, 80, generator=generator, dtype=F64)

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        return WrongEntry.weight.to(x.dtype) @ x

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        weight = WrongEntry.weight.to(g.dtype).clone()
        weight[41, 17] *= 1.01
        return weight.t() @ g


class Rotating(torch.autograd.Function):
    """½ xᵀx with a gradient that also turns."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return (x * x).sum() / 2

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return g * (x + 0.01 * torch.roll(x, 1) * torch.tensor([1.0, -1.0, 1.0, -1.0], dtype=x.dtype))


class BatchMean(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return torch.sin(x)

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return g * torch.cos(x) * (1 if x.numel() != 1 else 2)


class Contiguous(torch.autograd.Function):
    """A backward that reads the upstream gradient's memory as if it were contiguous."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return torch.exp(-x * x)

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        raw = torch.as_strided(g, (g.untyped_storage().nbytes() // g.element_size(),), (1,), 0)
        flat = raw[: g.numel()] if raw.numel() >= g.numel() else raw.expand(g.numel())
        return flat.reshape(g.shape) * -2 * x * torch.exp(-x * x)


def wrong_softmax(x: Tensor) -> Tensor:
    class Tempered(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            y = torch.softmax(x / 0.9, -1)
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx: Any, g: Tensor) -> Tensor:
            (y,) = ctx.saved_tensors
            return y * (g - (g * y).sum(-1, keepdim=True))

    return Tempered.apply(x)


def detached_term(x: Tensor) -> Tensor:
    return custom(lambda x: x**4, lambda g, x: g * 4 * x * (x.detach() ** 2))(x)


def third(x: Tensor) -> Tensor:
    return custom(lambda x: x**4, lambda g, x: g * 4 * x**3)(x)


NOISE = np.random.default_rng(0)


def noisy(x: Tensor) -> Tensor:
    return torch.sin(x) + 1e-7 * torch.as_tensor(NOISE.standard_normal(tuple(x.shape))).to(x.dtype)


def randn(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=F64)


def _log_iv(v: float, x: Any) -> Any:
    return mp.log(mp.besseli(v, x))


V = 63.0
INCOHERENT = [
    Planted(
        "epsilon under the Bessel function in the backward only",
        numpy_pair(lambda k: np.log(sp.ive(V, k)) + k, lambda k: sp.ive(V + 1, k) / (sp.ive(V, k) + 1e-6) + V / k),
        "incoherent",
        options={"domain": (1.0, 1e3)},
    ),
    Planted(
        "constant forward, bound as gradient",
        numpy_pair(lambda k: 0 * k, lambda k: k / (V + np.sqrt(k * k + V * V))),
        "incoherent",
        options={"domain": (1e-2, 1e4)},
    ),
    Planted(
        "bound of the ratio as gradient",
        numpy_pair(lambda k: np.log(sp.ive(149, k)) + k, lambda k: 149 / k + k / (149 + np.sqrt(151.0**2 + k * k))),
        "incoherent",
        options={"domain": (50.0, 1e3)},
    ),
    Planted(
        "Riccati derivative with the order of another parity",
        numpy_pair(lambda k: sp.ive(31 + 1, k) / sp.ive(31, k), lambda k: 1 - 64 / k * (a := sp.ive(32, k) / sp.ive(31, k)) - a * a),
        "incoherent",
        options={"domain": (1.0, 1e3)},
    ),
    Planted("clipped ratio of a finite start", clipped_recurrence(31), "incoherent", options={"domain": (100.0, 1e4)}),
    Planted("square root behind a mask", lambda x: torch.where(x > 0, torch.sqrt(x), torch.zeros_like(x)), "incoherent"),
    Planted("norm at zero", lambda x: torch.sqrt(x * x), "incoherent", options={"domain": (-3.0, 3.0)}),
    Planted(
        "upstream gradient squared", custom(torch.sin, lambda g, x: g * g * torch.cos(x)), "incoherent", options={"domain": (-3.0, 3.0)}
    ),
    Planted("upstream gradient ignored", custom(torch.sin, lambda g, x: torch.cos(x)), "incoherent", options={"domain": (-3.0, 3.0)}),
    Planted(
        "upstream gradient clipped",
        custom(torch.sin, lambda g, x: g.clamp(-1, 1) * torch.cos(x)),
        "incoherent",
        options={"domain": (-3.0, 3.0)},
    ),
    Planted(
        "upstream gradient normalised by the batch",
        custom(torch.sin, lambda g, x: g / g.abs().max() * torch.cos(x)),
        "incoherent",
        options={"domain": (-3.0, 3.0)},
    ),
    Planted("saved tensor edited by the backward", memory, "incoherent", options={"domain": (-3.0, 3.0)}),
    Planted("gradient of a lone element doubled", BatchMean.apply, "incoherent", options={"domain": (-3.0, 3.0)}),
    Planted("memory of the upstream gradient read as contiguous", Contiguous.apply, "incoherent", options={"domain": (-3.0, 3.0)}),
    Planted(
        "tanh approximation forward, exact backward",
        pair(
            lambda x: torch.nn.functional.gelu(x, approximate="tanh"),
            lambda x: torch.special.ndtr(x) + x * torch.exp(-x * x / 2) / np.sqrt(2 * np.pi),
        ),
        "incoherent",
        options={"domain": (-5.0, 5.0)},
    ),
    Planted(
        "wrong in a thousandth of the domain",
        pair(torch.sin, lambda x: torch.where((x > 2.345) & (x < 2.349), 1.001, 1.0) * torch.cos(x)),
        "incoherent",
        options={"domain": (0.0, 4.0)},
    ),
    Planted(
        "steep rise that the backward does not know",
        pair(lambda x: x + 1e-3 * ((x - 1.2345) / 1e-7).clamp(0, 1), torch.ones_like),
        "incoherent",
        options={"domain": (0.0, 4.0)},
    ),
    Planted("epsilon in a denominator", pair(torch.log, lambda x: 1 / (x + 1e-12)), "incoherent"),
    Planted(
        "quotient of overflowing functions",
        pair(lambda x: x.abs() + torch.log1p(torch.exp(-2 * x.abs())), lambda x: torch.sinh(x) / torch.cosh(x)),
        "incoherent",
    ),
    Planted(
        "fourth power overflows in float32",
        pair(lambda x: x / (1 + x * x), lambda x: (1 - x * x) / (1 + x * x) ** 2),
        "incoherent",
        options={"domain": (0.0, 1e15)},
    ),
    Planted(
        "large inputs only",
        pair(torch.log1p, lambda x: torch.where(x > 1e12, torch.zeros_like(x), 1 / (1 + x))),
        "incoherent",
        options={"domain": (0.0, 1e300)},
    ),
    Planted(
        "wrong at one, one point",
        pair(
            lambda x: torch.where(x < 1, x * x, 2 * x - 1),
            lambda x: torch.where(x < 1, 2 * x, torch.where(x == 1, 5 * x, 2 * torch.ones_like(x))),
        ),
        "incoherent",
    ),
    Planted(
        "constant with eight digits",
        pair(torch.special.erf, lambda x: 1.12837916 * torch.exp(-x * x)),
        "incoherent",
        options={"domain": (-3.0, 3.0)},
    ),
    Planted(
        "ripple that the backward does not know",
        pair(lambda x: torch.exp(x) + 1e-8 * torch.sin(1e5 * x), torch.exp),
        "incoherent",
        options={"domain": (-1.0, 1.0)},
    ),
    Planted("term detached, second order", detached_term, "incoherent", options={"domain": (-3.0, 3.0), "order": 2}),
    Planted("backward in NumPy, second order", numpy_pair(np.exp, np.exp), "incoherent", options={"domain": (-3.0, 3.0), "order": 2}),
    Planted("reversed gradient", custom(lambda x: x.clone(), lambda g, x: -g), "incoherent"),
    Planted("sign with a straight-through gradient", custom(torch.sign, lambda g, x: g * (x.abs() <= 1)), "incoherent"),
    Planted("fake quantization", FakeQuantized.apply, "incoherent", options={"domain": (-4.0, 4.0)}),
    Planted("one wrong entry among 4800", WrongEntry.apply, "incoherent", options={"inputs": randn(80)}),
    Planted("gradient that turns", Rotating.apply, "incoherent", options={"inputs": randn(4)}),
    Planted("temperature in the forward only", wrong_softmax, "incoherent", options={"inputs": randn(3, 7)}),
    Planted(
        "wrong sign in bfloat16",
        pair(torch.tanh, lambda x: torch.tanh(x) ** 2 - 1),
        "incoherent",
        options={"dtype": "bfloat16", "domain": (-1.0, 1.0)},
    ),
    Planted(
        "half of the gradient in float16",
        pair(torch.exp, lambda x: torch.exp(x) / 2),
        "incoherent",
        options={"dtype": "float16", "domain": (-3.0, 3.0)},
    ),
]
COHERENT = [
    Planted(
        "logarithm with an epsilon under it",
        lambda x: torch.log(1e-6 + torch.special.i1e(x)) + x,
        "coherent",
        "outside",
        {"domain": (1e-9, 50.0), "reference": lambda x: mp.log(mp.besseli(1, x))},
    ),
    Planted(
        "closed form AR/FR",
        pair(
            lambda x: (s := torch.hypot(x, torch.full_like(x, V))) - torch.log1p((s - V) / (2 * V)) * V - torch.log(s) / 2,
            lambda x: x / (V + (s := torch.hypot(x, torch.full_like(x, V)))) - x / (2 * s * s),
        ),
        "coherent",
        options={"domain": (0.0, 1e6), "dtype": "float64"},
    ),
    Planted("logarithm of one plus x", lambda x: torch.log(1 + x), "coherent"),
    Planted("one minus cosine", lambda x: 1 - torch.cos(x), "coherent"),
    Planted("cast to float32 inside", lambda x: torch.exp(torch.sin(x).float()).to(x.dtype), "coherent", options={"domain": (-10.0, 10.0)}),
    Planted("cast of the input to bfloat16", lambda x: (x.bfloat16() * 1.5).to(x.dtype), "coherent", options={"domain": (-10.0, 10.0)}),
    Planted("floor", torch.floor, "coherent"),
    Planted("high frequency", lambda x: torch.sin(1e5 * x), "coherent"),
    Planted("steep exponential", lambda x: torch.exp(40 * x), "coherent", options={"domain": (-3.0, 3.0)}),
    Planted("threshold of softplus", torch.nn.functional.softplus, "coherent"),
    Planted("Huber loss", lambda x: torch.nn.functional.huber_loss(x, torch.zeros_like(x), reduction="none"), "coherent"),
    Planted("narrow transition", lambda x: torch.tanh(1e7 * (x - 0.3)), "coherent", options={"domain": (-1.0, 1.0)}),
    Planted(
        "expanded polynomial", lambda x: ((x - 5) * x + 10) * x**3 - 10 * x**2 + 5 * x - 1, "coherent", options={"domain": (-1.0, 3.0)}
    ),
    Planted("noise of a millionth", noisy, "coherent", options={"domain": (-3.0, 3.0)}),
    Planted("square root of an absolute value", lambda x: x.abs().sqrt(), "coherent", options={"domain": (0.5, 4.0)}),
    Planted("third power, second order", third, "coherent", options={"domain": (-3.0, 3.0), "order": 2}),
    Planted("logarithm of a sum of exponentials", lambda x: torch.logsumexp(x, -1), "coherent", options={"inputs": randn(4, 30)}),
    Planted("layer normalisation", torch.nn.LayerNorm(16, dtype=F64), "coherent", options={"inputs": randn(3, 16)}),
    Planted(
        "attention",
        torch.nn.functional.scaled_dot_product_attention,
        "coherent",
        options={"inputs": (randn(2, 5, 4), randn(2, 5, 4, seed=1), randn(2, 5, 4, seed=2))},
    ),
    Planted("dropout", lambda x: torch.nn.functional.dropout(torch.exp(x), 0.3), "coherent", options={"inputs": randn(40)}),
    Planted("convolution", torch.nn.Conv1d(2, 3, 3, dtype=F64), "coherent", options={"inputs": randn(2, 2, 9)}),
    Planted(
        "cross entropy",
        lambda x: torch.nn.functional.cross_entropy(x, torch.tensor([1, 0, 3])),
        "coherent",
        options={"inputs": randn(3, 5)},
    ),
    Planted("determinant", torch.linalg.det, "coherent", options={"inputs": randn(5, 5)}),
    Planted("mixed sizes", lambda a, b: torch.exp(a) * b.sum() * 1e-20, "coherent", options={"inputs": (randn(3), randn(4) * 1e10)}),
]
KINKS = [
    Planted("rectifier", torch.relu, "kink"),
    Planted("shrinkage", torch.nn.functional.softshrink, "kink"),
    Planted("maximum with a square", lambda x: torch.maximum(x, x * x), "kink"),
    Planted("kink at a third", lambda x: (x - 1 / 3).abs(), "kink", options={"domain": (-1.0, 1.0)}),
]
DECLARED = [
    Planted("declared quantization", FakeQuantized.apply, "declared", options={"domain": (-4.0, 4.0), "declared": "straight-through"}),
    Planted(
        "declared, but not proportional",
        custom(torch.round, lambda g, x: g * g),
        "incoherent",
        options={"domain": (-4.0, 4.0), "declared": "straight-through"},
    ),
]
ALL = [*INCOHERENT, *COHERENT, *KINKS, *DECLARED]
