# ruff: noqa
from _common import *

META = dict(
    id="c45",
    kind="c",
    title="Gamma rsample with a frozen seed: implicit reparameterised gradient is not the derivative of the realised rejection sampler",
    source=[
        "https://github.com/jax-ml/jax/issues/27349",
        "https://github.com/pytorch/pytorch/issues/147048",
        "https://github.com/pytorch/pytorch/pull/4369",
    ],
    expected="incoherent",
    region="everywhere (estimator, right only in expectation); torch's dx/dalpha itself has rel. error up to 5e-4",
    symptom="gradcheck fails for a legitimate estimator, and cannot test what matters",
)


def fn(a):
    torch.manual_seed(0)
    return torch.distributions.Gamma(a, torch.ones_like(a)).rsample()


natural = lambda: (rand(0.5, 5),)
witness = lambda: (t(2.0),)
ELEMENTWISE = False
