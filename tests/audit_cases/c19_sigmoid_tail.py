# ruff: noqa
from _common import *

META = dict(
    id="c19",
    kind="c",
    title="sigmoid backward y(1-y) from the saved output: exactly 0 for x > 37",
    source=["https://github.com/pytorch/pytorch/issues/195681"],
    expected="coherent-but-unfaithful",
    region="float64 x > ~36.7; float32 x > ~17",
    symptom="representable derivative returned as 0 (the realised forward is constant 1 there)",
)
fn = lambda x: torch.sigmoid(x)
natural = lambda: (randn(),)
witness = lambda: (t(40.0),)
DOMAIN = (-50.0, 50.0)
true = lambda x: 1 / (1 + mp.exp(-mp.mpf(x)))
dtrue = lambda x: mp.exp(-mp.mpf(x)) / (1 + mp.exp(-mp.mpf(x))) ** 2
