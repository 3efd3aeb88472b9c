# ruff: noqa
from _common import *

META = dict(
    id="c21",
    kind="c",
    title="torch.special.ndtr = (1+erf)/2: forward 0 below -8.3 while backward is the exact density",
    source=["https://github.com/pytorch/pytorch/issues/192295"],
    expected="incoherent",
    region="x < -8.3: realised forward is constant 0, backward > 0",
    symptom="forward 0 where 1e-19..1e-198 is representable; log of it -inf",
)
fn = lambda x: torch.special.ndtr(x)
natural = lambda: (randn(),)
witness = lambda: (t(-9.0),)
DOMAIN = (-30.0, 8.0)
true = lambda x: mp.ncdf(mp.mpf(x))
dtrue = lambda x: mp.npdf(mp.mpf(x))
