"""No false alarm on torch's own elementwise operations; the defects found there are certified to be defects."""

import pytest
import torch
import torch.nn.functional as F
from flint import arb, arb_series, fmpq

import certify
from certify.exact.ball import working_precision
from certify.exact.truth import Truth, less

BITS = 600


def ones(x, value=1.0):
    return torch.full_like(x, value)


UNARY = [
    "abs",
    "acos",
    "asin",
    "atan",
    "atanh",
    "ceil",
    "cos",
    "cosh",
    "deg2rad",
    "erf",
    "erfc",
    "erfinv",
    "exp",
    "exp2",
    "expm1",
    "floor",
    "frac",
    "i0",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "logit",
    "nan_to_num",
    "neg",
    "positive",
    "rad2deg",
    "reciprocal",
    "relu",
    "round",
    "rsqrt",
    "sigmoid",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "tan",
    "tanh",
    "trunc",
]
SPECIAL = ["entr", "expit", "i1", "ndtri"]
ACTIVATIONS = [
    "celu",
    "elu",
    "hardshrink",
    "hardswish",
    "hardtanh",
    "leaky_relu",
    "logsigmoid",
    "mish",
    "relu6",
    "selu",
    "silu",
    "softplus",
    "softshrink",
    "softsign",
    "tanhshrink",
]
COHERENT = {
    **{name: getattr(torch, name) for name in UNARY},
    **{f"special.{name}": getattr(torch.special, name) for name in SPECIAL},
    **{f"functional.{name}": getattr(F, name) for name in ACTIVATIONS},
    **{f"pow {power}": (lambda x, power=power: x**power) for power in (-3, -2, -1.5, -0.5, 0.25, 0.3, 0.5, 1, 1.5, 2, 2.5, 3, 4, 7)},
    **{f"base {base}": (lambda x, base=base: base**x) for base in (0.5, 2.0, 10.0)},
    **{f"softplus beta {beta}": (lambda x, beta=beta: F.softplus(x, beta=beta)) for beta in (0.5, 4.0)},
    **{f"elu alpha {alpha}": (lambda x, alpha=alpha: F.elu(x, alpha=alpha)) for alpha in (0.3, 2.0)},
    **{f"celu alpha {alpha}": (lambda x, alpha=alpha: F.celu(x, alpha=alpha)) for alpha in (0.5, 2.0)},
    **{f"leaky_relu {slope}": (lambda x, slope=slope: F.leaky_relu(x, slope)) for slope in (0.2, -0.5)},
    "clamp": lambda x: x.clamp(-0.3, 0.7),
    "clamp_min": lambda x: x.clamp_min(1.5),
    "threshold": lambda x: F.threshold(x, 0.1, 20.0),
    "maximum": lambda x: torch.maximum(x, ones(x, 0.4)),
    "fmin": lambda x: torch.fmin(x, ones(x, 0.4)),
    "add": lambda x: x + 3.0,
    "sub": lambda x: torch.sub(x, 0.7, alpha=2),
    "mul": lambda x: 0.1 * x,
    "div": lambda x: x / 3.0,
    "rsub": lambda x: 1 - x,
    "lerp": lambda x: torch.lerp(x, ones(x, 2.0), 0.3),
    "addcmul": lambda x: torch.addcmul(x, x, x, value=0.5),
    "addcdiv": lambda x: torch.addcdiv(x, ones(x), ones(x, 3.0)),
    "remainder": lambda x: torch.remainder(x, 3.0),
    "fmod": lambda x: torch.fmod(x, 3.0),
    "copysign": lambda x: torch.copysign(x, ones(x, -1.0)),
    "atan2 of x": lambda x: torch.atan2(x, ones(x)),
    "atan2 to x": lambda x: torch.atan2(ones(x), x),
    "hypot": lambda x: torch.hypot(x, ones(x)),
    "logaddexp": lambda x: torch.logaddexp(x, ones(x, 0.0)),
    "logaddexp2": lambda x: torch.logaddexp2(x, ones(x, 0.0)),
    "xlogy": lambda x: torch.xlogy(x, x),
    "xlog1py": lambda x: torch.special.xlog1py(x, x),
    "gammainc": lambda x: torch.special.gammainc(ones(x, 2.5), x),
    "gammaincc": lambda x: torch.special.gammaincc(ones(x, 2.5), x),
    "multigammaln": lambda x: torch.special.multigammaln(x, 2),
    "where": lambda x: torch.where(x > 0.5, x * x, x),
    "masked_fill": lambda x: x.masked_fill(x > 2, 0.0),
    "prelu": lambda x: F.prelu(x, torch.tensor([0.3], dtype=x.dtype)),
    "mse_loss": lambda x: F.mse_loss(x, ones(x), reduction="none"),
    "l1_loss": lambda x: F.l1_loss(x, ones(x), reduction="none"),
    "smooth_l1_loss": lambda x: F.smooth_l1_loss(x, ones(x), reduction="none"),
    "huber_loss": lambda x: F.huber_loss(x, ones(x), reduction="none"),
    "binary_cross_entropy_with_logits": lambda x: F.binary_cross_entropy_with_logits(x, ones(x, 0.3), reduction="none"),
    "soft_margin_loss": lambda x: F.soft_margin_loss(x, ones(x), reduction="none"),
    "poisson_nll_loss": lambda x: F.poisson_nll_loss(x, ones(x, 2.0), reduction="none"),
    "gaussian_nll_loss": lambda x: F.gaussian_nll_loss(x, ones(x), ones(x, 2.0), reduction="none"),
}

