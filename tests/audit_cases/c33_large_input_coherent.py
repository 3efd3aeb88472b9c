# ruff: noqa
from _common import *

META = dict(
    id="c33",
    kind="b",
    title="lgamma with the right digamma backward at x=1e11: eps=1e-6 is below the input's ulp",
    source=["https://github.com/jax-ml/jax/pull/39821", "https://github.com/jax-ml/jax/issues/7742"],
    expected="coherent",
    region="x > ~1e9: f noise / eps >> tolerance",
    symptom="false alarm; numerical derivative 0 or noise",
)
fn = fn_from_numpy(sp.gammaln, sp.digamma)
natural = lambda: (rand(1, 20),)
witness = lambda: (t(1e11),)
DOMAIN = (0.1, 1e12)
true = lambda x: mp.loggamma(x)
dtrue = lambda x: mp.psi(0, x)
