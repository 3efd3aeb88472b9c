# ruff: noqa
from _common import *

META = dict(
    id="c25",
    kind="b,c",
    title="i0e(x)=exp(-|x|)I0(x) has a kink at 0; torch returns 0; central differences of an even function are 0 too",
    source=["https://github.com/pytorch/pytorch/pull/56352", "torch 2.13 installed"],
    expected="non-differentiable point",
    region="x = 0 (one-sided derivatives -1, +1)",
    symptom="gradcheck cannot see a symmetric kink",
)
fn = lambda x: torch.special.i0e(x)
natural = lambda: (randn(),)
witness = lambda: (t(0.0),)
DOMAIN = (-5.0, 5.0)
KINKS = [0.0]
