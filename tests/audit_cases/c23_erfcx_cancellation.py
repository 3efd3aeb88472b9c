# ruff: noqa
from _common import *

META = dict(
    id="c23",
    kind="c",
    title="erfcx backward 2x erfcx(x) - 2/sqrt(pi): cancellation for large x",
    source=["https://github.com/pytorch/pytorch/issues/31945 (code in thread)", "torch 2.13 installed (torch.special.erfcx)"],
    expected="incoherent",
    region="float64 >1% from ~5e6 (1e8: gradient 0); float32 >1% from ~310, >50% from ~1900 (1e4: 0, 1e6: 2e5x too large)",
    symptom="|gradient| < atol: any value passes",
)
fn = lambda x: torch.special.erfcx(x)
natural = lambda: (randn(),)
witness = lambda: (t(1e8),)
witness32 = lambda: (t(1e4, dtype=F32),)
DOMAIN = (-5.0, 1e9)
DOMAIN32 = (-5.0, 1e6)


def true(x):
    x = mp.mpf(x)
    return mp.exp(x * x) * mp.erfc(x) if x < 1e3 else (1 - 1 / (2 * x * x) + 3 / (4 * x**4) - 15 / (8 * x**6)) / (x * mp.sqrt(mp.pi))


def dtrue(x):
    x = mp.mpf(x)
    return (
        2 * x * true(x) - 2 / mp.sqrt(mp.pi) if x < 1e3 else (-1 / x**2 + mp.mpf(3) / (2 * x**4) - mp.mpf(15) / (4 * x**6)) / mp.sqrt(mp.pi)
    )