HALF = fmpq(1, 2)


def density(x):
    """Of the normal distribution."""
    return (-x * x / 2).exp() / (2 * arb.pi()).sqrt()


def scaled(x):
    """√π exp(x²) erfc(x) for x > 0."""
    return (x * x).hypgeom_u(HALF, HALF)


def probability(x):
    return (-x / arb(2).sqrt()).erfc() / 2


# torch 2.13: the operation, an input, and the derivative there in balls
DEFECTS = {
    "asinh": (torch.asinh, 2e160, lambda x: 1 / (x * x + 1).sqrt()),
    "acosh": (torch.acosh, 2e160, lambda x: 1 / (x * x - 1).sqrt()),
    "digamma": (torch.digamma, 1.0, lambda x: arb_series([x, 1]).lgamma().derivative().derivative()[0]),
    "sinc": (torch.sinc, 7e-9, lambda x: x.cos_pi() / x - x.sin_pi() / (arb.pi() * x * x)),
    "special.erfcx": (torch.special.erfcx, 7e7, lambda x: 2 * (x * scaled(x) - 1) / arb.pi().sqrt()),
    "special.i0e": (torch.special.i0e, 1e16, lambda x: x.bessel_i(1, scaled=True) - x.bessel_i(0, scaled=True)),
    "special.i1e": (
        torch.special.i1e,
        1e16,
        lambda x: x.bessel_i(0, scaled=True) - x.bessel_i(1, scaled=True) * (1 + 1 / x),
    ),
    "special.log_ndtr": (torch.special.log_ndtr, -2e8, lambda x: arb(2).sqrt() / scaled(-x / arb(2).sqrt())),
    "celu alpha 0.3": (lambda x: F.celu(x, alpha=0.3), -1.0, lambda x: (x / fmpq(3, 10)).exp()),
    "functional.hardsigmoid": (F.hardsigmoid, 1.0, lambda x: arb(1) / 6),
}
# values that vanish although they are representable: the derivative is right, and not that of the realized forward
VANISHING = {
    "special.ndtr": (torch.special.ndtr, -20.0, probability, density),
    "functional.gelu": (F.gelu, -20.0, lambda x: x * probability(x), lambda x: probability(x) + x * density(x)),
}


def in_balls(function, at):
    """A function of balls at a float."""
    with working_precision(BITS):
        return function(arb(fmpq(*at.as_integer_ratio())))


def test_there_are_a_hundred():
    assert len(COHERENT) >= 100


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (i % 3 > 0)) for i, name in enumerate(COHERENT)])
def test_no_false_alarm(name):
    result = certify.audit(COHERENT[name])
    assert result.coherence.outcome in ("coherent", "kink"), result.explain()


@pytest.mark.parametrize("name", DEFECTS)
def test_defects_found_are_defects(name):
    fn, at, derivative = DEFECTS[name]
    result = certify.audit(fn, dtype="float64")
    assert result.coherence.outcome == "incoherent", result.explain()
    x = torch.tensor([at], dtype=torch.float64, requires_grad=True)
    (supplied,) = torch.autograd.grad(fn(x).sum(), x)
    with working_precision(BITS):
        true = in_balls(derivative, at)
        gap = abs(arb(supplied.item()) - true)
        assert less(abs(true) * fmpq(1, 10**10), gap) is Truth.YES


@pytest.mark.parametrize("name", VANISHING)
def test_values_that_vanish(name):
    fn, at, value, _ = VANISHING[name]
    result = certify.audit(fn, dtype="float64")
    assert result.coherence.outcome == "incoherent", result.explain()
    assert fn(torch.tensor(at, dtype=torch.float64)).item() == 0
    assert less(fmpq(1, 10**300), abs(in_balls(value, at))) is Truth.YES
