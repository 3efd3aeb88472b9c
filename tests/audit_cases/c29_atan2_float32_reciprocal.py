# ruff: noqa
from _common import *

META = dict(
    id="c29",
    kind="c",
    title="atan2 backward materialises 1/(a^2+b^2): inf then 0 for small arguments",
    source=["https://github.com/pytorch/pytorch/issues/193040", "torch 2.13 installed"],
    expected="incoherent",
    region="float32 |a|,|b| < 1e-19 (inf), < 1e-23 (0); float16 at 2e-3; float64 < 1e-155",
    symptom="inf or silently 0 where the derivative is b/(a^2+b^2)=5e22",
)
fn = lambda a: torch.atan2(a, torch.full_like(a.detach(), 1e-23))
natural = lambda: (rand(0.5, 2),)
witness = lambda: (t(1e-23),)
witness32 = lambda: (t(1e-23, dtype=F32),)
DOMAIN32 = (1e-25, 1e-15)
true = lambda a: mp.atan2(mp.mpf(a), mp.mpf(float(torch.tensor(1e-23, dtype=F32))))
dtrue = lambda a: (lambda b: b / (mp.mpf(a) ** 2 + b * b))(mp.mpf(float(torch.tensor(1e-23, dtype=F32))))
