"""Functions that are hard to judge: faults of a few percent in narrow places, and coherent functions that look faulty.

Each was written before the auditor was tried on it, with the outcome that is right.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from audit_cases.planted import F64, Planted, numpy_pair, pair, randn
from torch import Tensor


class GateFromOutput(torch.autograd.Function):
    """softplus whose backward takes the linear branch from y > 15 on, the forward from x > 20."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        y = torch.where(x > 20, x, torch.log1p(torch.exp(x.clamp(max=20))))
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        (y,) = ctx.saved_tensors
        return g * torch.where(y > 15, torch.ones_like(y), 1 - torch.exp(-y))


class SavedShort(torch.autograd.Function):
    """tanh that saves its output in bfloat16."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        y = torch.tanh(x)
        ctx.save_for_backward(y.bfloat16())
        return y

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        y = ctx.saved_tensors[0].to(g.dtype)
        return g * (1 - y * y)


class HalfDetached(torch.autograd.Function):
    """x σ(x), whose backward is right and detaches σ in one of the two places where it is differentiated again."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        s = torch.sigmoid(x)
        return g * (s + x * s.detach() * (1 - s))


class Inverse(torch.autograd.Function):
    """The inverse with a gradient that lacks the transposes: right where the matrix is symmetric."""

    @staticmethod
    def forward(ctx: Any, a: Tensor) -> Tensor:
        y = torch.linalg.inv(a)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        (y,) = ctx.saved_tensors
        return -y @ g @ y


class Normalized(torch.autograd.Function):
    """Batch normalisation with n − 1 for n in one term of the backward."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return (x - x.mean(0)) / torch.sqrt(x.var(0, unbiased=False) + 1e-5)

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        s = torch.sqrt(x.var(0, unbiased=False) + 1e-5)
        h = (x - x.mean(0)) / s
        return (g - g.mean(0) - h * (g * h).sum(0) / (len(x) - 1)) / s


def series(x: Tensor) -> Tensor:
    """sinh(x)/x with two terms of its series near zero."""
    small = x.abs() < 1e-2
    away = torch.where(small, torch.ones_like(x), x)
    return torch.where(small, 1 + x * x / 6, torch.sinh(away) / away)


def newton(x: Tensor) -> Tensor:
    """√x found outside the graph, with one step of Newton's method in it."""
    with torch.no_grad():
        y = x.sqrt()
    return y - (y * y - x) / (2 * y).detach()


def own_slope(x: Tensor) -> Tensor:
    """The sine interpolated linearly: a kink at every knot."""
    knots = torch.linspace(-3, 3, 61, dtype=x.dtype)
    values = torch.sin(knots)
    i = (torch.bucketize(x.detach(), knots) - 1).clamp(0, 59)
    return values[i] + (x - knots[i]) * (values[i + 1] - values[i]) / (knots[i + 1] - knots[i])


def sines(terms: int, x: Tensor) -> Tensor:
    return torch.stack([(-1) ** k * x ** (2 * k + 1) / math.factorial(2 * k + 1) for k in range(terms)]).sum(0)


def smoothstep(x: Tensor) -> Tensor:
    t = x.clamp(0, 1)
    return t * t * (3 - 2 * t)


def halved(y: Tensor) -> Tensor:
    """y with half of its derivative."""
    return (y + y.detach()) / 2


def eigenvalues(a: Tensor) -> Tensor:
    return torch.linalg.eigvalsh((a + a.T) / 2)


