# ruff: noqa
from _common import *

META = dict(
    id="c31",
    kind="a,c",
    title="neg. binomial log-pmf at n=0 switched to a Poisson limit for alpha > 1e10: derivative -1.25 vs -0.811",
    source=["https://github.com/stan-dev/math/issues/1578"],
    expected="coherent-but-unfaithful",
    region="alpha > 1e10",
    symptom="gradient off by 54%; and finite differences there are rounding noise",
)
beta = 0.8
fwd = lambda a: np.where(a > 1e10, -a / beta, a * np.log(beta / (1 + beta)))
bwd = lambda a: np.where(a > 1e10, -1 / beta, np.log(beta / (1 + beta)))
fn = fn_from_numpy(fwd, bwd)
natural = lambda: (rand(1, 20),)
witness = lambda: (t(1e10 + 1),)
DOMAIN = (1.0, 1e13)
true = lambda a: mp.mpf(a) * mp.log(mp.mpf(beta) / (1 + mp.mpf(beta)))
dtrue = lambda a: mp.log(mp.mpf(beta) / (1 + mp.mpf(beta)))
