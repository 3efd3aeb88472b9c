# ruff: noqa
from _common import *

META = dict(
    id="c27",
    kind="c",
    title="gammainc(1,x) gradient NaN at x=0 ((a-1)*log x = 0*-inf)",
    source=["https://github.com/tensorflow/tensorflow/issues/123578", "torch 2.13 installed"],
    expected="incoherent",
    region="a=1, x=0 (true derivative 1)",
    symptom="NaN",
)
fn = lambda x: torch.special.gammainc(torch.ones((), dtype=x.dtype), x)
natural = lambda: (rand(0.1, 5),)
witness = lambda: (t(0.0),)
DOMAIN = (0.0, 30.0)
ONE_SIDED = True
true = lambda x: -mp.expm1(-mp.mpf(x))
dtrue = lambda x: mp.exp(-mp.mpf(x))
