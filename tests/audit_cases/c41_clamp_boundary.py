# ruff: noqa
from _common import *

META = dict(
    id="c41",
    kind="b",
    title="clamp evaluated exactly on its bound (fake-quant integers land there): subgradient is a convention",
    source=["https://github.com/pytorch/ao/pull/4806"],
    expected="non-differentiable point",
    region="x == bound",
    symptom="a change of convention zeroed the saturated tail in QAT",
)
fn = lambda x: torch.clamp(x, -1.0, 1.0)
natural = lambda: (rand(-0.9, 0.9),)
witness = lambda: (t(1.0),)
DOMAIN = (-3.0, 3.0)
KINKS = [-1.0, 1.0]