KNOTS = np.linspace(-3, 3, 61)
SYMMETRIC = (lambda a: a @ a.T + torch.eye(4, dtype=F64))(randn(4, 4))
TIES = torch.tensor([1.0, 2.0, 2.0, 2.0, 3.0], dtype=F64)
D = {"dtype": "float64"}
INCOHERENT = [
    Planted(
        "three percent beside the knee of a Huber loss",
        pair(lambda x: torch.where(x.abs() <= 1, 0.5 * x * x, x.abs() - 0.5), lambda x: torch.where(x.abs() <= 0.97, x, x.sign())),
        "incoherent",
        options=D,
    ),
    Planted(
        "two percent in a window of 1e-5 of the domain, in torch",
        pair(lambda x: torch.log1p(x * x), lambda x: torch.where((x > 12345.6) & (x < 12345.7), 1.02, 1.0) * 2 * x / (1 + x * x)),
        "incoherent",
        options={"domain": (0.0, 1e6), **D},
    ),
    Planted(
        "two percent in a window of 1e-5 of the domain, in NumPy",
        numpy_pair(lambda x: np.log1p(x * x), lambda x: np.where((x > 4321.98) & (x < 4322.07), 1.02, 1.0) * 2 * x / (1 + x * x)),
        "incoherent",
        options={"domain": (0.0, 1e6), **D},
    ),
    Planted(
        "five percent between -1.3e-6 and -1e-6",
        pair(torch.exp, lambda x: torch.where((x < -1e-6) & (x > -1.3e-6), 1.05, 1.0) * torch.exp(x)),
        "incoherent",
        options={"domain": (-1.0, 1.0), **D},
    ),
    Planted(
        "two percent beyond 2^24",
        pair(lambda x: torch.sqrt(1 + x * x), lambda x: torch.where(x.abs() > 2.0**24, x.sign() * 0.98, x / torch.sqrt(1 + x * x))),
        "incoherent",
        options={"dtype": "float32"},
    ),
    Planted("gate that closes early", pair(lambda x: x.clamp(0, 6), lambda x: ((x > 0) & (x < 5.98)).to(x.dtype)), "incoherent", options=D),
    Planted("gate from the saved output", GateFromOutput.apply, "incoherent", options=D),
    Planted("saved in a shorter format", SavedShort.apply, "incoherent", options={"domain": (-4.0, 4.0), **D}),
    Planted("second derivative half detached", HalfDetached.apply, "incoherent", options={"order": 2, **D}),
    Planted("nan made zero in the forward", lambda x: torch.nan_to_num(torch.sqrt(x)), "incoherent", options={"domain": (-2.0, 2.0), **D}),
    Planted(
        "tiny derivatives flushed",
        pair(torch.exp, lambda x: torch.where(x < -80, torch.zeros_like(x), torch.exp(x))),
        "incoherent",
        options={"domain": (-300.0, 0.0), **D},
    ),
    Planted(
        "one term less in the derivative of a series",
        pair(lambda x: sines(10, x), lambda x: torch.stack([(-1) ** k * x ** (2 * k) / math.factorial(2 * k) for k in range(9)]).sum(0)),
        "incoherent",
        options={"domain": (-10.0, 10.0), **D},
    ),
    Planted(
        "table in the forward, function in the backward",
        numpy_pair(lambda x: np.interp(x, KNOTS, np.sin(KNOTS)), np.cos),
        "incoherent",
        options={"domain": (-3.0, 3.0), **D},
    ),
    Planted("scale detached, a part in ten thousand", lambda x: x * (1 + 1e-4 * torch.tanh(x.detach())), "incoherent", options=D),
    Planted("transposes missing at a symmetric matrix", Inverse.apply, "incoherent", options={"inputs": SYMMETRIC}),
    Planted(
        "half of the derivative of repeated eigenvalues",
        lambda a: halved(eigenvalues(a)),
        "incoherent",
        options={"inputs": torch.eye(3, dtype=F64)},
    ),
    Planted("half of the derivative of a median of equals", lambda x: halved(x.median()), "incoherent", options={"inputs": TIES}),
    Planted(
        "half of the derivative of a function that raises nearby",
        lambda x: halved(torch.linalg.cholesky((x + x.T) / 2)),
        "incoherent",
        options={"inputs": 1e-3 * SYMMETRIC + torch.ones(4, 4, dtype=F64)},
    ),
    Planted("n - 1 for n", Normalized.apply, "incoherent", options={"inputs": randn(64, 3)}),
]
COHERENT = [
    Planted("two terms of a series near zero", series, "coherent", options={"domain": (-20.0, 20.0), **D}),
    Planted("curvature that jumps", smoothstep, "coherent"),
    Planted(
        "quadratic into linear",
        lambda x: torch.where(x < 1.1, x * x, 1.1**2 + 2.2 * (x - 1.1)),
        "coherent",
        options={"domain": (-3.0, 3.0), **D},
    ),
    Planted("implicit square root", newton, "coherent", options={"domain": (1e-3, 1e6), **D}),
    Planted("truncated sine", lambda x: sines(10, x), "coherent", options={"domain": (-10.0, 10.0), **D}),
    Planted("logarithm of a complex modulus", lambda x: torch.log(torch.complex(x, torch.ones_like(x))).real, "coherent", options=D),
    Planted(
        "smooth and of bounded support",
        lambda x: torch.where(x.abs() < 1, torch.exp(-1 / (1 - x.clamp(-0.999999, 0.999999) ** 2)), torch.zeros_like(x)),
        "coherent",
        options={"domain": (-2.0, 2.0), **D},
    ),
    Planted("hyperbolic tangent in bfloat16", torch.tanh, "coherent", options={"dtype": "bfloat16"}),
    Planted(
        "logarithm of a hyperbolic cosine in float16",
        lambda x: x.abs() + F.softplus(-2 * x.abs()),
        "coherent",
        options={"dtype": "float16"},
    ),
    Planted("terms that cancel, differently in each kernel", F.gelu, "coherent", options={"domain": (-6.0, 6.0)}),
    Planted("a staircase", torch.floor, "coherent", options={"domain": (-3.0, 3.0)}),
    Planted("second derivative of a line", lambda x: 2 * x[:2] + x[2:], "coherent", options={"inputs": randn(4), "order": 2}),
    Planted(
        "causal mask",
        lambda s: torch.softmax(s.masked_fill(torch.ones(5, 5).triu(1) > 0, -math.inf), -1),
        "coherent",
        options={"inputs": randn(5, 5)},
    ),
]
KINKS = [
    Planted("linear interpolation up to a knot", own_slope, "kink", options={"domain": (-2.9, 2.9), **D}),
    Planted("rectifier from its kink on", torch.relu, "kink", options={"domain": (0.0, 5.0), **D}),
    Planted("median of equals", torch.median, "kink", options={"inputs": TIES}),
    Planted("repeated eigenvalues", eigenvalues, "kink", options={"inputs": torch.eye(3, dtype=F64)}),
    Planted("largest of equals", lambda a: a.amax(-1), "kink", options={"inputs": torch.zeros(3, 4, dtype=F64)}),
    Planted(
        "slope that changes by a twentieth",
        lambda x: torch.where(x < 1.1, x * x, 1.1**2 + 2.3 * (x - 1.1)),
        "kink",
        options={"domain": (-3.0, 3.0), **D},
    ),
]
ALL = [*INCOHERENT, *COHERENT, *KINKS]
